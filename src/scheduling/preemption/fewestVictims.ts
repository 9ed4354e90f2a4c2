/**
 * The fewest victims. First a bound by two quick searches: in order of preference, and node by node (what opens most members for the
 * fewest victims, again and again). Then all sets up to the size of the better one are tried, smallest first, the best of the smallest
 * size by `compareSets` winning. Sets that cannot free enough devices are cut off. After `MOST_TRIALS` trials the search stops and the
 * better bound stands: exact for the small, a minimal set for the large.
 *
 * Candidates stand in order of preference, so of single victims the first that is enough is the best, and one with too few devices need not be taken away.
 *
 * The problem is a set cover where jobs span nodes (NP-hard), so some bound is needed; Kubernetes looks at single nodes only, Kueue and Slurm
 * take victims in order and spare the unneeded, as `greedyVictims` does.
 */
import { greedyVictims, type RoomTrial, spareUnneeded } from "./greedyVictims.ts";
import { type Candidate, compareSets } from "./victimChoice.ts";

/** Trials of the exact search; it is not begun for a size of which there are more than `HOPELESS` times as many sets. */
export const MOST_TRIALS = 1_024;
const QUESTION = 32;
const HOPELESS = 16;

/** A trial that knows how many members of the job fit where. */
export interface MemberTrial extends RoomTrial {
  /** Members that fit now; no more than the job has. */
  members(): number;
  /** Whether a budget may forbid victims. */
  readonly limited: boolean;
  /** Costly questions asked so far: each counts as `QUESTION` trials. */
  questions(): number;
}

export interface NodeVictims {
  readonly node: number;
  /** Candidates (indexes) that hold something on the node, those with most devices there first. */
  readonly victims: readonly number[];
}

/** The best set found, taken out of the trial; null where even all candidates are not enough. `candidates` in order of preference; `nodes` is asked where one victim is not enough. */
export function fewestVictims(
  candidates: readonly Candidate[],
  gpusOf: readonly number[],
  nodes: () => readonly NodeVictims[],
  trial: MemberTrial,
  mostTrials = MOST_TRIALS,
): number[] | null {
  const alone =
    trial.limited || trial.fits() ? -1 : firstAlone(candidates, gpusOf, trial, mostTrials);
  if (alone >= 0) {
    trial.remove(alone);
    return [alone];
  }
  const inOrder = greedyVictims(candidates.length, trial);
  if (inOrder === null) return null;
  giveBack(inOrder, trial);
  let best = inOrder;
  if (best.length > 1) {
    const byNode = nodeByNode(nodes(), trial);
    if (byNode !== null) {
      giveBack(byNode, trial);
      if (compareSets(candidates, byNode, best) < 0) best = byNode;
    }
  }
  if (best.length > 0) best = new Exact(candidates, gpusOf, trial, mostTrials).search(best);
  for (const victim of best) trial.remove(victim);
  return best;
}

/**
 * The first candidate that is enough alone; −1: none, or none within so many trials. No set is better than that. Where budgets may forbid victims it is not asked for: whether
 * all together are enough is another question there. O(candidates).
 */
function firstAlone(
  candidates: readonly Candidate[],
  gpusOf: readonly number[],
  trial: MemberTrial,
  mostTrials: number,
): number {
  if (setsOf(candidates.length, 1) > HOPELESS * mostTrials) return -1;
  const missing = trial.missing();
  let left = mostTrials;
  for (let at = 0; at < candidates.length && left > 0; at++) {
    left--;
    if (missing > gpusOf[at]! || !trial.remove(at)) continue;
    const asked = trial.questions();
    const fits = trial.fits();
    left -= QUESTION * (trial.questions() - asked);
    trial.restore(at);
    if (fits) return at;
  }
  return -1;
}

function giveBack(set: readonly number[], trial: RoomTrial): void {
  for (const victim of set) trial.restore(victim);
}

