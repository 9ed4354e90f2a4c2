/**
 * Starts and ends of runs: from a choice of nodes to a grant, to the engine, to the books (resources, limits, usage); and back.
 * `running` stays sorted by the end that the time limit promises, which is all that plans know of a run.
 */
import { setBits } from "../../../base/bits.ts";
import { Grant } from "../../../engine/grant.ts";
import type { Actions, PoolView } from "../../../engine/view.ts";
import { NEVER_MS } from "../../../model/units.ts";
import { billableTres, billingTres } from "../../../scheduling/accounting/billing.ts";
import { chargeEnd, chargeStart } from "../../../scheduling/accounting/usage.ts";
import { onEnd, onStart } from "../../../scheduling/limits/books.ts";
import { joinTurns, makeRoom } from "../preemption/gang.ts";
import type { Choice } from "../select/choice.ts";
import { fillGrant } from "../select/grant.ts";
import type { Resources } from "../select/resources.ts";
import { changeCpus, giveChoice, takeChoice } from "../select/resources.ts";
import type { QueueEntry, SlurmJob, SlurmState } from "../state.ts";
import { allocatedTres } from "../tres.ts";
import { dequeue } from "./queueOrder.ts";
import { NONE } from "./reasons.ts";
import { signalMs } from "./signalTime.ts";

const grant = new Grant();

/**
 * Starts a queued job on nodes that are free. `limitMs`: the limit of this run. False, with nothing done, where a device that the books
 * call free is not: it has failed on a node that works on, which nobody told Slurm. O(nodes of the job + queue).
 */
export function startJob(
  view: PoolView,
  state: SlurmState,
  entry: QueueEntry,
  chosen: Choice,
  limitMs: number,
  startReason: number,
  act: Actions,
): boolean {
  const { job } = entry;
  const { setup } = state;
  if (!fillGrant(view, setup.nodes, entry.wanted, chosen, grant)) return false;
  const partition = setup.partitions[entry.partition]!;
  dequeue(state, job);
  job.partition = entry.partition;
  job.wanted = entry.wanted;
  job.limitMs = limitMs;
  if (view.limitMs(job.jobIdx) !== job.limitMs) act.setLimit(job.jobIdx, job.limitMs);
  makeRoom(view, state, job, chosen, act);
  act.place(job.jobIdx, grant, startReason, job.request.startupMs, partition.queue);
  job.reason = NONE;
  job.plannedMs = NEVER_MS;
  job.plannedNodes = null;
  job.preempting = false;
  job.startMs = view.nowMs;
  job.endMs = view.nowMs + job.limitMs;
  hold(state, job, chosen.copy());
  joinTurns(view, state, act);
  return true;
}

/** A run that another policy started. */
export function adoptRun(view: PoolView, state: SlurmState, job: SlurmJob, choice: Choice): void {
  const startMs = view.startMs(job.jobIdx);
  job.startMs = startMs === NEVER_MS ? view.nowMs : startMs;
  job.endMs = view.limitEndMs[job.jobIdx]!;
  hold(state, job, choice);
}

function hold(state: SlurmState, job: SlurmJob, choice: Choice): void {
  const { setup } = state;
  const nodes = new Int32Array(setup.words);
  for (let row = 0; row < choice.length; row++)
    setBits(nodes, choice.node[row]!, choice.node[row]! + 1);
  job.choice = choice;
  job.nodes = nodes;
  job.nodeCount = choice.length;
  job.firstWord = choice.node[0]! >> 5;
  job.lastWord = choice.node[choice.length - 1]! >> 5;
  takeChoice(state.resources, setup.nodes, choice, job.user);
  insertRun(state, job);
  state.nextSignalMs = Math.min(state.nextSignalMs, signalMs(job));
  charge(state, job, choice);
  countTask(state, job, 1);
}

function charge(state: SlurmState, job: SlurmJob, choice: Choice): void {
  const { setup } = state;
  const partition = setup.partitions[job.partition]!;
  const tres = allocatedTres(setup.nodes, choice);
  const { maxTres } = setup.config.priority;
  const billable = billableTres(tres, partition.config.tresBillingWeights, maxTres);
  tres.billing = billingTres(billable);
  job.cpus = tres.cpu ?? 0;
  job.gpus = tres["gres/gpu"] ?? 0;
  onStart(state.limits, job, tres, job.startMs, choice);
  const holders = { assoc: job.assoc, qos: job.qos, partitionQos: partition.qos };
  chargeStart(state.usage, job.jobIdx, holders, tres, billable, job.startMs);
}

/** A run is over, whatever becomes of the job. O(nodes of the job + running). */
export function endRun(view: PoolView, state: SlurmState, job: SlurmJob): void {
  if (job.choice === null) return;
  giveRun(state, state.resources, job);
  dropRun(state, job);
  onEnd(state.limits, job);
  chargeEnd(state.usage, job.jobIdx, view.nowMs);
  countTask(state, job, -1);
  job.choice = null;
  job.nodes = null;
  job.nodeCount = 0;
  job.cpus = 0;
  job.gpus = 0;
  job.startMs = -1;
  job.endMs = NEVER_MS;
}

/** What a run holds becomes free, now or in a plan; the CPUs of a suspended one are free already. O(nodes of the job). */
export function giveRun(state: SlurmState, free: Resources, job: SlurmJob): void {
  giveChoice(free, state.setup.nodes, job.choice!, job.user);
  if (job.suspendedByCommand) changeCpus(free, job.choice!, -1);
}

/** To be called after `endMs` of a running job changed. */
export function resortRun(state: SlurmState, job: SlurmJob): void {
  dropRun(state, job);
  insertRun(state, job);
}

function insertRun(state: SlurmState, job: SlurmJob): void {
  state.runsVersion++;
  const { running } = state;
  let low = 0;
  let high = running.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = running[middle]!;
    const before =
      other.endMs < job.endMs || (other.endMs === job.endMs && other.jobIdx < job.jobIdx);
    if (before) low = middle + 1;
    else high = middle;
  }
  running.splice(low, 0, job);
}

function dropRun(state: SlurmState, job: SlurmJob): void {
  state.runsVersion++;
  const at = state.running.indexOf(job);
  if (at >= 0) state.running.splice(at, 1);
}

function countTask(state: SlurmState, job: SlurmJob, by: number): void {
  const { arrayId } = job.request;
  if (arrayId === "") return;
  const count = (state.arrayRuns.get(arrayId) ?? 0) + by;
  if (count === 0) state.arrayRuns.delete(arrayId);
  else state.arrayRuns.set(arrayId, count);
}
