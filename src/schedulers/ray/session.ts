/** What one pass works with, and what both kinds of passes say and count. */
import { Grant } from "../../engine/grant.ts";
import type { Actions, PoolView } from "../../engine/view.ts";
import { StartReasonCode } from "../../model/reasons.ts";
import { JobStateCode } from "../../model/states.ts";
import type { Lane, Lanes } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { type Board, boardOf } from "./board.ts";
import { type CallClass, type CallClasses, callsOf } from "./calls.ts";
import type { RaySetup } from "./setup.ts";
import { leaveLine, missing, type RayState, takeStock } from "./state.ts";

export interface Session {
  readonly view: PoolView;
  readonly act: Actions;
  readonly state: RayState;
  readonly setup: RaySetup;
  readonly board: Board;
  readonly classes: CallClasses;
}

/** Filled and read in one decision. */
export const grant = new Grant();

export function openSession(view: PoolView, state: RayState, act: Actions): Session {
  const { setup } = state;
  const board = boardOf(view, setup, state.absent);
  return { view, act, state, setup, board, classes: callsOf(view.jobs, view.cluster) };
}

export const classAt = ({ classes }: Session, lane: Lane): CallClass =>
  classes.list[lane.classIdx]!;

/** Lines with somebody in them, the one whose head came first first. O(lines log lines). */
export function openLines(
  { view }: Session,
  lanes: Lanes,
  blocked: ReadonlyMap<number, number>,
): Lane[] {
  const { submitMs } = view.jobs.at;
  const head = (lane: Lane) => lane.jobs[lane.first]!;
  return lanes.list
    .filter(({ jobs, first, classIdx }) => first < jobs.length && !blocked.has(classIdx))
    .sort((one, other) => submitMs[head(one)]! - submitMs[head(other)]! || head(one) - head(other));
}

/** What is in `grant` becomes real; a job that has all its members leaves its line. `passes`: others who came before it wait. */
export function give(session: Session, jobIdx: number, startupMs: number, passes: boolean): void {
  const { view, act, state, board, classes } = session;
  const why = passes ? StartReasonCode.skipped : StartReasonCode.inOrder;
  act.place(jobIdx, grant, why, startupMs);
  takeStock(view, state, jobIdx);
  for (let row = 0; row < grant.length; row++) {
    const node = grant.node[row]!;
    board.refresh(view, node);
    state.idleSinceMs[node] = -1;
  }
  if (missing(state, classes.list[classes.ofJob[jobIdx]!]!, jobIdx) < 0)
    leaveLine(view, state, jobIdx);
}

/** Nobody of this line is looked at until room has come; its head is told why. */
export function block(
  { view, act }: Session,
  blocked: Map<number, number>,
  lane: Lane,
  reason: number,
): void {
  blocked.set(lane.classIdx, reason);
  tell(view, act, lane.jobs[lane.first]!, reason);
}

const WAITS: readonly number[] = [JobStateCode.queued, JobStateCode.admitted, JobStateCode.placed];

/** Why a job waits, if it does: one that runs and could have more members is told nothing. */
export function tell(view: PoolView, act: Actions, jobIdx: number, reason: number): void {
  if (!WAITS.includes(view.jobState[jobIdx]!)) return;
  if (view.waitReason(jobIdx) !== reason) act.wait(jobIdx, reason);
}
