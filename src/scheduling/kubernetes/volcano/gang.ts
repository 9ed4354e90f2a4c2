/**
 * Who may be offered to a waiting task of the same queue: the victim sets of the gang plugin and the priority plugin, which sit in one tier and are
 * therefore intersected. A gang gives members only down to its least number, in the order they are listed; priority lets only jobs of lower priority
 * give way. The preempt action never looks into other queues. O(tasks). Source: volcano-sh/volcano `pkg/scheduler/plugins/{gang,priority}`,
 * `actions/preempt`.
 */
export interface GangJob {
  readonly name: string;
  readonly queue: string;
  readonly priority: number;
  /** The job runs with at least so many members or not at all. */
  readonly minAvailable: number;
  /** Members that run, those that may not be preempted counted. */
  readonly running: number;
}

export interface RunningTask {
  readonly name: string;
  readonly job: GangJob;
  readonly preemptable: boolean;
}

/** The tasks that gangs can spare among `candidates`: of each job so many as it runs above its least number. */
export function spareMembers<T extends { readonly job: GangJob }>(candidates: readonly T[]): T[] {
  const kept = new Map<GangJob, number>();
  return candidates.filter(({ job }) => {
    const members = kept.get(job) ?? job.running;
    if (members <= job.minAvailable) return false;
    kept.set(job, members - 1);
    return true;
  });
}

/** Running tasks that may be offered as victims to a task of `preemptor`. */
export function evictableFor(preemptor: GangJob, running: readonly RunningTask[]): RunningTask[] {
  const candidates = running.filter(
    ({ job, preemptable }) => preemptable && job.queue === preemptor.queue && job !== preemptor,
  );
  return spareMembers(candidates).filter(({ job }) => job.priority < preemptor.priority);
}
