/** The phase of the run, for components that enable and disable by it. Renders when the phase changes, not at each chunk. */
import type { RunStatus } from "../store/state.ts";
import { useApp } from "../store/store.ts";

export function useRunStatus(): RunStatus {
  return useApp((state) => state.runStatus);
}
