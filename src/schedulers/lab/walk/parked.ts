/**
 * Jobs that a gate holds, by the ceiling that holds them. A parked job keeps its place in the order but is passed over, since its verdict cannot
 * change before its ceiling has room for it; so a pass costs what could start, not what waits. A gate says which ceiling holds a job and how much
 * room that has (`GatePart.parking`); asking too often is harmless, since the verdict is asked for all the same at the job's turn.
 *
 *     ceiling "team 3"  ▸ lane 0 ▸ job 8 (asks 2) ▸ job 11 (asks 8) ▸ …     in the order's order, so that the first with room is found in O(log n)
 *
 * What a job is told stays the reason of the ceiling that parked it, also if an earlier gate would hold it too by now. State is plain data.
 */
import type { PoolView } from "../../../engine/view.ts";
import { type Cursor, createCursor, rowAfter } from "../../../scheduling/ordering/sortedCursor.ts";
import {
  copySortedJobs,
  createSortedJobs,
  insertJob,
  REST_NEED,
  removeAnywhere,
  removeJob,
  type SortedJobs,
} from "../../../scheduling/ordering/sortedJobs.ts";
import type { Shapes } from "../../../scheduling/placement/shapes.ts";
import { GATES } from "./gates/gates.ts";
import type { WalkOrder } from "./orders.ts";
import type { GatePart, Parking } from "./parts.ts";
import type { Held, WalkState } from "./state.ts";

/** Jobs held by one ceiling. */
export interface Ceiling {
  /** Place of the gate among those in use. */
  readonly gate: number;
  readonly key: number;
  /** By lane of the order; where the order has no fixed places, all in lane 0 by submit time. */
  readonly lanes: SortedJobs[];
}

interface Place {
  readonly ceiling: number;
  readonly lane: number;
  readonly key: number;
  readonly reason: number;
}

export interface Parked {
  readonly placeOf: Map<number, Place>;
  readonly ceilings: Map<number, Ceiling>;
  /** Those that may have room for somebody. */
  readonly open: Set<number>;
}

const MILLI = 1_000;
const EMPTY_MOST = 64;

export function noneParked(): Parked {
  return { placeOf: new Map(), ceilings: new Map(), open: new Set() };
}

/** O(parked). */
export function copyParked(parked: Parked): Parked {
  const ceilings = new Map<number, Ceiling>();
  for (const [id, ceiling] of parked.ceilings)
    ceilings.set(id, { ...ceiling, lanes: ceiling.lanes.map(copySortedJobs) });
  return { placeOf: new Map(parked.placeOf), ceilings, open: new Set(parked.open) };
}

/** More than there are gates. */
const GATES_MOST = 8;

function idOf(gate: number, key: number): number {
  return key * GATES_MOST + gate;
}

/** Nodes have come or gone: any ceiling may have moved. O(ceilings). */
export function openAll({ parked }: WalkState): void {
  for (const id of parked.ceilings.keys()) parked.open.add(id);
}

export function gateOf(state: WalkState, { gate }: Ceiling): [GatePart<unknown>, Held] {
  const held = state.gates[gate]!;
  return [GATES[held.part]!, held];
}

/** The gate at this place holds the job: it rests, if the gate says by which ceiling. O(log parked). */
export function park(
  state: WalkState,
  view: PoolView,
  shapes: Shapes,
  order: WalkOrder,
  gate: number,
  jobIdx: number,
  reason: number,
): void {
  const { parked } = state;
  const held = state.gates[gate]!;
  const { parking } = GATES[held.part]!;
  if (parking === undefined || order.rest === undefined) return;
  const ceilingKey = parking.heldBy(held.state, view, jobIdx);
  const id = ceilingKey === null ? -1 : idOf(gate, ceilingKey);
  const before = parked.placeOf.get(jobIdx);
  // The order may have forgotten that it rests: it was asked, for it came up.
  if (before !== undefined && before.ceiling === id && before.reason === reason) {
    order.rest(state.order, view, jobIdx, true);
    return;
  }
  if (before !== undefined) unpark(state, view, order, jobIdx);
  if (ceilingKey === null) return;
  let ceiling = parked.ceilings.get(id);
  if (ceiling === undefined) {
    ceiling = { gate, key: ceilingKey, lanes: [] };
    parked.ceilings.set(id, ceiling);
  }
  const [lane, key] = order.placeOf?.(state.order, view, jobIdx) ?? [0, 0];
  while (ceiling.lanes.length <= lane) ceiling.lanes.push(createSortedJobs(1));
  const asked = parking.asks(held.state, view, ceilingKey, jobIdx);
  const { submitMs } = view.jobs.at;
  const timed = parking.measure(held.state, ceilingKey) === "time";
  // Never more than what the shape needs, so that the bounds of the walk leave out nobody whom they should not.
  const need = Math.min(
    shapes.list[shapes.shapeOfJob[jobIdx]!]!.gpusWhole,
    Math.floor(asked / MILLI),
  );
  insertJob(
    ceiling.lanes[lane]!,
    key,
    submitMs[jobIdx]!,
    jobIdx,
    timed ? 0 : need,
    timed ? asked : view.limitMs(jobIdx),
  );
  parked.placeOf.set(jobIdx, { ceiling: id, lane, key, reason });
  parked.open.add(id);
  order.rest(state.order, view, jobIdx, true);
}

