/**
 * Four nodes of two GPUs under two leaves, cards of 1 GB/s, one a node. A gang of two nodes sends 1 GB around a ring of its two nodes: 1 s where it has the
 * card to itself (2 × ½ × 1 GB), beside 1 s of computing: 2 s a step.
 */
import { expect, test } from "vitest";
import type { World } from "../../../src/model/world.ts";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { gaugeOf, runAll, runsOf, sameWithSnapshots } from "../../support/labRuns.ts";

const GB_IN_GIB = 1e9 / 1_073_741_824;
const NETWORK = {
  nvlinkGBps: 1_000_000_000,
  nvlinkMicros: 0,
  nicGBps: 1,
  nicMicros: 0,
  nicsPerNode: 1,
};
const traffic = { stepMs: 1_000, allReduceGiB: GB_IN_GIB };

interface Setting {
  readonly network?: object;
  readonly nodes?: number;
  readonly gpus?: number;
  readonly nodesPerLeaf?: number;
  readonly more?: object;
}

function worldWith(jobs: readonly object[], setting: Setting = {}): World {
  const { network = {}, nodes = 4, gpus = 2, nodesPerLeaf = 2, more = {} } = setting;
  return documentWorld({
    version: 1,
    cluster: {
      nodeGroups: [{ id: "g", count: nodes, gpus }],
      fabric: { nodesPerLeaf },
      network: { ...NETWORK, ...network },
    },
    workload: { jobs: jobs.map((job) => ({ submitMs: 0, traffic, ...job })) },
    ...more,
  });
}

function lengthS(world: World, name: string): number {
  const { chunk } = runAll(world);
  const [fromMs, toMs] = runsOf(world, chunk, name)[0]!;
  return (toMs - fromMs) / 1_000;
}

test("a gang on as few nodes as it can runs as its work says", () => {
  const world = worldWith([{ id: "A", nodes: 2, gpusPerNode: 2, workMs: 10_000 }]);
  expect(lengthS(world, "A")).toBe(10);
});

test("one that could be on one node and is on two goes at the rate of a card", () => {
  const blocker = (id: string) => ({ id, nodes: 1, gpusPerNode: 1, workMs: 100_000 });
  const jobs = [blocker("X"), blocker("Y"), { id: "A", gpus: 2, submitMs: 1, workMs: 10_000 }];
  const world = worldWith(jobs, {
    nodes: 2,
    more: { pools: [{ id: "all", policy: { settings: { placement: "worstFit" } } }] },
  });
  // Packed: 1 s a step over NVLink; apart: 1 s more.
  expect(lengthS(world, "A")).toBeCloseTo(20, 2);
});

test("gangs under one leaf each do not meet; gangs across a quarter of an uplink share it", () => {
  const gangs = ["A", "B"].map((id) => ({ id, nodes: 2, gpusPerNode: 2, workMs: 10_000 }));
  expect(lengthS(worldWith(gangs, { network: { oversubscription: 4 } }), "A")).toBe(10);
});

/** One node of each leaf is taken for good, so A and B get one node under each leaf. */
const APART = [
  { id: "A", nodes: 2, gpusPerNode: 1, workMs: 12_000, exclusive: true },
  { id: "B", nodes: 2, gpusPerNode: 1, submitMs: 6_000, workMs: 4_000, exclusive: true },
];
const across = (oversubscription: number): World =>
  worldWith(
    [
      { id: "X", nodes: 1, gpusPerNode: 1, workMs: 500, exclusive: true, traffic: undefined },
      ...APART.map((job, i) => (i === 0 ? { ...job, submitMs: 1 } : job)),
    ],
    { network: { oversubscription } },
  );

test("a job slows down while a neighbour shares the uplink, and speeds up when it has gone", () => {
  const world = across(2);
  const { chunk } = runAll(world);
  const [, aToMs] = runsOf(world, chunk, "A")[0]!;
  const [bFromMs, bToMs] = runsOf(world, chunk, "B")[0]!;
  // Alone A has the uplink of one card to itself and runs at speed 1; together each gets half: 3 s a step instead of 2.
  // Speeds are rounded down to 1/65,536, ends up to a millisecond.
  expect(bToMs - bFromMs).toBe(6_001);
  const sharedMs = Math.min(aToMs, bToMs) - bFromMs;
  expect(Math.abs(aToMs - (1 + 12_000 + sharedMs / 3))).toBeLessThanOrEqual(1);
  const leaf0 = gaugeOf(chunk, "uplink", 0);
  expect(leaf0.map(([, load]) => load)).toEqual([1, 0]);
});

