/**
 * Making room for the job whose turn it is: first the gates (a share that others use is taken back), then preemption. Both may try, through
 * `Chance`, whether the job could start without some of what runs, beside all that the pass keeps for others. Where room comes later, because
 * victims end with grace, the place found last is kept for the job until they have.
 */
import type { PoolView } from "../../../engine/view.ts";
import { WaitReasonCode } from "../../../model/reasons.ts";
import type { Shape } from "../../../scheduling/placement/shapes.ts";
import { GATES } from "./gates/gates.ts";
import type { Keep } from "./keep/keep.ts";
import type { WalkOrder } from "./orders.ts";
import type { Chance, OrderView, RoomMade } from "./parts.ts";
import type { Desk } from "./pass.ts";
import { PREEMPTIONS } from "./preemption/preemption.ts";
import type { WalkState } from "./state.ts";

/** What the job could do without some runs. The sketch is made when it is first asked about. */
class RoomChance implements Chance {
  #keep!: Keep;
  #jobIdx = -1;
  readonly #without = new Set<number>();
  #desk!: Desk;

  /** Nothing is left out any more. */
  begin(desk: Desk, keep: Keep, jobIdx: number): this {
    this.#desk = desk;
    this.#keep = keep;
    this.#jobIdx = jobIdx;
    if (this.#without.size > 0) this.#without.clear();
    keep.tried.clear();
    return this;
  }

  get placing() {
    return this.#keep.tried;
  }

  without(jobIdx: number): void {
    this.#without.add(jobIdx);
  }

  with(jobIdx: number): void {
    this.#without.delete(jobIdx);
  }

  get countSays(): boolean {
    return this.#keep.countSays(this.#jobIdx);
  }

  fits(): boolean {
    if (this.#keep.couldStart(this.#jobIdx, this.#without)) return true;
    this.#keep.tried.clear();
    return false;
  }

  nodes(): readonly number[] {
    const { tried } = this.#keep;
    if (this.#keep.flat) return [this.#desk.view.nodes[0]!];
    return [...new Set(tried.node.subarray(0, tried.length))];
  }
}

export class RoomMaker {
  /** Why no room could be made for the job asked about last. */
  reason: number = WaitReasonCode.none;
  #desk!: Desk;
  #keep!: Keep;
  #order!: WalkOrder;
  readonly #orderView: OrderView = {
    compare: (view, jobIdx, otherIdx) =>
      this.#order.isBefore(this.#desk.state.order, view, jobIdx, otherIdx) ? -1 : 1,
    overShare: (view, jobIdx) => this.#order.overShare?.(this.#desk.state.order, view, jobIdx) ?? 0,
  };
  /** Shape and group of jobs for which there is no hope in this pass. */
  readonly #hopeless = new Set<number>();
  readonly #chance = new RoomChance();
  /** Jobs of each tier that were asked for in this pass and still wait. */
  #looked: number[] = [];

  begin(desk: Desk, keep: Keep): void {
    const { tiers } = desk.view;
    this.#desk = desk;
    this.#order = desk.order;
    this.#keep = keep;
    // Emptying makes a new table, also where nothing is in it.
    if (this.#hopeless.size > 0) this.#hopeless.clear();
    if (this.#looked.length === tiers.length) this.#looked.fill(0);
    else this.#looked = tiers.map(() => 0);
    this.reason = WaitReasonCode.none;
  }

  /** Whether any part could make room now for a job that has not been asked for in this pass. O(parts × tiers). */
  get mayHelp(): boolean {
    return !this.#desk.calm && mayMakeRoom(this.#desk.state, this.#desk.view, this.#looked);
  }

  /** `now`: the job may start, `place` says where. `later`: its room is kept. */
  makeRoom(jobIdx: number, shape: Shape): RoomMade {
    this.reason = WaitReasonCode.none;
    if (!this.mayHelp) return "no";
    const made = this.#tryParts(jobIdx, shape);
    const tier = this.#desk.view.tierOfJob[jobIdx]!;
    if (made !== "now") this.#looked[tier] = this.#looked[tier]! + 1;
    return made;
  }

  /** Whether a gate or preemption might make room for a job; nobody is stopped. O(a search). */
  couldMakeRoom(jobIdx: number, shape: Shape): boolean {
    const { view, state } = this.#desk;
    if (gateMayHelp(state, view, jobIdx)) return true;
    const chance = this.#chance.begin(this.#desk, this.#keep, jobIdx);
    return state.preemption.some(({ part, state: own }) =>
      PREEMPTIONS[part]!.couldMakeRoom(own, view, shape, jobIdx, chance),
    );
  }

  #tryParts(jobIdx: number, shape: Shape): RoomMade {
    const { view, state, act } = this.#desk;
    const chance = this.#chance.begin(this.#desk, this.#keep, jobIdx);
    for (const { part, state: own } of state.gates) {
      const made = GATES[part]!.makeRoom?.(own, view, shape, jobIdx, act, chance) ?? "no";
      const untilMs = GATES[part]!.keptUntilMs?.(own) ?? Number.POSITIVE_INFINITY;
      const readyMs = GATES[part]!.readyMs?.(own) ?? Number.POSITIVE_INFINITY;
      if (made !== "no") return this.#settle(made, jobIdx, chance, untilMs, readyMs);
      this.#note(GATES[part]!.lastReason?.(own));
    }
    for (const { part, state: own } of state.preemption) {
      const rules = PREEMPTIONS[part]!;
      const key = this.#keyOf(jobIdx, rules.group?.(own, view, jobIdx) ?? view.tierOfJob[jobIdx]!);
      if (key < 0 || this.#hopeless.has(key)) continue;
      const made = rules.makeRoom(own, view, this.#orderView, shape, jobIdx, act, chance);
      if (made !== "no") {
        this.#hopeless.clear();
        const untilMs = rules.keptUntilMs(own, jobIdx);
        return this.#settle(made, jobIdx, chance, untilMs, rules.readyMs(own, jobIdx));
      }
      this.#hopeless.add(key);
      this.#note(rules.lastReason(own));
    }
    return "no";
  }

  #note(reason: number = WaitReasonCode.none): void {
    if (reason !== WaitReasonCode.none) this.reason = reason;
  }

  #keyOf(jobIdx: number, group: number): number {
    return group < 0 ? -1 : group * 0x1_0000_0000 + this.#desk.shapes.shapeOfJob[jobIdx]!;
  }

  #settle(
    made: RoomMade,
    jobIdx: number,
    chance: RoomChance,
    untilMs: number,
    readyMs: number,
  ): RoomMade {
    const { state, act } = this.#desk;
    this.#keep.roomGrew(true);
    if (this.#keep.canStart(jobIdx)) return "now";
    if (made === "now") {
      state.inVain = true;
      return "no";
    }
    state.nominated.push({ jobIdx, untilMs, readyMs, placing: chance.placing.copy() });
    if (Number.isFinite(readyMs)) act.plan(jobIdx, readyMs);
    this.#keep.nominate(jobIdx, chance.placing);
    return "later";
  }
}

function gateMayHelp({ gates }: WalkState, view: PoolView, jobIdx: number): boolean {
  return gates.some(({ part, state }) => {
    const gate = GATES[part]!;
    if (gate.mayMakeRoom?.(state, view) !== true) return false;
    return gate.couldMakeRoom?.(state, view, jobIdx) ?? true;
  });
}

/** Whether any part could make room at all. */
export function mayMakeRoom(state: WalkState, view: PoolView, looked: readonly number[]): boolean {
  return mayGatesMakeRoom(state, view) || mayPreempt(state, view, looked);
}

/** Whether a gate could make room for anybody who waits, but for one. */
export function mayGatesMakeRoom({ gates }: WalkState, view: PoolView, but = -1): boolean {
  for (let at = 0; at < gates.length; at++) {
    const { part, state } = gates[at]!;
    if (GATES[part]!.mayMakeRoom?.(state, view, but) === true) return true;
  }
  return false;
}

/** Whether preemption could make room for somebody; `looked`: those of each tier that are not asked about. */
export function mayPreempt(
  { preemption }: WalkState,
  view: PoolView,
  looked: readonly number[],
): boolean {
  for (let at = 0; at < preemption.length; at++) {
    const { part, state } = preemption[at]!;
    if (PREEMPTIONS[part]!.hopeful(state, view, looked) > 0) return true;
  }
  return false;
}
