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
  let timer: ReturnType<typeof setTimeout>;
  const slice = (): void => {
    let goesOn = false;
    try {
      goesOn = runSlice(steps, show);
    } finally {
      if (!goesOn) tell();
    }
    if (goesOn) timer = setTimeout(slice, GAP_MS);
  };
  timer = setTimeout(slice, afterMs);
  return () => {
    clearTimeout(timer);
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
