/**
 * When the jobs of a class are submitted. All patterns are Poisson processes by thinning (Lewis and Shedler 1979): candidates
 * come at the highest rate and are kept with the probability rate(t) / highest rate. Bursts are such a process of bursts, each with a geometric
 * number of jobs spread evenly over a short time.
 *
 *     rate(t) = perHour · (1 + dayNight · cos(2π (hour(t) − peakHour) / 24)) · weekend part, scaled to mean perHour over a week
 */

import ln from "@stdlib/math-base-special-ln";
import sin from "@stdlib/math-base-special-sin";
import exponentialQuantile from "@stdlib/stats-base-dists-exponential-quantile";
import { assert } from "../base/assert.ts";
import { readCivil } from "../base/civilDate.ts";
import type { Stream } from "../base/random.ts";
import { randomStream } from "../base/random.ts";
import { DAY_MS, HOUR_MS } from "../model/units.ts";
import type { SyntheticClass } from "../scenario/schema.ts";

const HOURS_PER_DAY = 24;
const DAYS_PER_WEEK = 7;
const WEEKDAYS = 5;

/** Where time 0 lies in the day and the week. */
export interface Calendar {
  /** Milliseconds after midnight. */
  readonly timeOfDayMs: number;
  /** 0 = Monday. */
  readonly weekday: number;
}

/** Without a calendar the run starts on a Monday at midnight. */
export function calendarOf(calendarStart: string | undefined): Calendar {
  if (calendarStart === undefined) return { timeOfDayMs: 0, weekday: 0 };
  const start = readCivil(calendarStart);
  assert(start !== null, `the calendar start ${calendarStart} was checked at the door`);
  return { timeOfDayMs: start.ofDayMs, weekday: weekdayOf(start.dayNumber) };
}

/** Day of the week, 0 = Monday; 1970-01-01 was a Thursday. */
function weekdayOf(dayNumber: number): number {
  return (((dayNumber + 3) % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK;
}

/** Rate at a time as a part of the mean rate over a week. */
export function rateFactor(entry: SyntheticClass, calendar: Calendar, atMs: number): number {
  const { pattern, dayNight, peakHour, weekend } = entry.arrivals;
  const sinceMidnightMs = atMs + calendar.timeOfDayMs;
  const day = Math.floor(sinceMidnightMs / DAY_MS);
  const isWeekend = (day + calendar.weekday) % DAYS_PER_WEEK >= WEEKDAYS;
  const weekly =
    ((isWeekend ? weekend : 1) * DAYS_PER_WEEK) / (WEEKDAYS + (DAYS_PER_WEEK - WEEKDAYS) * weekend);
  if (pattern !== "diurnal") return weekly;
  const hour = (sinceMidnightMs - day * DAY_MS) / HOUR_MS;
  const angle = (2 * Math.PI * (hour - peakHour)) / HOURS_PER_DAY;
  return weekly * (1 + dayNight * sin(angle + Math.PI / 2));
}

function highestFactor(entry: SyntheticClass): number {
  const { pattern, dayNight, weekend } = entry.arrivals;
  const weekly = DAYS_PER_WEEK / (WEEKDAYS + (DAYS_PER_WEEK - WEEKDAYS) * weekend);
  return pattern === "diurnal" ? weekly * (1 + dayNight) : weekly;
}

/**
 * Submit times (integer ms) of a class, in order of drawing, which for bursts is not quite the order of time. Stops after `most`
 * times. O(candidates).
 */
export function drawArrivals(
  seed: number,
  entry: SyntheticClass,
  untilMs: number,
  calendar: Calendar,
  most: number,
): number[] {
  const stream = randomStream(seed, "arrivals", entry.id);
  const bursts = entry.arrivals.pattern === "bursts";
  const perMs = entry.arrivals.perHour / (bursts ? entry.arrivals.burstJobs : 1) / HOUR_MS;
  const highest = highestFactor(entry);
  const gapMs = exponentialQuantile.factory(perMs * highest);
  const drawBurst = bursts ? burstDrawer(seed, entry) : null;
  const times: number[] = [];
  for (let atMs = entry.fromMs + gapMs(stream()); atMs < untilMs; atMs += gapMs(stream())) {
    if (stream() * highest >= rateFactor(entry, calendar, atMs)) continue;
    if (drawBurst === null) times.push(Math.floor(atMs));
    else drawBurst(atMs, untilMs, times);
    if (times.length > most) break;
  }
  return times;
}

/** Appends the jobs of one burst that lie before `untilMs`. */
function burstDrawer(
  seed: number,
  entry: SyntheticClass,
): (atMs: number, untilMs: number, times: number[]) => void {
  const sizes = randomStream(seed, "burstJobs", entry.id);
  const offsets = randomStream(seed, "burstOffsets", entry.id);
  return (atMs, untilMs, times) => {
    const jobs = drawGeometric(sizes, entry.arrivals.burstJobs);
    for (let job = 0; job < jobs; job++) {
      const submitMs = Math.floor(atMs + offsets() * entry.arrivals.burstMs);
      if (submitMs < untilMs) times.push(submitMs);
    }
  };
}

/** 1, 2, 3, … with the given mean. One draw. */
function drawGeometric(stream: Stream, mean: number): number {
  const u = 1 - stream();
  return mean <= 1 ? 1 : 1 + Math.floor(ln(u) / ln(1 - 1 / mean));
}
