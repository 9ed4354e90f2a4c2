/** What is always true of the shares of GPU time, under every scheduler and through changes from one to another: each is within 0 and 1, and the parts make the whole. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { simulate } from "../../src/cli/simulate.ts";
import { readScenario } from "../../src/scenario/read.ts";
import type { ScenarioInput } from "../../src/scenario/schema.ts";

/** Pods that are not ready in time are evicted, and their workload waits again for some time, more than once. */
const REQUEUES = { podsReadyTimeoutMs: 20_000, requeueBaseMs: 5_000, requeueLimit: 4 };
const QUOTA = `apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: c}
spec: {preemption: {withinClusterQueue: LowerPriority}, resourceGroups: [{coveredResources: [nvidia.com/gpu, cpu, memory], flavors: [{name: f, resources: [{name: nvidia.com/gpu, nominalQuota: 24}, {name: cpu, nominalQuota: 99}, {name: memory, nominalQuota: 9Ti}]}]}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: default}
spec: {clusterQueue: c}
`;
const POLICIES = [
  { preset: "kueue", settings: REQUEUES, yaml: QUOTA },
  { preset: "kueue", settings: { ...REQUEUES, placement: "volcano" }, yaml: QUOTA },
  { preset: "kube-scheduler" },
  { preset: "volcano" },
  { preset: "kai" },
  { preset: "ray" },
  { preset: "slurm" },
  { preset: "lab", settings: { order: "tiers", preemption: "graceful", graceMs: 2_000 } },
  { preset: "lab", settings: { order: "tiers", preemption: "suspend" } },
];
const policy = fc.constantFrom(...POLICIES);
const seconds = (most: number) => fc.integer({ min: 1, max: most }).map((s) => s * 1_000);

const job = fc.record({
  submitMs: seconds(60),
  workMs: seconds(90),
  members: fc.integer({ min: 1, max: 5 }),
  gpusPerMember: fc.integer({ min: 0, max: 4 }),
  tier: fc.constantFrom("critical", "normal", "low"),
  gang: fc.boolean(),
  startupMs: fc.constantFrom(0, 1_500),
});

const document = fc
  .record({
    first: policy,
    changes: fc.array(fc.record({ atMs: seconds(150), policy }), { maxLength: 2 }),
    jobs: fc.array(job, { minLength: 3, maxLength: 10 }),
    horizonMs: fc.constantFrom(undefined, 160_000, 3_000_000),
    failAtMs: fc.option(seconds(60)),
  })
  .map(
    ({ first, changes, jobs, horizonMs, failAtMs }) =>
      ({
        version: 1,
        ...(horizonMs === undefined ? {} : { horizonMs }),
        cluster: {
          nodeGroups: [
            { id: "n", count: 3, gpus: 4, cpus: 16 },
            { id: "rented", count: 1, gpus: 4, cpus: 16, burst: { startupMs: 5_000 } },
          ],
        },
        pools: [{ id: "all", policy: first }],
        workload: {
          jobs: jobs.map(({ members, gpusPerMember, ...rest }, at) => ({
            id: `j${at}`,
            components: [{ members, gpusPerMember, cpusPerMember: 1 }],
            ...rest,
          })),
        },
        interventions: [
          ...changes.map((change) => ({ kind: "policy", pool: "all", ...change })),
          ...(failAtMs === null
            ? []
            : [
                { kind: "fail", atMs: failAtMs, nodes: ["n-000"] },
                { kind: "resume", atMs: failAtMs + 9_000, nodes: ["n-000"] },
              ]),
        ],
      }) as ScenarioInput,
  );

function metricsOf(input: ScenarioInput) {
  const read = readScenario(input);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return simulate(read.value, undefined, { checks: false }).metrics;
}

const ROUNDING = 1e-9;

test("every share of GPU time is within 0 and 1, what is held and what is idle make no more than the whole, and what is held is the sum of its parts", () => {
  let idled = 0;
  fc.assert(
    fc.property(document, (input) => {
      const { utilization, gpuHours } = metricsOf(input);
      for (const [name, share] of Object.entries(utilization)) {
        expect(share, name).toBeGreaterThanOrEqual(-ROUNDING);
        expect(share, name).toBeLessThanOrEqual(1 + ROUNDING);
      }
      const { allocated, idleWhileWaiting } = utilization;
      expect(allocated + idleWhileWaiting).toBeLessThanOrEqual(1 + ROUNDING);
      const { useful, lostWork, unfinished, overhead, withoutProgress } = gpuHours;
      expect(useful + lostWork + unfinished + overhead + withoutProgress).toBeCloseTo(
        gpuHours.allocated,
        9,
      );
      if (idleWhileWaiting > 0) idled++;
    }),
    { numRuns: 120, endOnFailure: true },
  );
  expect(idled).toBeGreaterThan(30);
}, 240_000);

test("who waits, is admitted and requeued after the last run makes nothing idle of the makespan", () => {
  const of = (members: number, gpusPerMember: number) => ({
    workMs: 10_000,
    components: [{ members, gpusPerMember, cpusPerMember: 1 }],
  });
  const input = {
    version: 1,
    cluster: { nodeGroups: [{ id: "n", count: 3, gpus: 4, cpus: 16 }] },
    pools: [{ id: "all", policy: { preset: "kueue", settings: REQUEUES, yaml: QUOTA } }],
    workload: {
      jobs: [
        { id: "runs", submitMs: 0, ...of(2, 4) },
        { id: "never", submitMs: 1_000, ...of(1, 8) },
      ],
    },
  } as ScenarioInput;
  const { utilization, gpuHours, makespanSec } = metricsOf(input);
  expect(makespanSec).toBeLessThan(60);
  expect(utilization.allocated + utilization.idleWhileWaiting).toBeLessThanOrEqual(1);
  // Four GPUs from 1 s on, and the others until "runs" begins.
  expect(gpuHours.idleWhileWaiting).toBeGreaterThanOrEqual((4 * (makespanSec - 1)) / 3_600);
});
