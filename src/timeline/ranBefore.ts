/** Whether a job held devices before a time: what it waits then is not the wait up to its first start, which means and percentiles count. O(rows up to then). */
import type { Chunk } from "../record/shapes.ts";

export function ranBefore(
  chunks: readonly Pick<Chunk, "fromMs" | "runs">[],
  jobIdx: number,
  atMs: number,
): boolean {
  if (jobIdx < 0) return false;
  return chunks.some(
    ({ fromMs, runs }) =>
      fromMs <= atMs &&
      runs.jobIdx.some(
        (one, row) => one === jobIdx && runs.devices[row]! > 0 && runs.endMs[row]! <= atMs,
      ),
  );
}
