/**
 * The scheduling strategy SPREAD: nodes in turn, from where the last one was taken; the first that can start the call now, else the first that is only large enough. O(nodes).
 * Source: ray-project/ray `src/ray/raylet/scheduling/policy/spread_scheduling_policy`.
 */
import { covers, isIn, type NodeMask, type RayNodes, type RayRequest } from "./resources.ts";

/** The node, or −1 where none is large enough. `from`: where the search begins. */
export function spreadNode(
  request: RayRequest,
  mask: NodeMask,
  nodes: RayNodes,
  from: number,
): number {
  let feasible = -1;
  for (let i = 0; i < nodes.count; i++) {
    const node = (from + i) % nodes.count;
    if (!isIn(mask, node) || !covers(nodes, nodes.total, node, request)) continue;
    if (covers(nodes, nodes.available, node, request)) return node;
    if (feasible < 0) feasible = node;
  }
  return feasible;
}
