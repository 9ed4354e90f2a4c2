import { expect, test } from "vitest";
import { checkScenario } from "../../src/scenario/checks.ts";
import type { Scenario } from "../../src/scenario/schema.ts";
import { mustRead } from "./scenarios.ts";

const COUNT = 1_200;
const base = mustRead({
  version: 1,
  cluster: { nodeGroups: [{ id: "n", count: 4, gpus: 8 }] },
  tiers: [{ id: "low", name: "Low", letter: "L" }],
  workload: {
    jobs: [
      { id: "many", submitMs: 0, gpus: 1, workMs: 1_000, array: { count: 3 } },
      ...Array.from({ length: COUNT }, (_, i) => ({
        id: `job-${i}`,
        submitMs: i,
        gpus: 1,
        workMs: 60_000,
        ...(i === 7 ? { tier: "low" } : {}),
      })),
    ],
  },
});
const inject = (id: string, more: object = {}) => ({
  kind: "inject",
  atMs: 5_000,
  job: { id, gpus: 1, workMs: 1_000, ...more },
});
const cancel = (job: string) => ({ kind: "cancel", atMs: 6_000, job });

const EDITS: readonly (readonly [string, readonly object[], Partial<Scenario>])[] = [
  ["a job like no other", [inject("new")], {}],
  ["the id of a spelled-out job", [inject("job-3")], {}],
  ["the id of a member of an array", [inject("many_1")], {}],
  ["two injected jobs of one id", [inject("new"), inject("new")], {}],
  [
    "a job after one that is there, and one that is not",
    [inject("a", { after: [{ job: "job-9" }, { job: "nobody" }] })],
    {},
  ],
  ["a ring", [inject("a", { after: [{ job: "b" }] }), inject("b", { after: [{ job: "a" }] })], {}],
  [
    "cancelled: one that is there, one that is injected, and one that is not",
    [inject("new"), cancel("job-1"), cancel("new"), cancel("nobody")],
    {},
  ],
  ["two ways of asking", [inject("new", { nodes: 2 })], {}],
  ["another list of tiers", [], { tiers: [] }],
];

/** The document with lists of its own, which nobody has seen. */
function unseen(scenario: Scenario): Scenario {
  return structuredClone(scenario);
}

test.each(EDITS)(
  "jobs that passed are not looked at again, and the problems are the same: %s",
  (_, interventions, other) => {
    expect(checkScenario(base)).toEqual([]);
    const edited = { ...base, ...other, interventions } as unknown as Scenario;
    expect(checkScenario(edited)).toEqual(checkScenario(unseen(edited)));
  },
);

test("of a document whose jobs passed no spelled-out job is read for an edit, and all are where something else differs", () => {
  const scenario = unseen(base);
  let reads = 0;
  const job = scenario.workload.jobs[100]!;
  const { id } = job;
  const get = (): string => {
    reads++;
    return id;
  };
  Object.defineProperty(job, "id", { get, enumerable: true });
  checkScenario(scenario);
  reads = 0;
  const edit = [inject("new"), cancel("job-5")] as unknown as Scenario["interventions"];
  expect(checkScenario({ ...scenario, interventions: edit })).toEqual([]);
  expect(reads).toBe(0);
  expect(checkScenario({ ...scenario, queues: ["q"] })).toEqual([]);
  expect(reads).toBeGreaterThan(0);
});

test("a list of jobs that wait for each other is looked at each time: an injected job may close a ring", () => {
  const jobs = base.workload.jobs.map((job, i) =>
    i === 5 ? { ...job, after: [{ job: "new", kind: "afterAny" as const, delayMs: 0 }] } : job,
  );
  const waits = { ...base, workload: { ...base.workload, jobs } } as unknown as Scenario;
  const with_ = (more: object) =>
    ({ ...waits, interventions: [inject("new", more)] }) as unknown as Scenario;
  expect(checkScenario(with_({}))).toEqual([]);
  expect(checkScenario(waits)[0]?.message).toContain("no job");
  expect(checkScenario(with_({ after: [{ job: jobs[5]!.id }] }))[0]?.message).toContain(
    "waits for itself",
  );
});
