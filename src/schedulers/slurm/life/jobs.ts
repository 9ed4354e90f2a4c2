/**
 * The job record: made when a job is submitted, gone when it is done. Eligibility in the order in which slurmctld looks: a held
 * job has priority 0, then dependencies, then the begin time; what is left is in the queue.
 */

import type { Actions, PoolView } from "../../../engine/view.ts";
import { NO_REQUEST, type SlurmRequest } from "../../../model/slurm/request.ts";
import { JobStateCode } from "../../../model/states.ts";
import { NEVER_MS } from "../../../model/units.ts";
import {
  accountOfTeam,
  associationOf,
  userOfJob,
} from "../../../scheduling/accounting/associations.ts";
import { setAccruing } from "../../../scheduling/limits/books.ts";
import { limitWithoutTimeMs } from "../../../scheduling/limits/submit.ts";
import { wantedOf } from "../select/wanted.ts";
import type { HoldKind, SlurmJob, SlurmState } from "../state.ts";
import { accrue, givePriority } from "./priorities.ts";
import { dequeue, enqueue } from "./queueOrder.ts";
import { NONE, reasonIdx, setReason } from "./reasons.ts";

const HELD: Readonly<Record<Exclude<HoldKind, "none">, number>> = {
  user: reasonIdx("JobHeldUser"),
  admin: reasonIdx("JobHeldAdmin"),
  requeued: reasonIdx("job requeued in held state"),
  reservation: reasonIdx("ReservationDeleted"),
};
const DEPENDENCY = reasonIdx("Dependency");
const NEVER_SATISFIED = reasonIdx("DependencyNeverSatisfied");
const BEGIN_TIME = reasonIdx("BeginTime");

/** The record of a job that was submitted now, or is taken over from another scheduler. O(options). */
export function createJob(view: PoolView, state: SlurmState, jobIdx: number): SlurmJob {
  const { setup } = state;
  const { at } = view.jobs;
  const request = view.jobs.slurm.get(jobIdx) ?? NO_REQUEST;
  const partitions = partitionsOf(view, state, jobIdx);
  const account = accountOfTeam(view.teams[at.team[jobIdx]!]);
  const first = setup.partitions[partitions[0]!]!;
  const assoc = associationOf(setup.tree, account, userOfJob(view.jobs, jobIdx), first.config.name);
  const wanteds = partitions.map((partition) =>
    wantedOf(view, setup.config, setup.nodes, setup.partitions[partition]!.config, jobIdx),
  );
  const asked = view.limitMs(jobIdx);
  const job: SlurmJob = {
    jobIdx,
    request,
    user: at.user[jobIdx]!,
    assoc,
    qos: setup.qosOfTier[view.tierOfJob[jobIdx]!] ?? 0,
    partitions,
    partition: partitions[0]!,
    wanteds,
    wanted: wanteds[0]!,
    nice: request.nice,
    priority: 0,
    prioritySet: false,
    priorities: null,
    priorityMs: view.nowMs,
    terms: null,
    submitMs: view.nowMs,
    beginMs: Math.max(view.nowMs, at.beginMs[jobIdx]!),
    eligibleMs: NEVER_MS,
    accrueMs: NEVER_MS,
    hold: request.hold || request.priority === 0 ? "user" : "none",
    queued: false,
    reason: NONE,
    shownReason: NONE,
    plannedMs: NEVER_MS,
    plannedNodes: null,
    limitMs: asked,
    restarts: 0,
    startMs: -1,
    endMs: NEVER_MS,
    nodes: null,
    nodeCount: 0,
    firstWord: 0,
    lastWord: -1,
    choice: null,
    cpus: 0,
    gpus: 0,
    lost: false,
    suspended: false,
    suspendedAtMs: -1,
    suspendedByCommand: false,
    preemptMs: -1,
    preemptorIdx: -1,
    graceEndMs: -1,
    leavesMs: -1,
    preempting: false,
    preemptAttemptMs: -1,
    switchesSinceMs: Math.floor(view.nowMs / 1_000) * 1_000,
  };
  if (request.noTimeLimit || asked === NEVER_MS)
    job.limitMs = limitWithoutTimeMs(state.limits, job);
  return job;
}

