/**
 * Room that gang scheduling makes (steps 3 and 4 of `_job_test` in select/cons_tres): CPUs of jobs in lower partitions count as free,
 * those of as many of them as possible are spared; else the job takes turns with others of its partition, in the first of its
 * `OverSubscribe=FORCE:n` rows that has room. To be asked only when the job does not fit beside all others.
 */
import type { PoolView } from "../../../engine/view.ts";
import type { Choice } from "../select/choice.ts";
import type { SelectOptions } from "../select/options.ts";
import { changeCpus } from "../select/resources.ts";
import { selectNodes } from "../select/select.ts";
import type { QueueEntry, SlurmJob, SlurmState } from "../state.ts";
import { canTakeTurns } from "./gang.ts";
import { stopMode } from "./preempt.ts";
import { scratchOf } from "./preemptSelect.ts";

/**
 * Fills `into` with a place whose CPUs others give up by being suspended. `victims` as of `preemptables`: with `preempt/qos` and SUSPEND
 * they leave one row more to their preemptor. O(rows × (running + selection)).
 */
export function gangRoom(
  view: PoolView,
  state: SlurmState,
  entry: QueueEntry,
  candidates: Int32Array,
  victims: readonly SlurmJob[],
  options: SelectOptions,
  into: Choice,
): boolean {
  const { config, nodes } = state.setup;
  if (!config.preemption.gang) return false;
  const lower = lowerPartitions(state, entry.partition);
  const attempt = (spared: (job: SlurmJob) => boolean): boolean => {
    const scratch = scratchOf(state);
    for (const job of state.running) {
      if (spared(job) && canTakeTurns(view, job)) changeCpus(scratch, job.choice!, 1);
    }
    return selectNodes(nodes, entry.wanted, candidates, scratch, options, into);
  };
  if (lower.length > 0 && attempt((job) => lower.includes(job.partition))) {
    keepSpared(lower, attempt);
    return true;
  }
  const rows = rowsOf(view, state, entry.partition);
  const most = rowLimit(state, entry, victims);
  for (let row = 0; row < Math.min(most, rows.length + 1); row++) {
    const others = (job: SlurmJob): boolean =>
      lower.includes(job.partition) ||
      (job.partition === entry.partition && rows[row]?.includes(job) !== true);
    if (attempt(others)) return true;
  }
  return false;
}

/** Leaves lower partitions alone, the highest first, as long as the job still fits. The last success stays in the choice. */
function keepSpared(
  lower: readonly number[],
  attempt: (spared: (job: SlurmJob) => boolean) => boolean,
): void {
  let taken = [...lower];
  for (const partition of lower) {
    const fewer = taken.filter((each) => each !== partition);
    if (fewer.length === 0 || !attempt((job) => fewer.includes(job.partition))) break;
    taken = fewer;
  }
  attempt((job) => taken.includes(job.partition));
}

/** Partitions of a lower tier, the highest first. */
function lowerPartitions(state: SlurmState, partition: number): number[] {
  const { partitions } = state.setup;
  const tier = partitions[partition]!.config.priorityTier;
  return partitions
    .filter((each) => each.config.priorityTier < tier)
    .sort((one, other) => other.config.priorityTier - one.config.priorityTier)
    .map((each) => each.index);
}

function rowLimit(state: SlurmState, entry: QueueEntry, victims: readonly SlurmJob[]): number {
  const { partitions, config } = state.setup;
  const { overSubscribe, overSubscribeMost } = partitions[entry.partition]!.config;
  const shares = overSubscribe === "force" || entry.job.request.oversubscribe;
  const rows = shares ? Math.max(1, overSubscribeMost) : 1;
  const first = victims[0];
  const extra = config.preemption.type === "qos" && first !== undefined;
  return extra && stopMode(state, first) === "suspend" ? rows + 1 : rows;
}

/** Jobs of a partition in rows within which nobody shares a CPU: each in the first row with room. */
function rowsOf(view: PoolView, state: SlurmState, partition: number): SlurmJob[][] {
  const { nodes } = state.setup;
  const rows: { readonly jobs: SlurmJob[]; readonly used: Int32Array }[] = [];
  const inOrder = state.running
    .filter((job) => job.partition === partition && canTakeTurns(view, job))
    .sort((one, other) => one.startMs - other.startMs || one.jobIdx - other.jobIdx);
  for (const job of inOrder) {
    let row = rows.find(({ used }) => hasRoom(used, nodes.cpus, job.choice!));
    if (row === undefined) {
      row = { jobs: [], used: new Int32Array(nodes.count) };
      rows.push(row);
    }
    row.jobs.push(job);
    const choice = job.choice!;
    for (let at = 0; at < choice.length; at++) {
      row.used[choice.node[at]!] = row.used[choice.node[at]!]! + choice.cpus[at]!;
    }
  }
  return rows.map((row) => row.jobs);
}

function hasRoom(used: Int32Array, cpus: Int32Array, choice: Choice): boolean {
  for (let at = 0; at < choice.length; at++) {
    const node = choice.node[at]!;
    if (used[node]! + choice.cpus[at]! > cpus[node]!) return false;
  }
  return true;
}
