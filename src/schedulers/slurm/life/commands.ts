/** What users and administrators say (`scontrol`): hold, release, requeue, suspend, update, top, reservations. */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { JobStateCode } from "../../../model/states.ts";
import type { Command, JobCommand } from "../../../model/world.ts";
import { topPriorities } from "../../../scheduling/priority/basic.ts";
import {
  changeReservation,
  createReservation,
  deleteReservation,
} from "../reservations/reservationDesk.ts";
import { changeCpus } from "../select/resources.ts";
import type { SlurmJob, SlurmState } from "../state.ts";
import { changeRequest, settle } from "./jobs.ts";
import { requeueRun } from "./news.ts";
import { givePriority, setPriority } from "./priorities.ts";
import { dequeue, requeueInOrder } from "./queueOrder.ts";
import { endRun, resortRun } from "./runs.ts";

/** Carries commands out in order; one that makes no sense for the job's state is ignored, as scontrol's error is. */
export function takeCommands(
  view: PoolView,
  state: SlurmState,
  commands: readonly Command[],
  act: Actions,
): void {
  for (let at = 0; at < commands.length; at++) {
    const command = commands[at]!;
    const next = commands[at + 1];
    if (command.kind === "reserve") createReservation(view, state, command.reservation);
    else if (command.kind !== "unreserve") {
      const job = state.jobs.get(command.jobIdx);
      if (job !== undefined) tellJob(view, state, job, command, act);
    } else if (next?.kind === "reserve" && next.reservation.name === command.name) {
      // Deleted and made anew in one moment: a change, which jobs that wait for it or run in it outlive.
      changeReservation(view, state, next.reservation);
      at++;
    } else deleteReservation(view, state, command.name, act);
  }
}

function tellJob(
  view: PoolView,
  state: SlurmState,
  job: SlurmJob,
  command: JobCommand,
  act: Actions,
): void {
  const pends = job.choice === null;
  switch (command.kind) {
    case "hold":
      if (!pends) return;
      job.hold = command.by;
      job.priority = 0;
      job.priorities = null;
      settle(view, state, job, act);
      return;
    case "release":
      release(view, state, job, act);
      return;
    case "requeue":
      requeue(view, state, job, command.hold, act);
      return;
    case "suspend":
      suspend(view, state, job, act);
      return;
    case "unsuspend":
      resume(view, state, job, act);
      return;
    case "update":
      update(view, state, job, command, act);
      return;
    case "top":
      if (pends) putOnTop(state, job);
  }
}

/** A released job has lost its place: under priority/basic it gets the next priority in line. */
function release(view: PoolView, state: SlurmState, job: SlurmJob, act: Actions): void {
  if (job.hold === "none" || job.choice !== null) return;
  job.hold = "none";
  job.prioritySet = false;
  job.priority = 0;
  givePriority(view, state, job);
  settle(view, state, job, act);
}

function requeue(
  view: PoolView,
  state: SlurmState,
  job: SlurmJob,
  hold: boolean,
  act: Actions,
): void {
  if (hold) {
    job.hold = "requeued";
    job.priority = 0;
    job.priorities = null;
  }
  if (job.choice === null) {
    if (hold) settle(view, state, job, act);
    return;
  }
  if (!(job.request.requeue ?? state.setup.config.life.jobRequeue)) {
    if (hold) job.hold = "none";
    return;
  }
  if (view.jobState[job.jobIdx] === JobStateCode.ending) return;
  act.evict(job.jobIdx, "requeue", 0, -1);
  endRun(view, state, job);
  requeueRun(view, state, job, act);
}

/** CPUs are free while a job is suspended; devices and memory are not. */
function suspend(view: PoolView, state: SlurmState, job: SlurmJob, act: Actions): void {
  if (job.choice === null || view.jobState[job.jobIdx] !== JobStateCode.running) return;
  act.suspend(job.jobIdx, true);
  changeCpus(state.resources, job.choice, 1);
  state.runsVersion++;
  job.suspended = true;
  job.suspendedByCommand = true;
  job.suspendedAtMs = view.nowMs;
}

/** A job whose CPUs somebody else has taken stays suspended. */
function resume(view: PoolView, state: SlurmState, job: SlurmJob, act: Actions): void {
  if (job.choice === null || !job.suspendedByCommand) return;
  if (!cpusAreFree(state, job)) return;
  act.resume(job.jobIdx);
  changeCpus(state.resources, job.choice, -1);
  job.suspended = false;
  job.suspendedByCommand = false;
  job.endMs += view.nowMs - job.suspendedAtMs;
  job.suspendedAtMs = -1;
  resortRun(state, job);
}

function cpusAreFree(state: SlurmState, job: SlurmJob): boolean {
  const choice = job.choice!;
  for (let row = 0; row < choice.length; row++) {
    if (state.resources.cpusFree[choice.node[row]!]! < choice.cpus[row]!) return false;
  }
  return true;
}

function update(
  view: PoolView,
  state: SlurmState,
  job: SlurmJob,
  command: Extract<JobCommand, { kind: "update" }>,
  act: Actions,
): void {
  const { limitMs, nice, priority } = command;
  job.terms = null;
  if (limitMs !== null) {
    const longerMs = limitMs - job.limitMs;
    job.limitMs = limitMs;
    act.setLimit(job.jobIdx, limitMs);
    if (job.choice !== null) {
      job.endMs = Number.isFinite(longerMs) ? job.endMs + longerMs : job.startMs + limitMs;
      resortRun(state, job);
    }
  }
  if (job.choice !== null) return;
  if (job.queued) dequeue(state, job);
  if (command.options) changeRequest(view, state, job, command.options);
  if (command.beginMs) job.beginMs = command.beginMs;
  if (nice !== null) {
    const by = nice - job.nice;
    job.nice = nice;
    if (!job.prioritySet && job.priority > 0) job.priority = Math.max(1, job.priority - by);
  }
  computeAnew(view, state, job);
  if (priority !== null) {
    setPriority(job, priority);
    job.hold = priority === 0 ? "admin" : "none";
  }
  settle(view, state, job, act);
}

/** Under priority/multifactor any update of a job that is not held computes its priority anew, at once (job_mgr.c, `_update_job`). */
export function computeAnew(view: PoolView, state: SlurmState, job: SlurmJob): void {
  if (state.setup.config.priority.type === "basic" || job.prioritySet || job.priority === 0) return;
  job.priority = 0;
  givePriority(view, state, job);
}

/** `scontrol top`, among the user's own jobs of the same account, partition and QOS. */
function putOnTop(state: SlurmState, job: SlurmJob): void {
  if (!state.setup.config.scheduler.enableUserTop || job.priority === 0) return;
  const mine = [...state.jobs.values()]
    .filter(
      (other) =>
        other.choice === null &&
        other.priority > 0 &&
        other.user === job.user &&
        other.assoc === job.assoc &&
        other.partition === job.partition &&
        other.qos === job.qos,
    )
    .sort((one, other) => one.jobIdx - other.jobIdx);
  for (const changed of topPriorities(mine, job.jobIdx)) {
    const other = state.jobs.get(changed.jobIdx)!;
    other.priority = changed.priority;
    other.priorities = null;
    other.nice = changed.nice;
    other.terms = null;
    requeueInOrder(state, other);
  }
}
