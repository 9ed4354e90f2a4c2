/**
 * The reservations of a pass: the earliest time at which a job fits if what runs ends at its estimated end and earlier reservations are kept, and its nodes. What the last
 * pass found is taken over where it still holds (`stillKept.ts`); then nothing is searched, and the profile is not even made complete.
 *
 * The profile is one of what runs alone until a search depends on what is kept; then all of that is taken out of it, and each later reservation. Questions about single nodes
 * are answered without (`besideKept.ts`) where only devices count.
 */
import type { PoolView } from "../../../../engine/view.ts";
import { NEVER_MS } from "../../../../model/units.ts";
import { earliestFit, lessenOver, type Profile } from "../../../../scheduling/backfill/profile.ts";
import type { Sketch } from "../../../../scheduling/placement/capacity.ts";
import { Placing } from "../../../../scheduling/placement/placing.ts";
import type { Shape, Shapes } from "../../../../scheduling/placement/shapes.ts";
import { wholeShape } from "../../runsProfile.ts";
import type { ClosedNodes } from "../closures/closedNodes.ts";
import { cutMsOf, isCutting, takeCutsOver } from "../cuts.ts";
import { ESTIMATE } from "../estimates.ts";
import type { KeptJob, WalkState } from "../state.ts";
import { BesideKept } from "./besideKept.ts";
import { isFreeOver } from "./firstNodes.ts";
import { RunsProfile } from "./keepRuns.ts";
import type { KeepSketches } from "./keepSketches.ts";
import {
  gainsFrom,
  hasRoom,
  isTouched,
  mayHaveLost,
  type Question,
  RoomOfProfile,
  StillKept,
} from "./stillKept.ts";

/** Where the job would go that was searched for last. */
export const found = new Placing();

export class Reservations {
  readonly still = new StillKept();
  readonly #runs = new RunsProfile();
  readonly #beside = new BesideKept();
  readonly #room = new RoomOfProfile();
  readonly #closed: ClosedNodes;
  readonly #sketches: KeepSketches;
  #view!: PoolView;
  #state!: WalkState;
  #shapes!: Shapes;
  #flat = false;
  #profile: Profile | null = null;

  constructor(closed: ClosedNodes, sketches: KeepSketches) {
    this.#closed = closed;
    this.#sketches = sketches;
  }

  /** Goes on with what is kept. */
  resume(view: PoolView, state: WalkState, shapes: Shapes, flat: boolean): void {
    this.#view = view;
    this.#state = state;
    this.#shapes = shapes;
    this.#flat = flat;
    this.#profile = null;
    this.still.begin([]);
  }

