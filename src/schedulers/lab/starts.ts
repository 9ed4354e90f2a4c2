/** Starting a job: from a placing to a grant, to the engine, to the list of running jobs. */
import { assert } from "../../base/assert.ts";
import { Grant } from "../../engine/grant.ts";
import type { Actions, PoolView } from "../../engine/view.ts";
import { JobStateCode } from "../../model/states.ts";
import type { Capacity } from "../../scheduling/placement/capacity.ts";
import { grantPlacing } from "../../scheduling/placement/grantPlacing.ts";
import type { Wanted } from "../../scheduling/placement/placeShape.ts";
import { placeShape } from "../../scheduling/placement/placeShape.ts";
import { Placing } from "../../scheduling/placement/placing.ts";
import type { Shape, Shapes } from "../../scheduling/placement/shapes.ts";
import type { LabState } from "./state.ts";
import { addRun } from "./state.ts";

const grant = new Grant();
const held = new Grant();
/** Where the job that was looked at last would go; valid after `findPlace` returned true. */
export const place = new Placing();

/** Looks for a place for all members (or those still wanted) on a capacity. */
export function findPlace(
  state: LabState,
  capacity: Capacity,
  shape: Shape,
  wanted: Wanted,
): boolean {
  return placeShape(capacity, shape, wanted, state.placement, place);
}

/** Starts a job on a placing that is free now. The caller takes it out of the queue. */
export function startOn(
  state: LabState,
  view: PoolView,
  act: Actions,
  shape: Shape,
  jobIdx: number,
  placing: Placing,
  startReason: number,
): void {
  giveOn(view, act, shape, jobIdx, placing, startReason);
  addRun(state, view, jobIdx, view.jobs.at.gpuTotal[jobIdx]!);
}

/** Gives a job what a placing names, which is free now. */
export function giveOn(
  view: PoolView,
  act: Actions,
  shape: Shape,
  jobIdx: number,
  placing: Placing,
  startReason: number,
): void {
  act.place(jobIdx, grantOn(view, shape, placing), startReason);
}

/** What a placing names, which is free now, as a grant. Valid until the next call. */
export function grantOn(view: PoolView, shape: Shape, placing: Placing): Grant {
  assert(grantPlacing(view, shape, placing, grant), "a place was found that is not free");
  return grant;
}

/** Starts a job on a flat machine, where any free processors will do. */
export function startFlat(
  state: LabState,
  view: PoolView,
  act: Actions,
  shape: Shape,
  jobIdx: number,
  startReason: number,
): void {
  giveFlat(view, act, shape, jobIdx, startReason);
  addRun(state, view, jobIdx, shape.gpusWhole);
}

/** Gives a job processors of a flat machine. */
export function giveFlat(
  view: PoolView,
  act: Actions,
  shape: Shape,
  jobIdx: number,
  startReason: number,
): void {
  grant.clear();
  const node = view.nodes[0]!;
  for (let part = 0; part < shape.parts.length; part++) {
    const { members, gpus } = shape.parts[part]!;
    assert(view.takeDevices(node, members * gpus, part, members, grant), "too few processors");
  }
  act.place(jobIdx, grant, startReason);
}

/** Members of each part that a partly placed job still wants; null for a job that holds nothing. Valid until the next call. */
export function stillWanted(view: PoolView, shape: Shape, jobIdx: number): Wanted {
  if (view.jobState[jobIdx] !== JobStateCode.placed) return null;
  held.clear();
  view.holdings(jobIdx, held);
  const wanted = Int32Array.from(shape.parts, (part) => part.members);
  for (let row = 0; row < held.length; row++) {
    const part = held.component[row]!;
    wanted[part] = wanted[part]! - held.members[row]!;
  }
  return wanted;
}

/** Whether any free processors will do for every job: a flat machine and no job that asks for more than devices. */
export function isFlat(view: PoolView, shapes: Shapes): boolean {
  return view.cluster.flat && view.nodes.length === 1 && shapes.plainOnly;
}
