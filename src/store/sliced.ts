/** Long work on the page in slices of a few milliseconds, so that frames come between. */
const SLICE_MS = 6;
const GAP_MS = 4;

/** Runs the steps and calls `show` with the result once, unless stopped before. Returns the stop function. */
export function runSliced<T>(steps: Generator<void, T>, show: (result: T) => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const slice = (): void => {
    const untilMs = performance.now() + SLICE_MS;
    do {
      const step = steps.next();
      if (step.done) {
        show(step.value);
        return;
      }
    } while (performance.now() < untilMs);
    timer = setTimeout(slice, GAP_MS);
  };
  timer = setTimeout(slice, 0);
  return () => clearTimeout(timer);
}
