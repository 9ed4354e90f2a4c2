/**
 * Whose turn is next in a pass: the order's next job, or a parked one whose ceiling has room, whichever stands first. Parked jobs before the first
 * that is passed over have their turn like all others; after it only those within the bounds of the walk for whom there is room.
 *
 * Where places are fixed, each ceiling offers one job at a time: room only shrinks while jobs start, so the next one offered is the first after it for
 * whom there still is room, and those between would have been held. Where something is stopped in the pass, all ceilings look again from here.
 * Where the order moves while it is walked, all for whom there is room are looked at again, and nobody is parked while runs may be stopped in a pass.
 */
import { NEVER_MS } from "../../../model/units.ts";
import { createCursor, resetCursor } from "../../../scheduling/ordering/sortedCursor.ts";
import { REST_NEED } from "../../../scheduling/ordering/sortedJobs.ts";
import { GATES } from "./gates/gates.ts";
import type { WalkOrder } from "./orders.ts";
import {
  type Bounds,
  boundBy,
  type Ceiling,
  firstWithin,
  gateOf,
  unpark,
  unparkAll,
} from "./parked.ts";
import type { Within } from "./parts.ts";
import type { Desk } from "./pass.ts";

const NONE = -1;
const UNKNOWN = -2;

export class Turns {
  /** Whether jobs that a gate holds are parked in this pass. */
  parks = false;
  #desk!: Desk;
  #order!: WalkOrder;
  /** Job offered by each open ceiling. */
  readonly #ceilings: number[] = [];
  readonly #offers: number[] = [];
  #started = false;
  #pending = UNKNOWN;
  #released = 0;
  #lastLane = 0;
  readonly #last = createCursor();
  readonly #from = createCursor();
  readonly #bounds: Bounds = { needMost: 0, limitMost: 0, longNeedMost: 0 };
  readonly #resting: Within = { needMost: 0, longNeedMost: 0, limitMostMs: 0 };

