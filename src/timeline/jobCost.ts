/**
 * What a job has cost up to a time, from the record: the time it waited, the device time it held, and what of that was no progress that is
 * kept: work lost, and overhead by kind (start-up, saving, reading back, hanging, members that wait for others, being told to end, suspended).
 * What a worse placement takes is counted from the speeds that the record has: in a stretch at speed v, 1 − v of it. Device time is devices ×
 * ms as held, of a share or slice its part of a device. O(rectangles × stretches lost + decisions).
 */
import { MEMBER_STATES, type MemberState } from "../model/states.ts";
import { DecisionKindCode } from "../record/shapes.ts";
import type { JobStory, StoryRect } from "./jobStory.ts";
import type { LostStretch } from "./lostWork.ts";

export interface JobCost {
  readonly waitedMs: number;
  readonly waits: number;
  /** Device-ms held, and of that in each state of members. */
  readonly heldMs: number;
  readonly byState: Readonly<Record<MemberState, number>>;
  /** Device-ms of work that was thrown away. */
  readonly lostMs: number;
  /** Time (not device time) that slower communication has taken. */
  readonly slowedMs: number;
  readonly stops: number;
  readonly suspensions: number;
  readonly moves: number;
  /** Its time in the system over the time in which it ran, at least 1; NaN before its work has begun. */
  readonly slowdown: number;
}

/** `weight` says how much of a device a part of the record is, 1 = all of it. */
export function jobCostOf(
  story: JobStory,
  atMs: number,
  submitMs: number,
  lost: readonly LostStretch[],
  weight: (part: number) => number,
): JobCost {
  const past = story.waits.filter(({ fromMs }) => fromMs <= atMs);
  const waitedMs = past.reduce((sum, wait) => sum + Math.min(wait.toMs, atMs) - wait.fromMs, 0);
  const byState = Object.fromEntries(MEMBER_STATES.map((state) => [state, 0])) as Record<
    MemberState,
    number
  >;
  let heldMs = 0;
  let lostMs = 0;
  for (const rect of story.rects) {
    const devices = rect.deviceCount * weight(rect.part);
    const ms = within(rect, Number.NEGATIVE_INFINITY, atMs) * devices;
    if (ms <= 0) continue;
    const state = MEMBER_STATES[rect.memberState] ?? "running";
    heldMs += ms;
    byState[state] += ms;
    if (state === "running") lostMs += devices * lostOf(rect, lost, atMs);
  }
  const count = (kind: number): number =>
    story.decisions.filter((one) => one.kind === kind && one.atMs <= atMs).length;
  const ranMs = story.runs.reduce(
    (sum, { startMs, endMs }) => sum + Math.max(0, Math.min(endMs, atMs) - startMs),
    0,
  );
  // To hold devices while members are missing is no run yet; a job that needs none has no rectangles.
  const hasWorked = heldMs === 0 || byState.running > 0;
  const lastMs = Math.min(atMs, story.runs.at(-1)?.endMs ?? atMs);
  return {
    waitedMs,
    waits: past.length,
    heldMs,
    byState,
    lostMs: Math.min(lostMs, byState.running),
    slowedMs: slowedOf(story, atMs),
    stops: count(DecisionKindCode.evict),
    suspensions: count(DecisionKindCode.suspend),
    moves: count(DecisionKindCode.move),
    slowdown: hasWorked && ranMs > 0 ? Math.max(1, (lastMs - submitMs) / ranMs) : Number.NaN,
  };
}

function within(rect: StoryRect, fromMs: number, toMs: number): number {
  return Math.min(rect.endMs, toMs) - Math.max(rect.startMs, fromMs);
}

/** Time of a rectangle that falls into stretches lost by `atMs`; stretches that overlap count once. */
function lostOf(rect: StoryRect, lost: readonly LostStretch[], atMs: number): number {
  const known = lost.filter((stretch) => stretch.atMs <= atMs).sort((a, b) => a.fromMs - b.fromMs);
  let fromMs = Number.NEGATIVE_INFINITY;
  let ms = 0;
  for (const stretch of known) {
    const part = within(rect, Math.max(fromMs, stretch.fromMs), Math.min(stretch.toMs, atMs));
    if (part > 0) ms += part;
    fromMs = Math.max(fromMs, stretch.toMs);
  }
  return ms;
}

/** A run begins at full speed; the record says when that changes. */
function slowedOf(story: JobStory, atMs: number): number {
  const speeds = story.decisions.filter(({ kind }) => kind === DecisionKindCode.speed);
  if (speeds.length === 0) return 0;
  let slowedMs = 0;
  for (const { startMs, endMs } of story.runs) {
    let sinceMs = startMs;
    let speed = 1;
    const untilMs = Math.min(endMs, atMs);
    for (const one of speeds) {
      if (one.atMs < startMs) continue;
      if (one.atMs >= untilMs) break;
      slowedMs += (1 - speed) * (one.atMs - sinceMs);
      sinceMs = one.atMs;
      speed = one.value;
    }
    if (untilMs > sinceMs) slowedMs += (1 - speed) * (untilMs - sinceMs);
  }
  return slowedMs;
}
