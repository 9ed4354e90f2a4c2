/** What the machines cost an hour: the price of each device of a node, while the node is there. As in `metrics/cost.ts`. O(node spans + nodes). */
import type { Cluster } from "../../model/cluster.ts";
import { NodeStateCode } from "../../model/states.ts";
import type { Chunk, OpenSet } from "../../record/shapes.ts";
import { ChangeList } from "./changeList.ts";
import type { Steps } from "./steps.ts";

type Priced = Pick<Cluster, "nodeCount" | "nodeGroup" | "groups">;

export function hasPrice({ groups }: Pick<Cluster, "groups">): boolean {
  return groups.some(({ pricePerGpuHour }) => pricePerGpuHour !== undefined);
}

/** Money an hour over time. */
export function* priceSteps(
  { nodeCount, nodeGroup, groups }: Priced,
  chunks: readonly Pick<Chunk, "nodeSpans">[],
  open: Pick<OpenSet, "nodeSpans"> | null,
  endMs: number,
): Generator<void, Steps> {
  const priceOf = (node: number): number => {
    const { pricePerGpuHour = 0, gpusPerNode } = groups[nodeGroup[node]!]!;
    return pricePerGpuHour * gpusPerNode;
  };
  const changes = new ChangeList();
  let all = 0;
  for (let node = 0; node < nodeCount; node++) all += priceOf(node);
  changes.add(0, all);
  const away = ({ startMs, endMs: toMs, node, state }: Chunk["nodeSpans"]): void => {
    for (let row = 0; row < node.length; row++)
      if (state[row] === NodeStateCode.unborn)
        changes.span(startMs[row]!, Math.min(toMs[row]!, endMs), -priceOf(node[row]!));
  };
  for (const { nodeSpans } of chunks) away(nodeSpans);
  if (open) away(open.nodeSpans);
  yield;
  return yield* changes.steps(1);
}
