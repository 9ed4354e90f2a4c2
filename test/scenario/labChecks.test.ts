/** What the door says of faults in the fields of the policy lab: place, and a sentence. */
import { describe, expect, test } from "vitest";
import { mustRead, problemsOf, small } from "./scenarios.ts";

const HOUR = 3_600_000;
const job = (fields: object) => ({
  workload: { jobs: [{ id: "a", submitMs: 0, gpus: 8, workMs: HOUR, ...fields }] },
});
const service = (fields: object) => ({
  horizonMs: HOUR,
  services: [{ id: "s", maxReplicas: 2, requestMs: 10, demand: {}, ...fields }],
});
const slot = (fields: object) => ({
  windows: [{ name: "w", nodes: "n-000", startMs: HOUR, durationMs: HOUR, ...fields }],
});
const tier = (fields: object) => ({
  tiers: [
    { id: "top", name: "Top", letter: "T" },
    { id: "low", name: "Low", letter: "L", ...fields },
  ],
});
const failure = (fields: object) => ({
  failures: [{ of: "node", mtbfMs: HOUR, repairMs: 1, ...fields }],
});
const elastic = (fields: object, others: object = {}) =>
  job({ elastic: { minMembers: 4, maxMembers: 16, ...fields }, ...others });
const checkpoint = (fields: object, others: object = {}) =>
  job({ checkpoint: { every: 60_000, costMs: 1, ...fields }, ...others });
const LIFE = "/workload/jobs/0";

