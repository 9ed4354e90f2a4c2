/** What a job does in its life: start-up, checkpoints, ends and evictions. */
import type { FieldCase } from "./fieldCase.ts";
import { all, phases, runs } from "./ran.ts";
import { doc, type Job, job, machine, pools, SEC } from "./words.ts";

type Checkpoint = NonNullable<Job["checkpoint"]>;
const ONE = machine(1, 1);
/** Bandwidth at which a GiB takes a second. */
const GIB_A_SECOND = 1.073741824;

const alone = (more: Partial<Job>, workSec = 10) =>
  doc(ONE, [job("A", 0, workSec, { gpus: 1, limitMs: undefined, ...more })]);
const saving = (checkpoint: Checkpoint) => alone({ checkpoint });

/** Saved at 3 s; its node fails at 5 s, with two seconds of work beyond what is saved and three to go. */
const broken = (checkpoint: Checkpoint) =>
  doc(machine(2, 1), [job("A", 0, 6, { gpus: 1, checkpoint: { every: 3 * SEC, ...checkpoint } })], {
    interventions: [{ atMs: 5 * SEC, kind: "fail", nodes: ["n-000"] }],
  });

/** U takes the device of A at 3 s. */
const evicted = (
  settings: Parameters<typeof pools>[0],
  more: Partial<Job>,
  others: readonly Job[] = [],
) =>
  doc(
    ONE,
    [
      job("A", 0, 10, { gpus: 1, tier: "low", ...more }),
      job("U", 3, 4, { gpus: 1, tier: "high" }),
      ...others,
    ],
    { pools: pools({ order: "tiers", ...settings }) },
  );

/** About one failure in 5,000 s, a checkpoint of 1 s: every √(2 · 1 · 5,000) = 100 s after Young. */
const rated = {
  ...alone({ checkpoint: { costMs: SEC } }, 150),
  failures: [{ of: "node" as const, mtbfMs: 5_000 * SEC, repairMs: SEC }],
};

export const CHECKPOINT_CASES: readonly FieldCase[] = [
  {
    at: "/workload/jobs/0/checkpoint/every",
    base: rated,
    see: phases("A"),
    gives: "running 0-150",
    to: [
      ["young", "running 0-100, checkpointing 100-101, running 101-151"],
      // Daly: 100 · (1 + √(1 / 10,000) / 3 + 1 / 90,000) − 1 s.
      ["daly", "running 0-99.334, checkpointing 99.334-100.334, running 100.334-151"],
      [80 * SEC, "running 0-80, checkpointing 80-81, running 81-151"],
    ],
  },
  {
    at: "/workload/jobs/0/checkpoint/costMs",
    base: saving({ every: 6 * SEC, costMs: SEC }),
    see: phases("A"),
    gives: "running 0-6, checkpointing 6-7, running 7-11",
    to: [[3 * SEC, "running 0-6, checkpointing 6-9, running 9-13"]],
  },
  {
    at: "/workload/jobs/0/checkpoint/sizeGiB",
    base: {
      ...saving({ every: 6 * SEC, costMs: SEC }),
      cluster: { ...ONE, storage: { writeGBps: GIB_A_SECOND } },
    },
    see: phases("A"),
    gives: "running 0-6, checkpointing 6-7, running 7-11",
    to: [[3, "running 0-6, checkpointing 6-9, running 9-13"]],
  },
  {
    at: "/workload/jobs/0/checkpoint/location",
    base: broken({}),
    see: runs("A"),
    gives: { A: "0-5 nodeFailed, 5-8" },
    to: [["node", { A: "0-5 nodeFailed, 5-11" }]],
  },
  {
    at: "/workload/jobs/0/checkpoint/restoreMs",
    base: broken({}),
    see: runs("A"),
    gives: { A: "0-5 nodeFailed, 5-8" },
    to: [[2 * SEC, { A: "0-5 nodeFailed, 5-10" }]],
  },
  {
    at: "/workload/jobs/0/checkpoint/onSignal",
    base: evicted({ preemption: "graceful", graceMs: 2 * SEC }, { checkpoint: { costMs: SEC } }),
    see: runs("A", "U"),
    gives: { A: "0-5 preempted, 9-19", U: "5-9" },
    to: [[true, { A: "0-4 preempted, 8-15", U: "4-8" }]],
  },
];

