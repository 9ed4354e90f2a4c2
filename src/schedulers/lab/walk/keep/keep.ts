/**
 * The room that a pass keeps for waiting jobs, and the test of a later job beside it. A reservation is the earliest time at which a job
 * fits if what runs ends at its estimated end and earlier reservations are kept; it holds, for the job's length, particular nodes. A later
 * job may start if on its nodes, during its whole length, it fits beside them.
 *
 * What is free only grows as runs end, and shrinks only where a reservation begins: so what is free all the time until a job's end depends
 * on nothing but how many reservations begin before it (its level), and a shape that found no place at one level finds none at a higher.
 * How reservations are made, and taken over from the last pass: `reservations.ts`.
 */
import type { PoolView } from "../../../../engine/view.ts";
import { WaitReasonCode } from "../../../../model/reasons.ts";
import { NEVER_MS } from "../../../../model/units.ts";
import { earliestFlat, sketchOver } from "../../../../scheduling/backfill/profile.ts";
import { buildIndex, type Capacity } from "../../../../scheduling/placement/capacity.ts";
import { harderFrom } from "../../../../scheduling/placement/harder.ts";
import { placeBack } from "../../../../scheduling/placement/placeBack.ts";
import { placeFirst, takesFirst } from "../../../../scheduling/placement/placeFirst.ts";
import { placeShape } from "../../../../scheduling/placement/placeShape.ts";
import { Placing } from "../../../../scheduling/placement/placing.ts";
import type { Shape, Shapes } from "../../../../scheduling/placement/shapes.ts";
import { openNodesNeverDo } from "../../fits.ts";
import { isFlat } from "../../starts.ts";
import { ClosedNodes } from "../closures/closedNodes.ts";
import { FailedShapes } from "../failedShapes.ts";
import type { WalkState } from "../state.ts";
import { mayTakeFirst } from "./firstNodes.ts";
import { KeepSketches } from "./keepSketches.ts";
import { OneKept } from "./oneKept.ts";
import { found, Reservations } from "./reservations.ts";
import {
  freeWithout,
  giveToSketch,
  isFreeWithout,
  lessenWithout,
  type RunsDesk,
  sketchWithout,
} from "./withoutRuns.ts";

/** Where the job tested last would go; valid after `canStart` returned true, empty on a flat machine. */
export const place = new Placing();
const NO_MASK = new Int32Array(0);

export class Keep {
  /** Where a job could go without some of what runs: of the last `couldStart`. */
  readonly tried = new Placing();
  /** Why the job tested last may not start. */
  reason: number = WaitReasonCode.none;
  flat = false;
  /** Jobs of so many devices find no place in this round, for a shape that asks for less has not. */
  hopelessFrom = NEVER_MS;
  readonly closed = new ClosedNodes();
  readonly one = new OneKept();
  #view!: PoolView;
  #state!: WalkState;
  #shapes!: Shapes;
  readonly #sketches = new KeepSketches();
  readonly #made = new Reservations(this.closed, this.#sketches);
  /** A kept job has no known start: only jobs that end may start. */
  #endless = false;
  readonly #failed = new FailedShapes();

  /** Goes on with what is kept already. */
  resume(view: PoolView, state: WalkState, shapes: Shapes): void {
    this.#view = view;
    this.#state = state;
    this.#shapes = shapes;
    this.flat = isFlat(view, shapes);
    this.closed.begin(view, state);
    this.#endless = state.kept.some((kept) => kept.startMs === NEVER_MS);
    this.#made.resume(view, state, shapes, this.flat);
    this.one.begin(view, state, shapes, this.flat);
    this.#newRound();
  }

  /** Begins anew: only the room of nominated jobs is kept. */
  begin(view: PoolView, state: WalkState, shapes: Shapes): void {
    const before = state.kept;
    state.kept = [];
    state.one.jobIdx = -1;
    state.stale = false;
    this.resume(view, state, shapes);
    this.#made.begin(before);
    for (const { jobIdx, placing } of state.nominated) {
      state.kept.push({ jobIdx, startMs: view.nowMs, endMs: NEVER_MS, placing });
      this.#made.still.isNew = true;
    }
  }

  /** Something ended, moved or was stopped: nothing known of free room holds any more. `victims`: these alone, and what is kept stays. */
  roomGrew(victims = false): void {
    if (victims) this.one.grew();
    else if (this.one.active) this.one.drop();
    this.#newRound();
  }

