/**
 * The next and the previous event of a run, found in the record: submits, starts, ends and stops. Submits and the decision log
 * are in order of time, ends are in order within each chunk, and chunks are in order, so a step costs a few bisections and
 * looks at one or two chunks, whatever the length of the run.
 */
import { lowerBound, upperBound } from "../base/bisect.ts";
import { JobFlag } from "../model/jobs.ts";
import type { Stage } from "../protocol/messages.ts";
import type { Chunk } from "../record/shapes.ts";
import { DecisionKindCode, isAboutJob } from "../record/shapes.ts";
import type { Future } from "./runData.ts";

/** Decisions that change what is seen; waiting reasons and promises do not. */
const visible = new Set<number>([
  DecisionKindCode.start,
  DecisionKindCode.place,
  DecisionKindCode.evict,
  DecisionKindCode.suspend,
  DecisionKindCode.resume,
  DecisionKindCode.resize,
  DecisionKindCode.move,
  DecisionKindCode.openNode,
  DecisionKindCode.closeNode,
  DecisionKindCode.handNode,
  DecisionKindCode.repartition,
  DecisionKindCode.failDevice,
  DecisionKindCode.resumeDevice,
  DecisionKindCode.checkpoint,
  DecisionKindCode.saved,
  DecisionKindCode.refuse,
  DecisionKindCode.cancel,
]);

/** Index of the chunk that holds what happens right after `atMs`; the number of chunks when none does. O(log chunks). */
function chunkAfter(chunks: readonly Chunk[], atMs: number): number {
  let low = 0;
  let high = chunks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (chunks[middle]!.toMs > atMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Jobs put in by interventions stand behind the others, out of order of time. */
function orderedJobs(stage: Stage): number {
  const { flags } = stage.jobs.at;
  let { count } = stage.jobs;
  while (count > 0 && (flags[count - 1]! & JobFlag.injected) !== 0) count--;
  return count;
}

/** The time of the first event after `atMs`, or `null` when the record has none. */
export function nextEventMs(stage: Stage, future: Future, atMs: number): number | null {
  let bestMs = Number.POSITIVE_INFINITY;
  const { submitMs } = stage.jobs.at;
  const ordered = orderedJobs(stage);
  const submitIdx = upperBound(submitMs, atMs, 0, ordered);
  if (submitIdx < ordered) bestMs = submitMs[submitIdx]!;
  for (let job = ordered; job < stage.jobs.count; job++) {
    if (submitMs[job]! > atMs && submitMs[job]! < bestMs) bestMs = submitMs[job]!;
  }
  for (let c = chunkAfter(future.chunks, atMs); c < future.chunks.length; c++) {
    const chunk = future.chunks[c]!;
    if (chunk.fromMs > bestMs) break;
    const end = chunk.runs.endMs[upperBound(chunk.runs.endMs, atMs)];
    if (end !== undefined && end < bestMs) bestMs = end;
    const { atMs: times, kind } = chunk.decisions;
    for (let row = upperBound(times, atMs); row < times.length && times[row]! < bestMs; row++) {
      if (visible.has(kind[row]!)) bestMs = times[row]!;
    }
    if (bestMs <= chunk.toMs) break;
  }
  return Number.isFinite(bestMs) ? bestMs : null;
}

/** The time of the last event before `atMs`, or `null`. */
export function previousEventMs(stage: Stage, future: Future, atMs: number): number | null {
  let bestMs = -1;
  const { submitMs } = stage.jobs.at;
  const ordered = orderedJobs(stage);
  const submitIdx = lowerBound(submitMs, atMs, 0, ordered) - 1;
  if (submitIdx >= 0) bestMs = submitMs[submitIdx]!;
  for (let job = ordered; job < stage.jobs.count; job++) {
    if (submitMs[job]! < atMs && submitMs[job]! > bestMs) bestMs = submitMs[job]!;
  }
  const last = Math.min(future.chunks.length - 1, chunkAfter(future.chunks, atMs));
  for (let c = last; c >= 0; c--) {
    const chunk = future.chunks[c]!;
    if (chunk.toMs < bestMs) break;
    const end = chunk.runs.endMs[lowerBound(chunk.runs.endMs, atMs) - 1];
    if (end !== undefined && end > bestMs) bestMs = end;
    const { atMs: times, kind } = chunk.decisions;
    for (let row = lowerBound(times, atMs) - 1; row >= 0 && times[row]! > bestMs; row--) {
      if (visible.has(kind[row]!)) bestMs = times[row]!;
    }
    if (bestMs >= chunk.fromMs && bestMs >= 0) break;
  }
  return bestMs < 0 ? null : bestMs;
}

/** The next (`step` 1) or previous (−1) decision about one job, or `null`. O(rows from `atMs` to it). */
export function decisionMs(
  future: Future,
  jobIdx: number,
  atMs: number,
  step: 1 | -1,
): number | null {
  return decidedMs(future, atMs, step, (job, kind) => job === jobIdx && isAboutJob(kind));
}

/** The next or previous pass of a scheduler that has several kinds of them, or `null`. O(rows from `atMs` to it). */
export function passMs(future: Future, atMs: number, step: 1 | -1): number | null {
  return decidedMs(future, atMs, step, (_, kind) => kind === DecisionKindCode.pass);
}

function decidedMs(
  future: Future,
  atMs: number,
  step: 1 | -1,
  isOne: (jobIdx: number, kind: number) => boolean,
): number | null {
  const { chunks } = future;
  let c = Math.min(chunks.length - 1, chunkAfter(chunks, atMs));
  for (; c >= 0 && c < chunks.length; c += step) {
    const { atMs: times, jobIdx: jobs, kind } = chunks[c]!.decisions;
    let row = step > 0 ? upperBound(times, atMs) : lowerBound(times, atMs) - 1;
    for (; row >= 0 && row < times.length; row += step) {
      if (isOne(jobs[row]!, kind[row]!)) return times[row]!;
    }
  }
  return null;
}
