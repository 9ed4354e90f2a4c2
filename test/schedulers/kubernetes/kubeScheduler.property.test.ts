/** kube-scheduler on drawn worlds: the skipped searches change nothing, snapshots and slices neither, and no device is given twice (the engine's own checks are on). */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Simulation } from "../../../src/engine/simulation.ts";
import type { Scheduler } from "../../../src/engine/view.ts";
import { StopReasonCode } from "../../../src/model/reasons.ts";
import type { World } from "../../../src/model/world.ts";
import { kubeScheduler } from "../../../src/schedulers/kubernetes/kubeScheduler.ts";
import type { PlacementState } from "../../../src/schedulers/kubernetes/placement/state.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { documentWorld } from "../../support/documentWorld.ts";

const TIERS = ["critical", "high", "normal", "low"];

const job = fc.record({
  atMs: fc.integer({ min: 0, max: 30_000 }),
  workMs: fc.integer({ min: 1, max: 20_000 }),
  members: fc.integer({ min: 1, max: 5 }),
  spare: fc.integer({ min: 0, max: 2 }),
  gpus: fc.integer({ min: 0, max: 4 }),
  cpus: fc.integer({ min: 0, max: 6 }),
  part: fc.constantFrom("whole", "whole", "whole", "share", "own"),
  tier: fc.integer({ min: 0, max: 3 }),
  never: fc.boolean(),
  limitMs: fc.option(fc.integer({ min: 500, max: 30_000 })),
  everyMs: fc.option(fc.integer({ min: 500, max: 5_000 }), { freq: 4 }),
});

const change = fc.record({
  atMs: fc.integer({ min: 0, max: 60_000 }),
  kind: fc.constantFrom("drain", "resume", "fail", "cancel", "retier"),
  at: fc.nat(20),
});

