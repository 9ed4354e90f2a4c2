/** The ground that jobs run on: groups of nodes, what a job asks of them, network, storage, rented nodes, failures. */

import { nodeOfDevice } from "../../../src/model/cluster.ts";
import { DECISION_KINDS } from "../../../src/record/shapes.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import type { FieldCase } from "./fieldCase.ts";
import { away, decided, nodesOf, type Ran, runs } from "./ran.ts";
import { doc, type Job, job, machine, pools, SEC } from "./words.ts";

type Cluster = ScenarioInput["cluster"];
type Group = Cluster["nodeGroups"][number];

const jobAt = (key: string, index = 0) => `/workload/jobs/${index}/${key}`;
const groupAt = (key: string) => `/cluster/nodeGroups/0/${key}`;
const group = (more: Partial<Group>, others: readonly Group[] = []): Cluster => ({
  nodeGroups: [{ id: "n", count: 1, gpus: 4, ...more }, ...others],
});
const one = (cluster: Cluster, more: Partial<Job> = { gpus: 1 }) =>
  doc(cluster, [job("A", 0, 4, more)]);
const two = (cluster: Cluster, more: Partial<Job>) =>
  doc(
    cluster,
    ["A", "B"].map((id) => job(id, 0, 4, more)),
  );
const together = { A: "0-4", B: "0-4" };
const inTurn = { A: "0-4", B: "4-8" };
const see = runs("A", "B");

const H: Group = { id: "h", count: 1, gpus: 1, labels: { zone: "a" } };
const A: Group = { id: "a", count: 1, gpus: 1, gpuModel: "A100", labels: { zone: "b" } };
/** Two GPUs of A in two domains: X has the first of one. */
const split = (numaDomains: number, remoteNumaSpeed?: number) =>
  doc(group({ numaDomains }), [
    job("X", 0, 4, { gpus: 1 }),
    job("A", 0, 4, { limitMs: undefined, components: [{ gpusPerMember: 2 }], remoteNumaSpeed }),
  ]);

export const PLACE_CASES: readonly FieldCase[] = [
  {
    at: jobAt("exclusive"),
    base: two(group({}), { gpus: 1 }),
    see,
    gives: together,
    to: [[true, inTurn]],
  },
  {
    at: jobAt("labels"),
    base: one({ nodeGroups: [H, A] }),
    see: nodesOf("A"),
    gives: ["h-000"],
    to: [[{ zone: "b" }, ["a-000"]]],
  },
  {
    at: jobAt("gpuModels/0/model"),
    base: one({ nodeGroups: [H, A] }, { gpus: 1, gpuModels: [{ model: "H100" }] }),
    see: nodesOf("A"),
    gives: ["h-000"],
    to: [["A100", ["a-000"]]],
  },
  {
    at: jobAt("gpuModels/0/speed"),
    base: one({ nodeGroups: [H] }, { gpus: 1, limitMs: undefined, gpuModels: [{ model: "H100" }] }),
    see: runs("A"),
    gives: { A: "0-4" },
    to: [[0.5, { A: "0-8" }]],
  },
  {
    at: jobAt("remoteNumaSpeed", 1),
    base: split(2),
    see: runs("A"),
    gives: { A: "0-4" },
    to: [[0.5, { A: "0-8" }]],
  },
];

type Switch = NonNullable<Cluster["switches"]>[number];
const switched = (...above: readonly Switch[]) =>
  one(
    {
      ...machine(4, 1),
      switches: [
        { name: "s0", nodes: "n-[000-001]" },
        { name: "s1", nodes: "n-[002-003]" },
        ...above,
      ],
    },
    { gpus: 2, within: "leaf" },
  );

