/**
 * Whom to stop so that a job fits: candidates in the order given (the youngest first), each only while its owner still holds more than it is
 * due, until the job fits; then those that turn out not to be needed are spared, the oldest first. Nobody is stopped unless the job can then
 * start, so a take-back is always followed by a start: evictions are bounded by starts. A search costs O(candidates) steps, and one placement for
 * each victim once the sum suffices; where more victims never mean less room, one where a count says that there may be enough, and as halving goes if it was wrong.
 */

/** Trying without some of what runs. */
export interface TakeBackTrial {
  without(jobIdx: number): void;
  with(jobIdx: number): void;
  fits(): boolean;
  /** False only where `fits` is false too; asked where that is dear. Absent: nothing is known before. */
  mayFit?(): boolean;
  /** Who fits without some runs fits without more of them, too. Absent: that is not sure. */
  readonly isMonotone?: boolean;
}

/** Books of who is above what is due, tried on. */
export interface Owed {
  /** Whether the owner of this run holds more than its due now, the victims so far left out. */
  mayTake(jobIdx: number): boolean;
  /** The run is among the victims from now on. */
  take(jobIdx: number): void;
  /** It is spared after all. */
  spare?(jobIdx: number): void;
  milli(jobIdx: number): number;
}

/** The victims; null where all that may be taken are not enough. `needMilli`: what is missing at least. */
export function chooseTakeBack(
  candidates: readonly number[],
  needMilli: number,
  owed: Owed,
  trial: TakeBackTrial,
): number[] | null {
  const victims = trial.isMonotone
    ? fewestByHalving(candidates, needMilli, owed, trial)
    : fewestInTurn(candidates, needMilli, owed, trial);
  if (victims === null) return null;
  // The last one is needed: without it the job did not fit.
  for (let at = victims.length - 2; at >= 0; at--) {
    const jobIdx = victims[at]!;
    trial.with(jobIdx);
    if (trial.fits()) {
      victims.splice(at, 1);
      owed.spare?.(jobIdx);
    } else trial.without(jobIdx);
  }
  return victims;
}

/** The first candidates that are enough, one after the other; tried without them. */
function fewestInTurn(
  candidates: readonly number[],
  needMilli: number,
  owed: Owed,
  trial: TakeBackTrial,
): number[] | null {
  const victims: number[] = [];
  let got = 0;
  for (const jobIdx of candidates) {
    if (!owed.mayTake(jobIdx)) continue;
    owed.take(jobIdx);
    trial.without(jobIdx);
    victims.push(jobIdx);
    got += owed.milli(jobIdx);
    if (got >= needMilli && trial.fits()) return victims;
  }
  for (const jobIdx of victims) trial.with(jobIdx);
  return null;
}

/**
 * The same where more victims never mean less room: where a count says that there may be enough it is tried, each time after twice as many more, and between the last
 * two tries by halving.
 */
function fewestByHalving(
  candidates: readonly number[],
  needMilli: number,
  owed: Owed,
  trial: TakeBackTrial,
): number[] | null {
  const victims: number[] = [];
  let got = 0;
  // With the first `least` of them it does not fit; tried again from `next` on.
  let least = 0;
  let next = 1;
  let found = false;
  for (let at = 0; at < candidates.length && !found; at++) {
    const jobIdx = candidates[at]!;
    if (!owed.mayTake(jobIdx)) continue;
    owed.take(jobIdx);
    trial.without(jobIdx);
    victims.push(jobIdx);
    got += owed.milli(jobIdx);
    if (got < needMilli || trial.mayFit?.() === false) least = victims.length;
    else if (victims.length >= next) found = trial.fits();
    if (found || least === victims.length || victims.length < next) continue;
    next = victims.length + 2 * (victims.length - least);
    least = victims.length;
  }
  let gone = victims.length;
  const goTo = (count: number): void => {
    while (gone > count) trial.with(victims[--gone]!);
    while (gone < count) trial.without(victims[gone++]!);
  };
  if (!found && (least === victims.length || !trial.fits())) {
    goTo(0);
    return null;
  }
  let most = victims.length;
  while (most > least + 1) {
    const middle = (least + most) >> 1;
    goTo(middle);
    if (trial.fits()) most = middle;
    else least = middle;
  }
  goTo(most);
  for (const jobIdx of victims.splice(most)) owed.spare?.(jobIdx);
  return victims;
}
