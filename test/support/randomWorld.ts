/** Arbitrary worlds for fast-check: small clusters, jobs of every shape, interventions of every kind, one or two pools. */
import fc from "fast-check";
import { type DependencyKind, JobFlag } from "../../src/model/jobs.ts";
import { NO_REQUEST } from "../../src/model/slurm/request.ts";
import type { Change } from "../../src/model/world.ts";
import type { ComponentSpec, JobSpec, WorldSpec } from "./world.ts";

const HORIZON_MS = 60_000;

const component: fc.Arbitrary<ComponentSpec> = fc
  .record({
    form: fc.constantFrom("whole", "whole", "whole", "share", "mig", "none"),
    members: fc.integer({ min: 1, max: 5 }),
    fewer: fc.integer({ min: 0, max: 4 }),
    gpus: fc.integer({ min: 1, max: 3 }),
    share: fc.integer({ min: 1, max: 999 }).filter((share) => share % 125 !== 0),
    cpuMilli: fc.integer({ min: 0, max: 2_500 }),
    memMiB: fc.integer({ min: 0, max: 300 }),
  })
  .map((draft) => ({
    members: draft.members,
    minMembers: Math.max(1, draft.members - draft.fewer),
    gpus: draft.form === "none" ? 0 : draft.form === "whole" ? draft.gpus : 1,
    ...(draft.form === "share" ? { shareMilli: draft.share } : {}),
    ...(draft.form === "mig" ? { mig: "1g.10gb" } : {}),
    cpuMilli: draft.cpuMilli,
    memMiB: draft.memMiB,
  }));

const job = (pools: number): fc.Arbitrary<Omit<JobSpec, "name">> =>
  fc.record(
    {
      submitMs: fc.oneof(
        fc.integer({ min: 0, max: 40 }).map((s) => s * 1_000),
        fc.integer({ min: 0, max: 40_000 }),
      ),
      workMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 15_000 })),
      limitMs: fc.integer({ min: 1, max: 20_000 }),
      tier: fc.integer({ min: 0, max: 3 }),
      pool: fc.integer({ min: 0, max: pools - 1 }),
      flags: fc.constantFrom(0, JobFlag.gang, JobFlag.service, JobFlag.fails),
      components: fc.array(component, { minLength: 1, maxLength: 2 }),
      after: fc.array(
        fc.record({
          back: fc.integer({ min: 1, max: 4 }),
          kind: fc.constantFrom<DependencyKind>("after", "afterOk", "afterNotOk", "afterAny"),
          delayMs: fc.constantFrom(0, 0, 4_000),
          anyOf: fc.boolean(),
          singleton: fc.constantFrom(false, false, true),
        }),
        { maxLength: 2 },
      ),
      slurm: fc
        .record({
          hold: fc.constantFrom(false, false, true),
          termMs: fc.integer({ min: 0, max: 2_000 }),
        })
        .map((asked) => ({ ...NO_REQUEST, ...asked })),
      beginMs: fc.integer({ min: 0, max: 45_000 }),
    },
    { requiredKeys: ["submitMs", "workMs", "tier", "pool", "flags", "components"] },
  ) as unknown as fc.Arbitrary<Omit<JobSpec, "name">>;

export function change(
  jobs: number,
  nodes: number,
  pools: number,
  devices = nodes,
): fc.Arbitrary<Change> {
  const at = {
    atMs: fc.integer({ min: 0, max: 45 }).map((s) => s * 1_000),
    source: fc.constant(0),
  };
  const jobIdx = fc.integer({ min: 0, max: jobs - 1 });
  const nodeList = fc.array(fc.integer({ min: 0, max: nodes - 1 }), { minLength: 1, maxLength: 2 });
  const settings = fc
    .constantFrom("dice", "order", "own")
    .map((preset) => ({ preset, settings: {} }));
  return fc.oneof(
    fc.record({
      ...at,
      kind: fc.constantFrom("drain" as const, "resume" as const, "fail" as const),
      nodes: nodeList,
    }),
    fc.record({
      ...at,
      kind: fc.constantFrom("failDevices" as const, "resumeDevices" as const),
      devices: fc.uniqueArray(fc.integer({ min: 0, max: devices - 1 }), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
    fc.record({ ...at, kind: fc.constant("cancel" as const), jobIdx }),
    fc.record({
      ...at,
      kind: fc.constant("retier" as const),
      jobIdx,
      tier: fc.integer({ min: 0, max: 3 }),
    }),
    fc.record({
      ...at,
      kind: fc.constant("fail" as const),
      nodes: nodeList,
      noticed: fc.boolean(),
    }),
    fc.record({
      ...at,
      kind: fc.constantFrom("release" as const, "suspend" as const, "unsuspend" as const),
      jobIdx,
    }),
    fc.record({
      ...at,
      kind: fc.constant("hold" as const),
      jobIdx,
      by: fc.constant("user" as const),
    }),
    fc.record({ ...at, kind: fc.constant("requeue" as const), jobIdx, hold: fc.boolean() }),
    fc.record({
      ...at,
      kind: fc.constant("update" as const),
      jobIdx,
      limitMs: fc.integer({ min: 1, max: 20_000 }),
      nice: fc.constant(null),
      priority: fc.constant(null),
    }),
    fc.record({
      ...at,
      kind: fc.constant("policy" as const),
      pool: fc.integer({ min: 0, max: pools - 1 }),
      settings,
    }),
  );
}

export const randomWorldSpec: fc.Arbitrary<WorldSpec> = fc
  .record({
    nodes: fc.integer({ min: 1, max: 4 }),
    gpus: fc.integer({ min: 1, max: 8 }),
    pools: fc.integer({ min: 1, max: 2 }),
    flat: fc.boolean(),
    preset: fc.constantFrom("dice", "own", "own", "order"),
  })
  .chain(({ nodes, gpus, pools, flat, preset }) =>
    fc.array(job(pools), { minLength: 1, maxLength: 25 }).chain((drafts) =>
      fc
        .array(change(drafts.length, nodes, pools, nodes * gpus), { maxLength: 8 })
        .map((changes) => ({
          cluster: { nodes, gpus, cpus: 16, memMiB: 1_024, flat: flat && nodes === 1 },
          jobs: nameJobs(drafts),
          changes,
          pools: Array.from({ length: pools }, () => ({ preset, settings: {} })),
          poolOfNode: Array.from({ length: nodes }, (_, node) => (nodes > 1 ? node % pools : 0)),
          horizonMs: HORIZON_MS,
        })),
    ),
  );

type Wish = NonNullable<JobSpec["after"]>[number];

/** Sorted by submit time and named by number; a dependency `back` names the job so many places before. */
export function nameJobs(drafts: readonly Omit<JobSpec, "name">[]): JobSpec[] {
  const sorted = [...drafts].sort((a, b) => a.submitMs - b.submitMs);
  return sorted.map((draft, i) => ({
    ...draft,
    name: `j${i}`,
    beginMs: Math.max(draft.submitMs, draft.beginMs ?? 0),
    after: ((draft.after ?? []) as unknown as (Omit<Wish, "name"> & { back: number })[])
      .filter(({ back }) => back <= i)
      .map(({ back, ...wish }) => ({ ...wish, name: `j${i - back}` })),
  }));
}