  begin(desk: Desk, order: WalkOrder, mayStop: boolean): void {
    const { state, view } = desk;
    this.#desk = desk;
    this.#order = order;
    this.#started = false;
    this.#pending = UNKNOWN;
    const { rules, parked } = state;
    const still = order.placeOf !== undefined || !mayStop;
    this.parks =
      order.rest !== undefined &&
      !rules.strict &&
      rules.testDepth === NEVER_MS &&
      still &&
      state.gates.some(({ part }) => GATES[part]!.parking !== undefined);
    this.#lastLane = 0;
    resetCursor(this.#last);
    if (parked.placeOf.size === 0) return;
    for (const { part, state: own } of state.gates) {
      for (const jobIdx of GATES[part]!.parking?.letsIn?.(own) ?? [])
        unpark(state, view, order, jobIdx);
    }
    if (!this.parks) unparkAll(state, view, order);
    else if (order.placeOf === undefined) this.#liftAll();
  }

  /** The next job, −1 at the end. `passed`: somebody has been passed over. */
  next(within: Within, passed: boolean): number {
    const { state, view } = this.#desk;
    const order = this.#order;
    if (state.parked.placeOf.size === 0 && this.#pending < 0) {
      if (this.#pending === NONE) return -1;
      const jobIdx = order.next(state.order, view, within);
      if (this.parks) this.#note(jobIdx);
      return jobIdx;
    }
    if (!passed) {
      if (within.needMost !== NEVER_MS) unparkAll(state, view, order);
      const jobIdx = order.next(state.order, view, within);
      this.#note(jobIdx);
      return jobIdx;
    }
    if (order.placeOf === undefined) return order.next(state.order, view, this.#restingOf(within));
    const offered = this.#firstOffer(within);
    const main = this.#mainNext(within);
    if (offered >= 0 && (main < 0 || order.isBefore(state.order, view, offered, main))) {
      this.#note(offered);
      return offered;
    }
    if (main >= 0) {
      this.#pending = UNKNOWN;
      this.#note(main);
    }
    return main;
  }

  #restingOf(within: Within): Within {
    const resting = this.#resting;
    resting.needMost = Math.min(within.needMost, REST_NEED - 1);
    resting.longNeedMost = Math.min(within.longNeedMost, REST_NEED - 1);
    resting.limitMostMs = within.limitMostMs;
    return resting;
  }

  #mainNext(within: Within): number {
    const { state, view } = this.#desk;
    if (
      this.#pending >= 0 &&
      (!state.waiting.has(this.#pending) || !this.#isWithin(this.#pending, within))
    )
      this.#pending = UNKNOWN;
    if (this.#pending === UNKNOWN)
      this.#pending = this.#order.next(state.order, view, this.#restingOf(within));
    return this.#pending;
  }

  /** A job has its turn: ceilings look on from here. */
  #note(jobIdx: number): void {
    if (jobIdx < 0) return;
    const { state, view } = this.#desk;
    const [lane, key] = this.#order.placeOf?.(state.order, view, jobIdx) ?? [0, 0];
    this.#lastLane = lane;
    this.#last.key = key;
    this.#last.submitMs = view.jobs.at.submitMs[jobIdx]!;
    this.#last.jobIdx = jobIdx;
  }

  #isWithin(jobIdx: number, { needMost, longNeedMost, limitMostMs }: Within): boolean {
    const { shapes, view } = this.#desk;
    const need = shapes.list[shapes.shapeOfJob[jobIdx]!]!.gpusWhole;
    return need <= needMost && (view.limitMs(jobIdx) <= limitMostMs || need <= longNeedMost);
  }

  /** The first of all jobs offered. O(open ceilings), and a search for each that has to offer another one. */
  #firstOffer(within: Within): number {
    const { state, view, act } = this.#desk;
    const { parked } = state;
    const ceilings = this.#ceilings;
    const offers = this.#offers;
    if (!this.#started || act.released !== this.#released) {
      ceilings.length = 0;
      offers.length = 0;
      for (const id of parked.open) {
        ceilings.push(id);
        offers.push(UNKNOWN);
      }
    }
    this.#started = true;
    this.#released = act.released;
    let first = NONE;
    let kept = 0;
    for (let at = 0; at < ceilings.length; at++) {
      const id = ceilings[at]!;
      const jobIdx = this.#offer(id, offers[at]!, within);
      // Room and bounds only shrink: who has nothing to offer now has not in this pass.
      if (jobIdx < 0) continue;
      ceilings[kept] = id;
      offers[kept++] = jobIdx;
      if (first < 0 || this.#order.isBefore(state.order, view, jobIdx, first)) first = jobIdx;
    }
    ceilings.length = kept;
    offers.length = kept;
    return first;
  }

  /** What a ceiling offers: what it did, if that still is parked there and within the bounds, else the next after the last turn. */
  #offer(id: number, before: number, within: Within): number {
    const { state, view } = this.#desk;
    const ceiling = state.parked.ceilings.get(id);
    if (ceiling === undefined) return NONE;
    const [gate, held] = gateOf(state, ceiling);
    const parking = gate.parking!;
    const bounds = this.#bounds;
    bounds.needMost = within.needMost;
    bounds.limitMost = within.limitMostMs;
    bounds.longNeedMost = within.longNeedMost;
    const some = boundBy(parking, held.state, view, ceiling.key, bounds);
    if (!some) {
      this.#mayClose(id, ceiling);
      return NONE;
    }
    if (
      before >= 0 &&
      before !== this.#last.jobIdx &&
      this.#stillOffered(id, before, within, bounds)
    )
      return before;
    const from = this.#from;
    from.key = this.#last.key;
    from.submitMs = this.#last.submitMs;
    from.jobIdx = this.#last.jobIdx;
    let lane = this.#lastLane;
    for (;;) {
      const jobIdx = firstWithin(ceiling, lane, from, bounds);
      if (jobIdx < 0) {
        this.#mayClose(id, ceiling);
        return NONE;
      }
      if (this.#isWithin(jobIdx, within)) return jobIdx;
      const place = state.parked.placeOf.get(jobIdx)!;
      lane = place.lane;
      from.key = place.key;
      from.submitMs = view.jobs.at.submitMs[jobIdx]!;
      from.jobIdx = jobIdx;
    }
  }

  #stillOffered(id: number, jobIdx: number, within: Within, bounds: Bounds): boolean {
    const { state, view, shapes } = this.#desk;
    if (state.parked.placeOf.get(jobIdx)?.ceiling !== id || !this.#isWithin(jobIdx, within))
      return false;
    const ceiling = state.parked.ceilings.get(id)!;
    const [gate, held] = gateOf(state, ceiling);
    const parking = gate.parking!;
    if (parking.measure(held.state, ceiling.key) === "time")
      return parking.asks(held.state, view, ceiling.key, jobIdx) <= bounds.limitMost;
    return shapes.list[shapes.shapeOfJob[jobIdx]!]!.gpusWhole <= bounds.needMost;
  }

  /** A ceiling that has room for nobody parked below it is not asked again before it is touched. */
  #mayClose(id: number, ceiling: Ceiling): void {
    const { state } = this.#desk;
    const [gate, held] = gateOf(state, ceiling);
    const parking = gate.parking!;
    if (parking.touchedBy === undefined || parking.moves?.(held.state) === true) return;
    if (parking.measure(held.state, ceiling.key) === "time") return;
    if (this.#fits(ceiling) < 0) state.parked.open.delete(id);
  }

  /** The first of a ceiling for whom it has room, whatever the bounds of the walk. */
  #fits(ceiling: Ceiling): number {
    const { state, view } = this.#desk;
    const [gate, held] = gateOf(state, ceiling);
    const bounds = this.#bounds;
    bounds.needMost = REST_NEED;
    bounds.limitMost = Number.POSITIVE_INFINITY;
    bounds.longNeedMost = REST_NEED;
    if (!boundBy(gate.parking!, held.state, view, ceiling.key, bounds)) return NONE;
    return firstWithin(ceiling, -1, this.#from, bounds);
  }

  /** All for whom there is room are looked at like others. */
  #liftAll(): void {
    const { state, view } = this.#desk;
    for (const id of [...state.parked.open]) {
      const ceiling = state.parked.ceilings.get(id);
      if (ceiling === undefined) continue;
      for (;;) {
        const jobIdx = this.#fits(ceiling);
        if (jobIdx < 0) break;
        unpark(state, view, this.#order, jobIdx);
      }
      this.#mayClose(id, ceiling);
    }
  }
}