export const CLUSTER_CASES: readonly FieldCase[] = [
  {
    at: groupAt("id"),
    base: one(group({})),
    see: nodesOf("A"),
    gives: ["n-000"],
    to: [["dgx", ["dgx-000"]]],
  },
  {
    at: groupAt("names"),
    base: one(group({})),
    see: nodesOf("A"),
    gives: ["n-000"],
    to: [["gpu[7]", ["gpu7"]]],
  },
  {
    at: groupAt("count"),
    base: two(group({}), { gpus: 3 }),
    see,
    gives: inTurn,
    to: [[2, together]],
  },
  {
    at: groupAt("gpus"),
    base: two(group({}), { gpus: 3 }),
    see,
    gives: inTurn,
    to: [[6, together]],
  },
  {
    at: groupAt("gpuModel"),
    base: one({ nodeGroups: [H, A] }, { components: [{ gpuModel: "A100" }] }),
    see: nodesOf("A"),
    gives: ["a-000"],
    to: [["A100", ["h-000"]]],
  },
  {
    // Half of 80 GiB, all of 40.
    at: groupAt("gpuMemGiB"),
    base: {
      ...two(group({ gpus: 1 }), { components: [{ migProfile: "3g.40gb" }] }),
      pools: pools({ migPacking: "firstFit" }),
    },
    see,
    gives: together,
    to: [[40, inTurn]],
  },
  {
    at: groupAt("cpus"),
    base: two(group({ cpus: 8 }), { gpus: 1, cpusPerGpu: 4 }),
    see,
    gives: together,
    to: [[7, inTurn]],
  },
  {
    at: groupAt("memGiB"),
    base: two(group({ memGiB: 8 }), { gpus: 1, memGiBPerGpu: 4 }),
    see,
    gives: together,
    to: [[7, inTurn]],
  },
  {
    at: groupAt("numaDomains"),
    base: split(1, 0.5),
    see: runs("A"),
    gives: { A: "0-4" },
    to: [[2, { A: "0-8" }]],
  },
  {
    at: groupAt("nvswitchNodes"),
    base: one(group({ count: 2, gpus: 1 }), { gpus: 2, within: "nvswitch" }),
    see: runs("A"),
    gives: { A: "refused" },
    to: [[2, { A: "0-4" }]],
  },
  {
    at: groupAt("labels"),
    base: one({ nodeGroups: [H, A] }, { gpus: 1, labels: { zone: "b" } }),
    see: nodesOf("A"),
    gives: ["a-000"],
    to: [[{ zone: "b" }, ["h-000"]]],
  },
  {
    // Four GPUs for 4 s.
    at: groupAt("pricePerGpuHour"),
    base: one(group({ pricePerGpuHour: 225 })),
    see: ({ metrics }) => metrics.cost!.total,
    gives: 1,
    to: [[450, 2]],
  },
  {
    at: "/cluster/fabric/nodesPerLeaf",
    base: one({ ...machine(4, 1), fabric: { nodesPerLeaf: 2 } }, { gpus: 3, within: "leaf" }),
    see: runs("A"),
    gives: { A: "refused" },
    to: [[3, { A: "0-4" }]],
  },
  {
    at: "/cluster/switches/0/nodes",
    base: switched(),
    see: nodesOf("A"),
    gives: ["n-000", "n-001"],
    to: [["n-000", ["n-002", "n-003"]]],
  },
  {
    at: "/cluster/switches/1/name",
    base: switched(),
    see: (run) => run.world.cluster.leafNames,
    gives: ["s0", "s1"],
    to: [["rack 1", ["s0", "rack 1"]]],
  },
  {
    at: "/cluster/switches/2/switches",
    base: switched({ name: "top", switches: ["s0"] }),
    see: (run) => run.world.cluster.spineCount,
    gives: 2,
    to: [[["s0", "s1"], 1]],
  },
  {
    at: "/cluster/flat",
    base: one(group({}), { gpus: 4 }),
    see: (run) => run.world.cluster.deviceWord,
    gives: "GPU",
    to: [[true, "processor"]],
  },
];

/** A has the only node that is there; B waits, and one is rented. */
const rented = (burst: object, more: object = {}) =>
  doc(
    {
      nodeGroups: [
        {
          id: "cloud",
          count: 1,
          gpus: 1,
          burst: { startupMs: 3 * SEC, idleTimeoutMs: 4 * SEC, afterWaitMs: 2 * SEC, ...burst },
        },
        { id: "own", count: 1, gpus: 1 },
      ],
    },
    [job("A", 0, 30, { gpus: 1 }), job("B", 1, 5, { gpus: 1, ...more })],
  );
const burstAt = (key: string) => groupAt(`burst/${key}`);
const cloud = away("cloud-000");

