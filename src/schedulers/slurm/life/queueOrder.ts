/**
 * The order in which both schedulers look at pending jobs (`sort_job_queue2`): jobs that may preempt the other, jobs of advance
 * reservations, the higher tier of the partition, the priority, the job submitted first (in whole seconds), the lower number. A job that asked for several partitions stands in the queue once for each.
 */
import type { QueueEntry, SlurmJob, SlurmState } from "../state.ts";

/** Puts a pending job into the queue. O(log queue + entries behind it). */
export function enqueue(state: SlurmState, job: SlurmJob): void {
  job.queued = true;
  job.partitions.forEach((partition, at) => {
    const priority = job.priorities?.[at] ?? job.priority;
    const entry = { job, partition, wanted: job.wanteds[at]!, priority };
    state.queue.splice(placeOf(state, entry), 0, entry);
  });
}

/** Takes a job out of the queue. O(queue). */
export function dequeue(state: SlurmState, job: SlurmJob): void {
  job.queued = false;
  let left = job.partitions.length;
  for (let at = state.queue.length - 1; at >= 0 && left > 0; at--) {
    if (state.queue[at]!.job !== job) continue;
    state.queue.splice(at, 1);
    left--;
  }
}

/** To be called when a queued job's priority changed. */
export function requeueInOrder(state: SlurmState, job: SlurmJob): void {
  if (!job.queued) return;
  dequeue(state, job);
  enqueue(state, job);
}

/** Brings the order up to date after priorities of many jobs changed a little. O(queue + moves). Returns whether it changed. */
export function sortQueue(state: SlurmState): boolean {
  const { queue } = state;
  let moved = false;
  for (const entry of queue) {
    const at = entry.job.priorities === null ? -1 : entry.job.partitions.indexOf(entry.partition);
    entry.priority = at < 0 ? entry.job.priority : entry.job.priorities![at]!;
  }
  for (let at = 1; at < queue.length; at++) {
    const entry = queue[at]!;
    let to = at;
    while (to > 0 && isBefore(state, entry, queue[to - 1]!)) {
      queue[to] = queue[to - 1]!;
      to--;
    }
    if (to === at) continue;
    queue[to] = entry;
    moved = true;
  }
  return moved;
}

function placeOf(state: SlurmState, entry: QueueEntry): number {
  let low = 0;
  let high = state.queue.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(state, entry, state.queue[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whether one entry is looked at before another. O(1). */
export function isBefore(state: SlurmState, one: QueueEntry, other: QueueEntry): boolean {
  const { partitions, config, qos } = state.setup;
  if (config.preemption.type === "qos" && one.job.qos !== other.job.qos) {
    if (qos[one.job.qos]?.preempts[other.job.qos] === 1) return true;
    if (qos[other.job.qos]?.preempts[one.job.qos] === 1) return false;
  }
  const oneReserved = one.job.request.reservation !== "";
  if (oneReserved !== (other.job.request.reservation !== "")) return oneReserved;
  const oneTier = partitions[one.partition]!.config.priorityTier;
  const otherTier = partitions[other.partition]!.config.priorityTier;
  if (oneTier !== otherTier) return oneTier > otherTier;
  if (one.priority !== other.priority) return one.priority > other.priority;
  const laterSec = Math.floor(one.job.submitMs / 1_000) - Math.floor(other.job.submitMs / 1_000);
  return laterSec === 0 ? one.job.jobIdx < other.job.jobIdx : laterSec < 0;
}
