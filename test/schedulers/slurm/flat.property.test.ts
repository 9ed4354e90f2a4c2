import fc from "fast-check";
import { expect, test } from "vitest";
import { digestsOf } from "./skippedPasses.ts";

const someJob = fc.record({
  submitSec: fc.integer({ min: 0, max: 4_000 }),
  procs: fc.constantFrom(1, 2, 3, 5, 8, 8, 8, 13, 20, 33),
  workSec: fc.integer({ min: 1, max: 3_000 }),
  limitMin: fc.constantFrom(5, 10, 10, 20, 45, 60),
  user: fc.constantFrom("u1", "u2", "u3"),
});
const someRun = fc.record({
  jobs: fc.array(someJob, { minLength: 5, maxLength: 40 }),
  multifactor: fc.boolean(),
  intervalSec: fc.constantFrom(1, 30, 30, 45),
  resolutionSec: fc.constantFrom(1, 60, 60, 300),
  windowMin: fc.constantFrom(30, 120, 1_440),
});
type Draft = typeof someRun extends fc.Arbitrary<infer T> ? T : never;

function documentOf(draft: Draft): object {
  const conf = [
    `SchedulerParameters=bf_interval=${draft.intervalSec},bf_resolution=${draft.resolutionSec},bf_window=${draft.windowMin}`,
    draft.multifactor ? "PriorityType=priority/multifactor" : "PriorityType=priority/basic",
    "PriorityWeightAge=1000",
    "PriorityMaxAge=1:00:00",
    "PriorityWeightFairshare=5000",
    "PriorityDecayHalfLife=1:00:00",
  ].join("\n");
  return {
    version: 1,
    cluster: { nodeGroups: [{ id: "p", count: 1, gpus: 40 }], flat: true },
    pools: [
      {
        id: "all",
        policy: { preset: "slurm", settings: { controllerStartMs: -7_000 }, slurm: { conf } },
        route: {},
      },
    ],
    workload: {
      jobs: draft.jobs.map((job, at) => ({
        id: `j${at}`,
        submitMs: job.submitSec * 1_000,
        gpus: job.procs,
        workMs: job.workSec * 1_000,
        limitMs: job.limitMin * 60_000,
        user: job.user,
      })),
    },
  };
}

test("property: on a machine of processors, a pass that is not computed would have changed nothing", () => {
  fc.assert(
    fc.property(someRun, (draft) => {
      const { skipping, complete } = digestsOf(documentOf(draft));
      expect(skipping).toBe(complete);
    }),
    { numRuns: 30, endOnFailure: true },
  );
});
