/**
 * EASY's test of one job behind the head: it may start if it fits now and either ends by the shadow time or fits in what the
 * head's reservation leaves. The same test answers the pass and `explain`.
 */
import type { Actions, PoolView } from "../../engine/view.ts";
import type { Cluster } from "../../model/cluster.ts";
import { StartReasonCode, WaitReasonCode } from "../../model/reasons.ts";
import { JobStateCode } from "../../model/states.ts";
import { NEVER_MS } from "../../model/units.ts";
import type { Reservation } from "../../scheduling/backfill/shadow.ts";
import type { SortedJobs } from "../../scheduling/ordering/sortedJobs.ts";
import { mayHold } from "../../scheduling/ordering/sortedJobs.ts";
import type { Sketch } from "../../scheduling/placement/capacity.ts";
import {
  buildIndex,
  lessenOn,
  loadLesser,
  takenBy,
  takePart,
  takeWhole,
} from "../../scheduling/placement/capacity.ts";
import type { Placing } from "../../scheduling/placement/placing.ts";
import { ANYWHERE, partFits } from "../../scheduling/placement/rules.ts";
import type { Shape, Shapes } from "../../scheduling/placement/shapes.ts";
import { isBoundToDomain } from "./fits.ts";
import { sketchOf } from "./scratch.ts";
import { findPlace, place, startFlat, startOn, stillWanted } from "./starts.ts";
import type { LabState } from "./state.ts";
import { judgedMs } from "./state.ts";

export class Candidates {
  /** Why the job tested last may not start. */
  reason: number = WaitReasonCode.none;
  act!: Actions;
  #view!: PoolView;
  #state!: LabState;
  #shapes!: Shapes;
  #flat = false;
  /** Numbers the passes, so that notes of an older pass never count. */
  #pass = 0;
  /** Per shape: the last pass in which it found no place now, or none in what is left beside the head. */
  #noPlaceNow = new Float64Array(16);
  #noPlaceLeft = new Float64Array(16);
  /** What is free both now and beside the head; made when first asked for after a start. */
  #lesser: Sketch | null = null;
  #lesserIndexed = false;
  #runsPastShadow = false;

  begin(view: PoolView, state: LabState, shapes: Shapes, act: Actions, flat: boolean): void {
    this.#view = view;
    this.#state = state;
    this.#shapes = shapes;
    this.act = act;
    this.#flat = flat;
    this.#pass++;
    this.#lesser = null;
    if (this.#noPlaceNow.length < shapes.list.length) {
      this.#noPlaceNow = new Float64Array(shapes.list.length * 2);
      this.#noPlaceLeft = new Float64Array(shapes.list.length * 2);
    }
  }

