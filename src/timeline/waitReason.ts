/** The newest reason for waiting of one job at a time, straight from the log: native searches backwards, chunk by chunk. O(rows up to it). */
import { upperBound } from "../base/bisect.ts";
import { type Chunk, DecisionKindCode } from "../record/shapes.ts";

/** A code of `WaitReasonCode`; 0 = none was said since `fromMs`. */
export function waitReasonAt(
  chunks: readonly Chunk[],
  jobIdx: number,
  fromMs: number,
  atMs: number,
): number {
  for (let index = chunks.length - 1; index >= 0; index--) {
    const { decisions, fromMs: chunkMs, toMs } = chunks[index]!;
    if (chunkMs > atMs) continue;
    if (toMs < fromMs) return 0;
    let row = upperBound(decisions.atMs, atMs) - 1;
    while (row >= 0) {
      row = decisions.jobIdx.lastIndexOf(jobIdx, row);
      if (row < 0 || decisions.atMs[row]! < fromMs) break;
      if (decisions.kind[row] === DecisionKindCode.wait) return decisions.reason[row]!;
      row--;
    }
  }
  return 0;
}
