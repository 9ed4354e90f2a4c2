/** Devices in service over time: all of the cluster, less those of nodes that are drained, down or not there yet. */
import type { Cluster } from "../model/cluster.ts";
import { NodeStateCode } from "../model/states.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";

export interface CapacityStep {
  /** From this time on, ms. */
  readonly atMs: number;
  readonly devices: number;
}

/** Steps in order of time, the first at 0. A node that is drained still may hold devices. O(spans · log spans). */
export function capacitySteps(
  cluster: Cluster,
  chunks: readonly Chunk[],
  open: OpenSet | null,
): CapacityStep[] {
  const changes = new Map<number, number>([[0, 0]]);
  const add = (atMs: number, devices: number) =>
    changes.set(atMs, (changes.get(atMs) ?? 0) + devices);
  const read = ({ node, startMs, endMs, state }: Chunk["nodeSpans"]) => {
    for (let row = 0; row < node.length; row++) {
      if (state[row] === NodeStateCode.open) continue;
      const base = cluster.deviceBase[node[row]!]!;
      const end = cluster.deviceBase[node[row]! + 1] ?? cluster.deviceCount;
      add(Math.max(0, startMs[row]!), base - end);
      if (Number.isFinite(endMs[row]!)) add(endMs[row]!, end - base);
    }
  };
  for (const chunk of chunks) read(chunk.nodeSpans);
  if (open) read(open.nodeSpans);
  let devices = cluster.deviceCount;
  return [...changes.keys()]
    .sort((a, b) => a - b)
    .map((atMs) => {
      devices += changes.get(atMs)!;
      return { atMs, devices };
    });
}