  /** False only if no job of a block of the queue may start. O(1). */
  mayStartFrom(queue: SortedJobs, block: number): boolean {
    const free = this.#view.gpusFreeTotal;
    const left = this.#state.reservation.gpusLeftTotal;
    if (queue.needLeast[block]! <= Math.min(free, left)) return true;
    return mayHold(queue, block, free, this.#windowMs());
  }

  /** False only if a job with this need and limit may not start. O(1). */
  mayStart(need: number, limitMs: number): boolean {
    if (need > this.#view.gpusFreeTotal) return false;
    return need <= this.#state.reservation.gpusLeftTotal || limitMs <= this.#windowMs();
  }

  /** Limits up to this end by the shadow time; nothing without a limit does. */
  #windowMs(): number {
    return Math.min(this.#state.reservation.startMs - this.#view.nowMs, Number.MAX_VALUE);
  }

  /** Starts the job if it may; the caller takes it out of the queue. Else `reason` says why not. */
  tryStart(jobIdx: number): boolean {
    if (!this.canStart(jobIdx)) return false;
    const state = this.#state;
    const shape = this.#shapes.list[this.#shapes.shapeOfJob[jobIdx]!]!;
    if (this.#runsPastShadow)
      takeLeft(state.reservation, this.#view.cluster, shape, place, this.#flat);
    if (this.#flat && this.#view.jobState[jobIdx] !== JobStateCode.placed) {
      startFlat(state, this.#view, this.act, shape, jobIdx, StartReasonCode.backfilled);
    } else startOn(state, this.#view, this.act, shape, jobIdx, place, StartReasonCode.backfilled);
    this.#shrinkLesser();
    return true;
  }

  /** Leaves the place in `place` if the answer is yes and the machine not flat. */
  canStart(jobIdx: number): boolean {
    const view = this.#view;
    const { reservation } = this.#state;
    const shapeIdx = this.#shapes.shapeOfJob[jobIdx]!;
    const shape = this.#shapes.list[shapeIdx]!;
    const need = shape.gpusWhole;
    this.reason = WaitReasonCode.priority;
    if (need > view.gpusFreeTotal || this.#noPlaceNow[shapeIdx] === this.#pass) return false;
    this.#runsPastShadow = !endsInTime(
      reservation,
      view.nowMs,
      judgedMs(this.#state, view, jobIdx),
    );
    if (this.#flat) {
      if (!this.#runsPastShadow || need <= reservation.gpusLeftTotal) return true;
      this.reason = WaitReasonCode.reservation;
      return false;
    }
    if (!this.#runsPastShadow) return this.#fitsNow(shapeIdx, shape, jobIdx);
    // What does not fit now does not fit in less either; where that costs little it is asked first.
    const asked = this.#isSimple(shape) && view.jobState[jobIdx] !== JobStateCode.placed;
    if (asked && !this.#couldFitNow(shapeIdx, shape, jobIdx)) return false;
    if (this.#fitsLeft(shapeIdx, shape, jobIdx)) return true;
    if (asked || this.#couldFitNow(shapeIdx, shape, jobIdx))
      this.reason = WaitReasonCode.reservation;
    return false;
  }

  /** What is free in both after a start: less on the nodes of `place`. */
  #shrinkLesser(): void {
    if (this.#lesser === null) return;
    if (this.#shapes.hasParts) this.#lesser = null;
    else {
      lessenOn(this.#lesser, this.#view, this.#state.reservation, place);
      this.#lesserIndexed = false;
    }
  }

  #fitsNow(shapeIdx: number, shape: Shape, jobIdx: number): boolean {
    if (findPlace(this.#state, this.#view, shape, stillWanted(this.#view, shape, jobIdx)))
      return true;
    this.#noPlaceNow[shapeIdx] = this.#pass;
    return false;
  }

  #fitsLeft(shapeIdx: number, shape: Shape, jobIdx: number): boolean {
    const { reservation } = this.#state;
    if (shape.gpusWhole > reservation.gpusLeftTotal) return false;
    if (this.#noPlaceLeft[shapeIdx] === this.#pass) return false;
    if (this.#lesser === null) {
      const lesser = sketchOf(this.#view, "lesser");
      loadLesser(lesser, this.#view, reservation, this.#shapes.hasParts);
      this.#lesser = lesser;
      this.#lesserIndexed = false;
    }
    if (shape.gpusWhole > this.#lesser.gpusFreeTotal) return false;
    if (!this.#lesserIndexed) {
      buildIndex(this.#lesser);
      this.#lesserIndexed = true;
    }
    const wanted = stillWanted(this.#view, shape, jobIdx);
    if (findPlace(this.#state, this.#lesser, shape, wanted)) return true;
    this.#noPlaceLeft[shapeIdx] = this.#pass;
    return false;
  }

  /** Members of one kind that may be anywhere. */
  #isSimple(shape: Shape): boolean {
    return shape.parts.length === 1 && !isBoundToDomain(this.#view, shape);
  }

  /** As `fitsNow`, without choosing a place where that can be told apart. */
  #couldFitNow(shapeIdx: number, shape: Shape, jobIdx: number): boolean {
    if (!this.#isSimple(shape)) return this.#fitsNow(shapeIdx, shape, jobIdx);
    if (partFits(this.#view, shape.parts[0]!, shape.members, ANYWHERE)) return true;
    this.#noPlaceNow[shapeIdx] = this.#pass;
    return false;
  }
}

/** A job without a limit never ends in time; neither does any where no shadow time is known to be after its end. */
function endsInTime(reservation: Reservation, nowMs: number, limitMs: number): boolean {
  return limitMs !== NEVER_MS && nowMs + limitMs <= reservation.startMs;
}

/** A job that runs past the shadow time uses part of what the head leaves. O(rows). */
export function takeLeft(
  reservation: Reservation,
  cluster: Cluster,
  shape: Shape,
  placing: Placing,
  flat: boolean,
): void {
  reservation.gpusLeftTotal -= shape.gpusWhole;
  if (flat) {
    reservation.gpusFree.fill(reservation.gpusLeftTotal);
    return;
  }
  for (let row = 0; row < placing.length; row++) {
    const node = placing.node[row]!;
    const use = takenBy(shape.parts, placing, row);
    let { gpus } = use;
    if (placing.device[row]! >= 0) {
      gpus = takePart(reservation, cluster, shape.parts[placing.part[row]!]!, placing, row);
      reservation.gpusLeftTotal -= gpus;
    } else if (reservation.deviceUsed.length > 0 && gpus > 0) {
      const part = shape.parts[placing.part[row]!]!;
      takeWhole(reservation, cluster, part, node, placing.members[row]!, gpus);
    }
    reservation.gpusFree[node] = reservation.gpusFree[node]! - gpus;
    reservation.cpuMilliFree[node] = reservation.cpuMilliFree[node]! - use.cpuMilli;
    reservation.memMiBFree[node] = reservation.memMiBFree[node]! - use.memMiB;
  }
}
