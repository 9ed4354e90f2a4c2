/**
 * Nodes for a window that names none: those on which least is in the way at its begin. First nodes whose runs end by then (by time limit), then those
 * that are free soonest; closed nodes and nodes of other windows at that time last; ties by number. O(what runs + nodes × log).
 */
import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import { NodeStateCode } from "../../model/states.ts";

const held = new Grant();

/** Ascending; fewer than `count` where the pool has fewer. */
export function pickNodes(
  view: PoolView,
  count: number,
  startMs: number,
  taken: ReadonlySet<number>,
): number[] {
  const freeMs = lastEndByNode(view);
  const badness = (node: number) =>
    (taken.has(node) ? 2 : 0) + (view.nodeState[node] === NodeStateCode.open ? 0 : 1);
  const laterMs = (node: number) => Math.max(startMs, freeMs.get(node) ?? 0);
  const order = [...view.nodes].sort((a, b) => {
    if (badness(a) !== badness(b)) return badness(a) - badness(b);
    const aMs = laterMs(a);
    const bMs = laterMs(b);
    return aMs === bMs ? a - b : aMs < bMs ? -1 : 1;
  });
  return order.slice(0, count).sort((a, b) => a - b);
}

/** When the last run on each node ends by its limit. */
export function lastEndByNode(view: PoolView): Map<number, number> {
  const freeMs = new Map<number, number>();
  const running = view.running();
  for (let i = 0; i < running.length; i++) {
    const jobIdx = running.at[i]!;
    held.clear();
    view.holdings(jobIdx, held);
    for (let row = 0; row < held.length; row++) {
      const node = held.node[row]!;
      freeMs.set(node, Math.max(freeMs.get(node) ?? 0, view.limitEndMs[jobIdx]!));
    }
  }
  return freeMs;
}
