/**
 * The fast road for the one reservation of EASY, where nothing else is kept and the head's run is over before any window that is closed to it: the shadow time and what the head leaves
 * (`scheduling/backfill/shadow.ts`) instead of a profile. It answers as the profile would: what a later job may use is what is free now and,
 * if it runs past the shadow time, also left beside the head. What it keeps stays between passes in which only arrivals are tested.
 */
import type { PoolView } from "../../../../engine/view.ts";
import { NodeStateCode } from "../../../../model/states.ts";
import { NEVER_MS } from "../../../../model/units.ts";
import { leaveAnew, reserveFlat, reserveNodes } from "../../../../scheduling/backfill/shadow.ts";
import type { Sketch } from "../../../../scheduling/placement/capacity.ts";
import { buildIndex, lessenOn, loadLesser } from "../../../../scheduling/placement/capacity.ts";
import { placeFirst, takesFirst } from "../../../../scheduling/placement/placeFirst.ts";
import { placeShape } from "../../../../scheduling/placement/placeShape.ts";
import type { Placing } from "../../../../scheduling/placement/placing.ts";
import type { Shape, Shapes } from "../../../../scheduling/placement/shapes.ts";
import { takeLeft } from "../../candidates.ts";
import { keepsCpusBack } from "../../runsProfile.ts";
import { sketchOf } from "../../scratch.ts";
import type { ClosedNodes } from "../closures/closedNodes.ts";
import { isCutting } from "../cuts.ts";
import type { KeptJob, WalkState } from "../state.ts";
import type { KeepSketches } from "./keepSketches.ts";
import { isCounted, stands } from "./oneStands.ts";

export class OneKept {
  #view!: PoolView;
  #state!: WalkState;
  #shapes!: Shapes;
  #flat = false;
  /** Runs were stopped in this pass after it was made. */
  #grown = false;
  /** What is free both now and beside the head; made when first asked for. */
  #lesser: Sketch | null = null;
  #indexed = false;

  begin(view: PoolView, state: WalkState, shapes: Shapes, flat: boolean): void {
    this.#view = view;
    this.#state = state;
    this.#shapes = shapes;
    this.#flat = flat;
    this.#grown = false;
    this.#lesser = null;
  }

  /** Whether the reservation is kept this way now. */
  get active(): boolean {
    return this.#state.one.jobIdx >= 0;
  }

  /**
   * Whether it says where a job could go if some runs had ended, so that no profile need be made: nothing has come to pass since that makes it void (estimates that
   * moved, say). With a test depth, as in all that is spared, it does not.
   */
  get answers(): boolean {
    const { one, oneKept } = this.#state;
    return this.active && this.#counts && oneKept?.jobIdx === one.jobIdx;
  }

