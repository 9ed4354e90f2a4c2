/**
 * The metrics of a future, computed in slices of a few milliseconds between frames and kept with its list of chunks: the future
 * that becomes the ghost keeps the numbers it had.
 */
import { MetricsAccumulator } from "../metrics/accumulator.ts";
import type { RunMetrics } from "../metrics/runMetrics.ts";
import type { Stage } from "../protocol/messages.ts";
import { keepMetrics } from "./knownMetrics.ts";
import type { Future } from "./runData.ts";
import { runSliced } from "./sliced.ts";

/** Computes the metrics and calls `show` once, unless stopped before. Returns the stop function. */
export function computeMetrics(
  stage: Stage,
  future: Future,
  show: (metrics: RunMetrics) => void,
): () => void {
  return runSliced(metricsSteps(stage, future), (metrics) => {
    keepMetrics(future, metrics);
    show(metrics);
  });
}

function* metricsSteps(stage: Stage, future: Future): Generator<void, RunMetrics> {
  const accumulator = new MetricsAccumulator(stage);
  for (const chunk of future.chunks) {
    yield;
    yield* accumulator.addSteps(chunk);
  }
  return yield* accumulator.finishSteps(future.open);
}