  #newRound(): void {
    this.hopelessFrom = NEVER_MS;
    this.#made.newRound();
    this.#sketches.begin(this.#view, this.#shapes, this.closed, this.#state.cuts);
    this.#failed.newRound(this.#shapes.list.length);
  }

  /** Whether victims are ending for the job. */
  isNominated(jobIdx: number): boolean {
    const { nominated } = this.#state;
    return nominated.length > 0 && nominated.some((other) => other.jobIdx === jobIdx);
  }

  /** Keeps the room of a nominated job on. */
  renew(jobIdx: number): void {
    const job = this.#state.nominated.find((other) => other.jobIdx === jobIdx);
    if (job !== undefined) this.nominate(jobIdx, job.placing);
  }

  /** The room kept for a job is given up: it starts, or its time is over. */
  drop(jobIdx: number): void {
    const { kept } = this.#state;
    const at = kept.findIndex((other) => other.jobIdx === jobIdx);
    if (at < 0) return;
    kept.splice(at, 1);
    this.#made.still.drop(jobIdx);
    this.roomGrew();
  }

  /** Keeps named nodes for a job from now on: victims are ending there. */
  nominate(jobIdx: number, placing: Placing): void {
    this.#made.still.isNew = true;
    this.#state.kept.push({
      jobIdx,
      startMs: this.#view.nowMs,
      endMs: NEVER_MS,
      placing: placing.copy(),
    });
    this.roomGrew();
  }

  /** What is free now: see `KeepSketches`. */
  asItIs(): Capacity {
    return this.#sketches.asItIs();
  }

  /** Expected length of the next run, ms. */
  lengthMs(jobIdx: number): number {
    return this.#made.lengthMs(jobIdx);
  }

  /** Whether the job may start now, beside all that is kept; `place` then says where. */
  canStart(jobIdx: number): boolean {
    const view = this.#view;
    const shapeIdx = this.#shapes.shapeOfJob[jobIdx]!;
    const shape = this.#shapes.list[shapeIdx]!;
    this.reason = WaitReasonCode.priority;
    place.clear();
    if (shape.gpusWhole > view.gpusFreeTotal) return false;
    const lengthMs = this.lengthMs(jobIdx);
    const mask = this.closed.maskFor(jobIdx);
    if (mask.length === 0 && this.#failed.hasNow(shapeIdx)) return false;
    if (this.one.active) {
      if (!this.one.isPast(lengthMs) && this.#goesBack(jobIdx, shape, lengthMs, mask, 0))
        return true;
      return this.#canStartBesideOne(shapeIdx, shape, lengthMs, mask);
    }
    const level = this.#levelOf(lengthMs);
    if (this.#goesBack(jobIdx, shape, lengthMs, mask, level)) return true;
    if (level > 0 && mask.length === 0 && this.#failed.hasAt(shapeIdx, level)) {
      this.reason = WaitReasonCode.reservation;
      return false;
    }
    if (this.flat) {
      if (this.#canStartFlat(shape, lengthMs, level, mask.length > 0)) return true;
      if (mask.length === 0) this.#failed.noteAt(shapeIdx, level);
      return false;
    }
    if (!this.#fitsNow(shapeIdx, shape, mask)) return false;
    if (level === 0) return true;
    // A reservation is the earliest of all starts.
    const waits = mask.length === 0 && this.#made.standsLater(jobIdx, shape, lengthMs);
    if (!waits && this.#fitsBeside(shape, lengthMs, level, mask)) return true;
    if (mask.length === 0) this.#failed.noteAt(shapeIdx, level);
    this.reason = WaitReasonCode.reservation;
    return false;
  }

  /** Whether a job could start now where it would if nothing were kept, and leave the one reservation as it is. O(a placement). */
  canStartFirst(jobIdx: number): boolean {
    const view = this.#view;
    const shapeIdx = this.#shapes.shapeOfJob[jobIdx]!;
    const shape = this.#shapes.list[shapeIdx]!;
    place.clear();
    if (shape.gpusWhole > view.gpusFreeTotal || view.savedNodes(jobIdx).length > 0) return false;
    if (!this.flat && !this.#fitsNow(shapeIdx, shape, NO_MASK)) return false;
    return !this.one.isPast(this.lengthMs(jobIdx)) || this.one.leaves(shape, place);
  }

  /** The nodes on which its saved state lies are free for it: there it goes on where it was; anywhere else it begins anew. */
  #goesBack(
    jobIdx: number,
    shape: Shape,
    lengthMs: number,
    mask: Int32Array,
    level: number,
  ): boolean {
    const saved = this.#view.savedNodes(jobIdx);
    if (saved.length === 0 || this.flat || (this.#endless && lengthMs === NEVER_MS)) return false;
    const { nowMs } = this.#view;
    const sketch = this.#sketches.load("plan");
    if (level > 0) sketchOver(this.#made.profile(), sketch, nowMs, nowMs + lengthMs);
    this.closed.apply(sketch, mask);
    return placeBack(sketch, saved, shape, this.#state.rules.placement, place);
  }

  #canStartBesideOne(shapeIdx: number, shape: Shape, lengthMs: number, mask: Int32Array): boolean {
    const past = this.one.isPast(lengthMs);
    if (past && mask.length === 0 && this.#failed.hasAt(shapeIdx, 1)) {
      this.reason = WaitReasonCode.reservation;
      return false;
    }
    if (this.flat && mask.length > 0) {
      this.reason = WaitReasonCode.window;
      return false;
    }
    // Where it would go is of no interest then.
    const inVain = past && shape.gpusWhole > this.one.left;
    if (!this.flat && !this.#fitsNow(shapeIdx, shape, mask, inVain)) return false;
    if (!past) return true;
    if (this.one.fits(shape, place, mask, this.#sketches)) return true;
    if (mask.length === 0) this.#failed.noteAt(shapeIdx, 1);
    this.reason = WaitReasonCode.reservation;
    return false;
  }

  #canStartFlat(shape: Shape, lengthMs: number, level: number, closed: boolean): boolean {
    if (closed) {
      this.reason = WaitReasonCode.window;
      return false;
    }
    if (level === 0) return true;
    const [{ nowMs }, { total }] = [this.#view, this.#made.profile()];
    const atMs = earliestFlat(total, shape.gpusWhole, lengthMs, nowMs, nowMs + 1, NEVER_MS);
    if (atMs === nowMs && !(this.#endless && lengthMs === NEVER_MS)) return true;
    this.reason = WaitReasonCode.reservation;
    return false;
  }

  /** `place` then says where, unless only whether was asked. */
  #fitsNow(shapeIdx: number, shape: Shape, mask: Int32Array, onlyWhether = false): boolean {
    const { placement } = this.#state.rules;
    if (mask.length === 0) {
      const now = this.#sketches.asItIs();
      const first = onlyWhether && takesFirst(shape, placement, this.#shapes.hasParts);
      if (first ? mayTakeFirst(now, shape) : placeShape(now, shape, null, placement, place))
        return true;
      this.#failed.noteNow(shapeIdx);
      this.hopelessFrom = Math.min(this.hopelessFrom, harderFrom(this.#shapes, shapeIdx));
      return false;
    }
    const first = takesFirst(shape, placement, this.#shapes.hasParts);
    const sketch = this.#sketches.now(mask, !first);
    if (
      first ? placeFirst(sketch, shape, place) : placeShape(sketch, shape, null, placement, place)
    )
      return true;
    this.reason = WaitReasonCode.window;
    return false;
  }

  /** Beside the reservations, for the whole length. */
  #fitsBeside(shape: Shape, lengthMs: number, level: number, mask: Int32Array): boolean {
    if (this.#endless && lengthMs === NEVER_MS) return false;
    const untilMs = this.#view.nowMs + lengthMs;
    const first = takesFirst(shape, this.#state.rules.placement, this.#shapes.hasParts);
    if (first && this.#made.isFree(shape, place, untilMs)) return true;
    const sketch = this.#sketches.until(this.#made, untilMs, level, mask, !first);
    if (first) return placeFirst(sketch, shape, place);
    return placeShape(sketch, this.#made.planned(shape), null, this.#state.rules.placement, place);
  }

  /** Whether the job could start if these runs had ended; `tried` then says where. O(a placement + their holdings). */
  couldStart(jobIdx: number, without: ReadonlySet<number>): boolean {
    const view = this.#view;
    const shape = this.#shapes.list[this.#shapes.shapeOfJob[jobIdx]!]!;
    const lengthMs = this.lengthMs(jobIdx);
    const mask = this.closed.maskFor(jobIdx);
    const level = this.#levelOf(lengthMs);
    const desk = this.#runsDesk();
    this.tried.clear();
    if (this.#endless && lengthMs === NEVER_MS) return false;
    if (this.flat) {
      if (mask.length > 0) return false;
      if (level === 0) return freeWithout(desk, without) >= shape.gpusWhole;
      const { total } = this.#made.profile();
      return isFreeWithout(desk, total, shape.gpusWhole, lengthMs, without);
    }
    const sketch = this.#sketches.load("plan");
    if (level > 0 && this.one.answers) lessenWithout(desk, sketch, this.#state.one, without);
    else if (level > 0)
      sketchWithout(desk, this.#made.profile(), sketch, view.nowMs + lengthMs, without);
    this.closed.apply(sketch, mask);
    if (level === 0) giveToSketch(desk, sketch, without);
    if (takesFirst(shape, this.#state.rules.placement, this.#shapes.hasParts))
      return placeFirst(sketch, shape, this.tried);
    buildIndex(sketch);
    const asked = level > 0 ? this.#made.planned(shape) : shape;
    return placeShape(sketch, asked, null, this.#state.rules.placement, this.tried);
  }

  /**
   * Whether a count of members that fit on nodes says the same as `couldStart`: nothing is kept that the job would run into, no window is in its way, and of one part
   * as many members as fit find a place by any rule. O(kept).
   */
  countSays(jobIdx: number): boolean {
    const shape = this.#shapes.list[this.#shapes.shapeOfJob[jobIdx]!]!;
    const lengthMs = this.lengthMs(jobIdx);
    if (this.#shapes.hasParts || shape.parts.length > 1 || this.#endless) return false;
    return this.#levelOf(lengthMs) === 0 && this.closed.maskFor(jobIdx).length === 0;
  }

  #runsDesk(): RunsDesk {
    return { view: this.#view, state: this.#state, shapes: this.#shapes };
  }

  /** A job is about to start on `place`. */
  takes(jobIdx: number, shape: Shape): void {
    this.#sketches.forget();
    const lengthMs = this.lengthMs(jobIdx);
    this.#state.oneTook = -1;
    if (this.one.active && this.one.isPast(lengthMs)) this.one.takeLeft(jobIdx, shape, place);
    // Beside the one reservation too: a search for victims before this start has made the profile, and the next one asks it again.
    this.#made.takes(jobIdx, shape, place, this.#view.nowMs + lengthMs);
  }

  /** It has started: the view shows it. */
  took(): void {
    if (this.one.active) this.one.took(place);
  }

  /** −1: a window may be in its way. */
  #reserveOne(jobIdx: number): number {
    const { kept } = this.#state;
    const shape = this.#shapes.list[this.#shapes.shapeOfJob[jobIdx]!]!;
    const lengthMs = this.lengthMs(jobIdx);
    if (this.closed.any && this.#view.nowMs + lengthMs >= this.closed.firstFor(jobIdx)) return -1;
    let one = this.one.still(jobIdx, lengthMs);
    if (one === null) {
      const startMs = this.one.reserve(jobIdx, shape);
      if (startMs === NEVER_MS && (this.closed.any || openNodesNeverDo(this.#view, shape))) {
        this.one.drop();
        return this.closed.any ? -1 : NEVER_MS;
      }
      const placing = this.#state.one.placing.copy();
      one = { jobIdx, startMs, endMs: startMs + lengthMs, placing };
      this.one.keeps(one, shape);
    }
    if (this.closed.any && !(one.startMs + lengthMs <= this.closed.firstFor(jobIdx))) {
      this.one.drop();
      this.#state.oneKept = null;
      return -1;
    }
    this.#endless = one.startMs === NEVER_MS;
    kept.push(one);
    this.#failed.newLevels();
    return one.startMs;
  }

  /**
   * Makes a reservation for a job that does not fit. Its start; `Infinity` where no time is known. A job of several parts may be found to fit now
   * after all: nothing is kept for it then, and `place` says where.
   */
  reserve(jobIdx: number): number {
    const oneMs = this.one.mayBe(this.closed) ? this.#reserveOne(jobIdx) : -1;
    if (oneMs >= 0) return oneMs;
    const shape = this.#made.planned(this.#shapes.list[this.#shapes.shapeOfJob[jobIdx]!]!);
    const startMs = this.#made.reserve(jobIdx, shape, this.lengthMs(jobIdx));
    if (startMs === NEVER_MS) this.#keepWithoutTime(jobIdx, shape);
    else if (startMs <= this.#view.nowMs) place.set(found);
    else {
      this.#sketches.forget();
      this.#failed.newLevels();
    }
    return startMs;
  }

  /** No end is known after which it would fit, though the open nodes could hold it: jobs that never end must not start. */
  #keepWithoutTime(jobIdx: number, shape: Shape): void {
    const { kept, rules } = this.#state;
    if (rules.windowMs !== NEVER_MS || this.closed.any) return;
    if (openNodesNeverDo(this.#view, shape)) return;
    this.#endless = true;
    kept.push({ jobIdx, startMs: NEVER_MS, endMs: NEVER_MS, placing: new Placing(0) });
  }

  /** Reservations that begin before a job of this length would end. O(kept). */
  #levelOf(lengthMs: number): number {
    const { kept } = this.#state;
    const endMs = this.#view.nowMs + lengthMs;
    let level = this.#endless && lengthMs === NEVER_MS ? 1 : 0;
    for (let i = 0; i < kept.length; i++) if (kept[i]!.startMs < endMs) level++;
    return level;
  }
}
