/**
 * Gang scheduling (`PreemptMode=…,GANG`; gang_scheduling.html): jobs of a partition that cannot run side by side take turns every
 * `SchedulerTimeSlice`, and running jobs of higher partitions cast a shadow: whoever does not fit beside them is suspended
 * until they are gone. Only CPUs are shared; a suspended job keeps its GPUs and its memory.
 *
 *     active    its turn: first to stay, to the end of the list at the next slice
 *     filler    runs because there is room beside the active ones; new jobs begin so
 *     waiting   suspended
 *
 * Approximated: cores are counted, not named, and partitions of equal tier never share CPUs.
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { JobStateCode } from "../../../model/states.ts";
import { gridMs } from "../clock.ts";
import { resortRun } from "../life/runs.ts";
import type { Choice } from "../select/choice.ts";
import type { GangMember, GangRow, SlurmJob, SlurmState } from "../state.ts";
import { stopMode } from "./preempt.ts";
import { stopVictim } from "./stopVictim.ts";

/**
 * Room for a job that is about to start on `choice`, so that its CPUs are free at this moment: it takes its place in the turns of its
 * partition, and who must is suspended, or stopped where `PreemptMode` says so. Whoever is in the way of a job that has to wait for
 * its turn is suspended until `joinTurns`. O(running × nodes of a job).
 */
export function makeRoom(
  view: PoolView,
  state: SlurmState,
  job: SlurmJob,
  choice: Choice,
  act: Actions,
): void {
  if (!state.setup.config.preemption.gang) return;
  dropGone(state);
  rowOf(state, job.partition).members.push({ jobIdx: job.jobIdx, row: "waiting" });
  job.choice = choice;
  findRows(view, state, job);
  job.choice = null;
  suspendWaiting(view, state, job, act);
  const { cpus } = state.setup.nodes;
  for (let row = 0; row < choice.length; row++) {
    const node = choice.node[row]!;
    let over = cpusInUse(state, node) + choice.cpus[row]! - cpus[node]!;
    for (const run of [...state.running]) {
      if (over <= 0) break;
      const held = run.suspended ? 0 : cpusOn(run, node);
      if (held === 0 || !canTakeTurns(view, run) || !isMember(state, run)) continue;
      suspendRun(view, run, act);
      over -= held;
    }
  }
}

/** The job has started: it waits for its turn, or the others do. O(running × nodes of a job). */
export function joinTurns(view: PoolView, state: SlurmState, act: Actions): void {
  if (!state.setup.config.preemption.gang) return;
  updateRows(view, state, act);
  state.nextGangMs = Math.min(state.nextGangMs, nextSliceMs(view, state));
}

/**
 * Turns at this moment: jobs that are gone leave their place, a slice that is over passes the turn on. Returns when the next slice
 * ends; `Infinity` where nobody waits for a turn. O(running × nodes of a job) where something changed.
 */
export function turnsDue(view: PoolView, state: SlurmState, act: Actions): number {
  const { config, controllerStartMs } = state.setup;
  if (state.fresh) adoptRuns(view, state, act);
  if (!config.preemption.gang) return Number.POSITIVE_INFINITY;
  const sliceMs = Math.max(1, config.preemption.timeSliceMs);
  let changed = dropGone(state) || state.fresh;
  const slice = Math.floor((view.nowMs - controllerStartMs) / sliceMs);
  if (slice > state.gangSlice) {
    state.gangSlice = slice;
    for (const gang of state.gangs) {
      if (!someoneWaits(gang)) continue;
      passTurn(gang);
      changed = true;
    }
  }
  if (changed) updateRows(view, state, act);
  return nextSliceMs(view, state);
}

/** Runs that were there before this configuration take turns in the order of their starts; without turns nobody stays suspended. */
function adoptRuns(view: PoolView, state: SlurmState, act: Actions): void {
  const { gang } = state.setup.config.preemption;
  const runs = [...state.running].sort(
    (one, other) => one.startMs - other.startMs || one.jobIdx - other.jobIdx,
  );
  for (const job of runs) {
    if (gang && !isMember(state, job)) {
      const row = job.suspended ? "waiting" : "filler";
      rowOf(state, job.partition).members.push({ jobIdx: job.jobIdx, row });
    }
    if (!gang && job.suspended && canTakeTurns(view, job) && fitsBesideRunning(state, job))
      resumeRun(view, state, job, act);
  }
}

