/**
 * Everything the record says of one job: its waits, runs, devices and decisions. Gathered by one pass over the job columns
 * (about 1 ms a million rows), once for each selection or change of data, never per frame.
 */

import { EndStateCode } from "../model/states.ts";
import {
  type Chunk,
  DecisionKindCode,
  isAboutJob,
  memberStateOf,
  type OpenSet,
  partOf,
} from "../record/shapes.ts";

export interface StoryRun {
  readonly run: number;
  readonly startMs: number;
  /** `Infinity` while it runs at the end of the record. */
  readonly endMs: number;
  readonly devices: number;
  readonly endState: number;
  readonly startReason: number;
  readonly stopReason: number;
}
export interface StoryRect {
  readonly startMs: number;
  readonly endMs: number;
  readonly device: number;
  readonly deviceCount: number;
  readonly memberState: number;
  /** 0 = whole devices; else a share or a slice as in the record (`partOf`). */
  readonly part: number;
}
export interface StoryDecision {
  readonly atMs: number;
  readonly kind: number;
  readonly reason: number;
  readonly value: number;
}
export interface JobStory {
  readonly jobIdx: number;
  readonly waits: readonly { readonly fromMs: number; readonly toMs: number }[];
  readonly runs: readonly StoryRun[];
  /** How the job left without a run of its own (cancelled, refused); null if it did not. */
  readonly left: StoryRun | null;
  readonly rects: readonly StoryRect[];
  readonly decisions: readonly StoryDecision[];
}

/** Visits the rows of a column that hold this job. The native search makes the common miss cheap. */
function eachRowOf(jobs: Uint32Array, jobIdx: number, visit: (row: number) => void): void {
  for (let row = jobs.indexOf(jobIdx); row >= 0; row = jobs.indexOf(jobIdx, row + 1)) visit(row);
}

/** O(rows of the record). All lists are in order of time. */
export function jobStoryOf(
  source: { readonly chunks: readonly Chunk[]; readonly open: OpenSet | null },
  jobIdx: number,
): JobStory {
  const waits: { fromMs: number; toMs: number }[] = [];
  const runs: StoryRun[] = [];
  const rects: StoryRect[] = [];
  let left: StoryRun | null = null;
  const decisions: StoryDecision[] = [];
  const addRects = (table: Chunk["rects"]) =>
    eachRowOf(table.jobIdx, jobIdx, (row) => {
      rects.push({
        startMs: table.startMs[row]!,
        endMs: table.endMs[row]!,
        device: table.device[row]!,
        deviceCount: table.deviceCount[row]!,
        memberState: memberStateOf(table.bits[row]!),
        part: partOf(table.bits[row]!),
      });
    });
  for (const chunk of source.chunks) {
    eachRowOf(chunk.waits.jobIdx, jobIdx, (row) => {
      waits.push({ fromMs: chunk.waits.fromMs[row]!, toMs: chunk.waits.toMs[row]! });
    });
    eachRowOf(chunk.runs.jobIdx, jobIdx, (row) => {
      const entry = runAt(chunk, row);
      if (entry.run === 0) left = entry;
      else runs.push(entry);
    });
    eachRowOf(chunk.decisions.jobIdx, jobIdx, (row) => {
      if (!isAboutJob(chunk.decisions.kind[row]!)) return;
      decisions.push({
        atMs: chunk.decisions.atMs[row]!,
        kind: chunk.decisions.kind[row]!,
        reason: chunk.decisions.reason[row]!,
        value: chunk.decisions.value[row]!,
      });
    });
    addRects(chunk.rects);
  }
  if (source.open) {
    const open = source.open;
    eachRowOf(open.waits.jobIdx, jobIdx, (row) => {
      waits.push({ fromMs: open.waits.fromMs[row]!, toMs: Number.POSITIVE_INFINITY });
    });
    const before = rects.length;
    addRects(open.rects);
    for (let at = before; at < rects.length; at++)
      rects[at] = { ...rects[at]!, endMs: Number.POSITIVE_INFINITY };
    const openRun = openRunOf(runs, rects, decisions);
    if (rects.length > before && openRun) runs.push(openRun);
  }
  return { jobIdx, waits, runs, left, rects, decisions };
}

function runAt(chunk: Chunk, row: number): StoryRun {
  const { runs } = chunk;
  return {
    run: runs.run[row]!,
    startMs: runs.startMs[row]!,
    endMs: runs.endMs[row]!,
    devices: runs.devices[row]!,
    endState: runs.endState[row]!,
    startReason: runs.startReason[row]!,
    stopReason: runs.stopReason[row]!,
  };
}

