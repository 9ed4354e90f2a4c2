/**
 * One attempt to start one pending job in one of its partitions now (`select_nodes`): limits, reservations, nodes asked for by
 * name, free nodes, victims, limits again with what it would get. Both schedulers come through here.
 */

import { keepIn, takeOut } from "../../../base/bitSets.ts";
import type { Actions, PoolView } from "../../../engine/view.ts";
import { billableTres, billingTres } from "../../../scheduling/accounting/billing.ts";
import { partitionAccess, partitionReason } from "../../../scheduling/limits/partition.ts";
import { pendingReason, postSelectReason } from "../../../scheduling/limits/policy.ts";
import { usageForLimits } from "../../../scheduling/priority/fairShare.ts";
import { NONE, NOT_AVAILABLE, RESOURCES, reasonIdx } from "../life/reasons.ts";
import { startJob } from "../life/runs.ts";
import { preemptFor } from "../preemption/preemptFor.ts";
import { magneticFor, reservationReason, testReservations } from "../reservations/reservations.ts";
import { Choice } from "../select/choice.ts";
import { everFits } from "../select/everFits.ts";
import type { SelectOptions } from "../select/options.ts";
import type { QueueEntry, SlurmJob, SlurmState } from "../state.ts";
import { allocatedTres, requestedTres } from "../tres.ts";
import { selectFor } from "./selectFor.ts";

/**
 * `busy`: the nodes are not free. `limit`: a limit of QOS or association. `unavailable`: nodes asked for by name are not up.
 * `reserved`: an advance reservation stands in the way. `victims`: its victims are being stopped.
 */
export type Outcome = "started" | "victims" | "busy" | "limit" | "unavailable" | "reserved";

/** The outcome of the last attempt, and the reason that squeue shows for it. One for all: attempts are made one at a time. */
export const last = { reason: NONE, outcome: "busy" as Outcome };

/** The place found last. */
export const place = new Choice();
let usable = new Int32Array(0);

/** Tries to start a job on nodes of `avail`. `limitMs`: the limit that the run would have. */
export function attempt(
  view: PoolView,
  state: SlurmState,
  entry: QueueEntry,
  avail: Int32Array,
  limitMs: number,
  startReason: number,
  act: Actions,
): Outcome {
  const { job } = entry;
  const asked = job.request;
  for (const reservation of magneticFor(view, state, job)) {
    job.request = { ...asked, reservation };
    const outcome = attemptOnce(view, state, entry, avail, limitMs, startReason, act);
    if (outcome === "started") return outcome;
    job.request = asked;
    if (outcome === "victims") return outcome;
  }
  return attemptOnce(view, state, entry, avail, limitMs, startReason, act);
}

function attemptOnce(
  view: PoolView,
  state: SlurmState,
  entry: QueueEntry,
  avail: Int32Array,
  limitMs: number,
  startReason: number,
  act: Actions,
): Outcome {
  const { job } = entry;
  look(entry);
  const limit = limitReason(state, job);
  if (limit !== NONE) return ended("limit", limit);
  const nodes = candidates(state, entry, avail);
  const reservation = testReservations(view, state, job, view.nowMs, false, nodes);
  if (reservation.answer !== "ok") {
    const word = reservationReason(reservation, couldEver(state, entry, nodes));
    return ended("reserved", word === null ? RESOURCES : reasonIdx(word));
  }
  if (!hasRequired(entry, nodes)) return ended("unavailable", NOT_AVAILABLE);
  const options = optionsOf(view, state, entry);
  if (!selectFor(state, entry, nodes, state.resources, options, place)) {
    const asked = askedReason(state, entry);
    if (asked !== NONE) return ended("limit", asked);
    const preempted = preemptFor(view, state, entry, nodes, options, place, act);
    if (preempted === "victims") return ended("victims", RESOURCES);
    if (preempted === "none") {
      const word = reservation.overlaps
        ? reservationReason(reservation, couldEver(state, entry, nodes))
        : null;
      return word === null ? ended("busy", RESOURCES) : ended("reserved", reasonIdx(word));
    }
  }
  const got = placeReason(state, entry);
  if (got !== NONE) return ended("limit", got);
  if (!startJob(view, state, entry, place, limitMs, startReason, act))
    return ended("busy", RESOURCES);
  return ended("started", NONE);
}

function ended(outcome: Outcome, reason: number): Outcome {
  last.outcome = outcome;
  last.reason = reason;
  return outcome;
}

/** Limits that hold whatever nodes are free: `NONE` without one. */
export function limitReason(state: SlurmState, job: SlurmJob): number {
  const { setup } = state.limits;
  if (setup.idle && setup.qos[job.qos]?.enforceUsageThreshold !== true) return NONE;
  const word = pendingReason(state.limits, job, usageForLimits(state.usage));
  return word === null ? NONE : reasonIdx(word);
}

