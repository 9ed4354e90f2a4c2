/**
 * A place for the members of a group, one after another: each goes to the node that scores best at that moment, beside those placed before it. This is how
 * Volcano and KAI go about it, and why a group can miss a place that another order would have found. Ties go to the node first in the list. O(members × nodes).
 */
import { takePlacing } from "../../placement/capacity.ts";
import { takeShares, takeSlices } from "../../placement/parts.ts";
import { Placing } from "../../placement/placing.ts";
import type { Shape } from "../../placement/shapes.ts";
import type { NodeBoard } from "./nodeBoard.ts";

const one = new Placing();

/** Where members may go, and what speaks for a node beyond its score. */
export interface Where {
  readonly nodes: ArrayLike<number>;
  /** Added to the score of each node (global index), or null. */
  readonly extra?: Float64Array | null;
  /** Nodes that carry a member of this component already, for members that each want a node of their own. */
  readonly taken: { keys(): Iterable<number> } | null;
}

/** Takes places out of the board for up to `count` members of a component, adds them to `into` and returns how many found one. */
export function placeMembers(
  board: NodeBoard,
  shape: Shape,
  partIdx: number,
  count: number,
  where: Where,
  into: Placing,
): number {
  const part = shape.parts[partIdx]!;
  const extra = where.extra ?? null;
  const best = board.bestFor(part);
  if (part.ownNode && where.taken !== null)
    for (const node of where.taken.keys()) best.leaveOut(node);
  const everywhere = where.nodes === board.sketch.nodes && extra === null;
  let placed = 0;
  for (; placed < count; placed++) {
    board.bestFor(part);
    const node = everywhere ? best.first : best.firstOf(where.nodes, extra);
    if (node < 0) break;
    one.clear();
    if (part.shareMilli > 0) takeShares(board.sketch, partIdx, part, node, 1, one);
    else if (part.mig > 0) takeSlices(board.sketch, partIdx, part, node, 1, one);
    else one.push(partIdx, node, 1);
    board.touch(node);
    takePlacing(board.sketch, one, shape.parts);
    board.changed(node);
    if (part.ownNode) best.leaveOut(node);
    add(one, into);
  }
  best.readmit();
  return placed;
}

/** Members of whole devices on one node share a row. */
function add(from: Placing, into: Placing): void {
  for (let row = 0; row < from.length; row++) {
    const part = from.part[row]!;
    const node = from.node[row]!;
    const device = from.device[row]!;
    const last = device < 0 ? rowOf(into, part, node) : -1;
    if (last >= 0) into.members[last] = into.members[last]! + from.members[row]!;
    else into.push(part, node, from.members[row]!, device, from.milli[row]!);
  }
}

function rowOf(placing: Placing, part: number, node: number): number {
  for (let row = placing.length - 1; row >= 0; row--)
    if (placing.part[row] === part && placing.node[row] === node && placing.device[row]! < 0)
      return row;
  return -1;
}
