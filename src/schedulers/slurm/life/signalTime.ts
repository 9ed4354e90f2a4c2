/** When a job that asked for `--signal` before its time limit hears it. */
import type { SlurmJob } from "../state.ts";

/** When a run is to be signalled; `Infinity` = it did not ask, or would make nothing of it. */
export function signalMs(job: SlurmJob): number {
  const { signalBeforeMs, signalSaveMs } = job.request;
  if (signalBeforeMs === 0 || signalSaveMs === 0) return Number.POSITIVE_INFINITY;
  return job.endMs - signalBeforeMs;
}
