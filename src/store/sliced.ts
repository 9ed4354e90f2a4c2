/** Long work on the page in slices of a few milliseconds, so that frames come between. The page is not at rest before its result is shown. */
import { beginWork } from "./underway.ts";

const SLICE_MS = 6;
const GAP_MS = 4;

/** Runs the steps and calls `show` with the result once, unless stopped before. Begins after `afterMs`. Returns the stop function. */
export function runSliced<T>(
  steps: Generator<void, T>,
  show: (result: T) => void,
  afterMs = 0,
): () => void {
  const tell = beginWork();
  // Whoever keeps the stop function does not keep what the steps have in hand: tens of bytes a job for some.
  let left: Generator<void, T> | null = steps;
  let timer: ReturnType<typeof setTimeout>;
  const slice = (): void => {
    let goesOn = false;
    try {
      goesOn = left !== null && runSlice(left, show);
    } finally {
      if (!goesOn) {
        left = null;
        tell();
      }
    }
    if (goesOn) timer = setTimeout(slice, GAP_MS);
  };
  timer = setTimeout(slice, afterMs);
  return () => {
    clearTimeout(timer);
    left = null;
    tell();
  };
}

/** False when the result was shown. */
function runSlice<T>(steps: Generator<void, T>, show: (result: T) => void): boolean {
  const untilMs = performance.now() + SLICE_MS;
  do {
    const step = steps.next();
    if (!step.done) continue;
    show(step.value);
    return false;
  } while (performance.now() < untilMs);
  return true;
}
