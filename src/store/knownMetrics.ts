/**
 * The metrics of complete futures that were computed so far, by list of chunks: the future that becomes the ghost keeps the numbers it had. They come
 * after the run, in slices, from whoever asks first; who shows them elsewhere (the address) is told when they are there.
 */
import type { RunMetrics } from "../metrics/runMetrics.ts";
import type { Chunk } from "../record/shapes.ts";
import type { Future } from "./runData.ts";

const kept = new WeakMap<readonly Chunk[], RunMetrics>();
const listeners = new Set<(future: Future) => void>();

export function knownMetrics(future: Future): RunMetrics | null {
  return kept.get(future.chunks) ?? null;
}

export function keepMetrics(future: Future, metrics: RunMetrics): void {
  kept.set(future.chunks, metrics);
  for (const listener of listeners) listener(future);
}

/** Called whenever the metrics of a future have become known; returns the unsubscriber. */
export function onMetrics(listener: (future: Future) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
