/**
 * The order in which running jobs are considered as victims. Those whose loss hurts least come first: lowest rank (the priority of
 * a QOS, the tier of a partition), then fewest nodes, then the job that was submitted first; or simply the job that started last.
 */
export interface Victim {
  readonly jobIdx: number;
  readonly rank: number;
  readonly nodes: number;
  readonly startMs: number;
  /** Place in the list of all jobs: submission, whatever became of the job since. */
  readonly place: number;
}

/** Largest rank and node count that are told apart, as in Slurm's 16 bits for each. */
const MOST = 0xffff;

/**
 * Sorts victims, first to go first. `youngestFirst` (`preempt_youngest_first`, slurm.conf(5)) looks at start times alone.
 * Ties keep the order of submission. O(n log n).
 */
export function sortVictims<V extends Victim>(victims: V[], youngestFirst: boolean): V[] {
  return victims.sort(youngestFirst ? byYouth : byLoss);
}

function byLoss(one: Victim, other: Victim): number {
  return (
    Math.min(MOST, one.rank) - Math.min(MOST, other.rank) ||
    Math.min(MOST, one.nodes) - Math.min(MOST, other.nodes) ||
    one.place - other.place
  );
}

function byYouth(one: Victim, other: Victim): number {
  return other.startMs - one.startMs || one.place - other.place;
}
