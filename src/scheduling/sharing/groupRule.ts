/**
 * How groups are compared: a rule with books of its own. The lane order (`ordering/laneOrder.ts`) keeps the waiting jobs of each group
 * apart and asks the rule which group is due.
 */
import type { PoolView } from "../../engine/view.ts";
import type { PriorityTerm, ShareRow } from "../../model/lab/shares.ts";
import type { PoolSettings } from "../../model/policy.ts";

export interface GroupRule<M> {
  create(view: PoolView, pool: PoolSettings): M;
  copy(books: M): M;
  groupOf(books: M, view: PoolView, jobIdx: number): number;
  /** Smaller goes first, now. O(depth). */
  level(books: M, view: PoolView, group: number): number;
  /** Where no number says it: negative = the first group stands before the other. */
  compare?(books: M, view: PoolView, group: number, other: number): number;
  /** The number shown; larger goes first. */
  shown(books: M, view: PoolView, group: number): number;
  /** What a job's place is made of. O(depth). */
  terms?(books: M, view: PoolView, group: number, jobIdx: number): readonly PriorityTerm[];
  /** What comes before the group, smaller first; absent: nothing, or the tier with "tiers first". */
  classOf?(view: PoolView, jobIdx: number): number;
  /** Devices held beyond what is due now. */
  overShare(books: M, view: PoolView, group: number): number;
  /** The job was given devices or gave some back; `view` shows it. */
  held(books: M, view: PoolView, jobIdx: number): void;
  /** Who holds and has used how much, for the page. O(groups + running). */
  rows?(books: M, view: PoolView): readonly ShareRow[];
  /** Whether levels at an instant do not change by what starts at it. Absent: they do. */
  isSteady?(books: M): boolean;
  /** It waits from now on (1), no longer (−1). */
  waits?(books: M, view: PoolView, jobIdx: number, sign: 1 | -1): void;
}
