/**
 * Who holds what: for each job that holds something its group and amount as last looked at. Books of usage and of shares ask it what has
 * changed. O(running) memory, O(1) a change.
 */
import type { PoolView } from "../../engine/view.ts";
import { type Amount, heldNow } from "./heldAmounts.ts";

export interface HeldEntry {
  readonly group: number;
  readonly amount: Readonly<Amount>;
  /** What a device counts as usage: the factor of its tier. */
  readonly factor: number;
}

/** Entries are never changed, only replaced: copies share them. */
export type HeldBook = Map<number, HeldEntry>;

/**
 * Looks at a job anew. `tell` gets what its group no longer holds and what a group holds now; nothing is told where nothing has changed.
 * A job of another group or tier than before moves as a whole.
 */
export function lookAtHeld(
  book: HeldBook,
  view: PoolView,
  jobIdx: number,
  group: number,
  tell: (entry: HeldEntry, sign: 1 | -1) => void,
): void {
  const before = book.get(jobIdx);
  const amount = heldNow(view, jobIdx);
  const factor = view.tiers[view.tierOfJob[jobIdx]!]?.usageFactor ?? 1;
  if (before !== undefined && isSame(before, amount, group, factor)) return;
  if (before !== undefined) {
    tell(before, -1);
    book.delete(jobIdx);
  }
  if (amount.devices === 0 && amount.cpuMilli === 0 && amount.memMiB === 0) return;
  const entry = { group, amount, factor };
  book.set(jobIdx, entry);
  tell(entry, 1);
}

function isSame(entry: HeldEntry, amount: Amount, group: number, factor: number): boolean {
  return (
    entry.group === group &&
    entry.factor === factor &&
    entry.amount.devices === amount.devices &&
    entry.amount.cpuMilli === amount.cpuMilli &&
    entry.amount.memMiB === amount.memMiB
  );
}
