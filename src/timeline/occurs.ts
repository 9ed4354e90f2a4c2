/** Which things of the legend occur in a record, as bits: member states at their code, then lost work, failures, closed nodes, parts of devices. */
import { EndStateCode, MemberStateCode, NodeStateCode } from "../model/states.ts";
import {
  type Chunk,
  DecisionKindCode,
  endStateOf,
  memberStateOf,
  type OpenSet,
  partOf,
} from "../record/shapes.ts";
import { losesWork } from "./lostWork.ts";

export const Occurs = {
  lost: 1 << 8,
  failed: 1 << 9,
  closed: 1 << 10,
  part: 1 << 11,
  history: 1 << 12,
  boots: 1 << 13,
  moves: 1 << 14,
  device: 1 << 15,
  round: 1 << 16,
  cut: 1 << 17,
  admitted: 1 << 18,
} as const;

/** What decisions bring with them. `history`: some of the others, so nodes and rounds have more to tell. */
const BY_DECISION = [
  [DecisionKindCode.admit, Occurs.admitted],
  // Who has lent what it holds has no rectangles meanwhile.
  [DecisionKindCode.suspend, 1 << MemberStateCode.suspended],
  [DecisionKindCode.openNode, Occurs.history | Occurs.boots],
  [DecisionKindCode.handNode, Occurs.history | Occurs.moves],
  [DecisionKindCode.failDevice, Occurs.history | Occurs.device],
  [DecisionKindCode.repartition, Occurs.history | Occurs.cut],
  [DecisionKindCode.round, Occurs.history | Occurs.round],
] as const;

const known = new WeakMap<object, number>();

/** Each chunk is read once. O(chunks) when nothing is new. */
export function occursIn(chunks: readonly Chunk[], open: OpenSet | null): number {
  let bits = 0;
  for (const chunk of chunks) {
    let own = known.get(chunk);
    if (own === undefined) {
      own = occursInRects(chunk) | occursInRuns(chunk);
      for (const [kind, brings] of BY_DECISION)
        if (chunk.decisions.kind.includes(kind)) own |= brings;
      known.set(chunk, own);
    }
    bits |= own;
  }
  if (!open) return bits;
  const own = known.get(open) ?? occursInRects(open);
  known.set(open, own);
  return bits | own;
}

function occursInRects({ rects, nodeSpans }: Pick<Chunk, "rects" | "nodeSpans">): number {
  // A node that is not there is drawn by its absence, and says so itself.
  let bits = nodeSpans.state.some((state) => state !== NodeStateCode.unborn) ? Occurs.closed : 0;
  for (const rect of rects.bits) {
    bits |= 1 << memberStateOf(rect);
    if (partOf(rect) !== 0) bits |= Occurs.part;
    if (endStateOf(rect) === EndStateCode.nodeFailed) bits |= Occurs.failed;
  }
  return bits;
}

function occursInRuns({ runs }: Chunk): number {
  for (let row = 0; row < runs.run.length; row++)
    if (runs.run[row]! > 0 && losesWork(runs.endState[row]!, runs.stopReason[row]!))
      return Occurs.lost;
  return 0;
}
