/**
 * A change at another time. What it says as a time from then on goes with it: the window of a reservation, the submission of a job. A wall-clock
 * time that a user chose (`beginMs`) stays.
 */
import type { Intervention } from "./schema.ts";

/** `atMs`: where it acts from now on, 0 or later. O(1). */
export function movedIntervention(change: Intervention, atMs: number): Intervention {
  const byMs = atMs - change.atMs;
  if (change.kind === "reserve") {
    const startMs = Math.max(0, change.startMs + byMs);
    return { ...change, atMs, startMs, endMs: startMs + change.endMs - change.startMs };
  }
  if (change.kind === "inject" && change.job.submitMs !== undefined)
    return { ...change, atMs, job: { ...change.job, submitMs: change.job.submitMs + byMs } };
  return { ...change, atMs };
}

/** Places in the list of changes that are about a job which the change at `index` injects, its tasks and stages included. O(interventions). */
export function aboutItsJob(list: readonly Intervention[], index: number): number[] {
  const change = list[index];
  if (change?.kind !== "inject") return [];
  const { id } = change.job;
  return list.flatMap((other, i) => {
    if (!("job" in other) || typeof other.job !== "string") return [];
    const isItsOwn = other.job === id || /^[_.]\d+$/.test(other.job.slice(id.length));
    return isItsOwn && other.job.startsWith(id) ? [i] : [];
  });
}
