/**
 * priority/basic: each job gets one less than the lowest so far, less its nice value, so that the order is that of submission. A
 * job that is held has priority 0 and gets a new one, the lowest, when it is released (recording 18a). `top` serves both plugins.
 */

/** What slurmctld counts down from: the first job gets one less. */
export const TOP_PRIORITY = 4_294_901_760;

/** Priority of a job, and the lowest so far that the next one is counted from; the nice value does not move that. */
export function basicPriority(lowest: number, nice: number): { priority: number; lowest: number } {
  const next = lowest >= 2 ? lowest - 1 : 1;
  const priority = nice <= 0 || next > nice + 1 ? next - nice : next;
  return { priority, lowest: Math.min(lowest, next) };
}

/** A pending job of the same user, account, partition and QOS. */
export interface TopJob {
  readonly jobIdx: number;
  readonly priority: number;
  readonly nice: number;
}

/**
 * `scontrol top`: the job gets the highest priority among `jobs` (the job itself included, in order of submission, none of them held);
 * what it gains the others lose in equal parts, by their nice values. Returns new priorities and nice values. O(jobs).
 */
export function topPriorities(jobs: readonly TopJob[], topIdx: number): TopJob[] {
  const highest = jobs.reduce((most, job) => Math.max(most, job.priority), 0);
  const top = jobs.find((job) => job.jobIdx === topIdx);
  if (top === undefined) return [];
  let gain = highest - top.priority;
  let others = jobs.length - 1;
  return jobs.map((job) => {
    const loss = job === top ? top.priority - highest : Math.trunc(gain / others);
    if (job !== top) {
      gain -= loss;
      others--;
    }
    return {
      jobIdx: job.jobIdx,
      priority: Math.max(1, job.priority - loss),
      nice: job.nice + loss,
    };
  });
}
