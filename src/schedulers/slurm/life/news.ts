/**
 * What happened since the last pass, taken into the books: submissions, ends, requeues, dependencies, nodes. A job that is queued
 * again is held back for the life of a credential and a second, and counts as submitted now (job_mgr.c, `job_requeue`).
 */
import { hasBit } from "../../../base/bits.ts";
import type { Actions, Happened, PoolView } from "../../../engine/view.ts";
import { slurmReasonCode } from "../../../model/reasons.ts";
import { JobStateCode, NodeStateCode } from "../../../model/states.ts";
import { onChangeQos, onLeave, onSubmit } from "../../../scheduling/limits/books.ts";
import { submitProblem } from "../../../scheduling/limits/submit.ts";
import { noteMain, noteSubmission } from "../clock.ts";
import { admitsToReservation } from "../reservations/reservations.ts";
import { everFits } from "../select/everFits.ts";
import type { Wanted } from "../select/wanted.ts";
import type { SlurmJob, SlurmState } from "../state.ts";
import { requestedTres } from "../tres.ts";
import { computeAnew, takeCommands } from "./commands.ts";
import { createJob, dropPlan, settle } from "./jobs.ts";
import { givePriority } from "./priorities.ts";
import { dequeue, requeueInOrder } from "./queueOrder.ts";
import { NOT_AVAILABLE, PRIORITY, setReason } from "./reasons.ts";
import { endRun } from "./runs.ts";

/** Takes all news in. Returns whether a backfill pass could see a difference. O(what happened). */
export function takeNews(
  view: PoolView,
  state: SlurmState,
  happened: Happened,
  act: Actions,
): boolean {
  let changed = false;
  for (let i = 0; i < happened.withdrawn.length; i++) {
    leave(view, state, happened.withdrawn.at[i]!);
    changed = true;
  }
  for (let i = 0; i < happened.released.length; i++) {
    released(view, state, happened.released.at[i]!);
    changed = true;
  }
  if (happened.nodesChanged) {
    readNodes(view, state);
    noteMain(state, view.nowMs);
    changed = true;
  }
  for (let i = 0; i < happened.queued.length; i++) {
    queued(view, state, happened.queued.at[i]!, act);
    changed = true;
  }
  for (let i = 0; i < happened.depended.length; i++) {
    const job = state.jobs.get(happened.depended.at[i]!);
    if (job === undefined || job.startMs >= 0) continue;
    settleDependency(view, state, job, act);
    changed = true;
  }
  for (let i = 0; i < happened.retiered.length; i++) {
    retier(view, state, happened.retiered.at[i]!);
    changed = true;
  }
  if (happened.commands.length > 0) {
    takeCommands(view, state, happened.commands, act);
    noteMain(state, view.nowMs);
    changed = true;
  }
  return changed;
}

/** Which nodes take work. O(nodes). */
export function readNodes(view: PoolView, state: SlurmState): void {
  const { nodes } = state.setup;
  state.runsVersion++;
  state.upNodes.fill(0);
  // A node that has gone over to another pool is down here.
  const here = new Set(view.nodes);
  for (let node = 0; node < nodes.count; node++) {
    const engineNode = nodes.engineNode[node]!;
    // slurmctld does not know yet that a silent node has failed; but what it started there would only fail.
    if (view.nodeState[engineNode] !== NodeStateCode.open || view.onTheWay(engineNode)) continue;
    if (!here.has(engineNode)) continue;
    state.upNodes[node >> 5] = state.upNodes[node >> 5]! | (1 << (node & 31));
  }
}

/** The job is done or was cancelled. */
function leave(view: PoolView, state: SlurmState, jobIdx: number): void {
  const job = state.jobs.get(jobIdx);
  if (job === undefined || view.jobState[jobIdx] !== JobStateCode.done) return;
  if (job.queued) dequeue(state, job);
  const begin = state.begins.indexOf(job);
  if (begin >= 0) state.begins.splice(begin, 1);
  endRun(view, state, job);
  onLeave(state.limits, job);
  state.jobs.delete(jobIdx);
}

/** A run is over: its job is done, or is in the list of those queued again. One that was stopped here is in the books already. */
function released(view: PoolView, state: SlurmState, jobIdx: number): void {
  const job = state.jobs.get(jobIdx);
  if (job === undefined) return;
  // slurmctld's clock has whole seconds: runs that end within one are seen together (recording 15).
  noteMain(state, Math.ceil(view.nowMs / 1_000) * 1_000);
  if (view.jobState[jobIdx] === JobStateCode.done) leave(view, state, jobIdx);
  else if (view.jobState[jobIdx] === JobStateCode.queued && job.choice !== null) {
    endRun(view, state, job);
    job.lost = true;
  }
}

function queued(view: PoolView, state: SlurmState, jobIdx: number, act: Actions): void {
  // Refused at the take-over at this very moment, or cancelled.
  if (view.jobState[jobIdx] !== JobStateCode.queued) return;
  const known = state.jobs.get(jobIdx);
  if (known === undefined) {
    submit(view, state, jobIdx, act);
    return;
  }
  // Its run ended without this scheduler: it lost a node.
  if (known.lost) requeueRun(view, state, known, act);
  else settle(view, state, known, act);
}

