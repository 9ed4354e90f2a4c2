/** Random scenarios of field cases, every term of jobs, machine and policy in any mix, small enough for rules that try every set. */
import fc from "fast-check";
import type { RuleCluster, RuleJob, RuleNode, RulePolicy, RuleWindow } from "./fieldRules.ts";

/** A machine, its jobs and a policy. */
export interface RuleScenario {
  readonly cluster: RuleCluster;
  readonly jobs: readonly RuleJob[];
  readonly policy: RulePolicy;
}

const jobs = fc.array(
  fc.record({
    submit: fc.oneof(
      fc.constant(0),
      fc.integer({ min: 0, max: 25 }),
      fc.integer({ min: 0, max: 80 }),
    ),
    tasks: fc.constantFrom(1, 1, 1, 2, 3, 4, 6),
    gpus: fc.constantFrom(0, 1, 1, 2, 3, 4, 8),
    cpus: fc.constantFrom(0, 0, 1, 2, 3),
    mem: fc.constantFrom(0, 0, 0, 1, 4),
    distinct: fc.boolean(),
    runtime: fc.integer({ min: 1, max: 60 }),
    slack: fc.constantFrom(0, 0, 1, 7, 30),
    prio: fc.constantFrom(0, 0, 0, 1, 5, 10),
    user: fc.constantFrom("a", "b", "c", undefined),
    tag: fc.constantFrom(undefined, undefined, undefined, "x", "y"),
    preemptible: fc.constantFrom(true, true, true, false),
    back: fc.constantFrom(0, 0, 0, 0, 1, 2),
  }),
  { minLength: 1, maxLength: 22 },
);

const nodes = fc.array(
  fc.record({
    gpus: fc.constantFrom(1, 2, 3, 4, 4, 8, 8),
    cpus: fc.constantFrom(undefined, 1_000_000, 6, 12),
    mem: fc.constantFrom(undefined, 1_000_000, 8),
    tags: fc.subarray(["x", "y"]),
    down: fc.constantFrom(undefined, undefined, undefined, [[0, 30]], [[20, 55]], [[11, 12]]),
  }),
  { minLength: 1, maxLength: 5 },
);

const maint = fc.array(
  fc.record({
    on: fc.constantFrom("all", "first", "last"),
    start: fc.integer({ min: 1, max: 90 }),
    length: fc.integer({ min: 1, max: 40 }),
    ahead: fc.constantFrom(0, 5, 200),
    kill: fc.boolean(),
  }),
  { maxLength: 2 },
);

/** `T` now and then, else nothing. */
const rarely = <T>(values: readonly T[]): fc.Arbitrary<T | undefined> =>
  fc.constantFrom(undefined, undefined, ...values);

const policy = fc.record({
  mode: fc.constantFrom("strict", "skip", "backfill", "backfill", "backfill"),
  depth: rarely([1, 2, 3, 1_000_000, 1_000_000]),
  window: rarely([10, 40]),
  order: rarely(["prio", "fair"]),
  half_life: fc.constantFrom(10, 60, 10_080),
  max_test: rarely([1, 2, 4]),
  user_max: rarely([3, 6]),
  cpu_reserve_per_gpu: rarely([1]),
  place: rarely(["first", "pack", "packpod", "spread", "pack"]),
  preempt: rarely(["priority", "priority", "priority"]),
  newer_equal: rarely([true, false]),
  victims: rarely(["minjobs", "youngest"]),
  ckpt: rarely([5, 7]),
  requeue: rarely([true]),
});

const drawn = fc.record({
  jobs,
  nodes,
  maint,
  policy,
  pool: fc.constantFrom(0, 0, 0, 0, 6, 16),
  withWindows: fc.boolean(),
  withAfter: fc.boolean(),
  allFit: fc.constantFrom(true, true, true, false),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** Any scenario; mostly every job fits on the empty machine. */
export const fieldScenarios: fc.Arbitrary<RuleScenario> = drawn
  .map(toScenario)
  .filter(({ jobs: kept }) => kept.length > 0);

function toScenario(from: Drawn): RuleScenario {
  const rules = policyOf(from);
  const cluster = from.pool > 0 ? { pool: from.pool } : clusterOf(from);
  const kept = from.jobs
    .map((job, at) => jobOf(job, at, from))
    .filter(
      (job) =>
        !from.allFit || fitsEmpty(job, cluster.nodes ?? [{ id: "pool", gpus: from.pool }], rules),
    );
  const ids = kept.map(({ id }) => id);
  return { cluster, jobs: kept.map((job) => withKnownAfter(job, ids)), policy: rules };
}

function policyOf({ policy: drawnPolicy }: Drawn): RulePolicy {
  const { half_life, depth, window, newer_equal, victims, ...rest } = drawnPolicy;
  const terms = {
    ...rest,
    ...(rest.order === "fair" ? { half_life } : {}),
    ...(rest.mode === "backfill" ? { depth, window } : {}),
    ...(rest.preempt === undefined ? {} : { newer_equal, victims }),
  };
  return JSON.parse(JSON.stringify(terms)) as RulePolicy;
}

function clusterOf({ nodes: list, maint: windows, withWindows }: Drawn): RuleCluster {
  const named = list.map((node, at) => ({ id: `n${at}`, ...node }));
  const made = windows.map(
    ({ on, start, length, ahead, kill }): RuleWindow => ({
      nodes: on === "all" ? "all" : [on === "first" ? "n0" : `n${list.length - 1}`],
      start,
      end: start + length,
      announced: Math.max(0, start - ahead),
      kill,
    }),
  );
  return {
    nodes: JSON.parse(JSON.stringify(named)) as RuleNode[],
    ...(withWindows ? { maint: made } : {}),
  };
}

function jobOf(
  { slack, tag, back, ...job }: Drawn["jobs"][number],
  at: number,
  { pool, withAfter }: Drawn,
): RuleJob {
  const cpus = job.gpus === 0 ? Math.max(1, job.cpus) : job.cpus;
  return JSON.parse(
    JSON.stringify({
      ...job,
      ...(pool > 0 ? { gpus: Math.max(1, job.gpus), cpus: 0, mem: 0, distinct: false } : { cpus }),
      id: `j${at}`,
      limit: job.runtime + slack,
      ...(tag === undefined || pool > 0 ? {} : { tags: [tag] }),
      ...(withAfter && back > 0 ? { after: `j${at - back}` } : {}),
    }),
  ) as RuleJob;
}

function withKnownAfter({ after, ...job }: RuleJob, ids: readonly string[]): RuleJob {
  return after !== undefined && ids.includes(after) ? { ...job, after } : job;
}

function fitsEmpty(job: RuleJob, nodeList: readonly RuleNode[], rules: RulePolicy): boolean {
  const { gpus = 0, cpus = 0, mem = 0, tasks = 1 } = job;
  let places = 0;
  for (const node of nodeList) {
    if (!(job.tags ?? []).every((tag) => (node.tags ?? []).includes(tag))) continue;
    const open =
      (node.cpus ?? 1_000_000) - (gpus === 0 ? (rules.cpu_reserve_per_gpu ?? 0) * node.gpus : 0);
    const most = Math.min(
      gpus > 0 ? Math.floor(node.gpus / gpus) : 99,
      cpus > 0 ? Math.floor(open / cpus) : 99,
      mem > 0 ? Math.floor((node.mem ?? 1_000_000) / mem) : 99,
    );
    places += job.distinct === true ? Math.min(1, Math.max(0, most)) : Math.max(0, most);
  }
  return places >= tasks;
}
