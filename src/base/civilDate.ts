/**
 * Dates of the Gregorian calendar as days since 1970-01-01 and back, in plain arithmetic: eras of 400 years that start on 1 March, so
 * that a leap day is the last of its year (H. Hinnant, "chrono-compatible low-level date algorithms").
 */
import { shownStart } from "./clockView.ts";

const DAYS_OF_ERA = 146_097;
/** Days from 0000-03-01 to 1970-01-01. */
const DAYS_BEFORE_1970 = 719_468;

export interface CivilDate {
  readonly year: number;
  /** 1 … 12. */
  readonly month: number;
  /** 1 … 31. */
  readonly day: number;
}

/** The date of a whole number of days after 1970-01-01, which may be negative. O(1). */
export function civilOfDay(dayNumber: number): CivilDate {
  const shifted = dayNumber + DAYS_BEFORE_1970;
  const era = Math.floor(shifted / DAYS_OF_ERA);
  const dayOfEra = shifted - era * DAYS_OF_ERA;
  const leaps =
    Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leaps) / 365);
  const dayOfYear = dayOfEra - daysBeforeYear(yearOfEra);
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  };
}

/** Days from 1970-01-01 to a date, negative before it. A day beyond its month counts on into the next. O(1). */
export function dayOfCivil({ year, month, day }: CivilDate): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const monthFromMarch = month + (month > 2 ? -3 : 9);
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  return era * DAYS_OF_ERA + daysBeforeYear(yearOfEra) + dayOfYear - DAYS_BEFORE_1970;
}

function daysBeforeYear(yearOfEra: number): number {
  return yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
}

/** A moment of a calendar without a zone. */
export interface CivilTime extends CivilDate {
  /** Whole days after 1970-01-01. */
  readonly dayNumber: number;
  /** Milliseconds after midnight. */
  readonly ofDayMs: number;
}

/** Reads `YYYY-MM-DDTHH:MM:SS`; null where the text has another form or names no day or time that there is. O(1). */
export function readCivil(text: string): CivilTime | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)$/.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map(Number);
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return null;
  const dayNumber = dayOfCivil({ year, month, day });
  // A day beyond its month would be one of the next.
  const found = civilOfDay(dayNumber);
  if (found.month !== month || found.day !== day) return null;
  return { year, month, day, dayNumber, ofDayMs: ((hour * 60 + minute) * 60 + second) * 1_000 };
}

/** The time that is shown at simulated time 0, ms since 1970-01-01 00:00 in the zone that is shown; null where days are counted. */
export function calendarZeroMs(calendarStart: string | undefined): number | null {
  const shown = shownStart(calendarStart);
  const start = shown === undefined ? null : readCivil(shown);
  return start && start.dayNumber * 86_400_000 + start.ofDayMs;
}

/** The text of a calendar's start so many minutes later (or earlier); the same text where it is no time. O(1). */
export function civilLater(calendarStart: string, minutes: number): string {
  const civil = readCivil(calendarStart);
  if (civil === null) return calendarStart;
  const atMs = civil.dayNumber * 86_400_000 + civil.ofDayMs + minutes * 60_000;
  const dayNumber = Math.floor(atMs / 86_400_000);
  const { year, month, day } = civilOfDay(dayNumber);
  const seconds = Math.floor((atMs - dayNumber * 86_400_000) / 1_000);
  const two = (value: number) => String(value).padStart(2, "0");
  const time = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T${time.map(two).join(":")}`;
}