const drawn = fc.record({
  nodes: fc.integer({ min: 1, max: 5 }),
  jobs: fc.array(job, { minLength: 1, maxLength: 14 }),
  changes: fc.array(change, { maxLength: 4 }),
  scoring: fc.constantFrom("LeastAllocated", "MostAllocated"),
  cycleMicros: fc.constantFrom(0, 700, 3_700, 400_000),
  bindsPerSecond: fc.constantFrom(0, 0.5, 50),
  watchDelayMs: fc.constantFrom(0, 20, 900),
  graceMs: fc.constantFrom(0, 1_000, 7_000),
  budget: fc.boolean(),
  /** Nodes that can be rented, in two groups. */
  cloud: fc.option(
    fc.record({
      count: fc.integer({ min: 1, max: 3 }),
      boot: fc.integer({ min: 0, max: 9_000 }),
      spot: fc.boolean(),
    }),
  ),
  expander: fc.constantFrom("random", "most-pods", "least-waste", "least-nodes"),
  unneededMs: fc.constantFrom(0, 3_000),
  evict: fc.constantFrom("none", "LowNodeUtilization", "HighNodeUtilization"),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

const BUDGET = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: low }
spec: { maxUnavailable: 1, selector: { matchLabels: { tier: low } } }
`;

const descheduler = (plugin: string) => `apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles:
  - pluginConfig:
      - { name: DefaultEvictor, args: { minPodAge: 3s } }
      - { name: ${plugin}, args: { thresholds: { nvidia.com/gpu: 30 }, targetThresholds: { nvidia.com/gpu: 60 } } }
    plugins: { balance: { enabled: [${plugin}] } }
`;

function groupsOf({ nodes, cloud }: Drawn): object[] {
  const own = { id: "n", count: nodes, gpus: 4, cpus: 8 };
  if (cloud === null) return [own];
  const { count, boot, spot } = cloud;
  const burst = { startupMs: boot, ...(spot ? { spotMeanMs: 15_000, spotNoticeMs: 2_000 } : {}) };
  return [
    own,
    { id: "c", count, gpus: 4, cpus: 6, burst },
    { id: "d", count: 1, gpus: 2, cpus: 8, burst: { startupMs: 2_000 } },
  ];
}

function worldOf(one: Drawn, preset = "kube-scheduler"): World {
  const { nodes, jobs, changes, budget, cloud: _, unneededMs, evict, ...settings } = one;
  const yaml = [budget ? BUDGET : "", evict === "none" ? "" : descheduler(evict)];
  const scans = { scanIntervalMs: 1_000, maxNodeProvisionMs: 6_000, deschedulingIntervalMs: 5_000 };
  const down = { scaleDownUnneededMs: unneededMs, scaleDownDelayAfterAddMs: unneededMs };
  return documentWorld({
    version: 1,
    horizonMs: 200_000,
    cluster: { nodeGroups: groupsOf(one) },
    pools: [
      {
        id: "all",
        policy: {
          preset,
          settings: { ...settings, ...scans, ...down, bindMs: 0, podStartMs: 100 },
          yaml: yaml.filter((text) => text !== "").join("---\n"),
        },
      },
    ],
    workload: {
      jobs: jobs.map((one, at) => ({
        id: `j${at}`,
        submitMs: one.atMs,
        workMs: one.workMs,
        tier: TIERS[one.tier],
        components: [
          {
            members: one.members,
            minMembers: Math.max(1, one.members - one.spare),
            ...(one.part === "share" ? {} : { gpusPerMember: one.gpus }),
            cpusPerMember: one.cpus,
            ownNode: one.part === "own",
            ...(one.part === "share" ? { gpuShareMilli: 300 } : {}),
          },
        ],
        ...(one.limitMs === null ? {} : { limitMs: one.limitMs }),
        ...(one.everyMs === null ? {} : { checkpoint: { every: one.everyMs, costMs: 100 } }),
        ...(one.never ? { kubernetes: { preemptionPolicy: "Never" } } : {}),
      })),
    },
    interventions: changes.map(({ atMs, kind, at }) => {
      if (kind === "cancel") return { kind, atMs, job: `j${at % jobs.length}` };
      if (kind === "retier")
        return { kind, atMs, job: `j${at % jobs.length}`, tier: TIERS[at % TIERS.length]! };
      return { kind, atMs, nodes: [`n-00${at % nodes}`] };
    }),
  });
}

/** The preset with every search made in full. */
const everySearch: Scheduler<PlacementState> = {
  ...kubeScheduler,
  decide(view, happened, state, act) {
    state.known.always = true;
    return kubeScheduler.decide(view, happened, state, act);
  },
};

function digestOf(
  world: World,
  presets: (name: string) => Scheduler<unknown> = schedulerOf,
): string {
  const simulation = new Simulation(world, presets, { checks: true });
  simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: Number.POSITIVE_INFINITY });
  const { reason } = simulation.takeChunk().decisions;
  for (const [why, code] of Object.entries(CONTROLLERS)) if (reason.includes(code)) seen.add(why);
  return simulation.digest();
}

/** Victims go, their room is taken by others and the nomination is void: from then on the autoscaler has somebody to ask a node for. */
const VOID_NOMINATION: Drawn = {
  nodes: 3,
  jobs: [
    {
      spare: 0,
      part: "whole",
      atMs: 13_587,
      workMs: 14_946,
      members: 3,
      gpus: 1,
      cpus: 6,
      tier: 2,
      never: true,
      limitMs: 7_552,
      everyMs: null,
    },
    {
      spare: 0,
      part: "whole",
      atMs: 15_381,
      workMs: 12_872,
      members: 5,
      gpus: 2,
      cpus: 5,
      tier: 1,
      never: false,
      limitMs: 7_741,
      everyMs: 1_463,
    },
  ],
  changes: [],
  scoring: "MostAllocated",
  cycleMicros: 400_000,
  bindsPerSecond: 50,
  watchDelayMs: 0,
  graceMs: 7_000,
  budget: true,
  cloud: { count: 1, boot: 850, spot: false },
  expander: "random",
  unneededMs: 3_000,
  evict: "HighNodeUtilization",
};

/** Evictions by controllers that any run so far had. */
const CONTROLLERS = {
  descheduled: StopReasonCode.descheduled,
  nodeRemoved: StopReasonCode.nodeRemoved,
  spotTaken: StopReasonCode.spotTaken,
};
const seen = new Set<string>();

test("a search that is skipped or cut down would have found the same", () => {
  fc.assert(
    fc.property(drawn, (one) => {
      const world = worldOf(one);
      const full = digestOf(world, () => everySearch as Scheduler<unknown>);
      expect(digestOf(world)).toBe(full);
    }),
    { numRuns: 100, endOnFailure: true, examples: [[VOID_NOMINATION]] },
  );
  // Nodes went with pods on them, and the descheduler evicted somebody: each in a tenth of the worlds and more.
  expect([...seen].sort()).toEqual(Object.keys(CONTROLLERS).sort());
});

test.each(["kube-scheduler", "kueue"])("%s: slices and snapshots change nothing", (preset) => {
  fc.assert(
    fc.property(drawn, fc.integer({ min: 1, max: 40 }), (one, events) => {
      const world = worldOf(one, preset);
      const sliced = new Simulation(world, schedulerOf, { checks: true });
      while (sliced.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: events }) !== "done") {
        sliced.takeChunk();
        sliced.rewind(world, sliced.nowMs + 1);
      }
      expect(sliced.digest()).toBe(digestOf(world));
    }),
    { numRuns: 12, endOnFailure: true },
  );
});
