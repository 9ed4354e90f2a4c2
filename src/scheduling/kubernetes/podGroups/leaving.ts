/**
 * Single pods that were told to leave while their group goes on: they hold their devices for the grace period, then they are taken away by name of their node. Until then they count no
 * more for queues, and their room as room to come. Kept in order of time. All O(pods that are leaving).
 */
import { Grant } from "../../../engine/grant.ts";
import type { Actions, PoolView } from "../../../engine/view.ts";
import { NEVER_MS } from "../../../model/units.ts";
import type { Amounts } from "./amounts.ts";
import type { NodeBoard } from "./nodeBoard.ts";

const held = new Grant();

export interface LeavingPod {
  readonly jobIdx: number;
  readonly component: number;
  readonly node: number;
  readonly atMs: number;
  readonly forJobIdx: number;
}

/** Members of a component of a job that are leaving. */
export function leavingOf(
  leaving: readonly LeavingPod[],
  jobIdx: number,
  component: number,
): number {
  return leaving.filter((pod) => pod.jobIdx === jobIdx && pod.component === component).length;
}

/** Takes those away whose time has come; returns their jobs. */
export function takeAway(
  view: PoolView,
  act: Actions,
  leaving: LeavingPod[],
): { readonly left: LeavingPod[]; readonly jobs: readonly number[] } {
  const due = leaving.filter(({ atMs }) => atMs <= view.nowMs);
  if (due.length === 0) return { left: leaving, jobs: [] };
  for (const { jobIdx, component, node, forJobIdx } of due) {
    // Where the others of its group were lost meanwhile, the group goes with it.
    if (isAllItHolds(view, jobIdx, node)) act.evict(jobIdx, "requeue", 0, forJobIdx);
    else act.evictMembers(jobIdx, component, node, 1, forJobIdx);
  }
  return {
    left: leaving.filter(({ atMs }) => atMs > view.nowMs),
    jobs: [...new Set(due.map(({ jobIdx }) => jobIdx))],
  };
}

/** One member, on this node. */
function isAllItHolds(view: PoolView, jobIdx: number, node: number): boolean {
  held.clear();
  view.holdings(jobIdx, held);
  let members = 0;
  for (let row = 0; row < held.length; row++) members += held.members[row]!;
  return members === 1 && held.node[0] === node;
}

export function nextLeavingMs(leaving: readonly LeavingPod[]): number {
  return leaving.reduce((ms, { atMs }) => Math.min(ms, atMs), NEVER_MS);
}

/** Room on a node of a board grows (or shrinks); parts of a device count only as they fill it. */
export function shiftRoom(
  board: NodeBoard,
  node: number,
  [gpus = 0, cpuMilli = 0, memMiB = 0]: Amounts,
  sign: number,
): void {
  const { sketch } = board;
  const whole = sign > 0 ? Math.floor(gpus) : Math.ceil(gpus);
  board.touch(node);
  sketch.gpusFree[node] = sketch.gpusFree[node]! + sign * whole;
  sketch.gpusFreeTotal += sign * whole;
  sketch.cpuMilliFree[node] = sketch.cpuMilliFree[node]! + sign * cpuMilli;
  sketch.memMiBFree[node] = sketch.memMiBFree[node]! + sign * memMiB;
  board.changed(node);
}
