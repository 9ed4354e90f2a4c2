import fc from "fast-check";
import { expect, test } from "vitest";
import { digestsOf } from "./skippedPasses.ts";

const size = fc.oneof(
  fc.record({ nodes: fc.integer({ min: 1, max: 6 }), gpusPerNode: fc.constantFrom(1, 4, 8) }),
  fc.record({ gpus: fc.constantFrom(1, 2, 8, 12) }),
);
const someJob = fc.record({
  submitSec: fc.integer({ min: 0, max: 3_000 }),
  size,
  workSec: fc.integer({ min: 1, max: 2_500 }),
  limitMin: fc.constantFrom(5, 10, 20, 45, 60),
  user: fc.constantFrom("u1", "u2", "u3"),
  constraint: fc.constantFrom(undefined, undefined, undefined, "old", "new"),
});
const someRun = fc.record({
  jobs: fc.array(someJob, { minLength: 5, maxLength: 45 }),
  topology: fc.boolean(),
  multifactor: fc.boolean(),
  intervalSec: fc.constantFrom(1, 30, 45),
  resolutionSec: fc.constantFrom(1, 60, 300),
  reserve: fc.option(
    fc.record({
      fromSec: fc.integer({ min: 100, max: 5_000 }),
      nodes: fc.integer({ min: 1, max: 8 }),
    }),
  ),
});
type Draft = typeof someRun extends fc.Arbitrary<infer T> ? T : never;

function confOf(draft: Draft): string {
  return [
    `SchedulerParameters=bf_interval=${draft.intervalSec},bf_resolution=${draft.resolutionSec}`,
    draft.multifactor ? "PriorityType=priority/multifactor" : "PriorityType=priority/basic",
    "PriorityWeightFairshare=5000",
    "PriorityDecayHalfLife=1:00:00",
    "SelectType=select/cons_tres",
    "SelectTypeParameters=CR_CPU",
    ...(draft.topology ? ["TopologyPlugin=topology/tree"] : []),
    "NodeName=n[1-4] CPUs=16 Gres=gpu:8 Features=old",
    "NodeName=n[5-8] CPUs=16 Gres=gpu:8 Features=new",
    "PartitionName=main Nodes=ALL Default=YES",
  ].join("\n");
}

function documentOf(draft: Draft): object {
  const topology =
    "SwitchName=a Nodes=n[1-3]\nSwitchName=b Nodes=n[4-8]\nSwitchName=top Switches=a,b";
  return {
    version: 1,
    cluster: { nodeGroups: [{ id: "n", names: "n[1-8]", count: 8, gpus: 8, cpus: 16 }] },
    pools: [
      {
        id: "all",
        policy: {
          preset: "slurm",
          settings: { controllerStartMs: -7_000 },
          slurm: { conf: confOf(draft), topology: draft.topology ? topology : "" },
        },
      },
    ],
    workload: {
      jobs: draft.jobs.map((job, at) => ({
        id: `j${at}`,
        submitMs: job.submitSec * 1_000,
        workMs: job.workSec * 1_000,
        limitMs: job.limitMin * 60_000,
        user: job.user,
        ...job.size,
        slurm: job.constraint === undefined ? {} : { constraint: job.constraint },
      })),
    },
    interventions: draft.reserve
      ? [
          {
            kind: "reserve",
            atMs: 1_000,
            name: "r",
            startMs: draft.reserve.fromSec * 1_000,
            endMs: (draft.reserve.fromSec + 600) * 1_000,
            nodeCount: draft.reserve.nodes,
            users: ["root"],
            flags: ["IGNORE_JOBS"],
          },
        ]
      : [],
  };
}

test("property: on GPU nodes, a pass that is not computed, and a moment that is not tried, would have changed nothing", () => {
  fc.assert(
    fc.property(someRun, (draft) => {
      const { skipping, complete } = digestsOf(documentOf(draft));
      expect(skipping).toBe(complete);
    }),
    { numRuns: 25, endOnFailure: true },
  );
});
