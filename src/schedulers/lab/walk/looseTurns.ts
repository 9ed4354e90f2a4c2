/**
 * Jobs whose members know nothing of each other (that are no gang, or all of them with "gangs start together" off): each member takes devices as it finds them and holds them
 * without progress until enough of them do, as kube-scheduler does with bare pods. In rounds, each such job whose turn has come gets one member, in
 * queue order, until nothing fits. Two gangs that each got half of a machine wait for each other for ever: the gang deadlock; with a time-out
 * of collectives, a gang whose members have waited that long for the rest fails.
 *
 * Such a job blocks nobody and nobody plans for it. Behind a job for which room is kept it may only complete itself, at once and if it ends before that
 * room is needed; or whenever it can where that job cannot start before (`heldParts.ts`), also behind one at which the pass ended. Shares are asked before each member.
 * O(members placed + jobs whose turn it is) a pass.
 */
import type { PoolView } from "../../../engine/view.ts";
import { JobFlag } from "../../../model/jobs.ts";
import { StartReasonCode, StopReasonCode, WaitReasonCode } from "../../../model/reasons.ts";
import { JobStateCode } from "../../../model/states.ts";
import { NEVER_MS } from "../../../model/units.ts";
import { placeShape } from "../../../scheduling/placement/placeShape.ts";
import { Placing } from "../../../scheduling/placement/placing.ts";
import type { Shape } from "../../../scheduling/placement/shapes.ts";
import { shortReason } from "../fits.ts";
import { waitsForParts } from "../heldParts.ts";
import { giveOn, stillWanted } from "../starts.ts";
import { unplanned } from "./cuts.ts";
import { waitsForCut } from "./cutTurns.ts";
import type { Keep } from "./keep/keep.ts";
import type { Desk } from "./pass.ts";
import type { WalkState } from "./state.ts";

const place = new Placing();

/** Whether a job's members take devices as they come. */
export function isLoose(
  { rules }: WalkState,
  view: PoolView,
  shape: Shape,
  jobIdx: number,
): boolean {
  if (!rules.loose || shape.members < 2) return false;
  // The first member would take the node for itself, where the job has it for all.
  if (shape.parts.some((part) => part.exclusive !== null)) return false;
  return rules.looseGangs || (view.jobs.at.flags[jobIdx]! & JobFlag.gang) === 0;
}

export class LooseTurns {
  #desk!: Desk;
  #keep!: Keep;
  #verdict!: (jobIdx: number) => number;
  /** Jobs that got a member in the last round, and shapes of which no member fits any more. */
  #again: number[] = [];
  /** Jobs for which room is kept, and whether they wait for what such gangs hold. */
  readonly #waitFor = new Map<number, boolean>();
  readonly #full = new Set<Shape>();