const FAULTS: readonly (readonly [title: string, input: object, place: string])[] = [
  [
    "a tier that may preempt an unknown one",
    tier({ mayPreempt: ["mid"] }),
    "/tiers/1/mayPreempt/0",
  ],
  [
    "a kind in two tiers",
    { tiers: tier({}).tiers.map((entry) => ({ ...entry, kinds: ["ci"] })) },
    "/tiers/1/kinds",
  ],
  [
    "more guaranteed than allowed",
    tier({ guaranteedGpus: 4, capGpus: 3 }),
    "/tiers/1/guaranteedGpus",
  ],
  ["an unknown team above", { teams: [{ id: "t", parent: "u" }] }, "/teams/0/parent"],
  [
    "a ring of teams",
    {
      teams: [
        { id: "t", parent: "u" },
        { id: "u", parent: "t" },
      ],
    },
    "/teams/0/parent",
  ],
  [
    "more lent than there is",
    { teams: [{ id: "t", quotaGpus: 1, lendGpus: 2 }] },
    "/teams/0/lendGpus",
  ],
  [
    "a limit for an unknown team",
    { limits: [{ per: "team", name: "t", gpus: 1 }] },
    "/limits/0/name",
  ],
  ["a limit per team without teams", { limits: [{ per: "team", gpus: 1 }] }, "/limits/0/per"],
  ["a limit of nothing", { limits: [{ per: "user" }] }, "/limits/0"],
  [
    "a period without GPU-hours",
    { limits: [{ per: "user", gpus: 1, periodMs: HOUR }] },
    "/limits/0/periodMs",
  ],
  [
    "a budget for an unknown tier",
    { disruptionBudgets: [{ per: "tier", name: "x", jobs: 1 }] },
    "/disruptionBudgets/0/name",
  ],
  ["failures of an unknown group", failure({ nodeGroups: ["x"] }), "/failures/0/nodeGroups/0"],
  ["failures of leaves without a fabric", failure({ of: "leaf" }), "/failures/0/of"],
  ["neighbours without a fabric", failure({ correlated: 0.5 }), "/failures/0/correlated"],
  ["a window of unknown nodes", slot({ nodes: "n-9" }), "/windows/0/nodes"],
  ["a window of no nodes", slot({ nodes: "" }), "/windows/0/nodes"],
  ["a window that says no nodes", slot({ nodes: undefined }), "/windows/0"],
  ["a window with nodes twice", slot({ nodeCount: 1 }), "/windows/0/nodeCount"],
  ["a window of too many nodes", slot({ nodes: undefined, nodeCount: 3 }), "/windows/0/nodeCount"],
  ["a window in an unknown pool", slot({ pool: "x" }), "/windows/0/pool"],
  ["a window for unknown teams", slot({ teams: ["x"] }), "/windows/0/teams/0"],
  [
    "a window that begins many times a second",
    slot({ durationMs: 1, everyMs: 999 }),
    "/windows/0/everyMs",
  ],
  [
    "a part of a GPU on a node of one's own",
    {
      workload: {
        jobs: [
          { id: "a", submitMs: 0, workMs: 1, exclusive: true, components: [{ gpuShareMilli: 5 }] },
        ],
      },
    },
    `${LIFE}/exclusive`,
  ],
  ["more than 100,000 saves", checkpoint({ every: 35 }), `${LIFE}/checkpoint/every`],
  ["a window that overlaps itself", slot({ everyMs: HOUR - 1 }), "/windows/0/everyMs"],
  ["a window announced too late", slot({ announcedMs: HOUR + 1 }), "/windows/0/announcedMs"],
  [
    "two windows of one name",
    { windows: [...slot({}).windows, ...slot({}).windows] },
    "/windows/1/name",
  ],
  ["traffic that says nothing", job({ traffic: {} }), "/workload/jobs/0/traffic"],
  [
    "traffic of a model and of numbers",
    job({ traffic: { model: "bert-8", stepMs: 1 } }),
    "/workload/jobs/0/traffic/model",
  ],
  ["a service without an end of the run", { ...service({}), horizonMs: undefined }, "/services"],
  ["a service named like a job", { ...service({ id: "a" }), ...job({}) }, "/services/0/id"],
  ["a service of an unknown tier", service({ tier: "x" }), "/services/0/tier"],
  ["more replicas at least than at most", service({ minReplicas: 3 }), "/services/0/minReplicas"],
  ["a replica larger than a node", service({ gpusPerReplica: 5 }), "/services/0/gpusPerReplica"],
  [
    "a square wave without a high rate",
    service({ demand: { shape: "square" } }),
    "/services/0/demand/highPerSec",
  ],
  ["no points", service({ demand: { shape: "points" } }), "/services/0/demand/points"],
  [
    "a wave of too many steps",
    service({ demand: { shape: "diurnal", stepMs: 1 } }),
    "/services/0/demand/stepMs",
  ],
  ["an unknown pool of the fleet", { fleet: { serving: "all", batch: "x" } }, "/fleet/batch"],
  ["a fleet of one pool", { fleet: { serving: "all", batch: "all" } }, "/fleet/batch"],
  [
    "a network on a flat machine",
    { cluster: { flat: true, nodeGroups: [{ id: "m", count: 1, gpus: 4 }], network: {} } },
    "/cluster/network",
  ],
  ["fewer members at most than at least", elastic({ maxMembers: 3 }), `${LIFE}/elastic/minMembers`],
  [
    "an allowed number outside the range",
    elastic({ allowed: [8, 17] }),
    `${LIFE}/elastic/allowed/1`,
  ],
  [
    "allowed numbers twice",
    elastic({ allowed: [8], deepspeed: { microBatches: [1], maxBatch: 64 } }),
    `${LIFE}/elastic`,
  ],
  [
    "no number that DeepSpeed takes",
    elastic({ minMembers: 7, maxMembers: 8, deepspeed: { microBatches: [3], maxBatch: 3 } }),
    `${LIFE}/elastic/deepspeed`,
  ],
  ["an own number outside the range", elastic({ maxMembers: 7 }), `${LIFE}/elastic`],
  [
    "several components of an elastic job",
    elastic({}, { gpus: undefined, components: [{ members: 8 }, { members: 1 }] }),
    `${LIFE}/elastic`,
  ],
  [
    "speeds twice",
    elastic({ scaling: 0.9, throughput: [{ members: 8, speed: 1 }] }),
    `${LIFE}/elastic/scaling`,
  ],
  [
    "two speeds of one number",
    elastic({
      throughput: [
        { members: 8, speed: 1 },
        { members: 8, speed: 2 },
      ],
    }),
    `${LIFE}/elastic/throughput`,
  ],
  ["a size without storage", checkpoint({ costMs: 0, sizeGiB: 10 }), `${LIFE}/checkpoint/sizeGiB`],
  [
    "a size on the node",
    {
      ...checkpoint({ costMs: 0, sizeGiB: 10, location: "node" }),
      cluster: { ...small.cluster, storage: { writeGBps: 1 } },
    },
    `${LIFE}/checkpoint/sizeGiB`,
  ],
  [
    "an interval derived from no failures",
    checkpoint({ every: "daly" }),
    `${LIFE}/checkpoint/every`,
  ],
  [
    "an interval derived from no cost",
    { ...checkpoint({ every: "young", costMs: 0 }), ...failure({}) },
    `${LIFE}/checkpoint/every`,
  ],
  ["requeue without a limit", checkpoint({}, { requeueAtLimit: true }), `${LIFE}/requeueAtLimit`],
  [
    "requeue that starts again for ever",
    checkpoint({}, { requeueAtLimit: true, limitMs: 60_000 }),
    `${LIFE}/requeueAtLimit`,
  ],
  ["a model twice", job({ gpuModels: [{ model: "A" }, { model: "A" }] }), `${LIFE}/gpuModels`],
  ["an array in stages", job({ stages: 2, array: { count: 2 } }), `${LIFE}/stages`],
  ["more stages than work", job({ stages: 3, workMs: 2 }), `${LIFE}/stages`],
];

describe("a document of the lab is refused with the place of its fault", () => {
  test.each(FAULTS)("%s", (_title, input, place) => {
    const problems = problemsOf({ ...small, ...input });
    expect(problems.map((problem) => problem.place)).toEqual([place]);
    for (const { message, remedy } of problems) {
      expect(message).toMatch(/^[A-Z"0-9].*\.$/);
      expect(remedy).toMatch(/^[A-Z].*\.$/);
    }
  });
});

test("stages have ids that other jobs may wait for, and may not take", () => {
  const jobs = [
    { id: "a", submitMs: 0, gpus: 1, workMs: 10, stages: 2 },
    { id: "b", submitMs: 0, gpus: 1, workMs: 10, after: [{ job: "a.2" }] },
  ];
  expect(mustRead({ ...small, workload: { jobs } }).workload.jobs).toHaveLength(2);
  const twin = [...jobs, { id: "a.1", submitMs: 0, gpus: 1, workMs: 1 }];
  expect(problemsOf({ ...small, workload: { jobs: twin } })[0]!.place).toBe("/workload/jobs/2/id");
});