test("what communication takes is in the decision log, and why", () => {
  const world = across(2);
  const { simulation, chunk } = runAll(world);
  const { kind, jobIdx, value, atMs } = chunk.decisions;
  const speeds = [...kind].flatMap((code, i) =>
    code === DecisionKindCode.speed ? [[jobIdx[i], atMs[i], Math.round(1_000 * value[i]!)]] : [],
  );
  expect(speeds).toEqual([
    [1, 6_000, 667],
    [2, 6_000, 667],
    [1, 12_001, 1_000],
  ]);
  expect(simulation.jobFacts(1, 7_000)?.run).toEqual({ speedQ16: 43_690, slowedBy: "uplink" });
  expect(simulation.jobFacts(1, 5_000)?.run).toEqual({ speedQ16: 65_536, slowedBy: null });
});

test("an uplink as wide as its cards slows nobody", () => expect(lengthS(across(1), "A")).toBe(12));

/** Length of A (s) where it has to lie on these nodes: others are taken, or have fewer GPUs free. */
function lengthOn(takenOnNode: readonly number[], more: object): number {
  const blockers = takenOnNode.map((gpusPerNode, i) => ({
    id: `X${i}`,
    nodes: 1,
    gpusPerNode,
    workMs: 1_000_000,
    submitMs: i,
    traffic: undefined,
  }));
  const a = { id: "A", gpus: 4, submitMs: 10, workMs: 10_000, ...more };
  const world = worldWith([...blockers, a], {
    nodes: 4,
    gpus: 4,
    nodesPerLeaf: 4,
    more: { pools: [{ id: "all", policy: { settings: { placement: "worstFit" } } }] },
  });
  const { chunk } = runAll(world);
  const [fromMs, toMs] = runsOf(world, chunk, "A")[0]!;
  return (toMs - fromMs) / 1_000;
}

test("two members behind one card talk at half its rate, where they came in any order", () => {
  const random = { traffic: { ...traffic, order: "random" } };
  // Packed 1 s a step. One a node: 2 × ¾ × 1 GB at 1 GB/s. Two a node: the same at half the rate.
  expect(lengthOn([3, 3, 3, 3], random)).toBeCloseTo(25, 1);
  expect(lengthOn([4, 4, 2, 2], random)).toBeCloseTo(40, 1);
});

test("ranked, two a node send their sum once: less than one a node", () => {
  expect(lengthOn([3, 3, 3, 3], {})).toBeCloseTo(25, 1);
  expect(lengthOn([4, 4, 2, 2], {})).toBeCloseTo(20, 1);
});

test("a model stands for its numbers", () => {
  const bert = lengthOn([4, 4, 2, 2], { traffic: { model: "bert-8" } });
  // A tree: 2 × 0.4363 GiB at half of 1 GB/s beside 703.26 ms.
  expect(bert).toBeCloseTo(10 * (1 + (2 * 0.4363 * 1.073741824 * 2) / 0.70326), 1);
});

test("nodes of one NVSwitch domain are one place", () => {
  const jobs = [{ id: "A", nodes: 2, gpusPerNode: 2, workMs: 10_000 }];
  const group = { id: "g", count: 4, gpus: 2, nvswitchNodes: 2 };
  const cluster = { nodeGroups: [group], fabric: { nodesPerLeaf: 2 }, network: NETWORK };
  const apart = [
    { id: "X", nodes: 1, gpusPerNode: 2, workMs: 1_000_000, traffic: undefined },
    ...jobs,
  ];
  const late = apart.map((job, i) => ({ ...job, submitMs: i }));
  expect(lengthS(worldWith(jobs, { more: { cluster } }), "A")).toBe(10);
  // X takes half of the first domain; fewest nodes by number: A gets one of each.
  expect(lengthS(worldWith(late, { more: { cluster } }), "A")).toBeCloseTo(20, 1);
});

test("a job that is alone on a GPU sends nothing", () =>
  expect(lengthS(worldWith([{ id: "A", gpus: 1, workMs: 10_000 }]), "A")).toBe(10));

test("slices and snapshots leave everything as it is", () => sameWithSnapshots(across(2)));