  begin(desk: Desk, keep: Keep, verdict: (jobIdx: number) => number): void {
    this.#desk = desk;
    this.#keep = keep;
    this.#verdict = verdict;
    // Emptying makes a new table, also where nothing is in it.
    if (this.#again.length > 0) this.#again = [];
    if (this.#full.size > 0) this.#full.clear();
    if (this.#waitFor.size > 0) this.#waitFor.clear();
  }

  /** The turn of such a job that all gates let pass. Why it waits, or none: it runs, or may yet. */
  turn(jobIdx: number): number {
    const { state } = this.#desk;
    const shape = this.#shapeOf(jobIdx);
    if (state.kept.length > 0) {
      if (this.#completes(jobIdx, shape)) return WaitReasonCode.none;
    } else if (this.#placeMember(jobIdx, shape)) {
      if (this.#goesOn(jobIdx)) this.#again.push(jobIdx);
      return WaitReasonCode.none;
    }
    return this.#reasonOf(jobIdx, shape);
  }

  /** All further rounds for those whose turn it was. Before anybody else is looked at. */
  finishRounds(): void {
    while (this.#again.length > 0) {
      const jobs = this.#again;
      this.#again = [];
      for (const jobIdx of jobs) {
        const shape = this.#shapeOf(jobIdx);
        const held = this.#verdict(jobIdx);
        if (held !== WaitReasonCode.none) this.#desk.act.wait(jobIdx, held);
        else if (!this.#placeMember(jobIdx, shape))
          this.#desk.act.wait(jobIdx, this.#reasonOf(jobIdx, shape));
        else if (this.#goesOn(jobIdx)) this.#again.push(jobIdx);
      }
    }
  }

  /**
   * The pass ended at a job before all had their turn: gangs that hold members complete themselves, in order, where it waits for what they hold; or
   * where it is held by its shares, and so for no room. O(partly placed × a placement).
   */
  completeBehind(headIdx: number, inOrder: (jobs: Iterable<number>) => number[]): void {
    const { state, view } = this.#desk;
    if (headIdx < 0 || state.looseSinceMs.size === 0) return;
    const isHeld = this.#verdict(headIdx) !== WaitReasonCode.none;
    for (const jobIdx of inOrder(state.looseSinceMs.keys())) {
      if (view.jobState[jobIdx] !== JobStateCode.placed) continue;
      if (this.#verdict(jobIdx) !== WaitReasonCode.none) continue;
      if (isHeld || this.#waitsForParts(headIdx)) this.#completes(jobIdx, this.#shapeOf(jobIdx));
    }
  }

  #waitsForParts(jobIdx: number): boolean {
    let waits = this.#waitFor.get(jobIdx);
    if (waits === undefined) {
      waits = waitsForParts(this.#desk.view, this.#shapeOf(jobIdx), jobIdx);
      this.#waitFor.set(jobIdx, waits);
    }
    return waits;
  }

  /** Some of its members have a place, or one that is being made ready; others may still get one. */
  #goesOn(jobIdx: number): boolean {
    const { view, state } = this.#desk;
    return view.jobState[jobIdx] === JobStateCode.placed || state.cuts.jobs.has(jobIdx);
  }

  #shapeOf(jobIdx: number): Shape {
    const { shapes } = this.#desk;
    return shapes.list[shapes.shapeOfJob[jobIdx]!]!;
  }

  #reasonOf(jobIdx: number, shape: Shape): number {
    const { view, state } = this.#desk;
    if (state.cuts.jobs.has(jobIdx)) return WaitReasonCode.cutting;
    // Until the nodes that were rented for it are there, or gone.
    if (view.waitReason(jobIdx) === WaitReasonCode.booting) return WaitReasonCode.booting;
    if (view.jobState[jobIdx] === JobStateCode.placed) return WaitReasonCode.gang;
    return shortReason(view, shape, null);
  }

  /** Gives one member a place, of the first part that has one. */
  #placeMember(jobIdx: number, shape: Shape): boolean {
    const { view, state } = this.#desk;
    if (this.#full.has(shape) || this.#keep.closed.maskFor(jobIdx).length > 0) return false;
    const wanted = unplanned(state.cuts, shape, jobIdx, stillWanted(view, shape, jobIdx));
    if (wanted?.every((members) => members <= 0)) return false;
    for (let part = 0; part < shape.parts.length; part++) {
      if (wanted !== null && wanted[part]! <= 0) continue;
      const one = new Int32Array(shape.parts.length);
      one[part] = 1;
      if (!placeShape(this.#keep.asItIs(), shape, one, state.rules.placement, place)) continue;
      if (waitsForCut(this.#desk, jobIdx, shape, place, StartReasonCode.inOrder)) {
        this.#keep.roomGrew();
        return true;
      }
      this.#give(jobIdx, shape, StartReasonCode.inOrder);
      return true;
    }
    if (wanted === null || shape.parts.length === 1) this.#full.add(shape);
    return false;
  }

  /** Behind a job for which room is kept: all that is missing, if it ends before that room begins, or that job waits for what it holds. */
  #completes(jobIdx: number, shape: Shape): boolean {
    const { view, state } = this.#desk;
    if (this.#keep.closed.maskFor(jobIdx).length > 0) return false;
    if (state.cuts.jobs.has(jobIdx)) return false;
    const endMs = view.nowMs + this.#keep.lengthMs(jobIdx);
    const inWay = state.kept.filter(({ startMs }) => startMs < endMs || endMs === NEVER_MS);
    const isPlaced = view.jobState[jobIdx] === JobStateCode.placed;
    if (inWay.length > 0 && !isPlaced) return false;
    const wanted = stillWanted(view, shape, jobIdx);
    const now = this.#keep.asItIs();
    if (!placeShape(now, shape, wanted, state.rules.placement, place)) return false;
    if (inWay.some((kept) => !this.#waitsForParts(kept.jobIdx))) return false;
    if (waitsForCut(this.#desk, jobIdx, shape, place, StartReasonCode.backfilled))
      this.#keep.roomGrew();
    else this.#give(jobIdx, shape, StartReasonCode.backfilled);
    return true;
  }

  #give(jobIdx: number, shape: Shape, reason: number): void {
    const { view, state, act } = this.#desk;
    giveOn(view, act, shape, jobIdx, place, reason);
    this.#keep.roomGrew();
    if (this.#waitFor.size > 0) this.#waitFor.clear();
    const waits = view.jobState[jobIdx] === JobStateCode.placed;
    if (!waits) state.looseSinceMs.delete(jobIdx);
    else if (!state.looseSinceMs.has(jobIdx)) state.looseSinceMs.set(jobIdx, view.nowMs);
  }
}

function timeoutMs(view: PoolView, jobIdx: number): number {
  return view.jobs.lab.get(jobIdx)?.collectiveTimeoutMs ?? NEVER_MS;
}

/** Gangs whose members have waited for the rest until their collectives time out. O(partly placed). */
export function failLoose({ view, state, act }: Desk): void {
  if (state.looseSinceMs.size === 0) return;
  for (const [jobIdx, sinceMs] of [...state.looseSinceMs]) {
    if (view.jobState[jobIdx] !== JobStateCode.placed) state.looseSinceMs.delete(jobIdx);
    else if (sinceMs + timeoutMs(view, jobIdx) <= view.nowMs) {
      state.looseSinceMs.delete(jobIdx);
      act.evict(jobIdx, "cancel", 0, -1, StopReasonCode.hung);
    }
  }
}

/** When the first of them times out; `Infinity` = none does. */
export function looseWakeMs({ looseSinceMs }: WalkState, view: PoolView): number {
  let wakeMs = NEVER_MS;
  if (looseSinceMs.size === 0) return wakeMs;
  for (const [jobIdx, sinceMs] of looseSinceMs)
    wakeMs = Math.min(wakeMs, sinceMs + timeoutMs(view, jobIdx));
  return wakeMs;
}
