/**
 * Room by evictions, found by simulation: victims leave one after another, in their order, until the job fits; then those whose own place is still free stay after all. Nothing
 * is evicted unless the job fits, so nobody leaves in vain. Simulated only once what is free and freed would do in sum, then each time that twice as many have left. With `move` the
 * scenario holds only if every victim finds another place. O(victims × a search) at worst.
 * Source: kai-scheduler/KAI-Scheduler `pkg/scheduler/actions/common/solvers`.
 */
import {
  type Amounts,
  addAmounts,
  CPU,
  GPU,
  MEMORY,
} from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { NodeBoard } from "../../scheduling/kubernetes/podGroups/nodeBoard.ts";
import { Placing } from "../../scheduling/placement/placing.ts";
import { futureOf, groupAt } from "../podGroups/session.ts";
import { pipeline } from "./allocate.ts";
import { findPlace } from "./place.ts";
import { chargeUp, restore, type Session } from "./session.ts";
import type { Turn } from "./turns.ts";
import { victimsInOrder, type WhoMay } from "./victimOrder.ts";
import { evict, release, takeBack, type Victim } from "./victims.ts";

const place = new Placing();
const elsewhere = new Placing();

export interface Search {
  /** Who may be asked to leave for this job. */
  readonly who: (turn: Turn) => WhoMay;
  /** May all of these leave, now that they are off the books? */
  readonly holds?: (turn: Turn, leaving: readonly Victim[]) => boolean;
  readonly move: boolean;
  readonly most: number;
  readonly stopReason: number;
}

/** True where room was found: the victims are told to leave, and a place is kept for the job. */
export function solve(session: Session, turn: Turn, search: Search): boolean {
  const { jobIdx, request } = turn;
  const next = victimsInOrder(session, search.who(turn));
  const board = futureOf(session);
  const room = [
    board.sketch.gpusFreeTotal,
    request[CPU]! > 0 ? sumOf(session, CPU) : 0,
    request[MEMORY]! > 0 ? sumOf(session, MEMORY) : 0,
  ];
  const victims: Victim[] = [];
  const before = session.held.flat();
  board.begin();
  let tryAt = 1;
  let tried = 0;
  for (let isLast = false; !isLast; ) {
    const victim = victims.length < search.most ? next() : null;
    isLast = victim === null;
    if (victim !== null) {
      release(session, board, victim);
      charge(session, victim, -1);
      addAmounts(room, victim.amounts);
      victims.push(victim);
    }
    // When nobody is left to go, all of them are tried once more.
    const isTurn = isLast ? tried < victims.length : victims.length >= tryAt;
    if (!isTurn || !covers(room, request)) continue;
    const leaving = scenario(session, board, turn, victims, search);
    if (leaving !== null) {
      board.keep();
      evict(session, leaving, jobIdx, search.stopReason);
      pipeline(session, turn, place);
      const { roomMadeFor } = session.state;
      roomMadeFor.set(jobIdx, (roomMadeFor.get(jobIdx) ?? 0) + 1);
      session.bounds.clear();
      return true;
    }
    tried = victims.length;
    tryAt = victims.length * 2;
  }
  board.undo();
  restore(session, before);
  return false;
}

/** Who really has to leave so that the job fits; null where it does not. The board keeps the scenario only if it holds. */
function scenario(
  session: Session,
  board: NodeBoard,
  turn: Turn,
  victims: readonly Victim[],
  { move, holds }: Search,
): Victim[] | null {
  const { jobIdx, wanted } = turn;
  const group = groupAt(session, jobIdx);
  board.begin();
  if (findPlace(session, board, jobIdx, group, wanted, place)) {
    const leaving: Victim[] = [];
    const staying: Victim[] = [];
    // The most important first: who still fits where it is stays.
    for (let at = victims.length - 1; at >= 0; at--) {
      const victim = victims[at]!;
      const stays = takeBack(board, victim);
      (stays ? staying : leaving).push(victim);
    }
    for (const victim of staying) charge(session, victim, 1);
    if ((!move || allMove(session, board, leaving)) && (holds?.(turn, leaving) ?? true)) {
      board.keep();
      return leaving.reverse();
    }
    for (const victim of staying) charge(session, victim, -1);
  }
  board.undo();
  return null;
}

/** Does every victim find another place? */
function allMove(session: Session, board: NodeBoard, leaving: readonly Victim[]): boolean {
  return leaving.every(({ run: { jobIdx, members } }) => {
    const group = groupAt(session, jobIdx);
    return findPlace(session, board, jobIdx, group, members, elsewhere, true);
  });
}

function charge(session: Session, { run, amounts }: Victim, sign: number): void {
  chargeUp(session, run.queueIdx, amounts, sign, false);
}

function sumOf({ view }: Session, at: number): number {
  const free = at === CPU ? view.cpuMilliFree : view.memMiBFree;
  return view.nodes.reduce((sum, node) => sum + free[node]!, 0);
}

function covers(room: Amounts, request: Amounts): boolean {
  // Parts of devices may find room where no whole device is free.
  return request.every((asked, at) => (at === GPU ? Math.floor(asked) : asked) <= room[at]! + 1e-6);
}
