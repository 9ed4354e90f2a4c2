/**
 * How numbers are written, everywhere: durations in two units ("1 h 28 m"), under ten minutes with one decimal, clock times as
 * "Day 2 19:10" or by the scenario's calendar, no-break spaces inside a quantity, and the true minus sign. Pure text: no locale,
 * no `Date`, so that page, command line and tests read the same.
 */
import { civilOfDay, readCivil } from "./civilDate.ts";
import { shownStart } from "./clockView.ts";

/** No-break space: a number never parts from its unit at the end of a line. */
export const NBSP = "\u00a0";
export const MINUS = "\u2212";
const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

/** "412 ms", "8.4 s", "3.8 m", "28 m", "1 h 28 m", "2 d 4 h"; "–" for a time that is not known. Negative with a true minus. */
export function durationText(ms: number): string {
  if (Number.isNaN(ms)) return "–";
  if (ms < 0) return MINUS + durationText(-ms);
  if (ms === Number.POSITIVE_INFINITY) return "no end";
  if (ms === 0) return `0${NBSP}m`;
  if (ms < SECOND) return `${Math.round(ms)}${NBSP}ms`;
  if (ms < MINUTE) return `${oneDecimal(Math.min(ms / SECOND, 59.9))}${NBSP}s`;
  if (ms < 9.95 * MINUTE) return `${oneDecimal(ms / MINUTE)}${NBSP}m`;
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 60) return `${minutes}${NBSP}m`;
  if (minutes < 24 * 60) return pair(Math.floor(minutes / 60), "h", minutes % 60, "m");
  const hours = Math.round(ms / HOUR);
  return pair(Math.floor(hours / 24), "d", hours % 24, "h");
}

function oneDecimal(value: number): string {
  const text = (Math.round(value * 10) / 10).toFixed(1);
  return text.endsWith(".0") ? text.slice(0, -2) : text;
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  const first = `${large}${NBSP}${largeUnit}`;
  if (small === 0) return first;
  const digits = smallUnit === "m" ? String(small).padStart(2, "0") : String(small);
  return `${first}${NBSP}${digits}${NBSP}${smallUnit}`;
}

/** Thousands by thin no-break spaces: "1 000 000"; a true minus; `decimals` after the point. */
export function numberText(value: number, decimals = 0): string {
  if (!Number.isFinite(value)) return "–";
  const rounded = Math.abs(value).toFixed(decimals);
  const [whole = "0", part] = rounded.split(".");
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") : whole;
  const isZero = Number(rounded) === 0;
  return (value < 0 && !isZero ? MINUS : "") + grouped + (part === undefined ? "" : `.${part}`);
}

/** A difference with its sign: "+8", "−9.7", "±0". */
export function signedText(value: number, decimals = 0): string {
  const text = numberText(value, decimals);
  if (text.startsWith(MINUS) || text === "–") return text;
  return Number(Math.abs(value).toFixed(decimals)) === 0 ? `±${text}` : `+${text}`;
}

/** Devices that may be parts of one: whole numbers stay whole, else two decimals at most: "8", "1.75", "0.5". With its sign as `signedText`. */
export function amountText(value: number, signed = false): string {
  const text = (signed ? signedText : numberText)(value, Number.isInteger(value) ? 0 : 2);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** "1 job", "14 jobs". */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)}${NBSP}${count === 1 ? one : many}`;
}

export interface ClockParts {
  /** "Day 2", or "Tue 14 Mar" by the calendar; the year stands after it from the second calendar year on. */
  readonly day: string;
  /** "19:10". */
  readonly time: string;
  /** "00". */
  readonly seconds: string;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/**
 * The clock at a simulated time. `calendarStart` is the scenario's `YYYY-MM-DDTHH:MM:SS` of time 0, in its own zone; without
 * it days count from "Day 1 00:00".
 */
export function clockParts(atMs: number, calendarStart?: string): ClockParts {
  const shown = shownStart(calendarStart);
  const start = shown === undefined ? null : readCivil(shown);
  const totalMs = Math.floor(atMs) + (start?.ofDayMs ?? 0);
  const dayIdx = Math.floor(totalMs / DAY);
  const ofDayMs = totalMs - dayIdx * DAY;
  const two = (value: number) => String(value).padStart(2, "0");
  return {
    day:
      start === null ? `Day${NBSP}${dayIdx + 1}` : civilDay(start.dayNumber + dayIdx, start.year),
    time: `${two(Math.floor(ofDayMs / HOUR))}:${two(Math.floor((ofDayMs % HOUR) / MINUTE))}`,
    seconds: two(Math.floor((ofDayMs % MINUTE) / SECOND)),
  };
}

/** A day without its weekday, for axes whose steps are longer than a week: "14 Mar", "14 Mar 1999", "Day 15". */
export function dateText(day: string): string {
  return WEEKDAYS.includes(day.slice(0, 3)) && day[3] === NBSP ? day.slice(4) : day;
}

/** "Day 2 19:10". */
export function clockText(atMs: number, calendarStart?: string): string {
  if (!Number.isFinite(atMs)) return "not known";
  const parts = clockParts(atMs, calendarStart);
  return `${parts.day}${NBSP}${parts.time}`;
}

/** The clock time alone where both times fall on one day, else with the day: "21:29", "Day 3 02:10". */
export function clockNear(atMs: number, nearMs: number, calendarStart?: string): string {
  if (!Number.isFinite(atMs)) return "not known";
  const parts = clockParts(atMs, calendarStart);
  const near = clockParts(nearMs, calendarStart);
  return parts.day === near.day ? parts.time : `${parts.day}${NBSP}${parts.time}`;
}

function civilDay(dayNumber: number, startYear: number): string {
  const { year, month, day } = civilOfDay(dayNumber);
  const weekday = (((dayNumber + 4) % 7) + 7) % 7;
  const text = `${WEEKDAYS[weekday]}${NBSP}${day}${NBSP}${MONTHS[month - 1]}`;
  return year === startYear ? text : `${text}${NBSP}${year}`;
}

/** ① … ⑳ as in the numbered flags of the sheet; "(21)" beyond. */
export function circledNumber(number: number): string {
  return number >= 1 && number <= 20 ? String.fromCharCode(0x2460 + number - 1) : `(${number})`;
}
