/** Labels of single nodes that change in the middle of a run: who may go where from then on, and that nothing else moves. */
import { describe, expect, test } from "vitest";
import { labelled } from "../../src/engine/labels.ts";
import type { Change } from "../../src/model/world.ts";
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { runDocument } from "../schedulers/scenarioDocs.ts";
import { runAll, runsOf, sameWithSnapshots } from "../support/labRuns.ts";

const SECOND = 1_000;
const wants = { labels: { zone: "b" } };
const job = (id: string, submitSec: number, more: object = {}) => ({
  id,
  submitMs: submitSec * SECOND,
  gpus: 1,
  workMs: 100 * SECOND,
  limitMs: 200 * SECOND,
  ...more,
});

/** Two nodes in zone a; at 10 s the second goes to zone b, at 60 s it is in none. */
function document(policy: object, jobs: readonly object[]): ScenarioInput {
  return {
    version: 1,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4, labels: { zone: "a" } }] },
    pools: [{ id: "all", policy }],
    workload: { jobs },
    interventions: [
      { kind: "label", atMs: 10 * SECOND, nodes: ["n-001"], labels: { zone: "b", disk: "ssd" } },
      { kind: "label", atMs: 60 * SECOND, nodes: ["n-001"], remove: ["zone"] },
    ],
  } as unknown as ScenarioInput;
}

const jobs = [
  job("early", 5, wants),
  job("there", 20, wants),
  job("a1", 25, { labels: { zone: "a" }, gpus: 4 }),
  job("a2", 30, { labels: { zone: "a" } }),
  job("any", 40),
  job("late", 70, wants),
  job("ssd", 80, { labels: { disk: "ssd" } }),
];

describe.each([
  ["plain", { preset: "lab", settings: {} }],
  ["backfill", { preset: "lab", settings: { backfill: "conservative" } }],
  ["walk", { preset: "lab", settings: { order: "fairShare" } }],
])("under the lab, %s", (_, policy) => {
  const { world } = runDocument(document(policy, jobs));
  const { chunk } = runAll(world);
  const startSec = (name: string) => (runsOf(world, chunk, name)[0]?.[0] ?? Number.NaN) / SECOND;

  test("a job goes to a node that has got its label, and before that and after there is none", () => {
    expect(startSec("there")).toBe(20);
    expect(startSec("early")).toBeNaN();
    expect(startSec("late")).toBeNaN();
    expect(startSec("ssd")).toBe(80);
  });

  test("a label that a node has lost keeps others away from it, and what runs there stays", () => {
    expect(startSec("a1")).toBe(25);
    expect(startSec("a2")).toBe(125);
    expect(runsOf(world, chunk, "there")).toEqual([[20 * SECOND, 120 * SECOND]]);
  });

  test("snapshots and slices leave the run as it is", () => {
    sameWithSnapshots(world);
  });
});

test("under Slurm a job that comes after the label runs there, and goes on where the label is lost", () => {
  const { world } = runDocument(
    document({ preset: "slurm" }, [job("early", 5, wants), job("there", 20, wants)]),
  );
  const { chunk } = runAll(world);
  const [run] = runsOf(world, chunk, "there");
  expect(run![0]).toBeGreaterThanOrEqual(20 * SECOND);
  expect(run![0]).toBeLessThan(60 * SECOND);
  expect(run![1] - run![0]).toBe(100 * SECOND);
  expect(runsOf(world, chunk, "early")).toEqual([]);
  sameWithSnapshots(world);
});

test("a node that has the labels of its class again is of its class again", () => {
  const { world } = runDocument(document({ preset: "lab", settings: {} }, []));
  const { cluster } = world;
  const change = (nodes: number[], zone: string): Extract<Change, { kind: "label" }> => ({
    atMs: 0,
    source: 0,
    kind: "label",
    nodes,
    labels: { zone },
    remove: [],
  });
  const once = labelled(cluster, change([0, 1], "b"));
  expect(once.groups).toHaveLength(2);
  expect([...once.nodeGroup]).toEqual([1, 1]);
  expect([...labelled(once, change([0], "a")).nodeGroup]).toEqual([0, 1]);
  expect(labelled(cluster, change([0], "a"))).toBe(cluster);
});
