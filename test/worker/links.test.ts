import { describe, expect, test } from "vitest";
import { encodeScenario } from "../../src/scenario/codec.ts";
import { completeIntervention } from "../../src/scenario/completeIntervention.ts";
import { appendIntervention } from "../../src/scenario/interventions.ts";
import { libraryEntry, libraryScenario } from "../../src/scenario/library/index.ts";
import { readEntry, readLink } from "../../src/worker/links.ts";

const ID = "why-waiting";
const scenario = libraryScenario(ID);
if (!scenario) throw new Error("the library has its first scenario");
const drained = appendIntervention(
  scenario,
  completeIntervention({ kind: "drain", atMs: 3_600_000, nodes: ["h100-003"] }),
);

describe("a link", () => {
  test("of a changed library scenario is read with what the library says of it", () => {
    const read = readLink(encodeScenario(drained, { id: ID, scenario }));
    if (read.kind !== "read") throw new Error(JSON.stringify(read.problems));
    expect(JSON.parse(read.json)).toEqual(drained);
    expect(read.entry?.id).toBe(ID);
    expect(read.entry?.suggest).toEqual(libraryEntry(ID)?.suggest);
  });

  test("of a document of its own stands for no entry", () => {
    const read = readLink(encodeScenario(drained));
    expect(read).toMatchObject({ kind: "read", entry: null });
  });

  test("that is damaged is told, not thrown", () => {
    const text = encodeScenario(drained);
    expect(readLink(`${text.slice(0, 40)}x${text.slice(41)}`).kind).toBe("problems");
    expect(readLink("").kind).toBe("problems");
  });
});

describe("an entry of the library", () => {
  test("comes with its defaults and with how it opens", () => {
    const read = readEntry(ID);
    expect(JSON.parse(read?.json ?? "null")).toEqual(scenario);
    expect(read?.entry.openAt).toEqual(libraryEntry(ID)?.openAt);
  });

  test("of an unknown id is none", () => {
    expect(readEntry("constructor")).toBeNull();
  });
});
