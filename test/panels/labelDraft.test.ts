/** The editor of labels: what is typed against what the nodes have, and the change that comes of it. */
import { describe, expect, test } from "vitest";
import { commonText, labelChange } from "../../src/panels/inspector/label/labelDraft.ts";
import { labelsAt } from "../../src/scenario/labelsAt.ts";
import type { Intervention } from "../../src/scenario/schema.ts";

const LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "n-000": { zone: "a", disk: "ssd" },
  "n-001": { zone: "a", disk: "hdd" },
};
const labelsOf = (node: string) => LABELS[node] ?? {};

describe("a draft of labels", () => {
  test("begins with what all of the nodes have alike", () => {
    expect(commonText(["n-000"], labelsOf)).toBe("zone=a, disk=ssd");
    expect(commonText(["n-000", "n-001"], labelsOf)).toBe("zone=a");
    expect(commonText([], labelsOf)).toBe("");
  });

  test("sets what differs, and takes away what was taken out of the line", () => {
    expect(labelChange({ nodes: "n-000", labels: "zone=b, rack=7" }, labelsOf)).toEqual({
      nodes: ["n-000"],
      labels: { zone: "b", rack: "7" },
      remove: ["disk"],
    });
  });

  test("leaves alone what only some of the nodes have", () => {
    expect(labelChange({ nodes: "n-[000-001]", labels: "zone=b" }, labelsOf)).toEqual({
      nodes: ["n-000", "n-001"],
      labels: { zone: "b" },
    });
  });

  test("is no change where something else than labels is written", () => {
    expect(labelChange({ nodes: "n-000", labels: "zone" }, labelsOf)).toBeNull();
  });
});

describe("labels of a node at a time", () => {
  const changes = [
    { kind: "label", atMs: 20, nodes: ["n"], labels: { zone: "c" } },
    { kind: "label", atMs: 10, nodes: ["n"], labels: { zone: "b", disk: "ssd" } },
    { kind: "label", atMs: 30, nodes: ["n"], labels: {}, remove: ["zone"] },
    { kind: "label", atMs: 15, nodes: ["n"], labels: { zone: "x" }, off: true },
    { kind: "label", atMs: 15, nodes: ["m"], labels: { zone: "y" } },
  ] as Intervention[];
  const at = (atMs: number, without?: number) =>
    labelsAt(changes, "n", { zone: "a" }, atMs, without);

  test("are those of its class, then what changes made of them in order of time", () => {
    expect(at(9)).toEqual({ zone: "a" });
    expect(at(19)).toEqual({ zone: "b", disk: "ssd" });
    expect(at(20)).toEqual({ zone: "c", disk: "ssd" });
    expect(at(30)).toEqual({ disk: "ssd" });
  });

  test("can be asked for without one change, as its editor does", () => {
    expect(at(25, 0)).toEqual({ zone: "b", disk: "ssd" });
  });
});
