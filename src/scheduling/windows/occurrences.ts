/**
 * When a window holds. The k-th occurrence is [start + k · every, + duration); it is known as long before its begin as the first one was announced before its own, and
 * from the begin of the run where the first was known at 0. Only the next `AHEAD` are told: a job that starts now and reaches into a later one reaches into an earlier one
 * first, so only reservations far ahead can be wrong, and they are made again in time. O(1) an occurrence.
 */
import type { WindowRule } from "../../model/lab/tenancy.ts";

const AHEAD = 2;
const NEVER = Number.POSITIVE_INFINITY;

/** A stretch that is known now and not over. */
export interface Occurrence {
  readonly startMs: number;
  readonly endMs: number;
}

type Times = Pick<WindowRule, "startMs" | "durationMs" | "everyMs" | "announcedMs">;

function firstOpen({ startMs, durationMs, everyMs }: Times, nowMs: number): number {
  if (everyMs === NEVER) return startMs + durationMs > nowMs ? 0 : NEVER;
  return Math.max(0, Math.floor((nowMs - startMs - durationMs) / everyMs) + 1);
}

function startOf({ startMs, everyMs }: Times, k: number): number {
  return k === 0 ? startMs : startMs + k * everyMs;
}

function knownFromMs(window: Times, k: number): number {
  if (window.announcedMs <= 0) return 0;
  const leadMs = Math.max(0, window.startMs - window.announcedMs);
  return startOf(window, k) - leadMs;
}

/** Occurrences that are known at `nowMs` and not over, in order of time. A window that is longer than its period touches the next one. */
export function knownOccurrences(window: Times, nowMs: number): Occurrence[] {
  const found: Occurrence[] = [];
  const first = firstOpen(window, nowMs);
  const last = window.everyMs === NEVER ? 0 : first + AHEAD - 1;
  for (let k = first; k <= last && knownFromMs(window, k) <= nowMs; k++) {
    const startMs = startOf(window, k);
    found.push({ startMs, endMs: startMs + window.durationMs });
  }
  return found;
}

/** The next time after `nowMs` at which an occurrence is announced, begins or is over; `Infinity` = none to come. */
export function nextChangeMs(window: Times, nowMs: number): number {
  const first = firstOpen(window, nowMs);
  if (first === NEVER) return NEVER;
  let nextMs = NEVER;
  const last = window.everyMs === NEVER ? 0 : first + AHEAD;
  for (let k = first; k <= last; k++) {
    const startMs = startOf(window, k);
    for (const atMs of [knownFromMs(window, k), startMs, startMs + window.durationMs])
      if (atMs > nowMs) nextMs = Math.min(nextMs, atMs);
  }
  return nextMs;
}
