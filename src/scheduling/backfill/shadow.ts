/**
 * EASY's reservation for the blocked head of the queue: the shadow time, which is the first estimated end of a running job at
 * which the head fits (all ends of that time counted), and what a job that runs past it may still use: everything free
 * at the shadow time but the head's own share.
 *
 * A run past its estimate counts as ending in the next millisecond; a run without a limit never ends. On a flat machine a
 * prefix sum over the sorted estimates answers; with nodes the runs give their devices back to a sketch, one instant after the other.
 * The nodes named for the head stay the same while it stays head, its shadow time stays and they serve it; hence a pass that
 * nothing has touched would name the same again. Lifka 1995; Mu'alem and Feitelson 2001.
 */
import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import type { LabPlacement } from "../../model/policy.ts";
import { NodeStateCode } from "../../model/states.ts";
import { NEVER_MS, WHOLE_DEVICE } from "../../model/units.ts";
import type { SortedJobs } from "../ordering/sortedJobs.ts";
import { BLOCK } from "../ordering/sortedJobs.ts";
import type { Capacity, Sketch } from "../placement/capacity.ts";
import {
  buildIndex,
  giveHolding,
  loadSketch,
  membersOn,
  takePlacing,
} from "../placement/capacity.ts";
import { placeFirst, takesFirst } from "../placement/placeFirst.ts";
import { placeShape, wishDomains } from "../placement/placeShape.ts";
import { Placing } from "../placement/placing.ts";
import type { Part, Shape } from "../placement/shapes.ts";
import { stillFits } from "../placement/stillFits.ts";

/** The head's reservation, and what it leaves to jobs that run past it. Plain columns. */
export interface Reservation {
  /** −1: nobody has a reservation. */
  jobIdx: number;
  startMs: number;
  /** Where: empty on a flat machine and where no time is known. */
  placing: Placing;
  /** Per node (one entry on a flat machine): free at the shadow time beside the head. */
  gpusFree: Int32Array;
  cpuMilliFree: Int32Array;
  memMiBFree: Int32Array;
  /** Per device, used then; empty until a job asks for a part of a device. */
  deviceUsed: Uint16Array;
  sliceUsed: Uint8Array;
  gpusLeftTotal: number;
}

/** A reservation for nobody. O(nodes). */
export function noReservation(nodeCount: number): Reservation {
  return {
    jobIdx: -1,
    startMs: NEVER_MS,
    placing: new Placing(),
    gpusFree: new Int32Array(nodeCount),
    cpuMilliFree: new Int32Array(nodeCount),
    memMiBFree: new Int32Array(nodeCount),
    deviceUsed: new Uint16Array(0),
    sliceUsed: new Uint8Array(0),
    gpusLeftTotal: 0,
  };
}

/** Deep copy. O(nodes), O(devices) where jobs ask for parts of devices. */
export function copyReservation(reservation: Reservation): Reservation {
  return {
    ...reservation,
    placing: reservation.placing.copy(),
    gpusFree: reservation.gpusFree.slice(),
    cpuMilliFree: reservation.cpuMilliFree.slice(),
    memMiBFree: reservation.memMiBFree.slice(),
    deviceUsed: reservation.deviceUsed.slice(),
    sliceUsed: reservation.sliceUsed.slice(),
  };
}

/** When a run with this estimated end is counted on to give its devices back. */
export function countedEndMs(estimateMs: number, nowMs: number): number {
  return estimateMs <= nowMs ? nowMs + 1 : estimateMs;
}

/** Flat machine: what is left is the extra. O(blocks of running jobs + 64). */
export function reserveFlat(
  reservation: Reservation,
  headIdx: number,
  need: number,
  view: PoolView,
  runs: SortedJobs,
): void {
  const node = view.nodes[0]!;
  reservation.jobIdx = headIdx;
  reservation.placing.clear();
  findFlat(reservation, need, view.nowMs, view.gpusFreeTotal, runs);
  reservation.gpusFree[node] = reservation.gpusLeftTotal;
  reservation.cpuMilliFree[node] = view.cpuMilliFree[node]!;
  reservation.memMiBFree[node] = view.memMiBFree[node]!;
}

