/**
 * How many replicas a service should have. At each multiple of `everyMs` a wish is made from the demand of this moment and kept; what is done is
 * the least wish of the last `upDelayMs` where that is more than there are, the largest of the last `downDelayMs` where that is fewer, else nothing.
 *
 *     utilization  wish = ⌈demand / (requests a second of a replica × target)⌉, none while it differs from what there is by at most `tolerance`
 *     latency      wish = fewest replicas with which the formula meets the target
 *
 * The delays are those of Kubernetes' stabilization windows (kubernetes.io, Horizontal Pod Autoscaling, "Stabilization window"; there 0 up and 300 s
 * down by default). With `catchUpMs` what has piled up counts as demand, spread over that time: a service that was overloaded catches up, and only then shrinks. The tolerance is its 10 %. Unlike there, demand is known and not measured, and replicas that start count as there. Pathologies:
 * a delay shorter than the cold start overshoots; without a down delay a wave costs a cold start each time; latency as a metric jumps near full load.
 * O(wishes in the window) a tick.
 */
import { capacityPerSec, replicasForLatency } from "../../model/lab/latency.ts";
import type { ServiceInfo } from "../../model/lab/services.ts";

/** Wishes of the last ticks, oldest first: each from its tick on, to the last tick before the next one's. */
export interface Wishes {
  readonly atMs: number[];
  readonly replicas: number[];
}

/** The wish at this demand, with `current` replicas wanted until now; within the limits of the service. */
export function wishFor(service: ServiceInfo, perSec: number, current: number): number {
  const { autoscale, concurrency, requestMs, requestCv2, percentile, targetMs } = service;
  const { minReplicas, maxReplicas } = service;
  if (autoscale.metric === "fixed") return minReplicas;
  let wish: number;
  if (autoscale.metric === "latency") {
    const serving = { perSec, requestMs, requestCv2 };
    wish = replicasForLatency(serving, concurrency, percentile / 100, targetMs, maxReplicas);
  } else {
    const exact = perSec / (capacityPerSec(concurrency, requestMs) * autoscale.target);
    const within = current > 0 && Math.abs(exact / current - 1) <= autoscale.tolerance;
    // A rate that is a whole number of replicas must not become one more by rounding.
    wish = within ? current : Math.ceil(exact - 1e-9);
  }
  return Math.min(maxReplicas, Math.max(minReplicas, wish));
}

/** Keeps the wish of a tick and says how many replicas there should be from now on. O(changes of the wish in the window). */
export function decideReplicas(
  service: ServiceInfo,
  { atMs, replicas }: Wishes,
  nowMs: number,
  wish: number,
  current: number,
): number {
  const { upDelayMs, downDelayMs, everyMs } = service.autoscale;
  if (replicas[replicas.length - 1] !== wish) {
    atMs.push(nowMs);
    replicas.push(wish);
  }
  const lastMs = (i: number) => (i + 1 < atMs.length ? atMs[i + 1]! - everyMs : nowMs);
  let stale = 0;
  while (lastMs(stale) < nowMs - Math.max(upDelayMs, downDelayMs)) stale++;
  atMs.splice(0, stale);
  replicas.splice(0, stale);
  let least = wish;
  let most = wish;
  for (let i = 0; i < atMs.length; i++) {
    const ageMs = nowMs - lastMs(i);
    if (ageMs <= upDelayMs) least = Math.min(least, replicas[i]!);
    if (ageMs <= downDelayMs) most = Math.max(most, replicas[i]!);
  }
  if (least > current) return least;
  return most < current ? most : current;
}

/** Whether nothing changes at a tick before demand does. */
export function isSettled({ replicas }: Wishes, wanted: number): boolean {
  return replicas.length === 1 && replicas[0] === wanted;
}
