/**
 * Admission fair sharing: what a LocalQueue has used, remembered with a half-life, orders its workloads before priority. At each sample the memory moves towards what runs now;
 * between samples an admission counts at once as a penalty, so that one queue does not take everything in one interval. Half-life 0 remembers nothing. O(resources). Source:
 * kubernetes-sigs/kueue `pkg/util/admissionfairsharing`, `pkg/controller/core/localqueue_controller.go`; docs "Admission Fair Sharing".
 */
import pow from "@stdlib/math-base-special-pow";

/** Use remembered after a sample `elapsedMs` after the last one, while `running` is in use. */
export function decayed(
  consumed: number,
  running: number,
  elapsedMs: number,
  halfLifeMs: number,
): number {
  if (halfLifeMs === 0) return 0;
  const forgotten = fading(elapsedMs, halfLifeMs);
  return consumed * (1 - forgotten) + running * forgotten;
}

/** What an admission adds until the next sample, of one resource. */
export function entryPenalty(request: number, samplingMs: number, halfLifeMs: number): number {
  return halfLifeMs === 0 ? 0 : request * fading(samplingMs, halfLifeMs);
}

/** The number by which queues are ordered, lower first; all lists by resource. A queue without weight comes last. */
export function usageValue(
  consumed: readonly number[],
  penalty: readonly number[],
  resourceWeights: readonly number[],
  queueWeight: number,
): number {
  if (queueWeight <= 0) return Number.POSITIVE_INFINITY;
  const used = resourceWeights.reduce(
    (sum, weight, at) => sum + weight * (consumed[at]! + penalty[at]!),
    0,
  );
  return used / queueWeight;
}

function fading(elapsedMs: number, halfLifeMs: number): number {
  return 1 - pow(0.5, elapsedMs / halfLifeMs);
}
