/**
 * When the two schedulers run. The main one runs after events (a submission lets `batch_sched_delay` pass since its last run) and
 * every `sched_interval` over the whole queue. The backfill thread sleeps `bf_interval` after each pass; with jobs pending it
 * then passes again, without it looks once a second whether anything changed.
 *
 * A pass that cannot differ from the last is not computed, but its time counts: passes have the same times either way.
 * Without an event a backfill pass can differ only from the time that it returns (`passes/backfillPass.ts`), a main pass only where
 * the last was cut short or time made a job eligible or reordered the queue (`fullDue`).
 */
import type { SlurmState } from "./state.ts";

/** How often the backfill thread looks whether there is work (backfill.c: one second). */
const POLL_MS = 1_000;

/** Takes note of backfill passes that came due before `nowMs` and need not be computed. O(1). Before news are taken in. */
export function passSkipped(state: SlurmState, nowMs: number): void {
  if (state.nextBackfillMs < nowMs) {
    // With an empty queue there was nothing to compute.
    state.lastBackfillMs = state.nextBackfillMs;
    state.nextBackfillMs = Number.POSITIVE_INFINITY;
  }
  if (state.queue.length === 0) return;
  const everyMs = intervalOf(state);
  const skipped = Math.ceil((nowMs - state.lastBackfillMs) / everyMs) - 1;
  if (skipped <= 0) return;
  state.lastBackfillMs += skipped * everyMs;
  state.passesSkipped += skipped;
}

/** Something changed that a backfill pass would see. `hadWork`: jobs were pending before. O(1). */
export function noteChange(state: SlurmState, nowMs: number, hadWork: boolean): void {
  const firstMs = state.lastBackfillMs + intervalOf(state);
  const polls = hadWork ? 0 : Math.max(0, Math.ceil((nowMs - firstMs) / POLL_MS));
  state.nextBackfillMs = Math.min(state.nextBackfillMs, firstMs + polls * POLL_MS);
}

/** A backfill pass was computed at `nowMs`; it can differ without an event from `differsMs` on. O(1). */
export function passDone(state: SlurmState, nowMs: number, differsMs: number): void {
  const everyMs = intervalOf(state);
  state.lastBackfillMs = nowMs;
  state.passesComputed++;
  const waits = state.setup.everyPass ? 1 : Math.max(1, Math.ceil((differsMs - nowMs) / everyMs));
  state.nextBackfillMs = nowMs + waits * everyMs;
  if (state.queue.length === 0) state.nextBackfillMs = Number.POSITIVE_INFINITY;
}

/** Asks for a main pass after a submission. */
export function noteSubmission(state: SlurmState, nowMs: number): void {
  const { batchSchedDelayMs, schedIntervalMs } = state.setup.config.scheduler;
  state.fullDue = true;
  if (batchSchedDelayMs === 0) noteMain(state, nowMs);
  else {
    // slurmctld's background loop looks once a second whether the delay is over.
    const { controllerStartMs } = state.setup;
    const periodicMs = gridMs(controllerStartMs, schedIntervalMs, nowMs) - schedIntervalMs;
    const lastMs = Math.max(state.lastMainMs, periodicMs);
    const dueMs = Math.max(nowMs, lastMs + batchSchedDelayMs);
    noteMain(state, gridMs(state.setup.controllerStartMs, 1_000, dueMs));
  }
}

/** Asks for a main pass at `atMs`, or as soon after the last as `sched_min_interval` allows. */
export function noteMain(state: SlurmState, atMs: number): void {
  const { schedMinIntervalMs } = state.setup.config.scheduler;
  const dueMs = Math.max(atMs, state.lastMainMs + Math.floor(schedMinIntervalMs));
  state.mainDueMs = Math.min(state.mainDueMs, dueMs);
}

/** The next periodic main pass that must be computed, at or after `nowMs`. */
export function nextFullMs(state: SlurmState, nowMs: number): number {
  const due =
    state.fullDue || (state.queue.length > 0 && (state.setup.everyPass || isTicking(state, nowMs)));
  if (!due) return Number.POSITIVE_INFINITY;
  return gridMs(state.setup.controllerStartMs, state.setup.config.scheduler.schedIntervalMs, nowMs);
}

/** A job fits before a coming reservation until a moment that no event marks. */
function isTicking(state: SlurmState, nowMs: number): boolean {
  return state.reservations.some((each) => each.startMs >= nowMs);
}

/** The first time from `nowMs` on that lies `startMs` + k × `everyMs`. */
export function gridMs(startMs: number, everyMs: number, nowMs: number): number {
  const periodMs = Math.max(1, everyMs);
  return startMs + Math.ceil((nowMs - startMs) / periodMs) * periodMs;
}

function intervalOf(state: SlurmState): number {
  return Math.max(1, state.setup.config.scheduler.bfIntervalMs);
}