/** What a partition says of a job that is looked at in it; `NONE` if it takes it. */
export function partitionSays(state: SlurmState, entry: QueueEntry, byTimeMin: boolean): number {
  const { setup } = state;
  const { job } = entry;
  const partition = setup.partitions[entry.partition]!;
  const qos = setup.qos[job.qos]?.config ?? null;
  const asks = {
    limitMs: job.limitMs,
    minNodes: entry.wanted.minNodes,
    maxNodes: entry.wanted.maxNodes,
    timeMinMs: job.request.timeMinMs,
  };
  const word =
    partitionReason(partition.config, partition.nodeCount, asks, qos, byTimeMin) ??
    partitionAccess(partition.config, setup.tree.account[job.assoc] ?? "", qos?.name ?? "");
  return word === null ? NONE : reasonIdx(word);
}

/** Resource limits against what the job asks for at least. */
function askedReason(state: SlurmState, entry: QueueEntry): number {
  if (state.limits.setup.idle) return NONE;
  const { setup } = state;
  const weights = setup.partitions[entry.partition]!.config.tresBillingWeights;
  const { maxTres } = setup.config.priority;
  const tres = requestedTres(setup.nodes, entry.wanted, weights, maxTres);
  const word = postSelectReason(state.limits, entry.job, tres, usageForLimits(state.usage));
  return word === null ? NONE : reasonIdx(word);
}

/** Resource limits against the place found last. */
function placeReason(state: SlurmState, entry: QueueEntry): number {
  if (state.limits.setup.idle) return NONE;
  const { setup } = state;
  const tres = allocatedTres(setup.nodes, place);
  const weights = setup.partitions[entry.partition]!.config.tresBillingWeights;
  tres.billing = billingTres(billableTres(tres, weights, setup.config.priority.maxTres));
  const usage = usageForLimits(state.usage);
  const word = postSelectReason(state.limits, entry.job, tres, usage, place);
  return word === null ? NONE : reasonIdx(word);
}

/** Nodes of `avail` that belong to the partition and are not excluded. Valid until the next call. O(words). */
export function candidates(state: SlurmState, entry: QueueEntry, avail: Int32Array): Int32Array {
  if (usable.length !== avail.length) usable = new Int32Array(avail.length);
  usable.set(avail);
  keepIn(usable, state.setup.partitions[entry.partition]!.nodes);
  if (entry.wanted.excluded !== null) takeOut(usable, entry.wanted.excluded);
  return usable;
}

/** Whether all nodes asked for by name are among these. */
export function hasRequired(entry: QueueEntry, nodes: Int32Array): boolean {
  return entry.wanted.required.every((node) => (nodes[node >> 5]! & (1 << (node & 31))) !== 0);
}

/** What partition and job say about the choice of nodes: fewer switches only, while the job waits for them. */
export function optionsOf(view: PoolView, state: SlurmState, entry: QueueEntry): SelectOptions {
  const options = state.setup.partitions[entry.partition]!.select;
  options.user = entry.job.user;
  options.maxSwitches = switchesNow(view, entry);
  return options;
}

/** Leaf switches that a job still insists on; 0 = any number will do. O(1). */
export function switchesNow({ nowMs }: PoolView, entry: QueueEntry): number {
  const { switches } = entry.wanted;
  return switches > 0 && nowMs < switchWaitEndMs(entry) ? switches : 0;
}

/** When a job takes more switches than it asked for: its `--switches` wait, in whole seconds from its submission. */
function switchWaitEndMs({ job, wanted }: QueueEntry): number {
  return job.switchesSinceMs + wanted.switchWaitMs;
}

/** When the next wait for switches is over, at or after `fromMs`; `Infinity` = none. O(queue) where there is a tree of switches. */
export function nextSwitchWaitEndMs(state: SlurmState, fromMs: number): number {
  let nextMs = Number.POSITIVE_INFINITY;
  if (state.setup.nodes.switches === null) return nextMs;
  for (const entry of state.queue) {
    if (entry.wanted.switches === 0) continue;
    const endMs = switchWaitEndMs(entry);
    if (endMs >= fromMs && endMs < nextMs) nextMs = endMs;
  }
  return nextMs;
}

/** Whether the job could run on these nodes if they were idle. */
function couldEver(state: SlurmState, entry: QueueEntry, nodes: Int32Array): boolean {
  const { setup } = state;
  const { select } = setup.partitions[entry.partition]!;
  return everFits(setup.nodes, entry.wanted, nodes, select) === "fits";
}

/** The job is looked at in this partition: limits, victims and reservations read it there. */
export function look(entry: QueueEntry): void {
  entry.job.partition = entry.partition;
  entry.job.wanted = entry.wanted;
}
