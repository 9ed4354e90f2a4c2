/**
 * Past use of each queue for time-based fair share: device-time by slices of a sliding window, so that what is older than the window is forgotten. With a half-life older slices
 * count less. Brought up to date whenever what queues hold is about to change. O(queues) a call, O(queues × slices) to ask. Source: kai-scheduler/KAI-Scheduler `docs/time-based-fairshare`.
 */
import pow from "@stdlib/math-base-special-pow";
import type { Amounts } from "../../scheduling/kubernetes/podGroups/amounts.ts";

const SLICES = 84;

export interface UsageBook {
  readonly sliceMs: number;
  readonly halfLifeMs: number;
  atMs: number;
  /** Number of the newest slice since time 0; older ones lie before it in the ring. */
  newest: number;
  /** By slice of the ring, by queue and resource: amount × ms. */
  ring: Float64Array[];
}

export function createUsage(
  nowMs: number,
  windowMs: number,
  halfLifeMs: number,
  queues: number,
): UsageBook {
  const sliceMs = Math.max(1, Math.ceil(windowMs / SLICES));
  return {
    sliceMs,
    halfLifeMs,
    atMs: nowMs,
    newest: Math.floor(nowMs / sliceMs),
    ring: Array.from({ length: SLICES }, () => new Float64Array(queues * 3)),
  };
}

export function copyUsage(book: UsageBook): UsageBook {
  return { ...book, ring: book.ring.map((slice) => slice.slice()) };
}

/** Until `nowMs` each queue has held what `allocated` says. */
export function advanceUsage(book: UsageBook, nowMs: number, allocated: readonly Amounts[]): void {
  while (book.atMs < nowMs) {
    const slice = Math.floor(book.atMs / book.sliceMs);
    for (; book.newest < slice; ) {
      book.newest++;
      book.ring[book.newest % SLICES]!.fill(0);
    }
    const untilMs = Math.min(nowMs, (slice + 1) * book.sliceMs);
    const row = book.ring[slice % SLICES]!;
    for (const [queue, amounts] of allocated.entries())
      for (let at = 0; at < 3; at++)
        row[queue * 3 + at] = row[queue * 3 + at]! + amounts[at]! * (untilMs - book.atMs);
    book.atMs = untilMs;
  }
}

/** What each queue has used of a cluster of this size over the window, 0 to 1, by queue and resource. */
export function usedParts(book: UsageBook, queues: number, total: Amounts): number[][] {
  const used = Array.from({ length: queues }, () => [0, 0, 0]);
  let whole = 0;
  for (let age = 0; age < SLICES; age++) {
    const weight = book.halfLifeMs > 0 ? pow(0.5, (age * book.sliceMs) / book.halfLifeMs) : 1;
    whole += weight * book.sliceMs;
    const slice = book.newest - age;
    if (slice < 0) continue;
    const row = book.ring[slice % SLICES]!;
    for (let queue = 0; queue < queues; queue++)
      for (let at = 0; at < 3; at++)
        used[queue]![at] = used[queue]![at]! + weight * row[queue * 3 + at]!;
  }
  return used.map((amounts) =>
    amounts.map((amount, at) => (total[at]! > 0 ? amount / (whole * total[at]!) : 0)),
  );
}
