/** Why calls or a placement group wait, with what is short on how many workers, counted now. Changes nothing. O(nodes). */
import type { Explanation, PoolView } from "../../engine/view.ts";
import type { RayFacts } from "../../model/kubernetes/placementFacts.ts";
import { kubeReasonCode, WaitReasonCode } from "../../model/reasons.ts";
import { JobStateCode } from "../../model/states.ts";
import { NEVER_MS } from "../../model/units.ts";
import { laneOfJob, rankInLane } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { CPU, covers, GPU, isIn, MEMORY } from "../../scheduling/ray/resources.ts";
import { areComing } from "./autoscaler.ts";
import { type Board, boardOf } from "./board.ts";
import { type CallClass, WIDTH } from "./calls.ts";
import { classOf, countMissing, lanesOf, missing, type RayState } from "./state.ts";

export function explain(view: PoolView, state: RayState, jobIdx: number): Explanation {
  const calls = classOf(view, jobIdx);
  const lane = laneOfJob(lanesOf(state, calls), jobIdx);
  const blocked = calls.kind === "placementGroup" ? state.blockedGroups : state.blockedCalls;
  const board = boardOf(view, state.setup, state.absent);
  const ofLine = lane === null ? 0 : (blocked.get(lane.classIdx) ?? 0);
  return {
    reason: reasonOf(view, jobIdx, areComing(state, board, calls, ofLine), ofLine),
    gpusNeeded: calls.shape.gpuTotal,
    gpusFree: view.gpusFreeTotal,
    unit: "devices",
    unitsNeeded: calls.shape.gpuTotal,
    unitsFree: view.gpusFreeTotal,
    position: lane === null ? 0 : rankInLane(lane, view.jobs.at.submitMs, jobIdx),
    headJobIdx: lane === null ? -1 : lane.jobs[lane.first]!,
    reservedForJobIdx: -1,
    plannedMs: NEVER_MS,
    plannedNodes: [],
    frees: [],
    ...(lane === null ? {} : { counted: countedOf(view, state, calls, board, jobIdx) }),
  };
}

/** What it knows of the calls of a living job; null = nothing is left to say of it. O(1). */
export function rayFacts(view: PoolView, state: RayState, jobIdx: number): RayFacts | null {
  const jobState = view.jobState[jobIdx]!;
  if (jobState < JobStateCode.queued || jobState >= JobStateCode.ending) return null;
  const calls = classOf(view, jobIdx);
  const { kind, strategy, members } = calls;
  const missed = countMissing(state, calls, jobIdx);
  const failures = state.failures.get(jobIdx) ?? 0;
  return { system: "ray", kind, strategy, members, missing: missed, failures };
}

function reasonOf(view: PoolView, jobIdx: number, coming: boolean, ofLine: number): number {
  if (coming && ofLine > 0) return kubeReasonCode("rayWorkers");
  return ofLine || view.waitReason(jobIdx) || WaitReasonCode.nextPass;
}

/** "A placement group of 4 bundles (PACK): 1 of 8 workers has room for one: 7 with too few GPUs free." */
function countedOf(
  view: PoolView,
  state: RayState,
  calls: CallClass,
  board: Board,
  jobIdx: number,
): string {
  const first = roomOf(view, calls, board, Math.max(0, missing(state, calls, jobIdx)));
  // Bundles of a group start together: what counts are those that fit on fewest workers.
  const isWhole = calls.kind === "placementGroup" && !state.held.has(jobIdx);
  const { room, short } = (isWhole ? calls.requests : [])
    .map((_, component) => roomOf(view, calls, board, component))
    .reduce((least, one) => (one.room < least.room ? one : least), first);
  const parts = [...short]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([word, nodes]) => `${nodes} ${word}`);
  const tail = parts.length === 0 ? "" : `: ${parts.join(", ")}`;
  const coming = state.launches.length;
  const more =
    coming === 0 ? "" : ` ${coming} ${coming === 1 ? "worker is" : "workers are"} on the way.`;
  const never = isWhole ? neverWords(view, calls, board) : "";
  const able =
    board.known === 0
      ? "no worker is there"
      : never !== ""
        ? never
        : `${room} of ${board.known} workers can start one now${tail}`;
  return `${what(calls, countMissing(state, calls, jobIdx))}; ${able}.${more}`;
}

/** Why a strict group fits on no such workers, however empty; "" where it might. O(nodes). */
function neverWords(view: PoolView, { strategy, members, sum }: CallClass, board: Board): string {
  if (strategy === "STRICT_SPREAD" && members > board.known)
    return `each on a worker of its own, and there are ${board.known} workers`;
  if (strategy !== "STRICT_PACK") return "";
  const isLarge = (node: number) =>
    board.alive[node] !== 0 && covers(board, board.total, node, sum);
  if (view.nodes.some(isLarge)) return "";
  return `all of them on one worker ask for ${sum[GPU]! / 1_000} GPUs, and no worker has all that they ask for, even empty`;
}

/** Workers that can start a member of a component now, and what the others are short of. O(nodes). */
function roomOf(view: PoolView, calls: CallClass, board: Board, component: number) {
  const request = calls.requests[component]!;
  const mask = board.maskOf(calls, component);
  const short = new Map<string, number>();
  let room = 0;
  for (let i = 0; i < view.nodes.length; i++) {
    const node = view.nodes[i]!;
    if (board.alive[node] === 0) continue;
    if (!isIn(mask, node)) count(short, "of another model or label");
    else if (covers(board, board.available, node, request)) room++;
    else count(short, lack(board, node, request));
  }
  return { room, short };
}

function what({ kind, strategy, members }: CallClass, left: number): string {
  if (kind === "placementGroup")
    return left === members
      ? `A placement group of ${members} ${members === 1 ? "bundle" : "bundles"}, ${strategy}`
      : `${left} of ${members} bundles are lost, ${strategy}`;
  const word = kind === "actors" ? "actor" : "task";
  return left === 1 ? `1 ${word} waits` : `${left} ${word}s wait`;
}

function count(short: Map<string, number>, word: string): void {
  short.set(word, (short.get(word) ?? 0) + 1);
}

function lack({ available, total }: Board, node: number, request: Float64Array): string {
  const base = node * WIDTH;
  for (const [r, word] of [
    [GPU, "too few GPUs"],
    [CPU, "too few CPUs"],
    [MEMORY, "too little memory"],
  ] as const) {
    if (request[r]! > total[base + r]!) return `with ${word}, even empty`;
    if (request[r]! > available[base + r]!) return `with ${word} free`;
  }
  return "full";
}
