/**
 * What the machines cost: price of a device-hour of their group × devices × the time in which they were there. Nodes that are drained or down cost
 * like others; rented ones only from the end of their boot to their return. O(node spans).
 */
import type { Cluster } from "../model/cluster.ts";
import { NodeStateCode } from "../model/states.ts";
import { HOUR_MS } from "../model/units.ts";
import type { Chunk } from "../record/shapes.ts";

export class Cost {
  readonly #cluster: Pick<Cluster, "nodeCount" | "nodeGroup" | "groups">;
  /** By node that was not there at some time: for how long. */
  readonly #awayMs = new Map<number, number>();

  constructor(cluster: Pick<Cluster, "nodeCount" | "nodeGroup" | "groups">) {
    this.#cluster = cluster;
  }

  /** Spans that are over, or open ones cut off at `endMs`. */
  add({ startMs, endMs, node, state }: Chunk["nodeSpans"], atMs: number): void {
    for (let row = 0; row < node.length; row++) {
      if (state[row] !== NodeStateCode.unborn) continue;
      const ms = Math.max(0, Math.min(endMs[row]!, atMs) - startMs[row]!);
      this.#awayMs.set(node[row]!, (this.#awayMs.get(node[row]!) ?? 0) + ms);
    }
  }

  /** In the money of the document; null where no group has a price. O(nodes). */
  total(makespanMs: number): number | null {
    const { nodeCount, nodeGroup, groups } = this.#cluster;
    if (groups.every(({ pricePerGpuHour }) => pricePerGpuHour === undefined)) return null;
    let sum = 0;
    for (let node = 0; node < nodeCount; node++) {
      const { pricePerGpuHour = 0, gpusPerNode } = groups[nodeGroup[node]!]!;
      const thereMs = Math.max(0, makespanMs - (this.#awayMs.get(node) ?? 0));
      sum += (pricePerGpuHour * gpusPerNode * thereMs) / HOUR_MS;
    }
    return sum;
  }
}