function nextSliceMs(view: PoolView, state: SlurmState): number {
  if (!state.gangs.some(someoneWaits)) return Number.POSITIVE_INFINITY;
  const { config, controllerStartMs } = state.setup;
  return gridMs(controllerStartMs, config.preemption.timeSliceMs, view.nowMs + 1);
}

/** Whether a run can be suspended and resumed at will: neither starting up, saving, leaving nor stopped by an administrator. */
export function canTakeTurns(view: PoolView, job: SlurmJob): boolean {
  if (job.suspendedByCommand) return false;
  const state = view.jobState[job.jobIdx];
  return state === JobStateCode.running || (state === JobStateCode.suspended && job.suspended);
}

function dropGone(state: SlurmState): boolean {
  let changed = false;
  for (const gang of state.gangs) {
    const left = gang.members.filter((member) => {
      const job = state.jobs.get(member.jobIdx);
      return job !== undefined && job.choice !== null && job.partition === gang.partition;
    });
    if (left.length === gang.members.length) continue;
    gang.members = left;
    changed = true;
  }
  return changed;
}

/** Those whose turn it was go to the end; who runs first is found anew, in the order of the list. */
function passTurn(gang: GangRow): void {
  const had = gang.members.filter((member) => member.row === "active");
  const others = gang.members.filter((member) => member.row !== "active");
  gang.members = [...others, ...had];
  for (const member of gang.members) member.row = "active";
}

function someoneWaits(gang: GangRow): boolean {
  return gang.members.some((member) => member.row === "waiting");
}

/** Suspends come before resumes, so that the CPUs are free. */
function updateRows(view: PoolView, state: SlurmState, act: Actions): void {
  findRows(view, state, null);
  suspendWaiting(view, state, null, act);
  for (const { job, member } of membersOf(state, state.gangs)) {
    if (member.row === "waiting" || !job.suspended || !canTakeTurns(view, job)) continue;
    if (fitsBesideRunning(state, job)) resumeRun(view, state, job, act);
    else member.row = "waiting";
  }
}

/** In the shadow of a higher partition, a job whose mode is not SUSPEND is stopped for good. */
function suspendWaiting(
  view: PoolView,
  state: SlurmState,
  newcomer: SlurmJob | null,
  act: Actions,
): void {
  for (const { job, member } of [...membersOf(state, state.gangs)]) {
    if (member.row !== "waiting" || job.suspended || !canTakeTurns(view, job)) continue;
    const mode = stopMode(state, job);
    if ((mode === "requeue" || mode === "cancel") && isShadowed(state, job)) {
      job.preemptorIdx = newcomer?.jobIdx ?? -1;
      stopVictim(view, state, job, act);
    } else suspendRun(view, job, act);
  }
}

function isShadowed(state: SlurmState, job: SlurmJob): boolean {
  const tier = state.setup.partitions[job.partition]!.config.priorityTier;
  return state.gangs.some(
    (gang) => tierOf(state, gang) > tier && gang.members.some((member) => member.row !== "waiting"),
  );
}

/**
 * Who runs now, partition by partition from the highest tier: beside the shadows of higher ones first the active, then the fillers,
 * then those who wait. `newcomer`: a job that has not started yet.
 */
function findRows(view: PoolView, state: SlurmState, newcomer: SlurmJob | null): void {
  const gangs = [...state.gangs].sort((one, other) => tierOf(state, other) - tierOf(state, one));
  for (const gang of gangs) findRow(view, state, gang, gangs, newcomer);
}

