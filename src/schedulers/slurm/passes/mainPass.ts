/**
 * The main scheduler (`_schedule` of job_scheduler.c): jobs in order, each tried now. A job for which nodes are missing blocks its
 * partition, and its partition's nodes for all that follow; those behind it wait for `Priority`, those of other partitions on the
 * same nodes are told that their nodes are reserved for jobs in higher priority partitions.
 */

import { countBoth, takeOut } from "../../../base/bitSets.ts";
import type { Actions, PoolView } from "../../../engine/view.ts";
import { StartReasonCode } from "../../../model/reasons.ts";
import { arrayFull } from "../life/jobs.ts";
import {
  isLimit,
  NODES_RESERVED,
  NONE,
  PRIORITY,
  RESOURCES,
  reasonIdx,
  setReason,
} from "../life/reasons.ts";
import { reservationNamed } from "../reservations/reservations.ts";
import type { QueueEntry, SlurmJob, SlurmState } from "../state.ts";
import { attempt, last, limitReason, type Outcome, partitionSays } from "./attempt.ts";
import { leastToReserve } from "./backfillCounts.ts";
import { isComponent } from "./hetJobs.ts";

const ARRAY_LIMIT = reasonIdx("JobArrayTaskLimit");

/** What a pass did. */
export interface PassResult {
  readonly looked: number;
  readonly started: number;
  /** It stopped before the end of the queue. */
  readonly cut: boolean;
}

/** What a pass keeps in mind. */
interface MainPass {
  readonly avail: Int32Array;
  readonly failed: Uint8Array;
  /** Jobs looked at in each partition (`partition_job_depth`). */
  readonly depth: Int32Array;
  /** Reservations in which a job is blocked: no other starts there. */
  readonly reservations: Set<string>;
  /** Arrays whose first waiting task was looked at: the others show what it shows. */
  readonly arrays: Map<string, number>;
}

/** One pass; `full`: not cut short by `default_queue_depth`. O(jobs looked at × placement). */
export function mainPass(
  view: PoolView,
  state: SlurmState,
  full: boolean,
  act: Actions,
): PassResult {
  const { setup } = state;
  const { scheduler } = setup.config;
  const pass: MainPass = {
    avail: state.upNodes.slice(),
    failed: new Uint8Array(setup.partitions.length),
    depth: new Int32Array(setup.partitions.length),
    reservations: new Set(),
    arrays: new Map(),
  };
  let looked = 0;
  let started = 0;
  let depth = 0;
  for (const entry of [...state.queue]) {
    const { job } = entry;
    if (!job.queued || job.preempting || isComponent(job)) continue;
    if (followsArray(state, pass, job)) continue;
    // One more than the parameter says: the depth is counted after it was compared.
    if (!full && depth++ > scheduler.defaultQueueDepth) return { looked, started, cut: true };
    if (isBehindReservation(pass, job)) continue;
    if (pass.failed[entry.partition] === 1) {
      behind(job);
      noteArray(pass, job);
      continue;
    }
    looked++;
    if (lookAt(view, state, pass, entry, act)) started++;
    else noteArray(pass, job);
    // Its victims are gone already: the next pass, at this moment, looks at everything anew.
    if (state.mainDueMs <= view.nowMs) return { looked, started, cut: false };
    if (scheduler.schedMaxJobStart > 0 && started >= scheduler.schedMaxJobStart)
      return { looked, started, cut: true };
  }
  return { looked, started, cut: false };
}

/** Whether the job was started, or its victims are being stopped. */
function lookAt(
  view: PoolView,
  state: SlurmState,
  pass: MainPass,
  entry: QueueEntry,
  act: Actions,
): boolean {
  const { job } = entry;
  const { setup } = state;
  const partition = setup.partitions[entry.partition]!;
  const { scheduler } = setup.config;
  const says = partitionSays(state, entry, false);
  if (says !== NONE) {
    setReason(job, says);
    return false;
  }
  if (scheduler.partitionJobDepth > 0) {
    pass.depth[entry.partition]! += 1;
    if (pass.depth[entry.partition]! > scheduler.partitionJobDepth) {
      if (job.reason === NONE) setReason(job, PRIORITY);
      return false;
    }
  }
  if (countBoth(pass.avail, partition.nodes) < entry.wanted.minNodes) {
    setReason(job, NODES_RESERVED);
    blockPartition(state, pass, entry);
    return false;
  }
  if (isLimit(job.reason)) {
    // Known from before: it blocks nobody, not even with `assoc_limit_stop`.
    const limit = limitReason(state, job);
    if (limit !== NONE) {
      setReason(job, limit);
      return false;
    }
  }
  const outcome = attempt(
    view,
    state,
    entry,
    pass.avail,
    job.limitMs,
    StartReasonCode.inOrder,
    act,
  );
  if (outcome === "started") return true;
  if (outcome === "victims" && state.mainDueMs <= view.nowMs) return false;
  setReason(job, last.reason);
  block(view, state, pass, entry, outcome);
  return false;
}

/** A blocked job blocks its partition, unless something says that it need not. */
function block(
  view: PoolView,
  state: SlurmState,
  pass: MainPass,
  entry: QueueEntry,
  outcome: Exclude<Outcome, "started">,
): void {
  const { job, wanted } = entry;
  const { scheduler } = state.setup.config;
  const { reservation } = job.request;
  if (outcome === "reserved" && reservation !== "") {
    const own = reservationNamed(state, reservation);
    // Before it begins, its jobs are not looked at.
    if (own !== undefined && own.startMs <= view.nowMs) takeOut(pass.avail, own.nodes);
  }
  if (outcome === "unavailable" || (outcome === "limit" && !scheduler.assocLimitStop)) return;
  if (wanted.required.length >= wanted.minNodes) {
    for (const node of wanted.required)
      pass.avail[node >> 5] = pass.avail[node >> 5]! & ~(1 << (node & 31));
    return;
  }
  if (outcome === "reserved") return;
  if (reservation !== "") {
    pass.reservations.add(reservation);
    return;
  }
  if (view.nowMs - job.eligibleMs < scheduler.bfMinAgeReserveMs) return;
  if (job.priority < leastToReserve(state, job)) return;
  blockPartition(state, pass, entry);
}

function blockPartition(state: SlurmState, pass: MainPass, { partition }: QueueEntry): void {
  pass.failed[partition] = 1;
  takeOut(pass.avail, state.setup.partitions[partition]!.nodes);
}

/** Behind a blocked job of its reservation. */
function isBehindReservation(pass: MainPass, job: SlurmJob): boolean {
  if (!pass.reservations.has(job.request.reservation)) return false;
  setReason(job, PRIORITY);
  noteArray(pass, job);
  return true;
}

/** Behind a blocked job: only reasons that say nothing better give way. */
function behind(job: SlurmJob): void {
  if (job.reason === NONE || job.reason === RESOURCES || job.reason === NODES_RESERVED)
    setReason(job, PRIORITY);
}

/** Slurm keeps the waiting tasks of an array in one record: only the first is looked at. */
function followsArray(state: SlurmState, pass: MainPass, job: SlurmJob): boolean {
  const { arrayId } = job.request;
  if (arrayId === "") return false;
  if (arrayFull(state, job)) {
    setReason(job, ARRAY_LIMIT);
    return true;
  }
  const reason = pass.arrays.get(arrayId);
  if (reason === undefined) return false;
  setReason(job, reason);
  return true;
}

function noteArray(pass: MainPass, job: SlurmJob): void {
  if (job.request.arrayId !== "") pass.arrays.set(job.request.arrayId, job.reason);
}
