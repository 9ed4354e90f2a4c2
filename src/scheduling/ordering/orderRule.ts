/**
 * What an order is: who of those that wait is next. A rule is told of everything that happens to jobs through its hooks, in the order in
 * which it happens, also within a walk. `begin` starts a walk through the queue and `next` gives one job after the other, each at most once.
 */
import type { PoolView } from "../../engine/view.ts";
import type { PriorityTerm, ShareRow } from "../../model/lab/shares.ts";
import type { PoolSettings } from "../../model/policy.ts";

export interface OrderRule<S> {
  /** Takes over at `view.nowMs`: jobs may wait and run already, and what was used before is in `view.past`. O(waiting × log + runs so far). */
  create(view: PoolView, pool: PoolSettings): S;
  /** Shares nothing with the state. O(waiting + running). */
  copy(state: S): S;
  begin(state: S, view: PoolView): void;
  /** Right after `begin`: the job that stands first, whatever it needs and whether it rests or not; −1 = none. Absent: places do not change. O(1). */
  first?(state: S, view: PoolView): number;
  /** Right after `begin`: who stands next to the first; −1 = nobody. Only of orders in which a start moves none of the others. O(lanes). */
  second?(state: S, view: PoolView): number;
  /**
   * The next job whose wholly free devices needed and time limit are at most these (absent: any; jobs that need at most `longNeedMost` may have any
   * limit), −1 at the end. Bounds may only become
   * smaller during a walk: what was passed over does not come back. O(log waiting), and O(1) for each block of 64 passed over.
   */
  next(
    state: S,
    view: PoolView,
    needMost?: number,
    limitMost?: number,
    longNeedMost?: number,
  ): number;
  /** Whether one job stands before another now; both may also run. */
  isBefore(state: S, view: PoolView, jobIdx: number, otherIdx: number): boolean;
  /** The number shown as its priority; larger goes first. */
  priority(state: S, view: PoolView, jobIdx: number): number;
  /** What that number is made of; absent: nothing that would say more. O(depth). */
  terms?(state: S, view: PoolView, jobIdx: number): readonly PriorityTerm[];
  /** Jobs that wait now. */
  length(state: S): number;
  /** A waiting job rests (or no longer): it keeps its place, and `next` passes it over where `needMost` is less than any. O(log waiting). */
  rest?(state: S, view: PoolView, jobIdx: number, rests: boolean): void;
  /** Lane (the lower first) and key of a job whose place among those that wait never changes; absent: places change. */
  placeOf?(state: S, view: PoolView, jobIdx: number): readonly [lane: number, key: number];
  /** How far the group of a job is above what it is due, devices; absent: shares are no matter of this order. */
  overShare?(state: S, view: PoolView, jobIdx: number): number;
  /** Who holds and has used how much, for the page; absent: shares are no matter of this order. */
  shares?(state: S, view: PoolView): readonly ShareRow[];
  readonly hooks: OrderHooks<S>;
}

export interface OrderHooks<S> {
  readonly queued: (state: S, view: PoolView, jobIdx: number) => void;
  readonly withdrawn: (state: S, view: PoolView, jobIdx: number) => void;
  readonly given: (state: S, view: PoolView, jobIdx: number) => void;
  readonly released?: (state: S, view: PoolView, jobIdx: number) => void;
  readonly retiered: (state: S, view: PoolView, jobIdx: number) => void;
}
