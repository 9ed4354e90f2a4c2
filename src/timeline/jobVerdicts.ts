/**
 * One job's decisions as verdicts that hold: a reason for waiting holds until the next one, or until the wait is over; a promise until the next
 * promise or the start; what else was decided is a moment. Nothing after `atMs` is told. O(decisions + waits).
 */
import { DECISION_KINDS, type DecisionKind, DecisionKindCode } from "../record/shapes.ts";
import type { JobStory, StoryDecision } from "./jobStory.ts";

export interface Verdict extends StoryDecision {
  readonly jobIdx: number;
  readonly place: string;
  /** Until when it held, at most `atMs`; its own time where it is a moment. */
  readonly untilMs: number;
  /** It holds at `atMs`. */
  readonly holds: boolean;
}

/** What ends a reason for waiting, and a promise. */
const ENDS_WAIT: ReadonlySet<DecisionKind> = new Set([
  "wait",
  "start",
  "place",
  "refuse",
  "cancel",
  "hold",
  "admit",
]);
const ENDS_PLAN: ReadonlySet<DecisionKind> = new Set(["plan", "start", "refuse", "cancel"]);

/** In order of time. */
export function verdictsOf(story: JobStory, atMs: number): Verdict[] {
  const past = story.decisions.filter((one) => one.atMs <= atMs);
  let waitEndMs = Number.POSITIVE_INFINITY;
  let planEndMs = Number.POSITIVE_INFINITY;
  const verdicts: Verdict[] = [];
  for (let row = past.length - 1; row >= 0; row--) {
    const one = past[row]!;
    const kind = DECISION_KINDS[one.kind] ?? "wait";
    const endMs =
      kind === "wait"
        ? Math.min(waitEndMs, endOfWait(story, one.atMs))
        : kind === "plan"
          ? planEndMs
          : one.atMs;
    verdicts.push({
      ...one,
      jobIdx: story.jobIdx,
      place: String(row),
      untilMs: Math.min(endMs, atMs),
      holds: endMs > atMs,
    });
    if (ENDS_WAIT.has(kind)) waitEndMs = one.atMs;
    if (ENDS_PLAN.has(kind)) planEndMs = one.atMs;
  }
  return verdicts.reverse();
}

/** When the wait in which a time lies is over; `Infinity` = it lies in none, or it goes on. */
function endOfWait({ waits }: JobStory, atMs: number): number {
  return waits.find(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)?.toMs ?? atMs;
}

export interface ReasonTime {
  readonly reason: number;
  readonly ms: number;
}

/** How long the job has waited for each reason up to `atMs`, the longest first; times before the first reason are under 0. */
export function waitedByReason(story: JobStory, atMs: number): ReasonTime[] {
  const sums = new Map<number, number>();
  const decisions = story.decisions.filter(({ kind }) => kind === DecisionKindCode.wait);
  for (const wait of story.waits) {
    const toMs = Math.min(wait.toMs, atMs);
    let fromMs = wait.fromMs;
    let reason = 0;
    for (const one of decisions) {
      if (one.atMs < wait.fromMs) continue;
      if (one.atMs >= toMs) break;
      add(sums, reason, one.atMs - fromMs);
      fromMs = one.atMs;
      reason = one.reason;
    }
    add(sums, reason, toMs - fromMs);
  }
  return [...sums].map(([reason, ms]) => ({ reason, ms })).sort((a, b) => b.ms - a.ms);
}

function add(sums: Map<number, number>, reason: number, ms: number): void {
  if (ms > 0) sums.set(reason, (sums.get(reason) ?? 0) + ms);
}
