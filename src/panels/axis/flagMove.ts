/**
 * A flag on its way: where it is shown while it is dragged or pushed with arrows. The document changes once, when it is let go. Times snap to the
 * minutes of the calendar, to its seconds where a minute is wider than a flag's path is long.
 */
import { calendarZeroMs } from "../../base/civilDate.ts";
import { MINUTE_MS, SECOND_MS } from "../../model/units.ts";
import type { Intervention } from "../../scenario/schema.ts";

export interface FlagMove {
  readonly index: number;
  readonly atMs: number;
}

let moving: FlagMove | null = null;

export function showFlagAt(move: FlagMove | null): void {
  moving = move;
}

/** Where the flag of a change stands now. */
export function flagMs(change: Intervention, index: number): number {
  return moving?.index === index ? moving.atMs : change.atMs;
}

/** A window shorter than this shows seconds. */
const SECONDS_BELOW_MS = 600_000;

/** The nearest minute (or second) of the calendar to a time, inside `mostMs`. */
export function snapped(
  atMs: number,
  windowMs: number,
  mostMs: number,
  calendar: string | undefined,
): number {
  const stepMs = windowMs < SECONDS_BELOW_MS ? SECOND_MS : MINUTE_MS;
  const zeroMs = calendarZeroMs(calendar) ?? 0;
  const at = Math.round((atMs + zeroMs) / stepMs) * stepMs - zeroMs;
  return Math.min(mostMs, Math.max(0, at));
}