function findFlat(
  reservation: Reservation,
  need: number,
  nowMs: number,
  free: number,
  runs: SortedJobs,
): void {
  reservation.startMs = NEVER_MS;
  reservation.gpusLeftTotal = 0;
  let total = free;
  let position = 0;
  while (position < runs.blockCount && total + runs.needSum[runs.order[position]!]! < need) {
    total += runs.needSum[runs.order[position]!]!;
    position++;
  }
  for (; position < runs.blockCount; position++) {
    const base = runs.order[position]! * BLOCK;
    const end = base + runs.used[runs.order[position]!]!;
    for (let at = base; at < end; at++) {
      if (runs.key[at]! > reservation.startMs || runs.key[at] === NEVER_MS) return;
      total += runs.need[at]!;
      if (total < need) continue;
      reservation.startMs = countedEndMs(runs.key[at]!, nowMs);
      reservation.gpusLeftTotal = total - need;
    }
  }
}

const held = new Grant();
const found = new Placing();

/** With nodes. O(running jobs ended by the shadow time × their nodes + nodes). */
export function reserveNodes(
  reservation: Reservation,
  headIdx: number,
  shape: Shape,
  rule: LabPlacement,
  view: PoolView,
  runs: SortedJobs,
  withParts: boolean,
  sketch: Sketch,
): void {
  const keptMs = reservation.jobIdx === headIdx ? reservation.startMs : NEVER_MS;
  loadSketch(sketch, view, withParts);
  const room = roomOf(view, shape);
  let startMs = NEVER_MS;
  let placed = false;
  let kept = false;
  let position = 0;
  let row = 0;
  while (position < runs.blockCount) {
    const at = runs.order[position]! * BLOCK + row;
    const atMs = countedEndMs(runs.key[at]!, view.nowMs);
    if (atMs > startMs || startMs === NEVER_MS) {
      // All ends up to `startMs` have been applied: does the head fit between them and this one?
      kept = startMs !== NEVER_MS && startMs === keptMs;
      kept &&= stillFits(sketch, reservation.placing, shape);
      if (kept) break;
      if (startMs !== NEVER_MS && roomEnough(room, shape, sketch)) {
        placed = headFits(sketch, shape, rule);
        if (placed) break;
      }
      // Several parts are placed one after the other, which may miss a place: the one kept from before counts as found.
      kept = startMs !== NEVER_MS && keptMs >= startMs && keptMs < atMs;
      kept &&= stillFits(sketch, reservation.placing, shape);
      if (kept || atMs === NEVER_MS) break;
      startMs = atMs;
    }
    giveBack(sketch, view, runs.jobIdx[at]!, shape, room);
    row++;
    if (row === runs.used[runs.order[position]!]!) {
      position++;
      row = 0;
    }
  }
  if (!placed && !kept && startMs !== NEVER_MS) {
    kept = startMs === keptMs && stillFits(sketch, reservation.placing, shape);
    if (!kept && roomEnough(room, shape, sketch)) placed = headFits(sketch, shape, rule);
  }
  if (kept) startMs = keptMs;
  reservation.jobIdx = headIdx;
  reservation.startMs = kept || placed ? startMs : NEVER_MS;
  if (!kept) reservation.placing.set(found);
  settle(reservation, shape, sketch, withParts);
}

/** What the reservation leaves to others, where runs have gone that were to go on and it stays as it is. Whole devices only. O(running jobs ended by then × their nodes + nodes). */
export function leaveAnew(
  reservation: Reservation,
  shape: Shape,
  view: PoolView,
  runs: SortedJobs,
  sketch: Sketch,
): void {
  loadSketch(sketch, view, false);
  for (let position = 0; position < runs.blockCount; position++) {
    const base = runs.order[position]! * BLOCK;
    const end = base + runs.used[runs.order[position]!]!;
    for (let at = base; at < end; at++) {
      if (countedEndMs(runs.key[at]!, view.nowMs) > reservation.startMs) {
        settle(reservation, shape, sketch, false);
        return;
      }
      const jobIdx = runs.jobIdx[at]!;
      held.clear();
      view.holdings(jobIdx, held);
      for (let row = 0; row < held.length; row++) giveHolding(sketch, view.jobs, jobIdx, held, row);
    }
  }
  settle(reservation, shape, sketch, false);
}

