/** Changes are made at the cursor: once it rests and the run is complete, the worker computes ahead what a change there will need. */
import { useApp } from "./store.ts";

const REST_MS = 500;

/** Returns the unsubscriber. */
export function prepareEdits(prepare: (atMs: number) => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(timer);
    const { playing, runStatus } = useApp.getState();
    if (playing || runStatus.phase !== "done") return;
    timer = setTimeout(() => prepare(useApp.getState().cursorMs).catch(() => undefined), REST_MS);
  };
  const off = useApp.subscribe(
    ({ cursorMs, playing, runStatus }) => [cursorMs, playing, runStatus.phase] as const,
    wait,
    { equalityFn: (a, b) => a.every((value, index) => value === b[index]) },
  );
  return () => {
    clearTimeout(timer);
    off();
  };
}
