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

/** Of so many plans, the next to start, each move is written down; of the others those that gain this part of the time to go. */
const EXACT_PLANS = 32;
const TOLD_GAIN = 1 / 8;

/**
 * Tells when a job is expected to start, if a time is known: at first, when the promise breaks, and when it has gained enough.
 * So what is written is never earlier than what is promised, and never later by more than an eighth of the time to go then.
 */
export function announce(desk: PlanDesk, plan: Plan): void {
  const { startMs, toldMs } = plan;
  if (startMs === NEVER_MS) return;
  const gainMs = toldMs - startMs;
  if (gainMs < 0 || gainMs >= (toldMs - desk.view.nowMs) * TOLD_GAIN) tell(desk, plan);
}

/** Brings the promises of the plans that start next up to date. O(1): at most `EXACT_PLANS`. */
export function announceNext(desk: PlanDesk): void {
  const { plans } = desk.state;
  const count = Math.min(plans.length, EXACT_PLANS);
  for (let i = 0; i < count; i++) {
    const plan = plans[i]!;
    if (plan.startMs !== plan.toldMs) tell(desk, plan);
  }
}

function tell({ act }: PlanDesk, plan: Plan): void {
  if (plan.startMs === NEVER_MS) return;
  plan.toldMs = plan.startMs;
  act.plan(plan.jobIdx, plan.startMs);
}
