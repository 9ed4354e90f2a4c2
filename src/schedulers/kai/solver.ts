/**
 * Room by evictions, found by simulation: victims leave one after another, in their order, until the job fits; then those whose own place is still free stay after all. Nothing
 * is evicted unless the job fits, so nobody leaves in vain. Simulated only once what is free and freed would do in sum, then after ever larger steps. With `move` the
 * scenario holds only if every victim finds another place. O(victims × a search) at worst.
 * Source: kai-scheduler/KAI-Scheduler `pkg/scheduler/actions/common/solvers`.
 */
import { Grant } from "../../engine/grant.ts";
import { JobStateCode } from "../../model/states.ts";
import {
  type Amounts,
  addAmounts,
  CPU,
  GPU,
  MEMORY,
} from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { NodeBoard } from "../../scheduling/kubernetes/podGroups/nodeBoard.ts";
import { Placing } from "../../scheduling/placement/placing.ts";
import { pipeline } from "./allocate.ts";
import { findPlace } from "./place.ts";
import { chargeUp, futureOf, giveAll, groupAt, type Session } from "./session.ts";
import { queueOf, takeStock } from "./state.ts";
import type { Turn } from "./turns.ts";

const place = new Placing();
const elsewhere = new Placing();
const holdings = new Grant();

export interface Search {
  /** The next victim under the state of the session as it is now; −1: there is none. */
  readonly next: () => number;
  readonly move: boolean;
  readonly most: number;
  readonly stopReason: number;
}

/** Victims take longer to try than to count: after a failure so many more (of a hundred) leave before the next trial. */
const STEP_PERCENT = 25;

/** True where room was found: the victims are told to leave, and a place is kept for the job. */
export function solve(
  session: Session,
  { jobIdx, queueIdx, request }: Turn,
  search: Search,
): boolean {
  const board = futureOf(session);
  const group = groupAt(session, jobIdx);
  const room = [board.sketch.gpusFreeTotal, sumOf(session, CPU), sumOf(session, MEMORY)];
  const victims: number[] = [];
  board.begin();
  let tryAt = 0;
  while (victims.length < search.most) {
    const victim = search.next();
    if (victim < 0) break;
    const amounts = heldBy(session, victim);
    giveAll(session, board, victim);
    chargeUp(session, queueOf(session.view, session.state, victim), amounts, -1, false);
    addAmounts(room, amounts);
    victims.push(victim);
    if (victims.length < tryAt || !covers(room, request)) continue;
    board.begin();
    if (findPlace(session, board, jobIdx, group, group.least, place)) {
      const leaving = withoutSpared(session, board, victims);
      if (!search.move || allMove(session, board, leaving)) {
        board.keep();
        board.keep();
        evict(session, leaving, jobIdx, search.stopReason);
        pipeline(session, jobIdx, queueIdx, group, place);
        return true;
      }
      for (const one of victims) if (!leaving.includes(one)) recharge(session, one, -1);
    }
    board.undo();
    tryAt = victims.length + Math.max(1, Math.floor((victims.length * STEP_PERCENT) / 100));
  }
  board.undo();
  for (const victim of victims) recharge(session, victim, 1);
  return false;
}

function recharge(session: Session, victim: number, sign: number): void {
  const queueIdx = queueOf(session.view, session.state, victim);
  chargeUp(session, queueIdx, heldBy(session, victim), sign, false);
}

function sumOf({ view }: Session, at: number): number {
  const free = at === CPU ? view.cpuMilliFree : view.memMiBFree;
  return view.nodes.reduce((sum, node) => sum + free[node]!, 0);
}

function covers(room: Amounts, request: Amounts): boolean {
  // Parts of devices may find room where no whole device is free.
  return request.every((asked, at) => (at === GPU ? Math.floor(asked) : asked) <= room[at]! + 1e-6);
}

function heldBy(session: Session, jobIdx: number): number[] {
  const { each } = groupAt(session, jobIdx);
  const { members } = session.state.runs.get(jobIdx)!;
  const amounts = [0, 0, 0];
  for (const [at, one] of each.entries()) addAmounts(amounts, one, members[at]!);
  return amounts;
}

/** The most important victims first: who still fits where it is stays. */
function withoutSpared(session: Session, board: NodeBoard, victims: readonly number[]): number[] {
  const leaving: number[] = [];
  for (const victim of [...victims].reverse()) {
    if (takeBack(session, board, victim)) recharge(session, victim, 1);
    else leaving.push(victim);
  }
  return leaving.reverse();
}

/** A job takes its own place again, where nobody else has it; jobs with parts of devices do not try. */
function takeBack({ view }: Session, board: NodeBoard, jobIdx: number): boolean {
  holdings.clear();
  view.holdings(jobIdx, holdings);
  const need = new Map<number, number[]>();
  for (let row = 0; row < holdings.length; row++) {
    if (holdings.part[row]! > 0) return false;
    const node = holdings.node[row]!;
    const sum = need.get(node) ?? [0, 0, 0];
    addAmounts(sum, [holdings.count[row]!, holdings.cpuMilli[row]!, holdings.memMiB[row]!]);
    need.set(node, sum);
  }
  const { sketch } = board;
  for (const [node, [gpus, cpuMilli, memMiB]] of need) {
    const fits =
      gpus! <= sketch.gpusFree[node]! &&
      cpuMilli! <= sketch.cpuMilliFree[node]! &&
      memMiB! <= sketch.memMiBFree[node]!;
    if (!fits) return false;
  }
  for (const [node, [gpus, cpuMilli, memMiB]] of need) {
    board.touch(node);
    sketch.gpusFree[node] = sketch.gpusFree[node]! - gpus!;
    sketch.gpusFreeTotal -= gpus!;
    sketch.cpuMilliFree[node] = sketch.cpuMilliFree[node]! - cpuMilli!;
    sketch.memMiBFree[node] = sketch.memMiBFree[node]! - memMiB!;
    takeLowest(board, node, gpus!);
    board.changed(node);
  }
  return true;
}

/** Marks the lowest free devices of a node as in use: those that trials have not given away. */
function takeLowest({ sketch }: NodeBoard, node: number, gpus: number): void {
  if (!sketch.withParts) return;
  let left = gpus;
  const end = sketch.cluster.deviceBase[node + 1]!;
  for (let device = sketch.cluster.deviceBase[node]!; device < end && left > 0; device++) {
    if (sketch.deviceUsed[device] !== 0) continue;
    sketch.deviceUsed[device] = 1_000;
    left--;
  }
}

/** Does every victim find another place? */
function allMove(session: Session, board: NodeBoard, leaving: readonly number[]): boolean {
  return leaving.every((victim) => {
    const { members } = session.state.runs.get(victim)!;
    const group = groupAt(session, victim);
    return findPlace(session, board, victim, group, members, elsewhere, true);
  });
}

function evict(
  session: Session,
  victims: readonly number[],
  forJobIdx: number,
  stopReason: number,
): void {
  const { view, state, act, setup } = session;
  for (const jobIdx of victims) {
    const graceMs = view.jobs.kubernetes?.get(jobIdx)?.terminationGraceMs ?? setup.graceMs;
    act.evict(jobIdx, "requeue", graceMs, forJobIdx, stopReason);
    takeStock(view, state, jobIdx);
    session.decided++;
    if (view.jobState[jobIdx] === JobStateCode.ending) state.ending.add(jobIdx);
    else state.grown++;
  }
}
