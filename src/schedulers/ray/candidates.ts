/** Which nodes one member of a waiting job could go to now, and what takes each of the others away, by node group. Changes nothing. O(nodes). */
import type { PoolView } from "../../engine/view.ts";
import {
  CANDIDATE_RULES,
  type CandidateRow,
  type CandidateRule,
  type Candidates,
} from "../../model/lab/candidates.ts";
import { laneOfJob } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { covers, GPU } from "../../scheduling/ray/resources.ts";
import { type Board, boardOf } from "./board.ts";
import { type CallClass, WIDTH } from "./calls.ts";
import { classOf, countMissing, lanesOf, missing, type RayState } from "./state.ts";

export function candidates(view: PoolView, state: RayState, jobIdx: number): Candidates | null {
  const calls = classOf(view, jobIdx);
  if (laneOfJob(lanesOf(state, calls), jobIdx) === null) return null;
  const board = boardOf(view, state.setup, state.absent);
  const component = Math.max(0, missing(state, calls, jobIdx));
  const rows = new Map<number, CandidateRow & { left: number; members: number; nodes: number }>();
  for (const node of view.nodes) {
    const group = view.cluster.nodeGroup[node]!;
    let row = rows.get(group);
    if (row === undefined) {
      const removed = CANDIDATE_RULES.map(() => 0);
      row = { by: "class", index: group, nodes: 0, removed, left: 0, members: 0 };
      rows.set(group, row);
    }
    row.nodes++;
    const rule = removedBy(view, board, calls, component, node);
    if (rule === null) {
      row.left++;
      row.members += membersOn(board, calls, component, node);
    } else {
      const at = CANDIDATE_RULES.indexOf(rule);
      (row.removed as number[])[at] = row.removed[at]! + 1;
    }
  }
  return {
    rows: [...rows.values()],
    unit: "member",
    membersNeeded: countMissing(state, calls, jobIdx),
    components: calls.shape.parts.length,
    inOneRow: false,
    ceiling: 0,
    keptForJobIdx: -1,
    switchesMost: 0,
  };
}

/** The first thing that stands against a node; null = nothing does. */
function removedBy(
  view: PoolView,
  board: Board,
  calls: CallClass,
  component: number,
  node: number,
): CandidateRule | null {
  const request = calls.requests[component]!;
  if (board.alive[node] === 0) return "closed";
  if (calls.node !== "" && calls.kind !== "placementGroup" && !calls.soft)
    if (view.cluster.nodeNames[node] !== calls.node) return "named";
  if (calls.fits[component]![view.cluster.nodeGroup[node]!] === 0) return "labels";
  if (!covers(board, board.total, node, request)) return "size";
  const gpus = board.available[node * WIDTH + GPU]!;
  if (request[GPU]! > 0 && gpus === 0) return "devices";
  if (request[GPU]! > gpus) return "together";
  return covers(board, board.available, node, request) ? null : "cpuOrMemory";
}

function membersOn(board: Board, calls: CallClass, component: number, node: number): number {
  const request = calls.requests[component]!;
  let members = Number.POSITIVE_INFINITY;
  for (let r = 0; r < WIDTH; r++)
    if (request[r]! > 0)
      members = Math.min(members, Math.floor(board.available[node * WIDTH + r]! / request[r]!));
  if (calls.kind === "placementGroup" && calls.strategy === "STRICT_SPREAD") return 1;
  return Number.isFinite(members) ? members : calls.members;
}
