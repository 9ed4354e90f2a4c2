/**
 * The one victim that the search for the fewest ends with most often, found without listing anybody in order: of all that are enough alone it is the first by
 * preference, and no set is better than one. Only those are tried that would be better than the best so far and hold as many devices as are missing. It is what
 * `fewestVictims` finds where trials are not dear, no budget forbids anybody, and there are no more candidates than that search looks at; otherwise, and where nobody is
 * enough alone, that search must be made. Ties as there. O(candidates), and a trial for each that is better than the best so far.
 */
import { MOST_TRIALS } from "./fewestVictims.ts";
import { type Candidate, fewestFirst } from "./victimChoice.ts";

/** What is asked of the pool as it is. */
export interface LoneTrial {
  /** Whether the job fits while nobody has gone. */
  fits(): boolean;
  /** Devices that are missing at least. */
  missing(): number;
  /** Whether it fits if this job alone were gone. */
  fitsWithout(jobIdx: number): boolean;
}

/** What is known of a candidate: devices held, asked first, and what the choice goes by. */
export interface LoneFacts {
  gpusOf(jobIdx: number): number;
  candidateOf(jobIdx: number): Candidate;
}

/** The job; −1: nobody is enough alone, or nobody need go, or there are too many. */
export function loneVictim(jobs: readonly number[], facts: LoneFacts, trial: LoneTrial): number {
  if (jobs.length > MOST_TRIALS || trial.fits()) return -1;
  const missing = trial.missing();
  let best: Candidate | null = null;
  for (let at = 0; at < jobs.length; at++) {
    const jobIdx = jobs[at]!;
    if (facts.gpusOf(jobIdx) < missing) continue;
    const candidate = facts.candidateOf(jobIdx);
    if (best !== null && fewestFirst(candidate, best) > 0) continue;
    if (trial.fitsWithout(jobIdx)) best = candidate;
  }
  return best === null ? -1 : best.jobIdx;
}
