/**
 * What each living job has been given so far: device time, run time, and since when it waits. Kept from its first start to its end; a
 * job that has never run has no entry. O(1) a change, O(jobs that have run and live) memory.
 */
import type { PoolView } from "../../engine/view.ts";
import { JobStateCode } from "../../model/states.ts";
import { heldNow } from "./heldAmounts.ts";

export interface Attained {
  /** Up to `sinceMs`. */
  deviceMs: number;
  ranMs: number;
  /** Devices held from then on; 0 = it waits since then. */
  devices: number;
  sinceMs: number;
}

export interface AttainedBook {
  readonly of: Map<number, Attained>;
  /** Those of them that hold nothing now. */
  readonly idle: Set<number>;
}

/** What living jobs have been given before now, by the runs that the pool remembers. O(runs so far). */
export function attainedBefore(view: PoolView): AttainedBook {
  const book: AttainedBook = { of: new Map(), idle: new Set() };
  view.past(({ jobIdx, fromMs, toMs, milliMs }) => {
    if (view.jobState[jobIdx] === JobStateCode.done || milliMs === 0) return;
    const before = book.of.get(jobIdx);
    book.idle.add(jobIdx);
    book.of.set(jobIdx, {
      deviceMs: (before?.deviceMs ?? 0) + milliMs / 1_000,
      ranMs: (before?.ranMs ?? 0) + toMs - fromMs,
      devices: 0,
      sinceMs: toMs,
    });
  });
  return book;
}

/** A copy that shares nothing. O(entries). */
export function copyAttained({ of, idle }: AttainedBook): AttainedBook {
  const copy: AttainedBook = { of: new Map(), idle: new Set(idle) };
  for (const [jobIdx, entry] of of) copy.of.set(jobIdx, { ...entry });
  return copy;
}

/** The job was given devices, gave some back, or ended. */
export function noteAttained(book: AttainedBook, view: PoolView, jobIdx: number): void {
  if (view.jobState[jobIdx] === JobStateCode.done) {
    book.of.delete(jobIdx);
    book.idle.delete(jobIdx);
    return;
  }
  const devices = isWhole(view, jobIdx) ? view.devicesHeld(jobIdx) : heldNow(view, jobIdx).devices;
  const { nowMs } = view;
  const entry = book.of.get(jobIdx);
  if (entry === undefined) {
    if (devices > 0) book.of.set(jobIdx, { deviceMs: 0, ranMs: 0, devices, sinceMs: nowMs });
    return;
  }
  if (entry.devices === devices) return;
  entry.deviceMs = deviceMsAt(entry, nowMs);
  entry.ranMs = ranMsAt(entry, nowMs);
  if (devices === 0) book.idle.add(jobIdx);
  else book.idle.delete(jobIdx);
  entry.devices = devices;
  entry.sinceMs = nowMs;
}

/** Whether the job asks for no parts of devices. */
function isWhole({ jobs }: PoolView, jobIdx: number): boolean {
  const { shareMilli, mig } = jobs.components;
  const end = jobs.at.firstComponent[jobIdx + 1]!;
  for (let row = jobs.at.firstComponent[jobIdx]!; row < end; row++)
    if (shareMilli[row]! > 0 || mig[row]! > 0) return false;
  return true;
}

/** Device time of a job up to now; 0 for one that has never run. */
export function attainedMs(book: AttainedBook, jobIdx: number, nowMs: number): number {
  const entry = book.of.get(jobIdx);
  return entry === undefined ? 0 : deviceMsAt(entry, nowMs);
}

function deviceMsAt({ deviceMs, devices, sinceMs }: Attained, nowMs: number): number {
  return devices > 0 ? deviceMs + (nowMs - sinceMs) * devices : deviceMs;
}

function ranMsAt({ ranMs, devices, sinceMs }: Attained, nowMs: number): number {
  return devices > 0 ? ranMs + nowMs - sinceMs : ranMs;
}
