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
  passEveryMs: [0],
};

/** Whether settings of the lab ask for more than the plain passes know; what is absent has its default. */
export function settingsNeedWalk(settings: PoolSettings["settings"]): boolean {
  return Object.entries(PLAIN).some(([key, plain]) => {
    const value = settings[key];
    return value !== undefined && !plain.includes(value);
  });
}

/** Whether the world of a pool has rules that only the walk keeps. O(jobs with a life of their own). */
export function worldNeedsWalk({ world, nodes }: PoolView): boolean {
  const { limits, windows, services, fleet, burst, tiers, jobs } = world;
  const some = (list: readonly unknown[] | undefined): boolean => (list?.length ?? 0) > 0;
  if (some(limits) || some(windows) || some(services) || (fleet ?? null) !== null) return true;
  if (burst?.some((rule) => rule.nodes.some((node) => nodes.includes(node)))) return true;
  if (tiers.some((tier) => tier.capGpus !== undefined || tier.guaranteedGpus !== undefined)) {
    return true;
  }
  if (tiers.some((tier) => tier.preemptMode !== undefined)) return true;
  for (const life of jobs.lab.values()) if (life.elastic !== null) return true;
  return false;
}
