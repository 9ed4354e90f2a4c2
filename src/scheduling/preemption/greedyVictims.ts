/**
 * Victims taken in a given order until the job fits; then those that are not needed are spared, the last in the order first. The result
 * is minimal (no victim of it can be left out), not the smallest there is. O(candidates) trials.
 */

/** What a search asks of the cluster. Victims are named by their index in the list of candidates. */
export interface RoomTrial {
  /** Takes the victim's holdings away; false, and nothing is changed, where a budget forbids it beside those taken already. */
  remove(victim: number): boolean;
  /** Gives them back. */
  restore(victim: number): void;
  /** Whether the job fits now. */
  fits(): boolean;
  /** At least so many devices are still missing. */
  missing(): number;
}

/** Indexes of the victims in order, taken out of the trial; null where even all are not enough (the trial is as before then). */
export function greedyVictims(count: number, trial: RoomTrial): number[] | null {
  const taken: number[] = [];
  let fits = trial.fits();
  for (let victim = 0; victim < count && !fits; victim++) {
    if (!trial.remove(victim)) continue;
    taken.push(victim);
    fits = trial.fits();
  }
  if (!fits) {
    for (const victim of taken) trial.restore(victim);
    return null;
  }
  return spareUnneeded(taken, trial);
}

/** Gives back, from the last to the first, whoever is not needed; the others stay taken. O(taken) trials. */
export function spareUnneeded(taken: readonly number[], trial: RoomTrial): number[] {
  const needed: number[] = [];
  for (let at = taken.length - 1; at >= 0; at--) {
    const victim = taken[at]!;
    trial.restore(victim);
    if (trial.fits()) continue;
    trial.remove(victim);
    needed.push(victim);
  }
  return needed.reverse();
}
