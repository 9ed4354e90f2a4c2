/**
 * What each living job has been given so far: device time, run time, and since when it waits. Kept from its first start to its end; a
 * job that has never run has no entry. O(1) a change, O(jobs that have run and live) memory.
 */
import type { PoolView } from "../../engine/view.ts";
import { JobStateCode } from "../../model/states.ts";
import { heldNow } from "./heldAmounts.ts";

/** Never changed, only replaced: copies share entries. */
export interface Attained {
  /** Up to `sinceMs`. */
  readonly deviceMs: number;
  readonly ranMs: number;
  /** Devices held from then on; 0 = it waits since then. */
  readonly devices: number;
  readonly sinceMs: number;
}

export type AttainedBook = Map<number, Attained>;

/** What living jobs have been given before now, by the runs that the pool remembers. O(runs so far). */
export function attainedBefore(view: PoolView): AttainedBook {
  const book: AttainedBook = new Map();
  view.past(({ jobIdx, fromMs, toMs, milliMs }) => {
    if (view.jobState[jobIdx] === JobStateCode.done || milliMs === 0) return;
    const before = book.get(jobIdx);
    book.set(jobIdx, {
      deviceMs: (before?.deviceMs ?? 0) + milliMs / 1_000,
      ranMs: (before?.ranMs ?? 0) + toMs - fromMs,
      devices: 0,
      sinceMs: toMs,
    });
  });
  return book;
}

/** The job was given devices, gave some back, or ended. */
export function noteAttained(book: AttainedBook, view: PoolView, jobIdx: number): void {
  if (view.jobState[jobIdx] === JobStateCode.done) {
    book.delete(jobIdx);
    return;
  }
  const { devices } = heldNow(view, jobIdx);
  const before = book.get(jobIdx);
  if (before === undefined && devices === 0) return;
  if (before?.devices === devices) return;
  const sum = attainedAt(book, jobIdx, view.nowMs);
  book.set(jobIdx, { ...sum, devices, sinceMs: view.nowMs });
}

/** Device time and run time of a job up to now. */
export function attainedAt(
  book: AttainedBook,
  jobIdx: number,
  nowMs: number,
): { readonly deviceMs: number; readonly ranMs: number } {
  const entry = book.get(jobIdx);
  if (entry === undefined) return { deviceMs: 0, ranMs: 0 };
  const passedMs = entry.devices > 0 ? nowMs - entry.sinceMs : 0;
  return {
    deviceMs: entry.deviceMs + passedMs * entry.devices,
    ranMs: entry.ranMs + passedMs,
  };
}
