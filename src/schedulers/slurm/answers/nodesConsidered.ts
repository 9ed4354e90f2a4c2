/**
 * The nodes that one pending job was weighed against and what removed each, by the tests that the passes use: asked when somebody wants to know, never on
 * the path of a run, and nothing is changed. A node counts once, for the first rule of `CANDIDATE_RULES` that removes it.
 *
 * "Kept" follows the last backfill pass: a node planned for a job higher in the queue is kept from all that would not end before that plan begins
 * (`node_space` of backfill.c takes whole nodes). Under sched/builtin the first job of a partition keeps all of them. Victims that could be
 * preempted are not counted as room. Told of the partition in which the job stands highest. O(nodes + queue × words).
 */
import { takeOut } from "../../../base/bitSets.ts";
import { hasBit } from "../../../base/bits.ts";
import type { PoolView } from "../../../engine/view.ts";
import {
  CANDIDATE_RULES,
  type CandidateRow,
  type CandidateRule,
  type Candidates,
  type CandidateUnit,
} from "../../../model/lab/candidates.ts";
import { slurmReasonCode } from "../../../model/reasons.ts";
import { SLURM_REASONS } from "../../../model/slurm/reasons.ts";
import { NONE, RESOURCES } from "../life/reasons.ts";
import { switchesNow } from "../passes/attempt.ts";
import { testReservations } from "../reservations/reservations.ts";
import type { SelectOptions } from "../select/options.ts";
import { freeResources, type Resources } from "../select/resources.ts";
import { offerOf, shortOf } from "../select/usable.ts";
import type { QueueEntry, SlurmJob, SlurmState } from "../state.ts";

/** null where nothing is chosen: a flat machine, or a job that is not pending. */
export function nodesConsidered(
  view: PoolView,
  state: SlurmState,
  jobIdx: number,
): Candidates | null {
  const job = state.jobs.get(jobIdx);
  if (job === undefined || job.choice !== null || state.setup.nodes.flat) return null;
  const entry = entryOf(state, job);
  const partition = state.setup.partitions[entry.partition]!;
  const switchesMost = switchesNow(view, entry);
  const options = { ...partition.select, user: job.user, maxSwitches: switchesMost };
  const kept = keptFor(view, state, entry);
  const question: Question = {
    state,
    entry,
    options,
    idle: freeResources(state.setup.nodes),
    reservable: notReserved(view, state, entry),
    kept: kept.nodes,
  };
  const { rows, unit, needed } = rowsOf(view, question);
  return {
    rows,
    unit,
    membersNeeded: needed,
    components: 1,
    inOneRow: false,
    ceiling: ceilingOf(job),
    keptForJobIdx: kept.jobIdx,
    switchesMost,
  };
}

interface Question {
  readonly state: SlurmState;
  readonly entry: QueueEntry;
  readonly options: SelectOptions;
  /** As if nothing ran. */
  readonly idle: Resources;
  readonly reservable: Int32Array;
  readonly kept: Int32Array | null;
}

/** Its highest line of the queue, or what that would be: a job may wait for its begin time or be held. The job is a copy that may be looked at. */
function entryOf(state: SlurmState, job: SlurmJob): QueueEntry {
  const queued = state.queue.find((entry) => entry.job === job);
  const partition = queued?.partition ?? job.partitions[0] ?? state.setup.defaultPartition;
  const wanted = queued?.wanted ?? job.wanteds[0] ?? job.wanted;
  return { job: { ...job, partition, wanted }, partition, wanted, priority: job.priority };
}

/** Nodes that advance reservations leave to the job if it starts now. */
function notReserved(view: PoolView, state: SlurmState, { job }: QueueEntry): Int32Array {
  const nodes = new Int32Array(state.setup.nodes.words).fill(-1);
  const { answer } = testReservations(view, state, job, view.nowMs, false, nodes);
  if (answer === "later" || answer === "maintenance" || answer === "busy") nodes.fill(0);
  return nodes;
}

/** What jobs higher in the queue keep, and the first of them that keeps anything. */
function keptFor(
  view: PoolView,
  state: SlurmState,
  { job, partition }: QueueEntry,
): { readonly nodes: Int32Array | null; readonly jobIdx: number } {
  const { setup, queue } = state;
  const endMs = view.nowMs + job.limitMs;
  const free = new Int32Array(setup.nodes.words).fill(-1);
  let first = -1;
  for (const { job: other, partition: where } of queue) {
    if (other.jobIdx === job.jobIdx) break;
    const builtin = setup.config.schedulerType === "builtin";
    const nodes = builtin
      ? where === partition
        ? setup.partitions[partition]!.nodes
        : null
      : other.plannedNodes;
    if (nodes === null || (!builtin && other.plannedMs >= endMs)) continue;
    takeOut(free, nodes);
    if (first < 0) first = other.jobIdx;
  }
  return { nodes: first < 0 ? null : free.map((word) => ~word), jobIdx: first };
}

