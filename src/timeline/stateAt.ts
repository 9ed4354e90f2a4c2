/**
 * The cluster at a moment, from the record alone: who holds each device, which jobs wait. It is asked once a frame while the
 * cursor moves, so it reads the row index and allocates nothing after the first call.
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

const earliestWait = new WeakMap<Chunk, number>();

function earliestWaitMs(chunk: Chunk): number {
  let known = earliestWait.get(chunk);
  if (known === undefined) {
    known = Number.POSITIVE_INFINITY;
    const from = chunk.waits.fromMs;
    for (let i = 0; i < from.length; i++) if (from[i]! < known) known = from[i]!;
    earliestWait.set(chunk, known);
  }
  return known;
}

/**
 * Jobs that wait at `atMs` (from ≤ at < to), in order of their wait's begin. A wait stands in the chunk in which it ended, so
 * chunks that end before `atMs`, or whose waits all begin later, are not read. O(waits of the rest).
 */
export function waitingAt(
  chunks: readonly Chunk[],
  open: OpenSet | null,
  atMs: number,
): Int32Array {
  const jobs: number[] = [];
  const since: number[] = [];
  const read = (waits: Chunk["waits"]): void => {
    for (let i = 0; i < waits.fromMs.length; i++) {
      if (waits.fromMs[i]! > atMs || waits.toMs[i]! <= atMs) continue;
      jobs.push(waits.jobIdx[i]!);
      since.push(waits.fromMs[i]!);
    }
  };
  for (const chunk of chunks) {
    if (chunk.toMs >= atMs && earliestWaitMs(chunk) <= atMs) read(chunk.waits);
  }
  if (open) read(open.waits);
  const order = jobs.map((_, i) => i).sort((a, b) => since[a]! - since[b]! || jobs[a]! - jobs[b]!);
  return Int32Array.from(order, (i) => jobs[i]!);
}

/** Adds up devices held by tier. */
export function heldByTier(holders: Holders, tierOfJob: Uint8Array, out: Int32Array): void {
  out.fill(0);
  for (let d = 0; d < holders.jobOfDevice.length; d++) {
    const job = holders.jobOfDevice[d]!;
    if (job >= 0) out[tierOfJob[job]!]! += 1;
  }
}
