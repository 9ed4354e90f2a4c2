/**
 * Jobs whose members know nothing of each other (that are no gang, or all of them with "gangs start together" off): each member takes devices as it finds them and holds them
 * without progress until enough of them do, as kube-scheduler does with bare pods. In rounds, each such job whose turn has come gets one member, in
 * queue order, until nothing fits. Two gangs that each got half of a machine wait for each other for ever: the gang deadlock; with a time-out
 * of collectives, a gang whose members have waited that long for the rest fails.
 *
 * Such a job blocks nobody and nobody plans for it. Behind a job for which room is kept it may only complete itself, at once and if it ends before that
 * room is needed. Shares are asked before each member. O(members placed + jobs whose turn it is) a pass.
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
  return rules.looseGangs || (view.jobs.at.flags[jobIdx]! & JobFlag.gang) === 0;
}

export class LooseTurns {
  #desk!: Desk;
  #keep!: Keep;
  #verdict!: (jobIdx: number) => number;
  /** Jobs that got a member in the last round, and shapes of which no member fits any more. */
  #again: number[] = [];
  readonly #full = new Set<Shape>();

  begin(desk: Desk, keep: Keep, verdict: (jobIdx: number) => number): void {
    this.#desk = desk;
    this.#keep = keep;
    this.#verdict = verdict;
    // Emptying makes a new table, also where nothing is in it.
    if (this.#again.length > 0) this.#again = [];
    if (this.#full.size > 0) this.#full.clear();
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

  /** Behind a job for which room is kept: all that is missing, if it ends before that room begins. */
  #completes(jobIdx: number, shape: Shape): boolean {
    const { view, state } = this.#desk;
    if (this.#keep.closed.maskFor(jobIdx).length > 0) return false;
    const endMs = view.nowMs + this.#keep.lengthMs(jobIdx);
    if (state.kept.some(({ startMs }) => startMs < endMs) || endMs === NEVER_MS) return false;
    const wanted = stillWanted(view, shape, jobIdx);
    const now = this.#keep.asItIs();
    if (state.cuts.jobs.has(jobIdx)) return false;
    if (!placeShape(now, shape, wanted, state.rules.placement, place)) return false;
    if (waitsForCut(this.#desk, jobIdx, shape, place, StartReasonCode.backfilled))
      this.#keep.roomGrew();
    else this.#give(jobIdx, shape, StartReasonCode.backfilled);
    return true;
  }

  #give(jobIdx: number, shape: Shape, reason: number): void {
    const { view, state, act } = this.#desk;
    giveOn(view, act, shape, jobIdx, place, reason);
    this.#keep.roomGrew();
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
