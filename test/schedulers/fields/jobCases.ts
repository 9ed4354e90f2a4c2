/** What a job is: its size, its time, whose it is, what it waits for. */
import { nameOf } from "../../../src/model/jobs.ts";
import type { FieldCase } from "./fieldCase.ts";
import { everyRun, nodesOf, type Ran, runs } from "./ran.ts";
import { doc, type Job, job, machine, pools, SEC } from "./words.ts";

const ONE = machine(1, 1);
const jobAt = (key: string, index = 0) => `/workload/jobs/${index}/${key}`;

const alone = (more: Partial<Job> = {}) =>
  doc(machine(1, 4), [job("A", 0, 4, { gpus: 1, ...more })]);
const named = (list: "ids" | "names") => (run: Ran) => [nameOf(run.world.jobs[list], 0)];
const gpuHours = ({ metrics }: Ran) => Math.round(metrics.gpuHours.allocated * 3_600);

export const JOB_CASES: readonly FieldCase[] = [
  { at: jobAt("id"), base: alone(), see: named("ids"), gives: ["A"], to: [["moe", ["moe"]]] },
  { at: jobAt("name"), base: alone(), see: named("names"), gives: ["A"], to: [["moe", ["moe"]]] },
  {
    at: jobAt("submitMs"),
    base: alone(),
    see: runs("A"),
    gives: { A: "0-4" },
    to: [[SEC, { A: "1-5" }]],
  },
  {
    at: jobAt("beginMs"),
    base: alone(),
    see: runs("A"),
    gives: { A: "0-4" },
    to: [[SEC, { A: "1-5" }]],
  },
  {
    at: jobAt("workMs"),
    base: alone({ limitMs: undefined }),
    see: runs("A"),
    gives: { A: "0-4" },
    to: [[6 * SEC, { A: "0-6" }]],
  },
  {
    at: jobAt("limitMs"),
    base: alone(),
    see: runs("A"),
    gives: { A: "0-4" },
    to: [[3 * SEC, { A: "0-3 timeLimit" }]],
  },
  { at: jobAt("gpus"), base: alone(), see: gpuHours, gives: 4, to: [[3, 12]] },
  {
    at: jobAt("nodes"),
    base: doc(machine(2, 2), [job("A", 0, 4, { nodes: 1, gpusPerNode: 1 })]),
    see: nodesOf("A"),
    gives: ["n-000"],
    to: [[2, ["n-000", "n-001"]]],
  },
  {
    at: jobAt("gpusPerNode"),
    base: doc(machine(2, 2), [job("A", 0, 4, { nodes: 2, gpusPerNode: 1 })]),
    see: gpuHours,
    gives: 8,
    to: [[2, 16]],
  },
  ...(["cpus", "memGiB"] as const).map(
    (what): FieldCase => ({
      // B finds no room beside A.
      at: jobAt(`${what}PerGpu`),
      base: doc({ nodeGroups: [{ id: "n", count: 1, gpus: 2, [what]: 8 }] }, [
        job("A", 0, 4, { gpus: 1, [`${what}PerGpu`]: 4 }),
        job("B", 0, 4, { gpus: 1, [`${what}PerGpu`]: 4 }),
      ]),
      see: runs("A", "B"),
      gives: { A: "0-4", B: "0-4" },
      to: [[5, { A: "0-4", B: "4-8" }]],
    }),
  ),
  {
    at: jobAt("fails"),
    base: doc(ONE, [
      job("A", 0, 4, { gpus: 1 }),
      job("B", 0, 4, { gpus: 1, after: [{ job: "A", kind: "afterNotOk" }] }),
    ]),
    see: runs("A", "B"),
    gives: { A: "0-4", B: "cancelled" },
    to: [[true, { A: "0-4", B: "4-8" }]],
  },
  {
    at: jobAt("preemptible"),
    base: doc(
      ONE,
      [job("A", 0, 9, { gpus: 1, tier: "low" }), job("U", 3, 4, { gpus: 1, tier: "high" })],
      { pools: pools({ order: "tiers", preemption: "requeue" }) },
    ),
    see: runs("A", "U"),
    gives: { A: "0-3 preempted, 7-16", U: "3-7" },
    to: [[false, { A: "0-9", U: "9-13" }]],
  },
  {
    // The first member starts beside X, if they need not start together.
    at: jobAt("gang", 1),
    base: doc(machine(1, 2), [job("X", 0, 3, { gpus: 1 }), job("A", 1, 4, { gpus: 2 })]),
    see: runs("A"),
    gives: { A: "3-7" },
    to: [[false, { A: "1-7" }]],
  },
  {
    at: jobAt("within", 1),
    base: doc({ ...machine(4, 1), fabric: { nodesPerLeaf: 2 } }, [
      job("X", 0, 3, { gpus: 1 }),
      job("A", 0, 4, { gpus: 2 }),
    ]),
    see: nodesOf("A"),
    gives: ["n-001", "n-002"],
    to: [["leaf", ["n-002", "n-003"]]],
  },
  {
    at: jobAt("within", 1),
    base: doc({ nodeGroups: [{ id: "n", count: 4, gpus: 1, nvswitchNodes: 2 }] }, [
      job("X", 0, 3, { gpus: 1 }),
      job("A", 0, 4, { gpus: 2 }),
    ]),
    see: nodesOf("A"),
    gives: ["n-001", "n-002"],
    to: [["nvswitch", ["n-002", "n-003"]]],
  },
  {
    at: jobAt("stages"),
    base: alone(),
    see: everyRun,
    gives: { A: "0-4" },
    to: [[2, { "A.1": "0-2", "A.2": "2-4" }]],
  },
];

