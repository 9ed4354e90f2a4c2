/**
 * How single jobs are compared by what has happened to them: a rule with books of its own, whose keys are computed when a job joins the
 * queue and anew at multiples of a period, never event by event. `ordering/keyedOrder.ts` keeps the queue; `rounds.ts` applies the same
 * keys to those that run.
 */
import type { PoolView } from "../../engine/view.ts";
import type { PriorityTerm } from "../../model/lab/shares.ts";
import type { PoolSettings, Settings } from "../../model/policy.ts";

export interface JobRule<B> {
  create(view: PoolView, pool: PoolSettings): B;
  copy(books: B): B;
  /** Keys of waiting jobs are computed anew at multiples of this; `Infinity` = they do not change while a job waits. */
  everyMs(settings: Settings): number;
  /** Before keys are computed for `active` jobs (waiting and running) at a multiple of the period: what concerns them all. */
  prepare?(books: B, view: PoolView, active: () => readonly number[]): void;
  /** Smaller goes first, for a job that waits or runs. O(1). */
  key(books: B, view: PoolView, jobIdx: number): number;
  /** What the key is made of. O(depth). */
  terms?(books: B, view: PoolView, jobIdx: number): readonly PriorityTerm[];
  /** The job was given devices or gave some back. */
  held(books: B, view: PoolView, jobIdx: number): void;
}