  get #counts(): boolean {
    return !this.#shapes.hasParts && this.#state.rules.testDepth === NEVER_MS;
  }

  /** Whether who is long and needs more than is left may be passed over without a word: after a take-back each is told that it would delay the head. */
  get bounds(): boolean {
    return this.active && !this.#grown;
  }

  get startMs(): number {
    return this.#state.one.startMs;
  }

  /** Devices that the head leaves to jobs that run past its start. */
  get left(): number {
    return this.#state.one.gpusLeftTotal;
  }

  drop(): void {
    this.#state.one.jobIdx = -1;
    this.#lesser = null;
  }

  /** Runs were stopped at once: the head's room stays, and those that were to run past its start leave theirs to others. Not for shares of devices. O(as EASY). */
  grew(): void {
    if (!this.active) return;
    const { one, runs } = this.#state;
    if (this.#flat || one.startMs === NEVER_MS || !this.#counts) {
      this.drop();
      return;
    }
    this.#grown = true;
    const shape = this.#shapes.list[this.#shapes.shapeOfJob[one.jobIdx]!]!;
    leaveAnew(one, shape, this.#view, runs, sketchOf(this.#view, "shadow"));
    this.#lesser = null;
    // Where estimates have moved since it may be kept where no room is: a profile says what that leaves.
    for (const node of this.#view.nodes) if (one.gpusFree[node]! < 0) this.drop();
  }

  /** The pass is over: what was counted anew within it holds no longer. */
  settle(): void {
    if (this.#grown) this.drop();
  }

  /** The start; `Infinity` where no time is known: then nothing is left and only jobs that end may start. O(as EASY). */
  reserve(jobIdx: number, shape: Shape): number {
    const { one, runs, rules } = this.#state;
    const view = this.#view;
    one.jobIdx = -1;
    this.#state.oneKept = null;
    if (this.#flat) reserveFlat(one, jobIdx, shape.gpusWhole, view, runs);
    else {
      const sketch = sketchOf(view, "shadow");
      reserveNodes(one, jobIdx, shape, rules.placement, view, runs, this.#shapes.hasParts, sketch);
    }
    this.#lesser = null;
    return one.startMs;
  }

  /** Whether a job of this length would run past the start. */
  isPast(lengthMs: number): boolean {
    const { startMs } = this.#state.one;
    return lengthMs === NEVER_MS || this.#view.nowMs + lengthMs > startMs;
  }

  /**
   * EASY's way: the only reservation, and nothing else in the way. Windows go by limits, so lengths must too: then a head whose run is over before the first of them waits
   * for room alone. Nothing but passes may look at what is kept then, and no job goes back to where it was, so that all that windows change is asked in `fits`.
   */
  mayBe(closed: ClosedNodes): boolean {
    const { kept, rules, cuts, preemption, gates, pool } = this.#state;
    if (rules.reservations !== 1 || kept.length > 0 || isCutting(cuts)) return false;
    if (Number.isFinite(rules.windowMs) || keepsCpusBack(this.#shapes)) return false;
    if (!closed.any) return true;
    const { lab } = this.#view.jobs;
    if (preemption.length + gates.length > 0 || lab.size > 0 || this.#shapes.hasParts) return false;
    return (pool.settings["runTimes"] ?? "limit") === "limit";
  }

  /**
   * Whether a job that runs past the start finds a place beside the head, outside the nodes of these closures; on nodes, `into` says where, and before where it would go now if
   * the head were not.
   */
  fits(shape: Shape, into: Placing, mask: Int32Array, sketches: KeepSketches): boolean {
    if (mask.length > 0) return this.#fitsOutside(shape, into, mask, sketches);
    const { one, rules } = this.#state;
    if (shape.gpusWhole > one.gpusLeftTotal) return false;
    if (this.#flat) return true;
    const first = takesFirst(shape, rules.placement, this.#shapes.hasParts);
    if (first) {
      if (into.length > 0 && this.#isLeft(shape, into)) return true;
      if (!this.#mayHold(shape)) return false;
    }
    if (this.#lesser === null) {
      this.#lesser = sketchOf(this.#view, "lesser");
      loadLesser(this.#lesser, this.#view, one, this.#shapes.hasParts);
      this.#indexed = false;
    }
    if (shape.gpusWhole > this.#lesser.gpusFreeTotal) return false;
    if (first) return placeFirst(this.#lesser, shape, into);
    if (!this.#indexed) {
      buildIndex(this.#lesser);
      this.#indexed = true;
    }
    return placeShape(this.#lesser, shape, null, rules.placement, into);
  }

  #fitsOutside(shape: Shape, into: Placing, mask: Int32Array, sketches: KeepSketches): boolean {
    if (shape.gpusWhole > this.left) return false;
    if (this.leaves(shape, into)) return true;
    const { placement } = this.#state.rules;
    const first = takesFirst(shape, placement, this.#shapes.hasParts);
    if (first && !this.#mayHold(shape)) return false;
    const sketch = sketches.beside(this, mask, !first);
    if (shape.gpusWhole > sketch.gpusFreeTotal) return false;
    if (first) return placeFirst(sketch, shape, into);
    return placeShape(sketch, shape, null, placement, into);
  }

  /** Makes a sketch show what is free both now and beside the head. O(nodes). */
  loadLeft(sketch: Sketch): void {
    loadLesser(sketch, this.#view, this.#state.one, this.#shapes.hasParts);
  }

  /** Whether what a placing takes now is left beside the head too. O(its nodes). */
  leaves(shape: Shape, placing: Placing): boolean {
    if (shape.gpusWhole > this.#state.one.gpusLeftTotal) return false;
    if (this.#flat) return true;
    return (
      takesFirst(shape, this.#state.rules.placement, this.#shapes.hasParts) &&
      this.#isLeft(shape, placing)
    );
  }

  /** Where it would go now is left beside the head too: with less elsewhere these still are the first nodes. O(its nodes). */
  #isLeft({ parts }: Shape, { node, members, length }: Placing): boolean {
    const { gpusFree } = this.#state.one;
    for (let row = 0; row < length; row++)
      if (members[row]! * parts[0]!.gpus > gpusFree[node[row]!]!) return false;
    return true;
  }

  /** Whether what is free both now and beside the head holds all members. O(nodes). */
  #mayHold({ parts }: Shape): boolean {
    const { nodes, gpusFree, nodeState } = this.#view;
    const left = this.#state.one.gpusFree;
    const { gpus, ownNode, members } = parts[0]!;
    if (gpus === 0) return true;
    let missing = members;
    for (let i = 0; i < nodes.length && missing > 0; i++) {
      const node = nodes[i]!;
      const free = Math.min(gpusFree[node]!, left[node]!);
      if (free < gpus || nodeState[node] !== NodeStateCode.open) continue;
      missing -= ownNode ? 1 : Math.floor(free / gpus);
    }
    return missing <= 0;
  }

  /** The reservation that the job had, if it stands as it is: nothing need be searched. O(1). */
  still(jobIdx: number, lengthMs: number): KeptJob | null {
    const { one, oneKept: kept, rules } = this.#state;
    if (kept?.jobIdx !== jobIdx || kept.endMs !== kept.startMs + lengthMs) return null;
    if (rules.testDepth !== NEVER_MS || !stands(kept, this.#view.nowMs)) return null;
    one.jobIdx = jobIdx;
    this.#lesser = null;
    return kept;
  }

  /** It has been made, for a job of this shape. */
  keeps(kept: KeptJob, shape: Shape): void {
    const mayStand = this.#flat || isCounted(shape, this.#shapes);
    this.#state.oneKept = mayStand && kept.startMs !== NEVER_MS ? kept : null;
  }

  /** A job starts that runs past the start: before the engine is told. */
  takeLeft(jobIdx: number, shape: Shape, placing: Placing): void {
    if (this.#staysFirst(shape)) this.#state.oneTook = jobIdx;
    takeLeft(this.#state.one, this.#view.cluster, shape, placing, this.#flat);
  }

  /** With less on other nodes the head's still are those that would be chosen, and no more is taken than is counted. */
  #staysFirst(shape: Shape): boolean {
    const { one, rules } = this.#state;
    if (this.#flat) return true;
    const head = this.#shapes.list[this.#shapes.shapeOfJob[one.jobIdx]!]!;
    const plain = shape.parts.every(({ exclusive }) => exclusive === null);
    return plain && takesFirst(head, rules.placement, this.#shapes.hasParts);
  }

  /** A job has started: less is free now on its nodes. */
  took(placing: Placing): void {
    if (this.#lesser === null) return;
    if (this.#shapes.hasParts) this.#lesser = null;
    else {
      lessenOn(this.#lesser, this.#view, this.#state.one, placing);
      this.#indexed = false;
    }
  }
}
