/** What a run says of pods and calls when it is asked about a job. */
import { expect, test } from "vitest";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll } from "../../support/labRuns.ts";
import { jobNamed } from "../../support/world.ts";
import { documentOf } from "../groupDocs.ts";

function runWith(preset: string, words: readonly string[], lines: readonly string[]) {
  const drawn = { title: "", words, yaml: "", lines, drawing: "" };
  const world = documentWorld(JSON.parse(JSON.stringify(documentOf(preset, drawn))));
  const { simulation } = runAll(world);
  return (id: string, atMs: number) => simulation.jobFacts(jobNamed(world, id), atMs)?.placement;
}

test("pods that are bound, pods that found no node, and what is short for them", () => {
  const facts = runWith("kube-scheduler", ["2x4"], ["0 A 1*4 20s", "1 B 2*4 20s loose"]);
  expect(facts("B", 2_000)).toEqual({
    system: "kube-scheduler",
    pods: 2,
    waiting: 1,
    failed: 1,
    nominated: [],
    nodes: { nodes: 2, room: 0, short: [["with too little nvidia.com/gpu free", 2]] },
  });
  expect(facts("A", 2_000)).toMatchObject({ pods: 1, waiting: 0, failed: 0, nodes: null });
  expect(facts("A", 60_000)).toBeNull();
});

test("a placement group of Ray waits whole, tasks wait one by one", () => {
  const facts = runWith("ray", ["2x4"], ["0 A 1*4 20s", "1 B 2*4 20s", "1 C 1*4 20s"]);
  expect(facts("A", 2_000)).toMatchObject({ system: "ray", kind: "tasks", missing: 0 });
  expect(facts("B", 2_000)).toMatchObject({ kind: "placementGroup", members: 2, missing: 2 });
  expect(facts("A", 60_000)).toBeNull();
});