/** The run that is still open: it began with the first rectangle after the last closed run. */
function openRunOf(
  runs: readonly StoryRun[],
  rects: readonly StoryRect[],
  decisions: readonly StoryDecision[],
): StoryRun | null {
  const lastEndMs = runs.at(-1)?.endMs ?? Number.NEGATIVE_INFINITY;
  const own = rects.filter((rect) => rect.startMs >= lastEndMs && rect.endMs > lastEndMs);
  if (own.length === 0) return null;
  const startMs = own.reduce((least, rect) => Math.min(least, rect.startMs), Number.MAX_VALUE);
  const start = decisions.findLast(
    (decision) =>
      (decision.kind === DecisionKindCode.start || decision.kind === DecisionKindCode.place) &&
      decision.atMs <= startMs,
  );
  return {
    run: (runs.at(-1)?.run ?? 0) + 1,
    startMs,
    endMs: Number.POSITIVE_INFINITY,
    devices: own
      .filter((rect) => rect.endMs === Number.POSITIVE_INFINITY)
      .reduce((total, rect) => total + rect.deviceCount, 0),
    endState: EndStateCode.running,
    startReason: start?.reason ?? 0,
    stopReason: 0,
  };
}

export type JobMoment =
  | { readonly kind: "unsubmitted" }
  | {
      readonly kind: "waiting";
      readonly fromMs: number;
      /** `Infinity`: not within the record. */
      readonly startMs: number;
    }
  | { readonly kind: "running"; readonly run: StoryRun }
  | { readonly kind: "between" }
  | { readonly kind: "done"; readonly run: StoryRun | null };

/** What the job does at a time. Ends are exclusive: at its start a job runs, at its end it is done. */
export function momentOf(story: JobStory, atMs: number, submitMs: number): JobMoment {
  const run = story.runs.find((entry) => entry.startMs <= atMs && atMs < entry.endMs);
  if (run) return { kind: "running", run };
  const wait = story.waits.find((entry) => entry.fromMs <= atMs && atMs < entry.toMs);
  if (wait) return { kind: "waiting", fromMs: wait.fromMs, startMs: wait.toMs };
  if (atMs < submitMs) return { kind: "unsubmitted" };
  const later =
    story.runs.some((entry) => entry.startMs > atMs) ||
    story.waits.some((entry) => entry.fromMs > atMs);
  if (later) return { kind: "between" };
  const last = story.runs.findLast((entry) => entry.endMs <= atMs) ?? story.left;
  return { kind: "done", run: last };
}

/** Promised starts in order: each promise and the time at which it was made, up to `atMs`. */
export function promisesOf(
  story: JobStory,
  atMs: number,
): { readonly atMs: number; readonly startMs: number }[] {
  return story.decisions
    .filter((decision) => decision.kind === DecisionKindCode.plan && decision.atMs <= atMs)
    .map((decision) => ({ atMs: decision.atMs, startMs: decision.value }));
}

/** The reason recorded last at or before `atMs`; 0 if none. */
export function reasonAt(story: JobStory, atMs: number): number {
  const last = story.decisions.findLast(
    (decision) => decision.kind === DecisionKindCode.wait && decision.atMs <= atMs,
  );
  return last?.reason ?? 0;
}

/** Why the job was refused; 0 where it was not. */
export function refusalOf(story: JobStory): number {
  return story.decisions.find(({ kind }) => kind === DecisionKindCode.refuse)?.reason ?? 0;
}

/** The devices the job holds at a time. */
export function holdingsAt(story: Pick<JobStory, "rects">, atMs: number): readonly StoryRect[] {
  return story.rects.filter((rect) => rect.startMs <= atMs && atMs < rect.endMs);
}

/** Whether it waits at a time, for its start or, where members are placed one by one, for the rest of them. */
export function isWaitingAt(story: JobStory, atMs: number): boolean {
  return story.waits.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
}

/** How long it has waited in waits that are over, ms. */
export function waitedBefore(story: JobStory, atMs: number): number {
  return story.waits.reduce((sum, { fromMs, toMs }) => sum + (toMs <= atMs ? toMs - fromMs : 0), 0);
}

/** When the work of a run began: a run begins with its first device, its work once enough members hold one. O(its decisions). */
export function workStartOf(story: JobStory, run: StoryRun, atMs: number): number {
  const start = story.decisions.find(
    (one) =>
      one.kind === DecisionKindCode.start &&
      one.atMs >= run.startMs &&
      one.atMs <= Math.min(atMs, run.endMs),
  );
  return start?.atMs ?? run.startMs;
}

/** Since when a running job is suspended at `atMs`, and for whom (−1 = nobody); null = it is not. O(its decisions). */
export function suspensionAt(
  story: JobStory,
  atMs: number,
): { readonly sinceMs: number; readonly forJobIdx: number } | null {
  const last = story.decisions.findLast(
    (one) => one.atMs <= atMs && SUSPENSION_KINDS.has(one.kind),
  );
  if (last?.kind !== DecisionKindCode.suspend) return null;
  return { sinceMs: last.atMs, forJobIdx: last.value };
}

const SUSPENSION_KINDS: ReadonlySet<number> = new Set([
  DecisionKindCode.start,
  DecisionKindCode.suspend,
  DecisionKindCode.resume,
]);