function findRow(
  view: PoolView,
  state: SlurmState,
  gang: GangRow,
  gangs: readonly GangRow[],
  newcomer: SlurmJob | null,
): void {
  const used = new Int32Array(state.setup.nodeCount);
  let jobs = 0;
  for (const higher of gangs) {
    if (tierOf(state, higher) <= tierOf(state, gang)) continue;
    for (const { job, member } of membersOf(state, [higher])) {
      if (member.row === "waiting") continue;
      occupy(state, used, job);
      jobs++;
    }
  }
  const wasOf = new Map(gang.members.map((member) => [member, member.row]));
  for (const wanted of ["active", "filler", "waiting"] as const) {
    for (const { job, member } of membersOf(state, [gang])) {
      if (wasOf.get(member) !== wanted) continue;
      // Whoever cannot be suspended runs on, whatever it takes from others.
      const stays = job !== newcomer && !canTakeTurns(view, job) && !job.suspended;
      if (job.suspendedByCommand) member.row = "waiting";
      else if (stays || jobs === 0 || fits(state, used, job)) {
        occupy(state, used, job);
        jobs++;
        member.row = wanted === "waiting" ? "filler" : wanted;
      } else member.row = "waiting";
    }
  }
}

function* membersOf(
  state: SlurmState,
  gangs: readonly GangRow[],
): Generator<{ job: SlurmJob; member: GangMember }> {
  for (const gang of gangs) {
    for (const member of gang.members) {
      const job = state.jobs.get(member.jobIdx);
      if (job !== undefined && job.choice !== null) yield { job, member };
    }
  }
}

function isMember(state: SlurmState, job: SlurmJob): boolean {
  return state.gangs.some((gang) => gang.members.some((member) => member.jobIdx === job.jobIdx));
}

function fits(state: SlurmState, used: Int32Array, job: SlurmJob): boolean {
  const choice = job.choice!;
  for (let row = 0; row < choice.length; row++) {
    const node = choice.node[row]!;
    if (used[node]! + choice.cpus[row]! > state.setup.nodes.cpus[node]!) return false;
  }
  return true;
}

/** Shadows may take more than there is; no more than all of it counts. */
function occupy(state: SlurmState, used: Int32Array, job: SlurmJob): void {
  const choice = job.choice!;
  for (let row = 0; row < choice.length; row++) {
    const node = choice.node[row]!;
    used[node] = Math.min(state.setup.nodes.cpus[node]!, used[node]! + choice.cpus[row]!);
  }
}

function fitsBesideRunning(state: SlurmState, job: SlurmJob): boolean {
  const choice = job.choice!;
  for (let row = 0; row < choice.length; row++) {
    const node = choice.node[row]!;
    if (cpusInUse(state, node) + choice.cpus[row]! > state.setup.nodes.cpus[node]!) return false;
  }
  return true;
}

/** CPUs of a node that runs use at this moment. O(running). */
function cpusInUse(state: SlurmState, node: number): number {
  let cpus = 0;
  for (const job of state.running) if (!job.suspended) cpus += cpusOn(job, node);
  return cpus;
}

function cpusOn(job: SlurmJob, node: number): number {
  const choice = job.choice!;
  for (let row = 0; row < choice.length; row++) {
    if (choice.node[row] === node) return choice.cpus[row]!;
  }
  return 0;
}

function suspendRun(view: PoolView, job: SlurmJob, act: Actions): void {
  act.suspend(job.jobIdx, true);
  job.suspended = true;
  job.suspendedAtMs = view.nowMs;
}

function resumeRun(view: PoolView, state: SlurmState, job: SlurmJob, act: Actions): void {
  act.resume(job.jobIdx);
  job.suspended = false;
  job.endMs += view.nowMs - job.suspendedAtMs;
  job.suspendedAtMs = -1;
  resortRun(state, job);
}

function rowOf(state: SlurmState, partition: number): GangRow {
  let gang = state.gangs.find((each) => each.partition === partition);
  if (gang === undefined) {
    gang = { partition, members: [] };
    state.gangs.push(gang);
  }
  return gang;
}

function tierOf(state: SlurmState, gang: GangRow): number {
  return state.setup.partitions[gang.partition]!.config.priorityTier;
}
