/**
 * When reservations hold. A window is [start, end): a job that ends when it starts, or starts when it ends, does not touch it. A window
 * that comes again moves on as a whole once it has ended.
 */
export interface TimeWindow {
  startMs: number;
  endMs: number;
}

const HOUR_MS = 3_600_000;
const PERIOD_MS: Readonly<Record<string, number>> = {
  HOURLY: HOUR_MS,
  DAILY: 24 * HOUR_MS,
  WEEKLY: 7 * 24 * HOUR_MS,
};

/** Whether [fromMs, toMs) and the window have a moment in common. */
export function touches(window: TimeWindow, fromMs: number, toMs: number): boolean {
  return window.startMs < toMs && window.endMs > fromMs;
}

/** How often a reservation with these flags comes again (`HOURLY`, `DAILY`, `WEEKLY`), ms; 0 = once. */
export function periodMs(flags: readonly string[]): number {
  for (const flag of flags) {
    const period = PERIOD_MS[flag];
    if (period !== undefined) return period;
  }
  return 0;
}

/** Moves a window that comes again to its first that has not ended at `nowMs`; false where it comes no more. */
export function moveOn(window: TimeWindow, flags: readonly string[], nowMs: number): boolean {
  const period = periodMs(flags);
  if (period === 0) return false;
  const times = Math.floor((nowMs - window.endMs) / period) + 1;
  window.startMs += times * period;
  window.endMs += times * period;
  return true;
}

/** The first start or end after `afterMs`; `Infinity` without one. O(windows). */
export function nextEdgeMs(windows: readonly TimeWindow[], afterMs: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { startMs, endMs } of windows) {
    if (startMs > afterMs) next = Math.min(next, startMs);
    if (endMs > afterMs) next = Math.min(next, endMs);
  }
  return next;
}

/** The first end at or after `fromMs`, rounded up to a multiple of `resolutionMs`; `Infinity` without one. O(windows). */
export function firstEndMs(
  windows: readonly TimeWindow[],
  fromMs: number,
  resolutionMs: number,
): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { endMs } of windows) if (endMs >= fromMs) first = Math.min(first, endMs);
  if (resolutionMs <= 0 || first === Number.POSITIVE_INFINITY) return first;
  return Math.ceil(first / resolutionMs) * resolutionMs;
}

/** How long a reservation may lie idle before it goes (`PURGE_COMP`, `PURGE_COMP=minutes[:seconds]`), ms; `Infinity` = for ever. */
export function purgeAfterMs(flags: readonly string[]): number {
  for (const flag of flags) {
    const match = /^PURGE_COMP(?:=(\d+)(?::(\d+))?)?$/.exec(flag);
    if (match === null) continue;
    const [, minutes, seconds] = match;
    return (Number(minutes ?? 5) * 60 + Number(seconds ?? 0)) * 1_000;
  }
  return Number.POSITIVE_INFINITY;
}
