/**
 * Which victims are needed. Candidates are taken away one by one until the job fits; those that hold nothing on the chosen nodes
 * are spared. Then the order is changed so that the victim that made it fit comes first, and the search begins anew: fewer and
 * more useful victims are found that way, not the fewest. After `reorderCount` + 1 changes the next fit is taken.
 *
 * Slurm's rule (`preempt_reorder_count`, `preempt_strict_order`, slurm.conf(5)). A job on several chosen nodes, or one that came early
 * in the order, may be taken although the others alone would do.
 */

/** What the search asks of a cluster. Victims are named by their index in the list of candidates. */
export interface VictimTrial {
  /** Everything is held again as it is now. */
  reset(): void;
  /** Takes a victim's holdings away; false where it holds nothing that the job could use. */
  remove(victim: number): boolean;
  /** Whether the job fits now. A success stays the answer to `shares` and to the caller. */
  fits(): boolean;
  /** On how many of the chosen nodes the victim holds something. */
  shares(victim: number): number;
}

const FIRST = 99_999;

/** The victims needed, as indexes into the candidates, in the order of the last search; null where even all are not enough. */
export function usefulVictims(
  candidates: number,
  reorderCount: number,
  strictOrder: boolean,
  trial: VictimTrial,
): number[] | null {
  let order = Array.from({ length: candidates }, (_, at) => at);
  for (let changes = 0; ; changes++) {
    const last = searchOnce(order, trial);
    if (last < 0) return null;
    if (changes > reorderCount || candidates <= changes + 1) {
      return order.slice(0, last + 1).filter((victim) => trial.shares(victim) > 0);
    }
    order = strictOrder ? lastFirst(order, last) : mostUsefulFirst(order, last, trial);
  }
}

/** Takes candidates away until the job fits; the place of the last one taken, or −1. */
function searchOnce(order: readonly number[], trial: VictimTrial): number {
  trial.reset();
  for (let at = 0; at < order.length; at++) {
    if (trial.remove(order[at]!) && trial.fits()) return at;
  }
  return -1;
}

/** The one that made it fit before all others, whose order stays. */
function lastFirst(order: readonly number[], last: number): number[] {
  return [order[last]!, ...order.slice(0, last), ...order.slice(last + 1)];
}

/** The one that made it fit, then those before it by the number of chosen nodes they hold; the rest keeps its order. */
function mostUsefulFirst(order: readonly number[], last: number, trial: VictimTrial): number[] {
  const use = order.map((victim, at) => {
    if (at === last) return FIRST;
    return at < last ? trial.shares(victim) : 0;
  });
  const places = order.map((_, at) => at);
  places.sort((one, other) => use[other]! - use[one]! || one - other);
  return places.map((at) => order[at]!);
}
