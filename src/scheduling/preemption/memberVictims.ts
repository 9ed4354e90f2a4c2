/**
 * Room by members instead of whole jobs: elastic victims shrink to a smaller allowed size, one after the other, and where that is not enough whole
 * jobs go as well. Then whoever is not needed is spared, whole jobs first, and members are given back size by size. So 64 members lose 8 and go on
 * as 56 where 56 is allowed. With single devices as the unit every victim that can lose members does so, one member at a time: a rigid gang hangs
 * then until its collective times out.
 *
 * Minimal in each step, not the least loss there is. O(victims × sizes) trials.
 */
import { greedyVictims, type RoomTrial } from "./greedyVictims.ts";

/** A trial that can take members of the first component away, those placed last first. */
export interface LossTrial extends RoomTrial {
  /** The victim has lost so many members in all; 0 = it has everything again. */
  lose(victim: number, members: number): void;
}

export interface Losses {
  /** Members lost, by victim. */
  readonly members: ReadonlyMap<number, number>;
  /** Victims that go as whole jobs. */
  readonly whole: readonly number[];
}

/**
 * Losses that make the job fit, the trial showing them; null where all of them do not (the trial is as before then). `sizes`: for each victim
 * the numbers of members it may lose, ascending; empty = it goes as a whole or not at all.
 */
export function memberVictims(
  sizes: readonly (readonly number[])[],
  trial: LossTrial,
): Losses | null {
  const lost = new Map<number, number>();
  let fits = trial.fits();
  for (let victim = 0; victim < sizes.length && !fits; victim++) {
    for (const members of sizes[victim]!) {
      trial.lose(victim, members);
      lost.set(victim, members);
      fits = trial.fits();
      if (fits) break;
    }
  }
  const rigid = sizes.flatMap((of, victim) => (of.length === 0 ? [victim] : []));
  const whole = fits ? [] : greedyVictims(rigid.length, only(rigid, trial));
  if (whole === null) {
    for (const victim of lost.keys()) trial.lose(victim, 0);
    return null;
  }
  giveBackUnneeded(sizes, lost, trial);
  return { members: lost, whole: whole.map((at) => rigid[at]!) };
}

/** From the last to the first: the smallest loss with which the job still fits. */
function giveBackUnneeded(
  sizes: readonly (readonly number[])[],
  lost: Map<number, number>,
  trial: LossTrial,
): void {
  for (const [victim, members] of [...lost].reverse()) {
    const needed = [0, ...sizes[victim]!].find((less) => {
      trial.lose(victim, less);
      return less >= members || trial.fits();
    })!;
    if (needed === 0) lost.delete(victim);
    else lost.set(victim, needed);
  }
}

/** The trial for some of the victims, by their place among them. */
function only(victims: readonly number[], trial: RoomTrial): RoomTrial {
  return {
    remove: (at) => trial.remove(victims[at]!),
    restore: (at) => trial.restore(victims[at]!),
    fits: () => trial.fits(),
    missing: () => trial.missing(),
  };
}
