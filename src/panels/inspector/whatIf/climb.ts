/** Climbs a ladder: the first rung at which the job starts now, narrowed down to the smallest where amounts lie between; else the rung of the earliest start. */
import type { Trial } from "../../../protocol/messages.ts";
import type { Ladder } from "./ladders.ts";

export interface Found {
  readonly ladder: Ladder;
  readonly rung: number;
  /** First start under the change, ms; Infinity = none. */
  readonly startMs: number;
  /** At the cursor, or at the next pass after it. */
  readonly isNow: boolean;
}

export interface ClimbRules {
  /** A run of the document; null = there was no answer: the question is no longer wanted, or the run beside it has changed. */
  readonly run: (ladder: Ladder, rung: number) => Promise<Trial | null>;
  /** Starts up to this time count as now, ms. */
  readonly nowMs: number;
}

const NARROW_STEPS = 5;

/** Null where the job is turned away at every rung; "unanswered" where no run says whether it helps. */
export async function climb(
  ladder: Ladder,
  rules: ClimbRules,
): Promise<Found | null | "unanswered"> {
  let best: Found | null = null;
  let before: number | null = null;
  let unfinished = 0;
  for (const rung of ladder.rungs) {
    const found = await tried(ladder, rung, rules);
    if (found === "unanswered") return found;
    if (found === "unfinished") unfinished += 1;
    else {
      if (found?.isNow) return ladder.narrows ? narrowed(found, before, rules) : found;
      if (found && (best === null || found.startMs < best.startMs)) best = found;
      before = rung;
    }
  }
  return best === null && unfinished > 0 ? "unanswered" : best;
}

async function tried(
  ladder: Ladder,
  rung: number,
  { run, nowMs }: ClimbRules,
): Promise<Found | null | "unanswered" | "unfinished"> {
  const trial = await run(ladder, rung);
  if (trial === null) return "unanswered";
  if (trial.kind === "problems" || trial.kind === "tooLong") return "unfinished";
  if (trial.kind !== "starts" && trial.kind !== "never") return null;
  const startMs = trial.kind === "starts" ? trial.startMs : Number.POSITIVE_INFINITY;
  return { ladder, rung, startMs, isNow: startMs <= nowMs };
}

/** Between the last rung that did not help and the first that did; whole numbers, minutes where they are times. */
async function narrowed(
  first: Found,
  before: number | null,
  rules: ClimbRules,
): Promise<Found | "unanswered"> {
  let helps = first;
  if (before === null) return helps;
  let fails = before;
  const step = Math.abs(fails - helps.rung) >= MINUTE ? MINUTE : 1;
  for (let i = 0; i < NARROW_STEPS && Math.abs(fails - helps.rung) > step; i++) {
    const middle = Math.round((fails + helps.rung) / 2 / step) * step;
    if (middle === fails || middle === helps.rung) break;
    const found = await tried(helps.ladder, middle, rules);
    if (found === "unanswered") return found;
    if (found !== "unfinished" && found?.isNow) helps = found;
    else fails = middle;
  }
  return helps;
}

const MINUTE = 60_000;
