/**
 * The cluster at a moment, from the record alone: who holds each device, and the state of each node (`waits.ts` knows who
 * waits). It is asked once a frame while the cursor moves, so it reads the row index and allocates nothing after the first call.
 */
import type { Cluster } from "../model/cluster.ts";
import { NodeStateCode } from "../model/states.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";
import { firstStartingFrom, type Part } from "./rowIndex.ts";
import type { RowUnits } from "./rowUnits.ts";

export interface Holders {
  /** Job that holds each device, −1 = free. Of several that share one, the last to start. */
  readonly jobOfDevice: Int32Array;
  /** Node states (`NodeStateCode`). */
  readonly stateOfNode: Uint8Array;
  heldCount: number;
}

/** A state to be filled by `holdersAt` and `nodeStatesAt`, once for each cluster. O(devices). */
export function createHolders(cluster: Cluster): Holders {
  return {
    jobOfDevice: new Int32Array(cluster.deviceCount).fill(-1),
    stateOfNode: new Uint8Array(cluster.nodeCount),
    heldCount: 0,
  };
}

/** Fills `out` with the holders at `atMs`: start ≤ at < end. O(units · parts · log n + short walks back). */
export function holdersAt(
  parts: readonly Part[],
  units: RowUnits,
  atMs: number,
  out: Holders,
): void {
  const { jobOfDevice } = out;
  jobOfDevice.fill(-1);
  let held = 0;
  for (const part of parts) {
    if (part.fromMs > atMs || part.toMs <= atMs) continue;
    for (let u = 0; u < units.unitCount; u++) {
      const first = part.first[u]!;
      const base = units.unitFirst[u]!;
      let e = firstStartingFrom(part, u, atMs + 0.5) - 1;
      while (e >= first) {
        if ((e & 31) === 31 && e - 31 >= first && part.blockEndMs[e >> 5]! <= atMs) {
          e -= 32;
          continue;
        }
        if (part.endMs[e]! > atMs) {
          const from = base + (part.rows[e]! & 255);
          const to = from + (part.rows[e]! >> 8);
          for (let d = from; d < to; d++) {
            if (jobOfDevice[d]! >= 0) continue;
            jobOfDevice[d] = part.jobIdx[e]!;
            held += 1;
          }
        }
        e -= 1;
      }
    }
  }
  out.heldCount = held;
}

/** Fills the node states at `atMs`. O(node spans). */
export function nodeStatesAt(
  chunks: readonly Chunk[],
  open: OpenSet | null,
  atMs: number,
  out: Holders,
): void {
  out.stateOfNode.fill(NodeStateCode.open);
  for (const chunk of chunks) markNodes(chunk.nodeSpans, atMs, out.stateOfNode);
  if (open) markNodes(open.nodeSpans, atMs, out.stateOfNode);
}

function markNodes(spans: Chunk["nodeSpans"], atMs: number, out: Uint8Array): void {
  for (let i = 0; i < spans.startMs.length; i++) {
    if (spans.startMs[i]! <= atMs && atMs < spans.endMs[i]!) out[spans.node[i]!] = spans.state[i]!;
  }
}