/** Writes down what the reservation leaves to others. */
function settle(reservation: Reservation, shape: Shape, sketch: Sketch, withParts: boolean): void {
  if (withParts && reservation.deviceUsed.length === 0) {
    reservation.deviceUsed = new Uint16Array(sketch.deviceUsed.length);
    reservation.sliceUsed = new Uint8Array(sketch.sliceUsed.length);
  }
  if (reservation.startMs === NEVER_MS) {
    // No time is known: nothing may run into it, and only jobs that end may start.
    reservation.placing.clear();
    reservation.gpusFree.fill(0);
    reservation.deviceUsed.fill(WHOLE_DEVICE);
    reservation.cpuMilliFree.fill(0);
    reservation.memMiBFree.fill(0);
    reservation.gpusLeftTotal = 0;
    return;
  }
  takePlacing(sketch, reservation.placing, shape.parts);
  reservation.gpusFree.set(sketch.gpusFree);
  reservation.cpuMilliFree.set(sketch.cpuMilliFree);
  reservation.memMiBFree.set(sketch.memMiBFree);
  reservation.gpusLeftTotal = sketch.gpusFreeTotal;
  if (!withParts) return;
  reservation.deviceUsed.set(sketch.deviceUsed);
  reservation.sliceUsed.set(sketch.sliceUsed);
}

function headFits(sketch: Sketch, shape: Shape, rule: LabPlacement): boolean {
  if (takesFirst(shape, rule, sketch.withParts)) return placeFirst(sketch, shape, found);
  buildIndex(sketch);
  return placeShape(sketch, shape, null, rule, found);
}

/**
 * Members of a one-part shape that fit on the sketch, kept up to date while runs give devices back, so that the test for
 * each instant is O(1). For several parts or with a leaf wish only the total of devices is kept: the test is then a placement.
 */
interface Room {
  exact: boolean;
  members: number;
}
const roomScratch: Room = { exact: false, members: 0 };

function roomOf(now: Capacity, shape: Shape): Room {
  const room = roomScratch;
  const part = shape.parts[0]!;
  room.exact = shape.parts.length === 1 && wishDomains(shape, now.cluster) === null;
  room.members = 0;
  if (!room.exact) return room;
  if (part.devicesOnly) {
    const index = now.freeIndex;
    for (let free = part.gpus; free <= index.maxFree; free++) {
      const each = part.ownNode ? 1 : Math.min(part.members, Math.floor(free / part.gpus));
      room.members += index.countWith(free) * each;
    }
    return room;
  }
  for (let i = 0; i < now.nodes.length; i++) {
    room.members += membersOn(now, now.nodes[i]!, part, part.members);
  }
  return room;
}

function roomEnough(room: Room, shape: Shape, sketch: Sketch): boolean {
  if (room.exact) return room.members >= shape.members;
  return sketch.gpusFreeTotal >= shape.gpusWhole;
}

function giveBack(sketch: Sketch, view: PoolView, jobIdx: number, shape: Shape, room: Room): void {
  held.clear();
  view.holdings(jobIdx, held);
  const part = shape.parts[0]!;
  for (let row = 0; row < held.length; row++) {
    if (!room.exact) {
      giveHolding(sketch, view.jobs, jobIdx, held, row);
      continue;
    }
    const node = held.node[row]!;
    room.members -= roomOn(sketch, node, part);
    giveHolding(sketch, view.jobs, jobIdx, held, row);
    room.members += roomOn(sketch, node, part);
  }
}

/** As `membersOn`, quicker where only devices matter: it is asked twice for each row that is given back. */
function roomOn(sketch: Sketch, node: number, part: Part): number {
  if (!part.devicesOnly) return membersOn(sketch, node, part, part.members);
  const free = sketch.gpusFree[node]!;
  if (free < part.gpus || sketch.nodeState[node] !== NodeStateCode.open) return 0;
  return part.ownNode ? 1 : Math.min(part.members, Math.floor(free / part.gpus));
}
