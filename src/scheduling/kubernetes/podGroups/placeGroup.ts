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
  readonly taken?: ReadonlySet<number>;
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
  const apart = part.ownNode ? new Set(where.taken ?? []) : null;
  for (let placed = 0; placed < count; placed++) {
    const node = board.best(part, where.nodes, apart, where.extra ?? null);
    if (node < 0) return placed;
    one.clear();
    if (part.shareMilli > 0) takeShares(board.sketch, partIdx, part, node, 1, one);
    else if (part.mig > 0) takeSlices(board.sketch, partIdx, part, node, 1, one);
    else one.push(partIdx, node, 1);
    board.touch(node);
    takePlacing(board.sketch, one, shape.parts);
    board.changed(node);
    apart?.add(node);
    add(one, into);
  }
  return count;
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