const order = (key: string, more: Partial<Job> = {}) =>
  doc(
    ONE,
    [
      job("X", 0, 5, { gpus: 1 }),
      job("A", 1, 3, { gpus: 1 }),
      job("B", 2, 3, { gpus: 1, ...more }),
    ],
    { pools: pools({ order: key }) },
  );
const asTheyCame = { A: "5-8", B: "8-11" };
const lastFirst = { A: "8-11", B: "5-8" };

const session = (more: object) => alone({ session: { activeMs: 3 * SEC, ...more } }, 10);

export const LIFE_CASES: readonly FieldCase[] = [
  {
    at: "/workload/jobs/0/startupMs",
    base: alone({}),
    see: phases("A"),
    gives: "running 0-10",
    to: [[2 * SEC, "starting 0-2, running 2-12"]],
  },
  {
    at: "/workload/jobs/0/session/activeMs",
    base: session({ idleTimeoutMs: 2 * SEC }),
    see: runs("A"),
    gives: { A: "0-5 idle" },
    to: [[4 * SEC, { A: "0-6 idle" }]],
  },
  {
    at: "/workload/jobs/0/session/idleTimeoutMs",
    base: alone({ limitMs: 12 * SEC, session: { activeMs: 3 * SEC } }),
    see: runs("A"),
    gives: { A: "0-12 timeLimit" },
    to: [[4 * SEC, { A: "0-7 idle" }]],
  },
  {
    at: "/workload/jobs/2/deadlineInMs",
    base: order("leastSlack"),
    see: all({
      runs: runs("A", "B"),
      missed: ({ metrics }) => metrics.slo.deadlinesMissed,
      met: ({ metrics }) => metrics.slo.deadlinesMet,
    }),
    gives: { runs: asTheyCame, missed: 0, met: 0 },
    to: [
      [6 * SEC, { runs: lastFirst, missed: 0, met: 1 }],
      [5 * SEC, { runs: lastFirst, missed: 1, met: 0 }],
    ],
  },
  {
    at: "/workload/jobs/2/bid",
    base: order("highestBid"),
    see: runs("A", "B"),
    gives: asTheyCame,
    to: [[5, lastFirst]],
  },
  {
    at: "/workload/jobs/2/priority",
    base: order("priority"),
    see: runs("A", "B"),
    gives: asTheyCame,
    to: [[5, lastFirst]],
  },
  {
    at: "/workload/jobs/0/collectiveTimeoutMs",
    base: doc(machine(3, 1), [job("A", 0, 9, { gpus: 3 })], {
      interventions: [{ atMs: 3 * SEC, kind: "fail", nodes: ["n-002"] }],
    }),
    see: runs("A"),
    gives: { A: "0-3 nodeFailed" },
    to: [[4 * SEC, { A: "0-7 hung" }]],
  },
  {
    at: "/workload/jobs/0/hangsOnEndMs",
    base: evicted({ preemption: "requeue" }, {}),
    see: runs("A", "U"),
    gives: { A: "0-3 preempted, 7-17", U: "3-7" },
    to: [[2 * SEC, { A: "0-5 preempted, 9-19", U: "5-9" }]],
  },
  {
    at: "/workload/jobs/0/requeueAtLimit",
    base: alone({ limitMs: 5 * SEC, checkpoint: { costMs: SEC, onSignal: true } }, 7),
    see: runs("A"),
    gives: { A: "0-5 timeLimit" },
    to: [[true, { A: "0-5 timeLimit, 5-8" }]],
  },
  {
    at: "/workload/jobs/0/maxEvictions",
    base: evicted({ preemption: "requeue" }, {}, [job("V", 9, 4, { gpus: 1, tier: "high" })]),
    see: runs("A", "V"),
    gives: { A: "0-3 preempted, 7-9 preempted, 13-23", V: "9-13" },
    to: [[1, { A: "0-3 preempted, 7-17", V: "17-21" }]],
  },
];

