/**
 * Node affinity: the call goes to the node it names, and waits there while that one is busy. Hard: where it is not there or too small the call fails. Soft: then the default policy decides.
 * O(1). Source: ray-project/ray `src/ray/raylet/scheduling/policy/node_affinity_scheduling_policy`.
 */
import { covers, isIn, type NodeMask, type RayNodes, type RayRequest } from "./resources.ts";

/** `take`: now; `wait`: for that node; `fail`: hard, and it cannot be had; `elsewhere`: soft. */
export type Affinity = "take" | "wait" | "fail" | "elsewhere";

/** What becomes of a call that names a node; −1 = there is none of that name. */
export function affinityOf(
  request: RayRequest,
  node: number,
  soft: boolean,
  mask: NodeMask,
  nodes: RayNodes,
): Affinity {
  const there = node >= 0 && isIn(mask, node) && covers(nodes, nodes.total, node, request);
  if (!there) return soft ? "elsewhere" : "fail";
  return covers(nodes, nodes.available, node, request) ? "take" : "wait";
}
