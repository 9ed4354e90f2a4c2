/**
 * The metrics of a future, computed in slices of a few milliseconds between frames and kept with its list of chunks: the future
 * that becomes the ghost keeps the numbers it had.
 */
import { MetricsAccumulator } from "../metrics/accumulator.ts";
import type { RunMetrics } from "../metrics/runMetrics.ts";
import type { Stage } from "../protocol/messages.ts";
import { keepMetrics } from "./knownMetrics.ts";
import type { Future } from "./runData.ts";

const SLICE_MS = 6;
/** Computes the metrics and calls `show` once, unless stopped before. Returns the stop function. */
export function computeMetrics(
  stage: Stage,
  future: Future,
  show: (metrics: RunMetrics) => void,
): () => void {
  const steps = metricsSteps(stage, future);
  let timer: ReturnType<typeof setTimeout>;
  const slice = () => {
    const untilMs = performance.now() + SLICE_MS;
    for (;;) {
      const step = steps.next();
      if (step.done) {
        keepMetrics(future, step.value);
        show(step.value);
        return;
      }
      if (performance.now() >= untilMs) break;
    }
    timer = setTimeout(slice, 4);
  };
  timer = setTimeout(slice, 0);
  return () => clearTimeout(timer);
}

function* metricsSteps(stage: Stage, future: Future): Generator<void, RunMetrics> {
  const accumulator = new MetricsAccumulator(stage);
  for (const chunk of future.chunks) {
    accumulator.add(chunk);
    yield;
  }
  return yield* accumulator.finishSteps(future.open);
}
