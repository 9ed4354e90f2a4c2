/** What a pass with conservative backfill works with, and what its parts share. */
import type { Actions, PoolView } from "../../engine/view.ts";
import { NEVER_MS } from "../../model/units.ts";
import type { Plan } from "../../scheduling/backfill/plans.ts";
import type { Profile } from "../../scheduling/backfill/profile.ts";
import type { Sketch } from "../../scheduling/placement/capacity.ts";
import type { Shape, Shapes } from "../../scheduling/placement/shapes.ts";
import { wholeShape } from "./runsProfile.ts";
import type { LabState } from "./state.ts";

export interface PlanDesk {
  readonly view: PoolView;
  readonly state: LabState;
  readonly shapes: Shapes;
  readonly act: Actions;
  readonly flat: boolean;
  readonly profile: Profile;
  readonly sketch: Sketch;
}

/** The shape by which a job is planned. */
export function plannedShape(desk: PlanDesk, jobIdx: number): Shape {
  const shape = desk.shapes.list[desk.shapes.shapeOfJob[jobIdx]!]!;
  return desk.shapes.hasParts ? wholeShape(shape) : shape;
}

/** Tells when a job is expected to start, if a time is known. */
export function announce(desk: PlanDesk, plan: Plan): void {
  if (plan.startMs !== NEVER_MS) desk.act.plan(plan.jobIdx, plan.startMs);
}
