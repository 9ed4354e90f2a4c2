/** The metrics of complete futures that were computed so far, by list of chunks: the future that becomes the ghost keeps the numbers it had. */
import type { RunMetrics } from "../metrics/runMetrics.ts";
import type { Chunk } from "../record/shapes.ts";
import type { Future } from "./runData.ts";

const kept = new WeakMap<readonly Chunk[], RunMetrics>();

export function knownMetrics(future: Future): RunMetrics | null {
  return kept.get(future.chunks) ?? null;
}

export function keepMetrics(future: Future, metrics: RunMetrics): void {
  kept.set(future.chunks, metrics);
}
