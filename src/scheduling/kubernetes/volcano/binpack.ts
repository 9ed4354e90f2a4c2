/**
 * Volcano's binpack plugin: a node scores by how full it would be, a weighted mean over the resources that are asked for and have a weight.
 * A node that one of them does not fit scores 0; a resource the node does not have at all keeps its weight in the divisor and adds nothing.
 * O(resources). Source: volcano-sh/volcano `pkg/scheduler/plugins/binpack`.
 */
import { type Amounts, isAtMost } from "./deserved.ts";

/** Score of a node, 0 to 100 times the weight of the plugin. */
export function binpackScore(
  request: Amounts,
  node: { readonly allocatable: Amounts; readonly used: Amounts },
  weights: Amounts,
  pluginWeight: number,
): number {
  let filled = 0;
  let weighed = 0;
  for (const [at, asked] of request.entries()) {
    const weight = weights[at]!;
    if (asked === 0 || weight === 0) continue;
    weighed += weight;
    const room = node.allocatable[at]!;
    if (room === 0) continue;
    const after = node.used[at]! + asked;
    if (!isAtMost(after, room)) return 0;
    filled += (weight * after) / room;
  }
  return weighed === 0 ? 0 : (filled / weighed) * 100 * pluginWeight;
}