  /** Nothing is kept any more, and all will be made anew. */
  begin(before: readonly KeptJob[]): void {
    this.still.begin(this.#closed.changed ? [] : before);
    this.#closed.remember();
    this.#runs.forget(before);
  }

  /** Something ended, moved or was stopped. */
  newRound(): void {
    this.#profile = null;
    this.#runs.newRound();
    this.#beside.newRound();
  }

  /** Expected length of a job's next run, ms, with the time in which devices may have to be cut for it. */
  lengthMs(jobIdx: number): number {
    const lengthMs = Math.max(1, ESTIMATE.lengthMs(this.#state.estimate, this.#view, jobIdx));
    if (this.#state.cuts.jobs.has(jobIdx)) return lengthMs;
    return lengthMs + cutMsOf(this.#shapes.list[this.#shapes.shapeOfJob[jobIdx]!]!);
  }

  planned(shape: Shape): Shape {
    return this.#shapes.hasParts ? wholeShape(shape) : shape;
  }

  /** A job starts now, on a placing that will not change. */
  takes(jobIdx: number, shape: Shape, placing: Placing, endMs: number): void {
    if (this.#profile === null) return;
    this.#runs.take(this.planned(shape), placing.copy(), this.#view.nowMs, endMs, jobIdx);
  }

  /** What runs and what is kept, in the order in which it was. O(kept, × steps) the first time in a round. */
  profile(): Profile {
    if (this.#profile !== null) return this.#profile;
    const profile = this.#runsOnly();
    const { cuts } = this.#state;
    if (isCutting(cuts))
      takeCutsOver(cuts, this.#view, this.#shapes, profile, (jobIdx) => this.lengthMs(jobIdx));
    for (const { jobIdx, startMs, endMs, placing } of this.#state.kept) {
      const shape = this.#shapes.list[this.#shapes.shapeOfJob[jobIdx]!]!;
      this.#runs.take(this.planned(shape), placing, startMs, endMs);
    }
    this.#profile = profile;
    return profile;
  }

  /** For questions about single nodes, which need no complete profile; null where there is one, or it says more than devices by node. */
  #besideKept(): BesideKept | null {
    if (this.#profile !== null || this.#flat || this.#shapes.hasParts) return null;
    if (isCutting(this.#state.cuts)) return null;
    const runs = this.#runsOnly();
    if (runs.ofNode[this.#view.nodes[0]!]?.wide !== false) return null;
    return this.#beside.with(runs, this.#state.kept, this.#shapes);
  }

  /** Whether a place has its devices until a time, beside all that is kept. */
  isFree(shape: Shape, placing: Placing, untilMs: number): boolean {
    const { nowMs } = this.#view;
    const beside = this.#besideKept();
    if (beside !== null) return beside.isFree(shape, placing, nowMs, untilMs);
    return isFreeOver(this.profile(), shape, placing, nowMs, untilMs);
  }

  /** Makes a sketch of what is free now show what stays free until a time, beside all that is kept. */
  lessen(sketch: Sketch, untilMs: number): void {
    const beside = this.#besideKept();
    if (beside !== null) beside.lessen(sketch, this.#view, untilMs);
    else lessenOver(this.profile(), sketch, this.#view.nowMs, untilMs);
  }

  #runsOnly(): Profile {
    const { runs, endMsOf } = this.#state;
    const [view, shapes, flat] = [this.#view, this.#shapes, this.#flat];
    return this.#runs.now({ view, runs, endMsOf, shapes, flat });
  }

  /** Makes one; its start. `Infinity`: no time is known. A start of now is not kept: the job fits after all, and `found` says where. */
  reserve(jobIdx: number, shape: Shape, lengthMs: number): number {
    const { nowMs } = this.#view;
    const place = this.still.placeOf(jobIdx);
    const before = place < 0 ? null : this.still.at(place);
    const fromMs = before === null ? nowMs : this.#heldFrom(before, place, shape, lengthMs);
    if (before !== null && fromMs === NEVER_MS) {
      this.#keep(before, shape, place, true);
      return before.startMs;
    }
    const startMs = this.#search(jobIdx, shape, lengthMs, fromMs);
    if (startMs === NEVER_MS || startMs <= nowMs) return startMs;
    const same =
      !this.#crowded && before?.startMs === startMs && isSame(before.placing, found)
        ? before
        : null;
    const endMs = startMs + lengthMs;
    const kept = same?.endMs === endMs ? same : { jobIdx, startMs, endMs, placing: found.copy() };
    this.#keep(kept, shape, place, kept === before);
    return startMs;
  }

  #keep(kept: KeptJob, shape: Shape, place: number, isSame: boolean): void {
    if (this.#profile !== null) this.#runs.take(shape, kept.placing, kept.startMs, kept.endMs);
    this.still.note(place, isSame);
    if (!this.#crowded) this.#runs.stands(kept);
    this.#state.kept.push(kept);
  }

  /**
   * Room is kept where victims still are: nodes then have less than nothing, and by the total alone a start is found later than it need be. Such a reservation is
   * never taken over.
   */
  get #crowded(): boolean {
    return this.#state.nominated.length > 0;
  }

  #search(jobIdx: number, shape: Shape, lengthMs: number, fromMs: number): number {
    const view = this.#view;
    const { rules } = this.#state;
    const profile = this.profile();
    const sketch = this.#sketches.load("plan");
    this.#closed.takeFrom(profile, jobIdx, 1);
    const beforeMs = view.nowMs + rules.windowMs + 1;
    const startMs = earliestFit(
      profile,
      sketch,
      shape,
      lengthMs,
      fromMs,
      beforeMs,
      rules.placement,
      found,
    );
    this.#closed.takeFrom(profile, jobIdx, -1);
    return startMs;
  }

  /** Whether the reservation that the job had stands as it is, so that it cannot start before. Windows and cuts are another question for a start than for a reservation. */
  standsLater(jobIdx: number, shape: Shape, lengthMs: number): boolean {
    if (this.#closed.any || isCutting(this.#state.cuts)) return false;
    const place = this.still.placeOf(jobIdx);
    if (place < 0) return false;
    return this.#heldFrom(this.still.at(place), place, shape, lengthMs) === NEVER_MS;
  }

  /** From when on a place must be looked for, if the job had this reservation; `Infinity`: it stands as it is. */
  #heldFrom(kept: KeptJob, place: number, shape: Shape, lengthMs: number): number {
    const { nowMs, cluster } = this.#view;
    const { rules } = this.#state;
    if (this.#crowded || kept.startMs <= nowMs || kept.endMs !== kept.startMs + lengthMs)
      return nowMs;
    if (kept.startMs === NEVER_MS || shape.parts.length > 1 || this.#shapes.hasParts) return nowMs;
    const profile = this.#profile ?? this.#runsOnly();
    const from = this.#runs.seenBy(kept);
    const log = this.#runs.log;
    if (from < 0 || log === null) return nowMs;
    const moved = this.still.movedBefore(place);
    const asked: Question = { kept, shape, lengthMs, nowMs, log, from, moved };
    let gainsMs = gainsFrom(asked, this.#room.of(profile), cluster);
    if (gainsMs < NEVER_MS) gainsMs = this.#gainsFrom(asked, gainsMs);
    if (gainsMs < NEVER_MS) return gainsMs;
    const firstStays = rules.placement === "firstFit" && shape.wish === "none";
    if (!this.#flat && !(firstStays && shape.faster.length === 0)) {
      if (this.still.isNew || isTouched(asked)) return kept.startMs;
    } else if (this.still.isNew || mayHaveLost(asked)) {
      if (!this.#hasRoom(kept, shape)) return kept.startMs;
    }
    return NEVER_MS;
  }

  #hasRoom(kept: KeptJob, shape: Shape): boolean {
    const beside = this.#besideKept();
    if (beside !== null) return beside.isFree(shape, kept.placing, kept.startMs, kept.endMs);
    return hasRoom(this.profile(), shape, kept);
  }

  /** The same question, beside all that is kept and what is closed. */
  #gainsFrom(asked: Question, gainsMs: number): number {
    if (this.#profile !== null && !this.#closed.any) return gainsMs;
    const { cluster } = this.#view;
    const beside = this.#closed.any ? null : this.#besideKept();
    if (beside !== null) return gainsFrom(asked, beside, cluster);
    const profile = this.profile();
    const { jobIdx } = asked.kept;
    this.#closed.takeFrom(profile, jobIdx, 1);
    const atMs = gainsFrom(asked, this.#room.of(profile), cluster);
    this.#closed.takeFrom(profile, jobIdx, -1);
    return atMs;
  }
}

function isSame(one: Placing, other: Placing): boolean {
  if (one.length !== other.length) return false;
  for (let row = 0; row < one.length; row++) {
    if (one.node[row] !== other.node[row] || one.members[row] !== other.members[row]) return false;
    if (one.part[row] !== other.part[row] || one.device[row] !== other.device[row]) return false;
    if (one.milli[row] !== other.milli[row]) return false;
  }
  return true;
}
