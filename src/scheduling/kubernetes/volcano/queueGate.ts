/**
 * The two gates of Volcano's proportion plugin. Into the queue: a job's least request, beside what the queue holds and has let in, stays within
 * what the queue can really have. On to nodes: what the queue holds stays within what it deserves with the request. Only resources that are asked for
 * count, so a job without GPUs passes a queue whose GPUs are used up. Pathology: work that is not let into the queue never gets to reclaim either.
 * O(resources). Source: volcano-sh/volcano `pkg/scheduler/plugins/proportion`.
 */
import type { Amounts } from "./deserved.ts";
import { isAtMost } from "./deserved.ts";

export interface GatedQueue {
  /** Only an open queue takes work. */
  readonly open: boolean;
  /** The most it can really have. */
  readonly capability: Amounts;
  readonly allocated: Amounts;
  /** Least requests of the jobs that were let in and do not run yet. */
  readonly inqueue: Amounts;
  /** What its jobs hold beyond their least number of members. */
  readonly elastic: Amounts;
}

/** May a job with this least request enter the queue? */
export function mayEnqueue(queue: GatedQueue, request: Amounts): boolean {
  const { open, allocated, inqueue, elastic, capability } = queue;
  if (!open) return false;
  for (let at = 0; at < request.length; at++) {
    const asked = request[at]! + allocated[at]! + inqueue[at]! - elastic[at]!;
    if (request[at]! > 0 && !isAtMost(asked, capability[at]!)) return false;
  }
  return true;
}

/** May a task with this request be given to the queue? */
export function mayAllocate(
  { open, allocated }: Pick<GatedQueue, "open" | "allocated">,
  deserved: Amounts,
  request: Amounts,
): boolean {
  if (!open) return false;
  for (let at = 0; at < request.length; at++)
    if (request[at]! > 0 && !isAtMost(request[at]! + allocated[at]!, deserved[at]!)) return false;
  return true;
}
