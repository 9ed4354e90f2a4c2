/**
 * GPU-time used within a window that ends now. Used is everything that ended minus what happened before the window's begin; the begin moves
 * on over starts and ends in order of time, so that advancing costs O(1) for each run that leaves. A run is entered when it ends: a long one
 * may have begun before the window. Unit: thousandths of a device × ms. Between two of its events usage falls in a straight line.
 */
export interface UsageWindow {
  /** `Infinity`: nothing ever leaves. */
  readonly periodMs: number;
  /** Begin of the window, as far as it has moved. */
  fromMs: number;
  /** Used by ended runs in all, and of that before `fromMs`. */
  total: number;
  gone: number;
  /** Thousandths in use at `fromMs`, by runs that have ended. */
  rate: number;
  /** Begins and ends still ahead of `fromMs`, ascending from `firstStart` and `firstEnd` on. */
  startMs: number[];
  startMilli: number[];
  firstStart: number;
  endMs: number[];
  endMilli: number[];
  firstEnd: number;
}

export function createWindow(periodMs: number): UsageWindow {
  return {
    periodMs,
    fromMs: Number.NEGATIVE_INFINITY,
    total: 0,
    gone: 0,
    rate: 0,
    startMs: [],
    startMilli: [],
    firstStart: 0,
    endMs: [],
    endMilli: [],
    firstEnd: 0,
  };
}

/** O(runs in the window). */
export function copyWindow(window: UsageWindow): UsageWindow {
  return {
    ...window,
    startMs: window.startMs.slice(window.firstStart),
    startMilli: window.startMilli.slice(window.firstStart),
    firstStart: 0,
    endMs: window.endMs.slice(window.firstEnd),
    endMilli: window.endMilli.slice(window.firstEnd),
    firstEnd: 0,
  };
}

/** A stretch in which so many thousandths were held has ended now. O(1) amortised; O(runs in the window) where runs end out of order. */
export function enterUse(window: UsageWindow, fromMs: number, nowMs: number, milli: number): void {
  if (nowMs <= fromMs || milli === 0) return;
  window.total += milli * (nowMs - fromMs);
  if (window.periodMs === Number.POSITIVE_INFINITY) return;
  advance(window, nowMs);
  if (fromMs <= window.fromMs) {
    window.rate += milli;
    window.gone += milli * (window.fromMs - fromMs);
  } else {
    let at = window.startMs.length;
    while (at > window.firstStart && window.startMs[at - 1]! > fromMs) at--;
    window.startMs.splice(at, 0, fromMs);
    window.startMilli.splice(at, 0, milli);
  }
  window.endMs.push(nowMs);
  window.endMilli.push(milli);
}

/** Used within the window that ends now. */
export function usedAt(window: UsageWindow, nowMs: number): number {
  if (window.periodMs === Number.POSITIVE_INFINITY) return window.total;
  advance(window, nowMs);
  return window.total - window.gone;
}

/** The first time at which no more than `most` is used, if nothing is added; `Infinity` = never. O(runs in the window). */
export function fallsTo(window: UsageWindow, nowMs: number, most: number): number {
  if (usedAt(window, nowMs) <= most) return nowMs;
  if (most < 0 || window.periodMs === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  let { fromMs, rate, firstStart, firstEnd } = window;
  let used = window.total - window.gone;
  while (firstEnd < window.endMs.length || rate > 0) {
    const nextMs = Math.min(
      window.startMs[firstStart] ?? Number.POSITIVE_INFINITY,
      window.endMs[firstEnd] ?? Number.POSITIVE_INFINITY,
    );
    const left = used - rate * (nextMs - fromMs);
    if (rate > 0 && left <= most) return Math.ceil(fromMs + (used - most) / rate + window.periodMs);
    if (nextMs === Number.POSITIVE_INFINITY) break;
    used = left;
    fromMs = nextMs;
    while (window.startMs[firstStart] === nextMs) rate += window.startMilli[firstStart++]!;
    while (window.endMs[firstEnd] === nextMs) rate -= window.endMilli[firstEnd++]!;
  }
  return Number.POSITIVE_INFINITY;
}

function advance(window: UsageWindow, nowMs: number): void {
  const toMs = nowMs - window.periodMs;
  if (toMs <= window.fromMs) return;
  const { startMs, endMs } = window;
  for (;;) {
    const nextMs = Math.min(
      startMs[window.firstStart] ?? Number.POSITIVE_INFINITY,
      endMs[window.firstEnd] ?? Number.POSITIVE_INFINITY,
    );
    const stopMs = Math.min(nextMs, toMs);
    if (window.rate > 0) window.gone += window.rate * (stopMs - window.fromMs);
    window.fromMs = stopMs;
    if (nextMs > toMs) break;
    while (startMs[window.firstStart] === nextMs)
      window.rate += window.startMilli[window.firstStart++]!;
    while (endMs[window.firstEnd] === nextMs) window.rate -= window.endMilli[window.firstEnd++]!;
  }
  forget(window);
}

/** Lets go of what has left, now and then, so that it costs O(1) a run. */
function forget(window: UsageWindow): void {
  if (window.firstEnd > 64 && window.firstEnd * 2 > window.endMs.length) {
    window.endMs = window.endMs.slice(window.firstEnd);
    window.endMilli = window.endMilli.slice(window.firstEnd);
    window.firstEnd = 0;
  }
  if (window.firstStart > 64 && window.firstStart * 2 > window.startMs.length) {
    window.startMs = window.startMs.slice(window.firstStart);
    window.startMilli = window.startMilli.slice(window.firstStart);
    window.firstStart = 0;
  }
}
