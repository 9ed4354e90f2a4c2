/** A time of the run as `readClock` reads it back: "Day 2 19:10", or by the calendar "2026-03-14 19:10"; seconds where they are not 0. */
import { calendarZeroMs, civilOfDay } from "../base/civilDate.ts";
import { clockParts } from "../base/format.ts";
import { DAY_MS } from "../model/units.ts";

export function clockEntryText(atMs: number, calendarStart?: string): string {
  const { day, time, seconds } = clockParts(atMs, calendarStart);
  const clock = seconds === "00" ? time : `${time}:${seconds}`;
  const zeroMs = calendarZeroMs(calendarStart);
  if (zeroMs === null) return `${day.replace("\u00a0", " ")} ${clock}`;
  const date = civilOfDay(Math.floor((zeroMs + atMs) / DAY_MS));
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.year}-${two(date.month)}-${two(date.day)} ${clock}`;
}
