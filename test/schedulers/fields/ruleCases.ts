/** Ceilings, disruption budgets and windows: cells of rules about whoever they name. */
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import type { FieldCase } from "./fieldCase.ts";
import { runs, waitReasons } from "./ran.ts";
import { doc, type Job, job, machine, pools, SEC } from "./words.ts";

type Limit = NonNullable<ScenarioInput["limits"]>[number];
const HOUR = 3_600 * SEC;

/** A and B are of one user, A and C of one team, B and C of one tier. */
const sharers = (rule: Limit) =>
  doc(
    machine(1, 4),
    [
      job("A", 0, 4, { gpus: 1, user: "ann", team: "red", tier: "normal" }),
      job("B", 0, 4, { gpus: 1, user: "ann", team: "blue", tier: "low" }),
      job("C", 0, 4, { gpus: 1, user: "bob", team: "red", tier: "low" }),
    ],
    { teams: [{ id: "red" }, { id: "blue" }], limits: [rule] },
  );

/** Two pairs of one user on four devices. */
const pairs = doc(
  machine(1, 4),
  ["A", "B"].map((id) => job(id, 0, 4, { gpus: 2, user: "ann" })),
  { limits: [{ per: "user", gpus: 4 }] },
);
const together = { A: "0-4", B: "0-4" };
const inTurn = { A: "0-4", B: "4-8" };

/** 18 device-seconds in a window: A uses 12 by 6 s, B may use 12. */
const hours = (rule: Partial<Limit>) =>
  doc(
    machine(1, 2),
    ["A", "B"].map((id) => job(id, 0, 6, { gpus: 2, team: "red" })),
    {
      teams: [{ id: "red" }],
      limits: [{ per: "team", gpuHours: 0.005, periodMs: 10 * SEC, ...rule }],
    },
  );

export const LIMIT_CASES: readonly FieldCase[] = [
  {
    at: "/limits/0/per",
    base: sharers({ per: "user", jobs: 1 }),
    see: runs("A", "B", "C"),
    gives: { A: "0-4", B: "4-8", C: "0-4" },
    to: [
      ["team", { A: "0-4", B: "0-4", C: "4-8" }],
      ["tier", { A: "0-4", B: "0-4", C: "4-8" }],
    ],
  },
  {
    at: "/limits/0/per",
    base: sharers({ per: "team", jobs: 1 }),
    see: waitReasons("C"),
    gives: ["0 limit"],
    to: [["user", []]],
  },
  {
    at: "/limits/0/name",
    base: sharers({ per: "user", jobs: 0, name: "ann" }),
    see: runs("C"),
    gives: { C: "0-4" },
    to: [[undefined, { C: "waits" }]],
  },
  { at: "/limits/0/gpus", base: pairs, see: runs("A", "B"), gives: together, to: [[3, inTurn]] },
  { at: "/limits/0/jobs", base: pairs, see: runs("A", "B"), gives: together, to: [[1, inTurn]] },
  { at: "/limits/0/members", base: pairs, see: runs("A", "B"), gives: together, to: [[3, inTurn]] },
  {
    // At 13 s half of what A used has left the window: 2 · (6 − (13 − 10)) = 6.
    at: "/limits/0/gpuHours",
    base: hours({}),
    see: runs("A", "B"),
    gives: { A: "0-6", B: "13-19" },
    to: [[0.01, { A: "0-6", B: "6-12" }]],
  },
  {
    at: "/limits/0/periodMs",
    base: hours({}),
    see: runs("A", "B"),
    gives: { A: "0-6", B: "13-19" },
    to: [[20 * SEC, { A: "0-6", B: "23-29" }]],
  },
];

/** U takes the device of A at 3 s; V needs that of B at 5 s, if it may be taken. Else it follows U. */
const disturbed = (budget: object, b: Partial<Job> = {}) =>
  doc(
    machine(1, 2),
    [
      job("A", 0, 20, { gpus: 1, user: "ann", team: "red", tier: "low" }),
      job("B", 0, 20, { gpus: 1, user: "ann", team: "blue", tier: "low", ...b }),
      job("U", 3, 4, { gpus: 1, tier: "high", team: "red" }),
      job("V", 5, 4, { gpus: 1, tier: "high", team: "red" }),
    ],
    {
      teams: [{ id: "red" }, { id: "blue" }],
      pools: pools({ order: "tiers", preemption: "requeue" }),
      disruptionBudgets: [{ per: "user", jobs: 1, ...budget }],
    },
  );
const taken = { U: "3-7", V: "5-9" };
const spared = { U: "3-7", V: "7-11" };

