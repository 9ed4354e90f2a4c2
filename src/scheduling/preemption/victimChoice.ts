/**
 * Which of several possible victims goes first, and which of two sets of victims is the better one.
 *
 * - fewest jobs: the smallest set; then the lowest priorities (the highest of a set counts first); then the least lost work in all; then
 *   the jobs that come first in the list.
 * - lowest priority: the lowest tier, then whoever stands last in the order of the queue.
 * - youngest: the lowest tier, then the latest start.
 * - least lost work: the fewest device-hours since start or last checkpoint.
 * - most over share: whose group is furthest above its due, then as youngest.
 * - first to end: where nobody is stopped but waited for, whoever ends first.
 *
 * Ties go to the job that comes first in the document's list. The first is a rule of sets and needs a search (`fewestVictims.ts`); the others are an order in which
 * jobs are taken until the job fits, and those that turn out not to be needed are spared (`greedyVictims.ts`).
 */
export type VictimRule =
  | "fewestJobs"
  | "lowestPriority"
  | "youngest"
  | "leastLostWork"
  | "mostOverShare"
  | "firstToEnd";

/** Those that a user may choose. */
export const VICTIM_RULES: readonly VictimRule[] = [
  "fewestJobs",
  "lowestPriority",
  "youngest",
  "leastLostWork",
  "mostOverShare",
];

/** A running job that may be stopped. */
export interface Candidate {
  readonly jobIdx: number;
  /** Its place in the document's list of jobs. */
  readonly listed: number;
  /** Index of its tier: larger = lower priority. */
  readonly tier: number;
  /** Its own priority within the tier; larger = higher. */
  readonly priority: number;
  /** Start of the current run (ms). */
  readonly startMs: number;
  /** End of the run at its time limit (ms); `Infinity` = none. */
  readonly endMs: number;
  /** Work that it would lose, in device-milliseconds. */
  readonly lostGpuMs: number;
  /** Devices by which its group is above its due. */
  readonly overShare: number;
}

/** Whether one job stands before another in the queue's order: negative if so. */
export type QueueOrder = (jobIdx: number, otherIdx: number) => number;

/** Places of the candidates, first to go first. O(n log n). */
export function sortCandidates(
  candidates: readonly Candidate[],
  rule: VictimRule,
  order: QueueOrder,
): number[] {
  const compare = comparison(rule, order);
  return candidates
    .map((_, at) => at)
    .sort((at, otherAt) => {
      const one = candidates[at]!;
      const other = candidates[otherAt]!;
      return compare(one, other) || one.listed - other.listed;
    });
}

function comparison(
  rule: VictimRule,
  order: QueueOrder,
): (one: Candidate, other: Candidate) => number {
  switch (rule) {
    case "fewestJobs":
      return byLoss;
    case "lowestPriority":
      return (one, other) => lowestFirst(one, other) || order(other.jobIdx, one.jobIdx);
    case "youngest":
      return byYouth;
    case "leastLostWork":
      return (one, other) => one.lostGpuMs - other.lostGpuMs || lowestFirst(one, other);
    case "mostOverShare":
      return (one, other) => other.overShare - one.overShare || byYouth(one, other);
    case "firstToEnd":
      return (one, other) => (one.endMs === other.endMs ? 0 : one.endMs < other.endMs ? -1 : 1);
  }
}

function byLoss(one: Candidate, other: Candidate): number {
  return lowestFirst(one, other) || one.lostGpuMs - other.lostGpuMs;
}

/** Which of two victims stands first where the fewest are looked for: negative for the first. */
export function fewestFirst(one: Candidate, other: Candidate): number {
  return byLoss(one, other) || one.listed - other.listed;
}

function byYouth(one: Candidate, other: Candidate): number {
  return lowestFirst(one, other) || other.startMs - one.startMs;
}

/** Lower tier, then lower own priority. */
function lowestFirst(one: Candidate, other: Candidate): number {
  return other.tier - one.tier || one.priority - other.priority;
}

/** Negative where the first of two sets, given as indexes into the candidates, is the better one by "fewest jobs". O(n log n). */
export function compareSets(
  candidates: readonly Candidate[],
  one: readonly number[],
  other: readonly number[],
): number {
  if (one.length !== other.length) return one.length - other.length;
  const highestFirst = (set: readonly number[]) =>
    set.map((at) => candidates[at]!).sort((a, b) => lowestFirst(b, a));
  const [ours, theirs] = [highestFirst(one), highestFirst(other)];
  for (let at = 0; at < ours.length; at++) {
    const lower = lowestFirst(ours[at]!, theirs[at]!);
    if (lower !== 0) return lower;
  }
  const jobs = (set: readonly number[]) =>
    set.map((at) => candidates[at]!.listed).sort((a, b) => a - b);
  const lost = (set: readonly number[]) =>
    set.reduce((sum, at) => sum + candidates[at]!.lostGpuMs, 0);
  return lost(one) - lost(other) || compareLists(jobs(one), jobs(other));
}

function compareLists(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < one.length; at++) {
    const difference = one[at]! - other[at]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