/** A pending job asks for something else from now on: partitions, nodes, features, a reservation. O(options). */
export function changeRequest(
  view: PoolView,
  state: SlurmState,
  job: SlurmJob,
  options: Partial<SlurmRequest>,
): void {
  const { setup } = state;
  job.request = { ...job.request, ...options };
  if (options.partitions !== undefined) {
    const known = options.partitions.flatMap((name) => setup.partitionOfName.get(name) ?? []);
    if (known.length > 0) job.partitions = [...new Set(known)];
    job.partition = job.partitions[0]!;
    job.priorities = null;
  }
  job.wanteds = job.partitions.map((partition) => {
    const { config } = setup.partitions[partition]!;
    return wantedOf(view, setup.config, setup.nodes, config, job.jobIdx, job.request);
  });
  job.wanted = job.wanteds[0]!;
}

/** `--partition`, else the job's queue, else the default partition. Names that nobody has are left out. */
function partitionsOf(view: PoolView, state: SlurmState, jobIdx: number): number[] {
  const { partitionOfName, defaultPartition } = state.setup;
  const request = view.jobs.slurm.get(jobIdx) ?? NO_REQUEST;
  const queue = view.queues[view.jobs.at.queue[jobIdx]!] ?? "";
  const names = request.partitions.length > 0 ? request.partitions : [queue];
  const found = new Set<number>();
  for (const name of names) {
    const partition = partitionOfName.get(name);
    if (partition !== undefined) found.add(partition);
  }
  return found.size > 0 ? [...found] : [defaultPartition];
}

/** Puts a pending job where it belongs: into the queue, or aside with its reason. O(log queue + what it moves). */
export function settle(view: PoolView, state: SlurmState, job: SlurmJob, act: Actions): void {
  if (view.jobState[job.jobIdx] === JobStateCode.done) return;
  dropBegin(state, job);
  const reason = heldBackBy(view, job);
  if (reason !== NONE) {
    if (job.queued) dequeue(state, job);
    if (reason === BEGIN_TIME) waitForBegin(state, job, act);
    else dropPlan(job, act);
    setAccruing(state.limits, job.jobIdx, false);
    job.eligibleMs = NEVER_MS;
    job.accrueMs = NEVER_MS;
    setReason(job, reason);
    return;
  }
  if (job.eligibleMs === NEVER_MS) {
    job.eligibleMs = view.nowMs;
    dropPlan(job, act);
    setReason(job, NONE);
  }
  accrue(state, job, view.nowMs);
  if (job.queued) return;
  if (job.priority === 0) givePriority(view, state, job);
  enqueue(state, job);
}

function heldBackBy(view: PoolView, job: SlurmJob): number {
  if (job.hold !== "none") return HELD[job.hold];
  const dependency = view.dependency(job.jobIdx);
  if (dependency === "never") return NEVER_SATISFIED;
  if (dependency === "open") return DEPENDENCY;
  return job.beginMs > view.nowMs ? BEGIN_TIME : NONE;
}

/** squeue shows the begin time as the expected start. */
function waitForBegin(state: SlurmState, job: SlurmJob, act: Actions): void {
  let at = state.begins.length;
  while (at > 0 && state.begins[at - 1]!.beginMs < job.beginMs) at--;
  state.begins.splice(at, 0, job);
  setPlan(job, job.beginMs, null, act);
}

function dropBegin(state: SlurmState, job: SlurmJob): void {
  const at = state.begins.indexOf(job);
  if (at >= 0) state.begins.splice(at, 1);
}

/** What squeue shows as StartTime and SchedNodeList. */
export function setPlan(
  job: SlurmJob,
  startMs: number,
  nodes: Int32Array | null,
  act: Actions,
): void {
  job.plannedNodes = nodes;
  if (job.plannedMs === startMs) return;
  job.plannedMs = startMs;
  act.plan(job.jobIdx, startMs);
}

/** No planned start any more. */
export function dropPlan(job: SlurmJob, act: Actions): void {
  if (job.plannedMs !== NEVER_MS) setPlan(job, NEVER_MS, null, act);
}

/** Jobs whose begin time has come join the queue. Returns whether any did. */
export function beginDue(view: PoolView, state: SlurmState, act: Actions): boolean {
  let any = false;
  for (;;) {
    const job = state.begins.at(-1);
    if (job === undefined || job.beginMs > view.nowMs) return any;
    settle(view, state, job, act);
    any = true;
  }
}

/** A job of an array whose cap is reached. */
export function arrayFull(state: SlurmState, job: SlurmJob): boolean {
  const { arrayId, arrayMost } = job.request;
  return arrayId !== "" && (state.arrayRuns.get(arrayId) ?? 0) >= arrayMost;
}
