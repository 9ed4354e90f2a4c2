/**
 * What users and administrators say (`Command`). A scheduler that keeps jobs back itself hears of it; for every other one the engine carries out
 * what it can: hold, release, requeue, suspend and resume, another time limit. Priorities, nice values, the top of a user's queue and
 * reservations mean nothing to such a scheduler. A command about a job that does not live does nothing.
 */
import { JobStateCode } from "../model/states.ts";
import type { Change, JobCommand } from "../model/world.ts";
import { DecisionKindCode } from "../record/shapes.ts";
import type { PoolNews } from "./happened.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { Hold, HoldBy } from "./liveJobs.ts";
import type { Run } from "./run.ts";

/** Applies a change that is a command. False where it is none. */
export function applyCommand(run: Run, change: Change): boolean {
  switch (change.kind) {
    case "reserve":
    case "unreserve":
      tellReservation(run, change);
      return true;
    case "hold":
    case "release":
    case "requeue":
    case "suspend":
    case "unsuspend":
    case "update":
    case "top": {
      if (run.live.slotOf[change.jobIdx]! < 0) return true;
      noteHold(run.lifecycle, change);
      const pool = run.world.poolOfJob[change.jobIdx]!;
      if (run.rules[pool]!.ownHolds) run.pools[pool]!.news.command(change);
      else carryOut(run, change);
      return true;
    }
    default:
      return false;
  }
}

/** A scheduler without own holds finds it among the changes of the world. */
function tellReservation(
  run: Run,
  change: Extract<Change, { kind: "reserve" | "unreserve" }>,
): void {
  const pool = run.pools[change.pool]!;
  if (run.rules[change.pool]!.ownHolds) {
    pool.news.command(change);
    return;
  }
  if (pool.scheduler.reserved === undefined) return;
  pool.state = pool.scheduler.reserved(pool.desk, pool.settings, pool.state);
  pool.news.due = true;
}

/** Keeps who holds a job back, for every scheduler: another one may take over and has to know. */
function noteHold(lifecycle: Lifecycle, command: JobCommand): void {
  const { live } = lifecycle;
  const slot = live.slotOf[command.jobIdx]!;
  if (command.kind === "hold")
    live.at.heldBy[slot] = command.by === "user" ? HoldBy.user : HoldBy.admin;
  if (command.kind === "release") live.at.heldBy[slot] = HoldBy.nobody;
  if (command.kind === "requeue" && command.hold) live.at.heldBy[slot] = HoldBy.admin;
}

/** Carries out a command about a living job; one that makes no sense in its state does nothing. */
function carryOut(run: Run, command: JobCommand): void {
  const { jobIdx } = command;
  const { live, lifecycle } = run;
  const slot = live.slotOf[jobIdx]!;
  switch (command.kind) {
    case "hold":
      // Members that hold devices and wait for the others make no run: the job waits.
      if (live.jobState[jobIdx] === JobStateCode.placed) requeue(run, slot, jobIdx);
      else lifecycle.queueing.holdByUser(slot, jobIdx);
      return;
    case "release":
      lifecycle.queueing.release(slot, Hold.user);
      return;
    case "requeue":
      if (live.at.runStartMs[slot]! >= 0) requeue(run, slot, jobIdx);
      else if (command.hold) lifecycle.queueing.holdByUser(slot, jobIdx);
      return;
    case "suspend":
    case "unsuspend":
      pauseOrGoOn(run, slot, jobIdx, command.kind === "suspend");
      return;
    case "update":
      if (command.limitMs === null) return;
      lifecycle.phases.setLimit(slot, jobIdx, command.limitMs);
      // Who waits is looked at anew, as after any change of what it asks for.
      if (live.at.runStartMs[slot]! >= 0) newsOf(run, jobIdx).released(jobIdx);
      else newsOf(run, jobIdx).retiered(jobIdx);
      return;
    case "top":
      return;
  }
}

/** Stops a run, or what is left of one that ends; the job is queued again, or held. */
function requeue(run: Run, slot: number, jobIdx: number): void {
  record(run, DecisionKindCode.evict, jobIdx, -1);
  if (run.live.jobState[jobIdx] === JobStateCode.placed) newsOf(run, jobIdx).withdrawn(jobIdx);
  run.lifecycle.evict(slot, true, 0, -1);
}

/** Its scheduler hears that the end of the limit is another one now. */
function pauseOrGoOn(run: Run, slot: number, jobIdx: number, pause: boolean): void {
  const { phases } = run.lifecycle;
  const from = pause ? JobStateCode.running : JobStateCode.suspended;
  if (run.live.jobState[jobIdx] !== from) return;
  const { lending } = run.allocations;
  // Lent devices that others use: it stays suspended until its scheduler finds them free.
  if (!pause && run.live.at.lent[slot] === 1 && !lending.isFree(slot)) return;
  if (!pause) lending.takeBack(slot);
  if (pause) phases.suspend(slot, jobIdx, false);
  else phases.resume(slot, jobIdx);
  record(run, pause ? DecisionKindCode.suspend : DecisionKindCode.resume, jobIdx, pause ? -1 : 0);
  newsOf(run, jobIdx).released(jobIdx);
}

function record(run: Run, kind: number, jobIdx: number, value: number): void {
  run.recorder.decision(run.clock.nowMs, kind, 0, jobIdx, value);
}

function newsOf(run: Run, jobIdx: number): PoolNews {
  return run.pools[run.world.poolOfJob[jobIdx]!]!.news;
}