/** Clears nodes one after the other: always the one that opens most members for each victim. Null where it gets stuck. */
function nodeByNode(nodes: readonly NodeVictims[], trial: MemberTrial): number[] | null {
  const taken = new Set<number>();
  while (!trial.fits()) {
    let best: readonly number[] = [];
    let bestGain = 0;
    const before = trial.members();
    for (const { victims } of nodes) {
      const added: number[] = [];
      for (const victim of victims) {
        if (taken.has(victim) || !trial.remove(victim)) continue;
        added.push(victim);
        const gain = trial.members() - before;
        if (gain > 0 && (best.length === 0 || gain * best.length > bestGain * added.length)) {
          best = added.slice();
          bestGain = gain;
        }
      }
      giveBack(added, trial);
    }
    if (best.length === 0) {
      giveBack([...taken], trial);
      return null;
    }
    for (const victim of best) {
      trial.remove(victim);
      taken.add(victim);
    }
  }
  return spareUnneeded([...taken], trial);
}

/** All sets of one size after the other. */
class Exact {
  readonly #candidates: readonly Candidate[];
  readonly #trial: MemberTrial;
  readonly #gpusOf: readonly number[];
  /** Most devices that one of the candidates from here on frees. */
  readonly #mostFrom: Float64Array;
  readonly #chosen: number[] = [];
  #best: number[] = [];
  #left: number;

  constructor(
    candidates: readonly Candidate[],
    gpusOf: readonly number[],
    trial: MemberTrial,
    mostTrials: number,
  ) {
    this.#candidates = candidates;
    this.#trial = trial;
    this.#left = mostTrials;
    this.#gpusOf = gpusOf;
    this.#mostFrom = new Float64Array(candidates.length + 1);
    for (let at = candidates.length - 1; at >= 0; at--)
      this.#mostFrom[at] = Math.max(this.#mostFrom[at + 1]!, gpusOf[at]!);
  }

  search(bound: number[]): number[] {
    this.#best = bound;
    for (let size = this.#leastSize(); size <= bound.length && this.#left > 0; size++) {
      if (setsOf(this.#candidates.length, size) > HOPELESS * this.#left) return this.#best;
      if (size === 1) this.#single();
      else this.#extend(0, size);
      if (this.#best.length === size) return this.#best;
    }
    return this.#best;
  }

  /** No fewer candidates can free what is missing. O(n log n). */
  #leastSize(): number {
    let missing = this.#trial.missing();
    let size = 0;
    for (const gpus of [...this.#gpusOf].sort((a, b) => b - a)) {
      if (missing <= 0) break;
      missing -= gpus;
      size++;
    }
    return Math.max(1, size);
  }

  /** The first that is enough alone, unless the bound is as good. O(candidates). */
  #single(): void {
    const missing = this.#trial.missing();
    for (let at = 0; at < this.#candidates.length; at++) {
      if (this.#left <= 0 || missing > this.#mostFrom[at]!) return;
      this.#left--;
      if (missing > this.#gpusOf[at]! || !this.#trial.remove(at)) continue;
      const fits = this.#fits();
      this.#trial.restore(at);
      if (!fits) continue;
      this.#chosen.push(at);
      if (this.#isBetter()) this.#best = this.#chosen.slice();
      this.#chosen.pop();
      return;
    }
  }

  /** Adds `more` candidates from `from` on to those chosen. */
  #extend(from: number, more: number): void {
    for (let at = from; at + more <= this.#candidates.length; at++) {
      if (this.#left <= 0 || this.#trial.missing() > more * this.#mostFrom[at]!) return;
      this.#left--;
      if (!this.#trial.remove(at)) continue;
      this.#chosen.push(at);
      if (more > 1) this.#extend(at + 1, more - 1);
      else if (this.#fits() && this.#isBetter()) this.#best = this.#chosen.slice();
      this.#chosen.pop();
      this.#trial.restore(at);
    }
  }

  #fits(): boolean {
    const before = this.#trial.questions();
    const fits = this.#trial.fits();
    this.#left -= QUESTION * (this.#trial.questions() - before);
    return fits;
  }

  #isBetter(): boolean {
    return compareSets(this.#candidates, this.#chosen, this.#best) < 0;
  }
}

/** Sets of this size, or infinity for very many. */
function setsOf(count: number, size: number): number {
  let sets = 1;
  for (let at = 0; at < size; at++) sets = (sets * (count - at)) / (at + 1);
  return sets;
}