/** Three of four nodes are left after 3 s; 12 s of work. */
const shrinking = (elastic: object) =>
  doc(
    machine(4, 1),
    [
      job("A", 0, 12, {
        limitMs: undefined,
        gpus: 4,
        elastic: {
          minMembers: 3,
          maxMembers: 4,
          restart: "horovod",
          rendezvousMs: SEC,
          ...elastic,
        },
      }),
    ],
    {
      pools: pools({ growElastic: false }),
      interventions: [{ atMs: 3 * SEC, kind: "fail", nodes: ["n-003"] }],
    },
  );
/** Two members, which may become as many as there are devices. */
const growing = (devices: number, elastic: object, workSec = 12) =>
  doc(
    machine(1, devices),
    [
      job("A", 0, workSec, {
        limitMs: undefined,
        gpus: 2,
        elastic: {
          minMembers: 2,
          maxMembers: devices,
          restart: "none",
          rendezvousMs: 0,
          ...elastic,
        },
      }),
    ],
    { pools: pools({ elasticEveryMs: 0 }) },
  );
const at = (key: string) => `/workload/jobs/0/elastic/${key}`;
const see = runs("A");

export const ELASTIC_CASES: readonly FieldCase[] = [
  {
    // With three: 3 s, the pause, 9 / (3/4) s.
    at: at("minMembers"),
    base: shrinking({}),
    see: phases("A"),
    gives: "running 0-3, restoring 3-4, running 4-16",
    to: [[4, "running 0-3, held 3-"]],
  },
  {
    at: at("maxMembers"),
    base: growing(4, {}),
    see,
    gives: { A: "0-6" },
    to: [
      [3, { A: "0-8" }],
      [2, { A: "0-12" }],
    ],
  },
  { at: at("allowed"), base: growing(3, {}), see, gives: { A: "0-8" }, to: [[[2], { A: "0-12" }]] },
  {
    at: at("restart"),
    base: shrinking({}),
    see,
    gives: { A: "0-16" },
    to: [
      // All 12 s again with three: 16 s.
      ["torchrun", { A: "0-20" }],
      ["none", { A: "0-15" }],
    ],
  },
  {
    at: at("rendezvousMs"),
    base: shrinking({}),
    see,
    gives: { A: "0-16" },
    to: [[2 * SEC, { A: "0-17" }]],
  },
  {
    at: at("maxRestarts"),
    base: shrinking({ restart: "torchrun" }),
    see,
    gives: { A: "0-20" },
    to: [[0, { A: "0-3 restartsUsed" }]],
  },
  // Four do 2 · 0.75 of two.
  { at: at("scaling"), base: growing(4, {}), see, gives: { A: "0-6" }, to: [[0.75, { A: "0-8" }]] },
  {
    // Three lie between two and four: 1.5.
    at: at("throughput/1/members"),
    base: growing(3, {
      throughput: [
        { members: 2, speed: 1 },
        { members: 4, speed: 2 },
      ],
    }),
    see,
    gives: { A: "0-8" },
    to: [[3, { A: "0-6" }]],
  },
  {
    at: at("throughput/1/speed"),
    base: growing(3, {
      throughput: [
        { members: 2, speed: 1 },
        { members: 3, speed: 1.5 },
      ],
    }),
    see,
    gives: { A: "0-8" },
    to: [[3, { A: "0-4" }]],
  },
  {
    // Of 8 in twos 1, 2 or 4 can share; of 6 in twos or threes 1, 2 or 3.
    at: at("deepspeed/microBatches"),
    base: growing(3, { deepspeed: { microBatches: [2], maxBatch: 8 } }),
    see,
    gives: { A: "0-12" },
    to: [[[2, 3], { A: "0-8" }]],
  },
  {
    // Of 12 in twos 1, 2, 3 or 6.
    at: at("deepspeed/maxBatch"),
    base: growing(3, { deepspeed: { microBatches: [2], maxBatch: 8 } }),
    see,
    gives: { A: "0-12" },
    to: [[12, { A: "0-8" }]],
  },
];