/** X runs; A comes before B. */
const pair = (order: string, x: Partial<Job>, b: Partial<Job> = {}, more: object = {}) =>
  doc(
    ONE,
    [
      job("X", 0, 5, { gpus: 1, ...x }),
      job("A", 1, 3, { gpus: 1, ...x }),
      job("B", 2, 3, { gpus: 1, ...b }),
    ],
    {
      teams: [{ id: "red" }, { id: "blue" }],
      queues: ["a", "b"],
      pools: pools({ order }),
      ...more,
    },
  );
const asTheyCame = { A: "5-8", B: "8-11" };
const lastFirst = { A: "8-11", B: "5-8" };

export const OWNER_CASES: readonly FieldCase[] = [
  {
    at: jobAt("tier", 2),
    base: pair("tiers", {}),
    see: runs("A", "B"),
    gives: asTheyCame,
    to: [["high", lastFirst]],
  },
  {
    at: jobAt("kind", 2),
    base: pair("tiers", {}),
    see: runs("A", "B"),
    gives: asTheyCame,
    to: [
      ["inference", lastFirst],
      ["ci", asTheyCame],
      ["interactive", asTheyCame],
      ["batch", asTheyCame],
    ],
  },
  {
    at: jobAt("team", 2),
    base: pair("fairShare", { team: "red" }, { team: "red" }),
    see: runs("A", "B"),
    gives: asTheyCame,
    to: [["blue", lastFirst]],
  },
  {
    at: jobAt("user", 2),
    base: pair(
      "fairShare",
      { user: "ann" },
      { user: "ann" },
      {
        pools: pools({ order: "fairShare", shareOf: "user" }),
      },
    ),
    see: runs("A", "B"),
    gives: asTheyCame,
    to: [["bob", lastFirst]],
  },
];

const routed = (route: object, b: Partial<Job>) =>
  doc(
    { nodeGroups: ["a", "b"].map((id) => ({ id, count: 1, gpus: 1 })) },
    [job("A", 0, 4, { gpus: 1 }), job("B", 0, 4, { gpus: 1, ...b })],
    {
      teams: [{ id: "red" }],
      queues: ["q"],
      pools: [{ id: "a", nodeGroups: ["a"], route }, { id: "b" }],
    },
  );

export const ROUTE_CASES: readonly FieldCase[] = [
  {
    at: jobAt("queue", 1),
    base: routed({ queues: ["q"] }, {}),
    see: nodesOf("B"),
    gives: ["b-000"],
    to: [["q", ["a-000"]]],
  },
  ...(
    [
      ["tiers", ["high"], { tier: "high" }],
      ["kinds", ["ci"], { kind: "ci" }],
      ["queues", ["q"], { queue: "q" }],
      ["teams", ["red"], { team: "red" }],
    ] as const
  ).map(
    ([key, value, b]): FieldCase => ({
      // Without the list the first pool takes A and B, one after the other.
      at: `/pools/0/route/${key}`,
      base: routed({}, b),
      see: runs("A", "B"),
      gives: { A: "0-4", B: "4-8" },
      to: [[value, { A: "0-4", B: "0-4" }]],
    }),
  ),
  {
    at: "/pools/0/nodeGroups",
    base: routed({ queues: ["q"] }, { queue: "q" }),
    see: nodesOf("B"),
    gives: ["a-000"],
    to: [[["b"], ["b-000"]]],
  },
  {
    at: "/pools/0/id",
    base: routed({}, {}),
    see: (run) => run.world.pools[0]!.id,
    gives: "a",
    to: [["b", "refused at /pools/1"]],
  },
];
