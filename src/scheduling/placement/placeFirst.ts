/**
 * First fit without an index, for a job of whole devices alone: the first nodes in order of number, each as far as it goes, as `placeShape` chooses. On a sketch
 * that is asked once or twice, looking at all nodes costs less than its index. O(nodes).
 */
import type { LabPlacement } from "../../model/policy.ts";
import { NodeStateCode } from "../../model/states.ts";
import type { Capacity } from "./capacity.ts";
import type { Placing } from "./placing.ts";
import type { Shape } from "./shapes.ts";

/** Whether a job takes the first nodes with enough free devices and asks for nothing else. */
export function takesFirst(shape: Shape, rule: LabPlacement, hasParts: boolean): boolean {
  if (rule !== "firstFit" || hasParts) return false;
  if (shape.parts.length > 1 || shape.wish !== "none" || shape.faster.length > 0) return false;
  const { devicesOnly, exclusive, rules, gpus } = shape.parts[0]!;
  return gpus > 0 && devicesOnly && exclusive === null && rules.numa !== "single";
}

/** Places such a job; false, and nothing is placed, where not all members fit. */
export function placeFirst(capacity: Capacity, { parts }: Shape, into: Placing): boolean {
  const { nodes, gpusFree, nodeState, cluster } = capacity;
  const { gpus, members, ownNode, groupFits } = parts[0]!;
  into.clear();
  let left = members;
  for (let i = 0; i < nodes.length && left > 0; i++) {
    const node = nodes[i]!;
    const free = gpusFree[node]!;
    if (free < gpus || nodeState[node] !== NodeStateCode.open) continue;
    if (groupFits[cluster.nodeGroup[node]!] === 0) continue;
    const here = ownNode ? 1 : Math.min(left, Math.floor(free / gpus));
    into.push(0, node, here);
    left -= here;
  }
  if (left > 0) into.clear();
  return left === 0;
}