/**
 * A job whose run is over pends again: restart count, submit time, hold-back. One that must not be requeued is gone.
 * To be called after `endRun`, or in its place.
 */
export function requeueRun(view: PoolView, state: SlurmState, job: SlurmJob, act: Actions): void {
  endRun(view, state, job);
  const { life } = state.setup.config;
  if (!(job.request.requeue ?? life.jobRequeue)) {
    onLeave(state.limits, job);
    state.jobs.delete(job.jobIdx);
    act.refuse(job.jobIdx, slurmReasonCode("NodeDown"));
    return;
  }
  job.lost = false;
  job.restarts++;
  job.submitMs = view.nowMs;
  job.beginMs = view.nowMs + life.credExpireMs + 1_000;
  job.eligibleMs = Number.POSITIVE_INFINITY;
  job.accrueMs = Number.POSITIVE_INFINITY;
  job.suspended = false;
  job.suspendedByCommand = false;
  job.preemptMs = -1;
  job.graceEndMs = -1;
  job.leavesMs = -1;
  job.preempting = false;
  job.preemptAttemptMs = -1;
  settle(view, state, job, act);
}

/** A job is submitted: refused, or in the books and where it belongs. */
export function submit(view: PoolView, state: SlurmState, jobIdx: number, act: Actions): void {
  const job = createJob(view, state, jobIdx);
  const refusal = refusalOf(view, state, job);
  if (refusal >= 0) {
    act.refuse(jobIdx, refusal);
    return;
  }
  state.jobs.set(jobIdx, job);
  onSubmit(state.limits, job);
  if (job.hold === "none") givePriority(view, state, job);
  settle(view, state, job, act);
  if (!job.queued) return;
  if (!isTop(state, job)) setReason(job, PRIORITY);
  if (job.wanted.required.some((node) => !hasBit(state.upNodes, node)))
    setReason(job, NOT_AVAILABLE);
  noteSubmission(state, view.nowMs);
}

/** Whether the nodes of its partition could hold a request, idle as they are; requests belong to one partition. */
const couldRun = new WeakMap<Wanted, boolean>();

/** A code for `act.refuse`; −1: the job is accepted. */
function refusalOf(view: PoolView, state: SlurmState, job: SlurmJob): number {
  const { setup } = state;
  const fits = job.partitions.some((partition, at) => {
    const wanted = job.wanteds[at]!;
    let known = couldRun.get(wanted);
    if (known === undefined) {
      const { nodes, select } = setup.partitions[partition]!;
      const answer = everFits(setup.nodes, wanted, nodes, select);
      known = answer === "fits" || answer === "partitionLimit";
      couldRun.set(wanted, known);
    }
    return known;
  });
  if (!fits) return slurmReasonCode("BadConstraints");
  if (!admitsToReservation(view, state, job)) return slurmReasonCode("Reservation");
  const weights = setup.partitions[job.partition]!.config.tresBillingWeights;
  const problem = submitProblem(state.limits, {
    jobIdx: job.jobIdx,
    user: job.user,
    assoc: job.assoc,
    qos: job.qos,
    partition: job.partition,
    partitions: job.partitions,
    limitMs: job.limitMs,
    minNodes: job.wanted.minNodes,
    maxNodes: job.wanted.maxNodes,
    timeMinMs: job.request.timeMinMs,
    // Nobody reads it where there are no limits.
    tres: state.limits.setup.idle
      ? {}
      : requestedTres(setup.nodes, job.wanted, weights, setup.config.priority.maxTres),
  });
  return problem === null ? -1 : slurmReasonCode(problem.reason);
}

/** Whether no job before it waits in its partition, or in one of no lower tier on the same nodes (`_top_priority`). */
function isTop(state: SlurmState, job: SlurmJob): boolean {
  const { shares } = state.setup.partitions[job.partition]!;
  for (const entry of state.queue) {
    if (entry.job === job) return true;
    if (shares[entry.partition] === 1) return false;
  }
  return true;
}

function settleDependency(view: PoolView, state: SlurmState, job: SlurmJob, act: Actions): void {
  const { killInvalidDepend } = state.setup.config.scheduler;
  if (killInvalidDepend && view.dependency(job.jobIdx) === "never") {
    leaveQueue(state, job, act);
    act.refuse(job.jobIdx, slurmReasonCode("DependencyNeverSatisfied"));
    return;
  }
  settle(view, state, job, act);
}

function leaveQueue(state: SlurmState, job: SlurmJob, act: Actions): void {
  if (job.queued) dequeue(state, job);
  dropPlan(job, act);
  onLeave(state.limits, job);
  state.jobs.delete(job.jobIdx);
}

function retier(view: PoolView, state: SlurmState, jobIdx: number): void {
  const job = state.jobs.get(jobIdx);
  if (job === undefined) return;
  job.qos = state.setup.qosOfTier[view.tierOfJob[jobIdx]!] ?? job.qos;
  job.terms = null;
  onChangeQos(state.limits, job);
  if (job.choice !== null) return;
  computeAnew(view, state, job);
  requeueInOrder(state, job);
}