/** What holds it back whatever nodes are free. */
function ceilingOf({ reason }: SlurmJob): number {
  if (reason === NONE || reason === RESOURCES) return 0;
  return slurmReasonCode(SLURM_REASONS[reason] ?? "None");
}

/** The first rule that removes a node. O(1). */
function removedBy(question: Question, node: number): CandidateRule | null {
  const { state, entry, options, idle } = question;
  const { setup, upNodes, resources } = state;
  const { nodes } = setup;
  const { wanted } = entry;
  if (!hasBit(upNodes, node)) return "closed";
  if (!hasBit(setup.partitions[entry.partition]!.nodes, node)) return "partition";
  if (isOutByName(entry, node)) return "named";
  const { sets } = wanted.constraint;
  if (sets !== null && !sets.some((set) => hasBit(set, node))) return "labels";
  const asksGpus = wanted.gpus + wanted.gpusPerNode > 0;
  if (asksGpus && wanted.gpuType === -2) return "model";
  if (asksGpus && wanted.gpuType >= 0 && nodes.gpus[node]! > 0) {
    if (nodes.typeCount[wanted.gpuType * nodes.count + node] === 0) return "model";
  }
  if (shortOf(nodes, wanted, idle, options, node) !== null) return "size";
  const short = shortOf(nodes, wanted, resources, options, node);
  if (short !== null) return short;
  if (!hasBit(question.reservable, node)) return "window";
  return question.kept !== null && hasBit(question.kept, node) ? "kept" : null;
}

/** Excluded; or it asks for all its nodes by name and this is none of them. */
function isOutByName({ wanted }: QueueEntry, node: number): boolean {
  if (wanted.excluded !== null && hasBit(wanted.excluded, node)) return true;
  const { required, minNodes } = wanted;
  return required.length >= Math.max(1, minNodes) && !required.includes(node);
}

interface Row {
  readonly by: CandidateRow["by"];
  readonly index: number;
  readonly removed: number[];
  nodes: number;
  left: number;
  gpus: number;
  cpus: number;
}

/** Nodes by class, or by leaf where all are alike; with what the job lacks most: nodes, else GPUs, else CPUs. */
function rowsOf(
  { world: { cluster } }: PoolView,
  question: Question,
): { readonly rows: CandidateRow[]; readonly unit: CandidateUnit; readonly needed: number } {
  const { state, entry, options } = question;
  const { nodes } = state.setup;
  const { wanted } = entry;
  const byLeaf = cluster.groups.length === 1 && cluster.hasFabric && cluster.leafCount > 1;
  const found = new Map<number, Row>();
  for (let node = 0; node < nodes.count; node++) {
    const engineNode = nodes.engineNode[node]!;
    const index = (byLeaf ? cluster.leafOfNode : cluster.nodeGroup)[engineNode]!;
    let row = found.get(index);
    if (row === undefined) {
      const removed = CANDIDATE_RULES.map(() => 0);
      row = { by: byLeaf ? "leaf" : "class", index, removed, nodes: 0, left: 0, gpus: 0, cpus: 0 };
      found.set(index, row);
    }
    row.nodes++;
    const rule = removedBy(question, node);
    if (rule === null) {
      const offer = offerOf(nodes, wanted, state.resources, options, node);
      row.left++;
      row.gpus += offer.gpus;
      row.cpus += offer.cpus;
    } else row.removed[CANDIDATE_RULES.indexOf(rule)]! += 1;
  }
  const list = [...found.values()];
  const unit = unitOf(wanted, list);
  const needed = { node: wanted.minNodes, gpu: wanted.gpus, cpu: wanted.minCpus }[unit];
  const had = (row: Row) => ({ node: row.left, gpu: row.gpus, cpu: row.cpus })[unit];
  const rows = list
    .map((row) => ({ ...pick(row), members: had(row) }))
    .sort((a, b) => b.members - a.members || a.index - b.index);
  return { rows, unit, needed };
}

function pick({ by, index, nodes, removed, left }: Row): Omit<CandidateRow, "members"> {
  return { by, index, nodes, removed, left };
}

function unitOf(
  { minNodes, gpus, minCpus }: QueueEntry["wanted"],
  rows: readonly Row[],
): Exclude<CandidateUnit, "member"> {
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  if (sum((row) => row.left) < minNodes) return "node";
  if (sum((row) => row.gpus) < gpus) return "gpu";
  return sum((row) => row.cpus) < minCpus ? "cpu" : "node";
}
