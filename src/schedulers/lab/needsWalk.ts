/**
 * Whether a pool needs the walk, or the plain passes serve it. The plain passes know three orders, three backfills and any placement; whatever
 * else is set, or stands in the world, goes the walk. It is asked before the walk is there: a page fetches it only for documents that need it.
 */
import type { PoolView } from "../../engine/view.ts";
import type { PoolSettings, SettingValue } from "../../model/policy.ts";

const PLAIN: Readonly<Record<string, readonly SettingValue[]>> = {
  order: ["fcfs", "shortest", "tiers"],
  backfill: ["none", "easy", "conservative"],
  runTimes: ["limit"],
  preemption: ["none"],
  quota: ["none"],
  tiersFirst: [false],
  testDepth: [0],
  numa: ["ignore", "prefer"],
  defragment: [false],
  repartitionMs: [0],
  passEveryMs: [0],
};

/** Whether settings of the lab ask for more than the plain passes know; what is absent has its default. */
export function settingsNeedWalk(settings: PoolSettings["settings"]): boolean {
  return Object.entries(PLAIN).some(([key, plain]) => {
    const value = settings[key];
    return value !== undefined && !plain.includes(value);
  });
}

/** Whether the world of a pool has rules that only the walk keeps; reservations as of now, since an edit may bring more (`Scheduler.reserved`). O(jobs with a life of their own). */
export function worldNeedsWalk({ world, nodes, pool, nowMs }: PoolView): boolean {
  if (world.changes.some((it) => it.kind === "reserve" && it.pool === pool && it.atMs <= nowMs))
    return true;
  const { limits, windows, services, fleet, burst, tiers, jobs } = world;
  const some = (list: readonly unknown[] | undefined): boolean => (list?.length ?? 0) > 0;
  if (some(limits) || some(windows) || some(services) || (fleet ?? null) !== null) return true;
  if (burst?.some((rule) => rule.nodes.some((node) => nodes.includes(node)))) return true;
  if (tiers.some((tier) => tier.capGpus !== undefined || tier.guaranteedGpus !== undefined)) {
    return true;
  }
  if (tiers.some((tier) => tier.preemptMode !== undefined)) return true;
  for (const life of jobs.lab.values())
    if (life.elastic !== null || life.checkpoint?.location === "node") return true;
  for (const { arrayId, arrayMost } of jobs.slurm.values())
    if (arrayId !== "" && Number.isFinite(arrayMost)) return true;
  return false;
}

interface PolicyOf {
  readonly preset: string;
  readonly settings: PoolSettings["settings"];
}
interface LifeOf {
  readonly elastic?: unknown;
  readonly checkpoint?: { readonly location?: unknown } | undefined;
  readonly array?: { readonly atOnce?: unknown } | undefined;
}

/** What of a document decides whether any of its pools needs the walk. */
export interface DocumentFacts {
  readonly pools: readonly { readonly policy: PolicyOf }[];
  readonly interventions: readonly {
    readonly kind: string;
    readonly policy?: PolicyOf;
    readonly job?: unknown;
    readonly off?: boolean | undefined;
  }[];
  readonly limits: readonly unknown[];
  readonly windows: readonly unknown[];
  readonly services: readonly unknown[];
  readonly fleet?: unknown;
  readonly tiers: readonly {
    readonly capGpus?: unknown;
    readonly guaranteedGpus?: unknown;
    readonly preemptMode?: unknown;
  }[];
  readonly cluster: { readonly nodeGroups?: readonly { readonly burst?: unknown }[] };
  readonly workload: { readonly jobs: readonly LifeOf[]; readonly synthetic: readonly LifeOf[] };
}

/** True wherever one of the pools may need the walk at some time; it may be true where none does. O(jobs spelled out). */
export function documentNeedsWalk(document: DocumentFacts): boolean {
  const { pools, interventions, limits, windows, services, fleet, tiers, workload } = document;
  if (limits.length + windows.length + services.length > 0 || fleet !== undefined) return true;
  const policies = pools.map((pool) => pool.policy);
  for (const change of interventions) {
    if (change.off) continue;
    if (change.policy !== undefined) policies.push(change.policy);
    if (change.kind === "reserve" || walks(change.job)) return true;
  }
  if (policies.some((policy) => policy.preset === "lab" && settingsNeedWalk(policy.settings))) {
    return true;
  }
  if (tiers.some((tier) => (tier.capGpus ?? tier.guaranteedGpus ?? tier.preemptMode) !== undefined))
    return true;
  if (document.cluster.nodeGroups?.some((group) => group.burst !== undefined)) return true;
  return workload.jobs.some(walks) || workload.synthetic.some(walks);
}

/** An elastic job, one that can go on only where its checkpoint lies, or an array of which only some tasks run at once. */
function walks(job: unknown): boolean {
  if (typeof job !== "object" || job === null) return false;
  const { elastic, array, checkpoint } = job as LifeOf;
  if (elastic !== undefined || checkpoint?.location === "node") return true;
  return array?.atOnce !== undefined;
}
