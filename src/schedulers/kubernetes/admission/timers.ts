/** What becomes due later, as a binary heap: by time, then job. An entry that means nothing any more is skipped when its time comes. O(log n). */

export type TimerKind = "arrive" | "offer" | "ready" | "requeue" | "gone";

export interface Timer {
  readonly atMs: number;
  readonly kind: TimerKind;
  readonly jobIdx: number;
  /** `sinceMs` of the entry that it is for: another one by then means that it is void. */
  readonly sinceMs: number;
}
export type Timers = Timer[];

export function addTimer(timers: Timers, timer: Timer): void {
  timers.push(timer);
  for (let at = timers.length - 1; at > 0; ) {
    const above = (at - 1) >> 1;
    if (compare(timers[above]!, timers[at]!) <= 0) return;
    swap(timers, above, at);
    at = above;
  }
}

/** The first timer that is due; null where none is. It is taken out. */
export function takeDue(timers: Timers, nowMs: number): Timer | null {
  const first = timers[0];
  if (!first || first.atMs > nowMs) return null;
  return takeFirst(timers);
}

/** When the first one is due that `means` something; those before it are dropped. */
export function nextTimerMs(timers: Timers, means: (timer: Timer) => boolean): number {
  for (let first = timers[0]; first; first = timers[0]) {
    if (means(first)) return first.atMs;
    takeFirst(timers);
  }
  return Number.POSITIVE_INFINITY;
}

function takeFirst(timers: Timers): Timer {
  const first = timers[0]!;
  const last = timers.pop()!;
  if (timers.length === 0) return first;
  timers[0] = last;
  for (let at = 0; ; ) {
    let least = at;
    for (let child = 2 * at + 1; child <= 2 * at + 2 && child < timers.length; child++)
      if (compare(timers[child]!, timers[least]!) < 0) least = child;
    if (least === at) return first;
    swap(timers, least, at);
    at = least;
  }
}

function compare(left: Timer, right: Timer): number {
  return left.atMs - right.atMs || left.jobIdx - right.jobIdx;
}

function swap(timers: Timers, one: number, other: number): void {
  const kept = timers[one]!;
  timers[one] = timers[other]!;
  timers[other] = kept;
}