export const DISRUPTION_CASES: readonly FieldCase[] = [
  {
    at: "/disruptionBudgets/0/per",
    base: disturbed({}),
    see: runs("U", "V"),
    gives: spared,
    to: [
      ["team", taken],
      ["tier", spared],
    ],
  },
  {
    at: "/disruptionBudgets/0/per",
    base: disturbed({}, { user: "bob" }),
    see: runs("U", "V"),
    gives: taken,
    to: [["tier", spared]],
  },
  {
    at: "/disruptionBudgets/0/name",
    base: disturbed({ jobs: 0 }, { user: "bob" }),
    see: runs("U"),
    gives: { U: "20-24" },
    to: [["ann", { U: "3-7" }]],
  },
  {
    at: "/disruptionBudgets/0/jobs",
    base: disturbed({}),
    see: runs("U", "V"),
    gives: spared,
    to: [[2, taken]],
  },
  {
    at: "/disruptionBudgets/0/periodMs",
    base: disturbed({ periodMs: HOUR }),
    see: runs("U", "V"),
    gives: spared,
    to: [[SEC, taken]],
  },
];

/** Two nodes of one device, the first kept for the highest tier from 5 to 10 s. L and M need eight seconds each, N and P come in the window. */
const kept = (rule: object, jobs: readonly Job[] = [], more: object = {}) =>
  doc(machine(2, 1), [job("L", 0, 8, { gpus: 1 }), job("M", 0, 8, { gpus: 1 }), ...jobs], {
    windows: [
      {
        name: "night",
        nodes: "n-000",
        startMs: 5 * SEC,
        durationMs: 5 * SEC,
        tiers: ["critical"],
        ...rule,
      },
    ],
    pools: pools({ order: "tiers" }),
    ...more,
  });
const N = (more: Partial<Job> = {}) => job("N", 5, 3, { gpus: 1, tier: "critical", ...more });
const late = { L: "0-8", M: "8-16" };
const both = { L: "0-8", M: "0-8" };

export const WINDOW_CASES: readonly FieldCase[] = [
  {
    at: "/windows/0/name",
    base: kept({}),
    see: (run) => run.world.windows!.map((window) => window.name),
    gives: ["night"],
    to: [["patch", ["patch"]]],
  },
  {
    at: "/windows/0/kind",
    base: kept({}, [N()]),
    see: runs("N"),
    gives: { N: "5-8" },
    to: [["maintenance", { N: "8-11" }]],
  },
  {
    at: "/windows/0/nodes",
    base: kept({}),
    see: runs("L", "M"),
    gives: late,
    to: [["n-[000-001]", { L: "10-18", M: "10-18" }]],
  },
  {
    at: "/windows/0/nodeCount",
    base: kept({ nodes: undefined, nodeCount: 1 }),
    see: runs("L", "M"),
    gives: late,
    to: [[2, { L: "10-18", M: "10-18" }]],
  },
  {
    at: "/windows/0/startMs",
    base: kept({}),
    see: runs("L", "M"),
    gives: late,
    to: [[8 * SEC, both]],
  },
  {
    at: "/windows/0/durationMs",
    base: kept({}),
    see: runs("L", "M"),
    gives: late,
    to: [[2 * SEC, { L: "0-8", M: "7-15" }]],
  },
  {
    // P, of eight seconds, comes at 11 s; where the window comes again at 25 s its node is n-000 all the same, at 15 s it must wait for the other.
    at: "/windows/0/everyMs",
    base: kept({}, [job("P", 11, 8, { gpus: 1 })]),
    see: runs("P"),
    gives: { P: "11-19" },
    to: [[10 * SEC, { P: "16-24" }]],
  },
  {
    at: "/windows/0/tiers",
    base: kept({}),
    see: runs("L", "M"),
    gives: late,
    to: [[["normal"], both]],
  },
  ...(["team", "queue", "user"] as const).map((whose): FieldCase => {
    const more = { teams: [{ id: "x" }, { id: "y" }], queues: ["x", "y"] };
    return {
      at: `/windows/0/${whose}s`,
      base: kept({ [`${whose}s`]: ["x"] }, [N({ [whose]: "x" })], more),
      see: runs("N"),
      gives: { N: "5-8" },
      to: [[["y"], { N: "8-11" }]],
    };
  }),
  {
    at: "/windows/0/announcedMs",
    base: kept({}),
    see: runs("L", "M"),
    gives: late,
    to: [[5 * SEC, both]],
  },
  {
    at: "/windows/0/kill",
    base: kept({ announcedMs: 5 * SEC }),
    see: runs("L", "M"),
    gives: both,
    to: [[true, { L: "0-5 windowBegan, 8-16", M: "0-8" }]],
  },
  {
    // Maintenance of a whole pool: the nodes are those of the pool.
    at: "/windows/0/pool",
    base: doc(
      {
        nodeGroups: [
          { id: "a", count: 1, gpus: 1 },
          { id: "b", count: 1, gpus: 1 },
        ],
      },
      [job("A", 0, 8, { gpus: 1, queue: "a" }), job("B", 0, 8, { gpus: 1, queue: "b" })],
      {
        queues: ["a", "b"],
        pools: ["a", "b"].map((id) => ({ id, nodeGroups: [id], route: { queues: [id] } })),
        windows: [
          { name: "patch", kind: "maintenance", pool: "a", startMs: 5 * SEC, durationMs: 5 * SEC },
        ],
      },
    ),
    see: runs("A", "B"),
    gives: { A: "10-18", B: "0-8" },
    to: [["b", { A: "0-8", B: "10-18" }]],
  },
];
