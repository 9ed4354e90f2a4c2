/**
 * Reads a time as a person types it into the clock: `Day 2 19:10:00`, `2 19:10`, `19:10` (of the day shown), `+2h`, `-30m`,
 * `90m`, or with a calendar `2026-03-14 19:10`. Times are of the run, in ms.
 */
import { readCivil } from "../base/civilDate.ts";
import { shownStart } from "../base/clockView.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../model/units.ts";

const UNITS: Readonly<Record<string, number>> = {
  d: DAY_MS,
  h: HOUR_MS,
  m: MINUTE_MS,
  s: SECOND_MS,
};

/** Time of the run, or `null` when the text is no time. `calendarStart` as in the scenario; what is typed is read by the calendar that is shown. */
export function readClock(text: string, nowMs: number, calendarStart?: string): number | null {
  const typed = text.trim().toLowerCase();
  const span = /^([+\u2212-]?)((?:\d+(?:\.\d+)?\s*[dhms]\s*)+)$/.exec(typed);
  if (span) {
    const ms = spanMs(span[2]!);
    if (span[1] === "") return ms;
    return nowMs + (span[1] === "+" ? ms : -ms);
  }
  const shown = shownStart(calendarStart);
  const startMs = shown === undefined ? null : calendarMs(shown);
  const dated = /^(\d{4}-\d\d-\d\d)[t\s]+(\d{1,2}:\d\d(?::\d\d)?)$/.exec(typed);
  if (dated)
    return startMs === null ? null : offset(calendarMs(`${dated[1]}T00:00:00`), dated[2]!, startMs);
  const clock = /^(?:(?:day\s*)?(\d+)[\s,]+)?(\d{1,2}:\d\d(?::\d\d)?)$/.exec(typed);
  if (!clock) return null;
  const ofDayMs = startMs === null ? 0 : startMs - Math.floor(startMs / DAY_MS) * DAY_MS;
  const dayIdx =
    clock[1] === undefined ? Math.floor((nowMs + ofDayMs) / DAY_MS) : Number(clock[1]) - 1;
  return offset(dayIdx * DAY_MS, clock[2]!, ofDayMs);
}

function spanMs(text: string): number {
  let ms = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*([dhms])/g))
    ms += Number(amount) * UNITS[unit!]!;
  return Math.round(ms);
}

function offset(dayStartMs: number | null, clock: string, zeroMs: number): number | null {
  if (dayStartMs === null) return null;
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(":").map(Number);
  if (hours > 24 || minutes > 59 || seconds > 59) return null;
  const atMs = dayStartMs + hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS - zeroMs;
  return atMs >= 0 ? atMs : null;
}

/** Milliseconds of a calendar text since 1970, its zone left aside. */
function calendarMs(text: string): number | null {
  const civil = readCivil(text);
  return civil && civil.dayNumber * DAY_MS + civil.ofDayMs;
}
