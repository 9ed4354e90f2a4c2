/** What a job waits for, and the components that it is made of. */
import type { FieldCase } from "./fieldCase.ts";
import { everyRun, nodesOf, type Ran, runs } from "./ran.ts";
import { doc, type Job, job, machine, pools, SEC } from "./words.ts";

const ONE = machine(1, 1);
const jobAt = (key: string, index = 0) => `/workload/jobs/${index}/${key}`;

const alone = (more: Partial<Job> = {}) =>
  doc(machine(1, 4), [job("A", 0, 4, { gpus: 1, ...more })]);
const gpuHours = ({ metrics }: Ran) => Math.round(metrics.gpuHours.allocated * 3_600);

const chain = (after: object, more: Partial<Job> = {}, first: Partial<Job> = {}) =>
  doc(machine(1, 4), [
    job("A", 0, 4, { gpus: 1, ...first }),
    job("C", 0, 6, { gpus: 1 }),
    job("B", 0, 2, { gpus: 1, after: [{ job: "A", ...after }], ...more }),
  ]);
const B = runs("B");

export const DEPENDENCY_CASES: readonly FieldCase[] = [
  {
    at: jobAt("after/0/job", 2),
    base: chain({}),
    see: B,
    gives: { B: "4-6" },
    to: [["C", { B: "6-8" }]],
  },
  {
    at: jobAt("after/0/kind", 2),
    base: chain({}, {}, { fails: true }),
    see: B,
    gives: { B: "cancelled" },
    to: [
      ["after", { B: "0-2" }],
      ["afterAny", { B: "4-6" }],
      ["afterNotOk", { B: "4-6" }],
    ],
  },
  {
    at: jobAt("after/0/delayMs", 2),
    base: chain({ kind: "after" }),
    see: B,
    gives: { B: "0-2" },
    to: [[3 * SEC, { B: "3-5" }]],
  },
  {
    // One task of A at a time: the first of B waits for both, or for the first.
    at: jobAt("after/0/each", 1),
    base: doc(machine(1, 4), [
      job("A", 0, 4, { gpus: 1, array: { count: 2, atOnce: 1 } }),
      job("B", 0, 2, { gpus: 1, array: { count: 2 }, after: [{ job: "A" }] }),
    ]),
    see: runs("A_1", "B_0"),
    gives: { A_1: "4-8", B_0: "8-10" },
    to: [[true, { A_1: "4-8", B_0: "4-6" }]],
  },
  {
    at: jobAt("afterAnyOf", 2),
    base: chain({}, { after: [{ job: "A" }, { job: "C" }] }),
    see: B,
    gives: { B: "6-8" },
    to: [[true, { B: "4-6" }]],
  },
  {
    at: jobAt("singleton", 1),
    base: doc(
      machine(1, 2),
      ["A", "B"].map((id) => job(id, 0, 4, { gpus: 1, name: "nightly", user: "ann" })),
    ),
    see: (run) => run.metrics.makespanSec,
    gives: 4,
    to: [[true, 8]],
  },
  {
    at: jobAt("array/count"),
    base: alone({ array: { count: 2 } }),
    see: everyRun,
    gives: { A_0: "0-4", A_1: "0-4" },
    to: [[3, { A_0: "0-4", A_1: "0-4", A_2: "0-4" }]],
  },
  {
    at: jobAt("array/indices"),
    base: alone({ array: { count: 2 } }),
    see: everyRun,
    gives: { A_0: "0-4", A_1: "0-4" },
    to: [[[3, 7], { A_3: "0-4", A_7: "0-4" }]],
  },
  {
    at: jobAt("array/atOnce"),
    base: alone({ array: { count: 2 } }),
    see: everyRun,
    gives: { A_0: "0-4", A_1: "0-4" },
    to: [[1, { A_0: "0-4", A_1: "4-8" }]],
  },
];

const component = (more: object, machineOf = machine(2, 2)) =>
  doc(machineOf, [job("A", 0, 4, { components: [{ members: 1, ...more }] })]);
const componentAt = (key: string) => jobAt(`components/0/${key}`);
const parts = (more: object) =>
  doc(
    ONE,
    ["A", "B"].map((id) => job(id, 0, 4, { components: [{ ...more }] })),
    { pools: pools({ migPacking: "firstFit" }) },
  );

export const COMPONENT_CASES: readonly FieldCase[] = [
  { at: componentAt("members"), base: component({}), see: gpuHours, gives: 4, to: [[3, 12]] },
  { at: componentAt("gpusPerMember"), base: component({}), see: gpuHours, gives: 4, to: [[2, 8]] },
  {
    // The third node is lost at 2 s and is back at 5 s.
    at: componentAt("minMembers"),
    base: {
      ...component({ members: 3 }, machine(3, 1)),
      interventions: [
        { atMs: 2 * SEC, kind: "fail", nodes: ["n-002"] },
        { atMs: 5 * SEC, kind: "resume", nodes: ["n-002"] },
      ],
    },
    see: runs("A"),
    gives: { A: "0-2 nodeFailed, 5-9" },
    to: [[2, { A: "0-4" }]],
  },
  {
    at: componentAt("gpuShareMilli"),
    base: parts({ gpuShareMilli: 600 }),
    see: runs("A", "B"),
    gives: { A: "0-4", B: "4-8" },
    to: [[400, { A: "0-4", B: "0-4" }]],
  },
  {
    // A 3g.40gb or 4g.40gb leaves half a GPU to B, a 7g.80gb nothing.
    at: componentAt("migProfile"),
    base: parts({ migProfile: "3g.40gb" }),
    see: runs("A", "B"),
    gives: { A: "0-4", B: "0-4" },
    to: [["7g.80gb", { A: "0-4", B: "4-8" }]],
  },
  {
    at: componentAt("gpuModel"),
    base: component(
      {},
      {
        nodeGroups: [
          { id: "h", count: 1, gpus: 1 },
          { id: "a", count: 1, gpus: 1, gpuModel: "A100" },
        ],
      },
    ),
    see: nodesOf("A"),
    gives: ["h-000"],
    to: [["A100", ["a-000"]]],
  },
  ...(["cpus", "memGiB"] as const).map(
    (what): FieldCase => ({
      at: componentAt(`${what}PerMember`),
      base: doc({ nodeGroups: [{ id: "n", count: 1, gpus: 2, [what]: 8 }] }, [
        job("A", 0, 4, { components: [{ [`${what}PerMember`]: 4 }] }),
        job("B", 0, 4, { components: [{ [`${what}PerMember`]: 4 }] }),
      ]),
      see: runs("A", "B"),
      gives: { A: "0-4", B: "0-4" },
      to: [[5, { A: "0-4", B: "4-8" }]],
    }),
  ),
  {
    at: componentAt("ownNode"),
    base: component({ members: 2 }),
    see: nodesOf("A"),
    gives: ["n-000"],
    to: [[true, ["n-000", "n-001"]]],
  },
];