/** The job is looked at again in every pass, or waits no longer. O(log parked). */
export function unpark(state: WalkState, view: PoolView, order: WalkOrder, jobIdx: number): void {
  const { parked } = state;
  const place = parked.placeOf.get(jobIdx);
  if (place === undefined) return;
  parked.placeOf.delete(jobIdx);
  const ceiling = parked.ceilings.get(place.ceiling)!;
  const list = ceiling.lanes[place.lane]!;
  if (!removeJob(list, place.key, view.jobs.at.submitMs[jobIdx]!, jobIdx))
    removeAnywhere(list, jobIdx);
  if (list.length === 0) forgetEmpty(parked, place.ceiling, ceiling);
  order.rest?.(state.order, view, jobIdx, false);
}

function holdsAny({ lanes }: Ceiling): boolean {
  for (let lane = 0; lane < lanes.length; lane++) if (lanes[lane]!.length > 0) return true;
  return false;
}

/** A few empty lists are kept, for they are filled again soon. */
function forgetEmpty(parked: Parked, id: number, ceiling: Ceiling): void {
  if (holdsAny(ceiling)) return;
  parked.open.delete(id);
  if (parked.ceilings.size > EMPTY_MOST) parked.ceilings.delete(id);
}

export function unparkAll(state: WalkState, view: PoolView, order: WalkOrder): void {
  for (const jobIdx of [...state.parked.placeOf.keys()]) unpark(state, view, order, jobIdx);
}

/** What a job held has changed: its ceilings may have room. O(its ceilings). */
export function openCeilings(state: WalkState, view: PoolView, jobIdx: number): void {
  const { parked } = state;
  if (parked.placeOf.size === 0) return;
  for (const [gate, { part, state: own }] of state.gates.entries()) {
    for (const key of GATES[part]!.parking?.touchedBy?.(own, view, jobIdx) ?? []) {
      const id = idOf(gate, key);
      const ceiling = parked.ceilings.get(id);
      if (ceiling !== undefined && holdsAny(ceiling)) parked.open.add(id);
    }
  }
}

/** A parked job was told something else: the next pass looks at it. */
export function noteTold(
  state: WalkState,
  view: PoolView,
  order: WalkOrder,
  jobIdx: number,
  reason: number,
): void {
  const place = state.parked.placeOf.get(jobIdx);
  if (place !== undefined && place.reason !== reason) unpark(state, view, order, jobIdx);
}

/** Bounds of a search for somebody whom a ceiling has room for. */
export interface Bounds {
  needMost: number;
  limitMost: number;
  longNeedMost: number;
}

/** Narrows the bounds to those for whom the ceiling has room; false if it has room for nobody. */
export function boundBy(
  parking: Parking<unknown>,
  own: unknown,
  view: PoolView,
  key: number,
  bounds: Bounds,
): boolean {
  const room = parking.room(own, view, key);
  const measure = parking.measure(own, key);
  if (measure === "time") {
    bounds.needMost = REST_NEED;
    bounds.limitMost = room;
    bounds.longNeedMost = -1;
    return true;
  }
  if (measure === "jobs") return room >= 1;
  const most = Math.floor(room / MILLI);
  bounds.needMost = Math.min(bounds.needMost, most);
  bounds.longNeedMost = Math.min(bounds.longNeedMost, most);
  return most >= 0;
}

const begin = createCursor();

/** The first job of the ceiling after a place (lane, and the cursor within it; lane −1: of all) within the bounds by its columns; −1 if there is none. */
export function firstWithin(
  { lanes }: Ceiling,
  fromLane: number,
  cursor: Cursor,
  { needMost, limitMost, longNeedMost }: Bounds,
): number {
  for (let lane = Math.max(0, fromLane); lane < lanes.length; lane++) {
    const list = lanes[lane]!;
    const from = lane === fromLane ? cursor : begin;
    const row = rowAfter(list, from, needMost, limitMost, longNeedMost);
    if (row >= 0) return list.jobIdx[row]!;
  }
  return -1;
}

/** After a pass: gates whose ceilings widen with time alone hear of the least that somebody waits for. O(such ceilings × their blocks). */
export function tellLeast(state: WalkState): void {
  for (const ceiling of state.parked.ceilings.values()) {
    const [gate, held] = gateOf(state, ceiling);
    if (gate.parking?.waitsFor === undefined) continue;
    if (gate.parking.measure(held.state, ceiling.key) !== "time") continue;
    let least = Number.POSITIVE_INFINITY;
    for (const list of ceiling.lanes) {
      for (let position = 0; position < list.blockCount; position++)
        least = Math.min(least, list.limitLeast[list.order[position]!]!);
    }
    gate.parking.waitsFor(held.state, ceiling.key, least);
  }
}
