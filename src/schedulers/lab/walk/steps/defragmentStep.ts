/**
 * Defragmentation in the walk: before the queue is gone through, at most once in `defragmentEveryMs`, running jobs are moved together for the
 * first waiting job that would fit by its number of devices but not where they are (`scheduling/placement/defragment.ts`). A job that
 * moves keeps its work and stands still for `defragmentCostMs`. Of those that wait only the earliest few are looked at.
 */
import { Grant } from "../../../../engine/grant.ts";
import type { Actions, PoolView } from "../../../../engine/view.ts";
import type { PoolSettings } from "../../../../model/policy.ts";
import { StartReasonCode } from "../../../../model/reasons.ts";
import { JobStateCode } from "../../../../model/states.ts";
import { NEVER_MS } from "../../../../model/units.ts";
import type { Move } from "../../../../scheduling/placement/defragment.ts";
import { planMoves } from "../../../../scheduling/placement/defragment.ts";
import type { Shapes } from "../../../../scheduling/placement/shapes.ts";
import { canFitNow } from "../../fits.ts";
import type { StepPart } from "../parts.ts";

/** Waiting jobs that a round looks at. */
const LOOKED_AT = 8;

export interface DefragmentState {
  readonly waiting: Set<number>;
  /** Something was given, given back or queued since the last round. */
  changed: boolean;
  nextMs: number;
  /** For whom others were moved last (−1 = nobody), and when. */
  forJobIdx: number;
  movedMs: number;
}

const grant = new Grant();

function round(
  state: DefragmentState,
  view: PoolView,
  { settings }: PoolSettings,
  shapes: Shapes,
  act: Actions,
): void {
  if (view.nowMs < state.nextMs || !state.changed || state.waiting.size === 0) return;
  state.changed = false;
  const { submitMs } = view.jobs.at;
  const first = [...state.waiting]
    .sort((a, b) => submitMs[a]! - submitMs[b]! || a - b)
    .slice(0, LOOKED_AT);
  for (const jobIdx of first) {
    const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
    if (shape.gpusWhole > view.gpusFreeTotal || view.jobState[jobIdx] === JobStateCode.placed)
      continue;
    if (canFitNow(view, shapes, jobIdx)) continue;
    const moves = planMoves(view, shapes, shape, Number(settings["defragmentMoves"]));
    if (moves.length === 0) continue;
    const moved = new Set<number>();
    for (const move of moves) if (carryOut(view, shapes, act, move, jobIdx)) moved.add(move.jobIdx);
    state.forJobIdx = jobIdx;
    state.movedMs = view.nowMs;
    const costMs = Number(settings["defragmentCostMs"]);
    for (const movedIdx of moved) if (costMs > 0) act.checkpoint(movedIdx, costMs);
    state.nextMs = view.nowMs + Number(settings["defragmentEveryMs"]);
    return;
  }
}

function carryOut(
  view: PoolView,
  shapes: Shapes,
  act: Actions,
  move: Move,
  forJobIdx: number,
): boolean {
  const shape = shapes.list[shapes.shapeOfJob[move.jobIdx]!]!;
  grant.clear();
  for (const [i, partIdx] of move.parts.entries()) {
    const members = move.members[i]!;
    const gpus = members * shape.parts[partIdx]!.gpus;
    if (!view.takeDevices(move.toNode, gpus, partIdx, members, grant)) return false;
  }
  act.move(move.jobIdx, move.fromNode, grant, forJobIdx);
  return true;
}

export const defragmentStep: StepPart<DefragmentState> = {
  applies: (_view, { settings }) => settings["defragment"] === true,
  create: (view) => {
    const waiting = view.waiting();
    return {
      waiting: new Set(waiting.at.subarray(0, waiting.length)),
      changed: true,
      nextMs: view.nowMs,
      forJobIdx: -1,
      movedMs: -1,
    };
  },
  copy: (state) => ({ ...state, waiting: new Set(state.waiting) }),
  hooks: {
    queued(state, _view, jobIdx) {
      state.waiting.add(jobIdx);
      state.changed = true;
    },
    withdrawn: (state, _view, jobIdx) => void state.waiting.delete(jobIdx),
    given(state, _view, jobIdx) {
      state.waiting.delete(jobIdx);
      state.changed = true;
    },
    released(state) {
      state.changed = true;
    },
  },
  wakeMs: (state, view) =>
    state.changed && state.waiting.size > 0 && state.nextMs > view.nowMs ? state.nextMs : NEVER_MS,
  startReason: (state, view, jobIdx) =>
    jobIdx === state.forJobIdx && state.movedMs === view.nowMs ? StartReasonCode.movedFor : -1,
  before: round,
};
