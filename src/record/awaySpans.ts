/** When rented nodes are away, and how many devices with each, as spans of nodes in a record say. */
import type { Cluster } from "../model/cluster.ts";
import { NodeStateCode } from "../model/states.ts";
import type { Chunk } from "./shapes.ts";

export interface AwaySpan {
  readonly startMs: number;
  readonly endMs: number;
  readonly devices: number;
}

/** Spans in which rented nodes are away. O(spans). */
export function awaySpans(
  cluster: Pick<Cluster, "nodeGroup" | "groups">,
  { node, state, startMs, endMs }: Chunk["nodeSpans"],
): AwaySpan[] {
  const spans: AwaySpan[] = [];
  for (let row = 0; row < node.length; row++) {
    if (state[row] !== NodeStateCode.unborn) continue;
    const devices = cluster.groups[cluster.nodeGroup[node[row]!]!]!.gpusPerNode;
    spans.push({ startMs: startMs[row]!, endMs: endMs[row]!, devices });
  }
  return spans;
}
