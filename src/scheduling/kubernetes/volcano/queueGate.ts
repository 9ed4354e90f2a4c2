/**
 * The two gates of Volcano's proportion plugin. Into the queue: a job's least request, beside what the queue holds and has let in, stays within
 * what the queue can really have. On to nodes: what the queue holds stays within what it deserves with the request. Only resources that are asked for
 * count, so a job without GPUs passes a queue whose GPUs are used up. Pathology: work that is not let into the queue never gets to reclaim either.
 * O(resources). Source: volcano-sh/volcano `pkg/scheduler/plugins/proportion`.
 */
import type { Amounts } from "./deserved.ts";
import { fitsWithin } from "./deserved.ts";

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
  const asked = request.map(
    (amount, at) => amount + queue.allocated[at]! + queue.inqueue[at]! - queue.elastic[at]!,
  );
  return queue.open && withinWhereAsked(request, asked, queue.capability);
}

/** May a task with this request be given to the queue? */
export function mayAllocate(queue: GatedQueue, deserved: Amounts, request: Amounts): boolean {
  const after = request.map((amount, at) => amount + queue.allocated[at]!);
  return queue.open && withinWhereAsked(request, after, deserved);
}

function withinWhereAsked(request: Amounts, amounts: Amounts, bound: Amounts): boolean {
  return request.every((asked, at) => asked <= 0 || fitsWithin([amounts[at]!], [bound[at]!]));
}