export const BURST_CASES: readonly FieldCase[] = [
  {
    at: burstAt("startupMs"),
    base: rented({}),
    see: runs("B"),
    gives: { B: "6-11" },
    to: [[5 * SEC, { B: "8-13" }]],
  },
  {
    at: burstAt("afterWaitMs"),
    base: rented({}),
    see: runs("B"),
    gives: { B: "6-11" },
    to: [[4 * SEC, { B: "8-13" }]],
  },
  {
    at: burstAt("idleTimeoutMs"),
    base: rented({}),
    see: cloud,
    gives: ["unborn 0-6", "unborn 15-"],
    to: [[8 * SEC, ["unborn 0-6", "unborn 19-"]]],
  },
  {
    at: burstAt("spotMeanMs"),
    base: rented({ spotNoticeMs: SEC }),
    see: ({ metrics }) => "spotTaken" in metrics.evictions,
    gives: false,
    to: [[2 * SEC, true]],
  },
  {
    // Half a second to save: there is time for it, or none.
    at: burstAt("spotNoticeMs"),
    base: rented(
      { spotMeanMs: 2 * SEC, spotNoticeMs: SEC },
      { checkpoint: { costMs: SEC / 2, onSignal: true } },
    ),
    see: (run) => decided("saved", "B")(run).length > 0,
    gives: true,
    to: [[0, false]],
  },
];

/** Four nodes of two GPUs under two leaves, two groups. */
const failing = (rule: object) =>
  doc(
    {
      nodeGroups: [
        { id: "a", count: 2, gpus: 2 },
        { id: "b", count: 2, gpus: 2 },
      ],
      fabric: { nodesPerLeaf: 2 },
    },
    [],
    {
      horizonMs: 1_000 * SEC,
      failures: [{ of: "node", mtbfMs: 30 * SEC, repairMs: 5 * SEC, ...rule }],
    },
  );

/** What goes down at one instant, each set once: names of nodes, `node/number` of devices. */
function failedTogether(run: Ran): string[] {
  const byTime = new Map<number, string[]>();
  const note = (atMs: number, name: string) =>
    byTime.set(atMs, [...(byTime.get(atMs) ?? []), name]);
  const { nodeNames, deviceBase } = run.world.cluster;
  for (const { nodeSpans, decisions } of run.chunks) {
    nodeSpans.node.forEach((node, row) => void note(nodeSpans.startMs[row]!, nodeNames[node]!));
    decisions.kind.forEach((kind, row) => {
      if (DECISION_KINDS[kind] !== "failDevice") return;
      const device = decisions.jobIdx[row]!;
      const node = nodeOfDevice(run.world.cluster, device);
      note(decisions.atMs[row]!, `${nodeNames[node]}/${device - deviceBase[node]!}`);
    });
  }
  return [...new Set([...byTime.values()].map((names) => names.sort().join(" ")))].sort();
}
const repairsMs = ({ chunks }: Ran) =>
  chunks.flatMap(({ nodeSpans }) =>
    [...nodeSpans.startMs].map((startMs, row) => nodeSpans.endMs[row]! - startMs),
  );
const nodesAlone = ["a-000", "a-001", "b-000", "b-001"];
const leaves = ["a-000 a-001", "b-000 b-001"];
const devices = nodesAlone.flatMap((node) => [`${node}/0`, `${node}/1`]);

export const FAILURE_CASES: readonly FieldCase[] = [
  {
    at: "/failures/0/of",
    base: failing({}),
    see: failedTogether,
    gives: nodesAlone,
    to: [
      ["leaf", leaves],
      ["gpu", devices],
    ],
  },
  {
    at: "/failures/0/nodeGroups",
    base: failing({}),
    see: failedTogether,
    gives: nodesAlone,
    to: [[["a"], nodesAlone.slice(0, 2)]],
  },
  {
    at: "/failures/0/correlated",
    base: failing({}),
    see: failedTogether,
    gives: nodesAlone,
    to: [[1, leaves]],
  },
  {
    // The same draw, twice as long.
    at: "/failures/0/mtbfMs",
    base: failing({}),
    see: (run) => away("a-000")(run)[0],
    gives: "down 11.403-16.403",
    to: [[60 * SEC, "down 22.805-27.805"]],
  },
  {
    at: "/failures/0/repairMs",
    base: failing({}),
    see: (run) => [...new Set(repairsMs(run))],
    gives: [5 * SEC],
    to: [[10 * SEC, [10 * SEC]]],
  },
  {
    at: "/failures/0/repairSpread",
    base: failing({}),
    see: (run) => new Set(repairsMs(run)).size > 1,
    gives: false,
    to: [[2, true]],
  },
];
