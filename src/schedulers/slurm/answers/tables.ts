/** `squeue`, `sprio`, `sshare` and reservations at one moment, from the scheduler's memory. Nothing here decides. */

import { listBits } from "../../../base/bitSets.ts";
import type { PoolView } from "../../../engine/view.ts";
import { SLURM_REASONS } from "../../../model/slurm/reasons.ts";
import type { SlurmTables, SprioRow, SqueueRow } from "../../../model/slurm/tables.ts";
import { copyUsage, type Usage } from "../../../scheduling/accounting/usage.ts";
import { fairShareOf } from "../../../scheduling/priority/fairShare.ts";
import { ageTerm, sprioRow } from "../../../scheduling/priority/multifactor.ts";
import { sshareRows } from "../../../scheduling/priority/sshare.ts";
import { runTicks } from "../../../scheduling/priority/ticks.ts";
import { nextFullMs } from "../clock.ts";
import { accruesSince, priorityJob } from "../life/priorities.ts";
import { reservationRows } from "../reservations/reservationDesk.ts";
import type { SlurmJob, SlurmState } from "../state.ts";

const NO_NODES = new Int32Array(0);

/** O(pending jobs + associations). */
export function tablesOf(view: PoolView, state: SlurmState, atMs: number): SlurmTables {
  const pending = [...state.jobs.values()].filter((job) => job.choice === null);
  const multifactor = state.setup.config.priority.type === "multifactor";
  return {
    squeue: pending.map((job) => squeueRow(state, job)),
    sprio: multifactor ? pending.flatMap((job) => sprioRows(state, job)) : [],
    sshare: sshareRows(usageAt(state, atMs)),
    reservations: reservationRows(state),
    ...nextPasses(view, state),
    passesComputed: state.passesComputed,
    passesSkipped: state.passesSkipped,
  };
}

/** Usage with the ticks that have passed since the last event: nothing had to wake up for them. */
function usageAt(state: SlurmState, atMs: number): Usage {
  if (state.nextTickMs > atMs) return state.usage;
  const usage = copyUsage(state.usage);
  runTicks(usage, state.nextTickMs, atMs);
  return usage;
}

/** The next passes that will be computed; `Infinity` = none is due. O(1). */
export function nextPasses(
  view: PoolView,
  state: SlurmState,
): { readonly nextMainMs: number; readonly nextBackfillMs: number } {
  return {
    nextMainMs: Math.min(state.mainDueMs, nextFullMs(state, view.nowMs + 1)),
    nextBackfillMs: state.nextBackfillMs,
  };
}

function squeueRow(state: SlurmState, job: SlurmJob): SqueueRow {
  const { setup } = state;
  return {
    jobIdx: job.jobIdx,
    partition: job.partitions.map((each) => setup.partitions[each]!.config.name).join(","),
    qos: setup.qos[job.qos]?.config.name ?? "",
    account: setup.tree.account[job.assoc] ?? "",
    priority: job.priority,
    reason: SLURM_REASONS[job.reason] ?? "None",
    plannedStartMs: job.plannedMs,
    plannedNodes: plannedNodesOf(state, job),
    nodes: job.wanted.minNodes,
    limitMs: job.limitMs,
    restarts: job.restarts,
    submitMs: job.submitMs,
  };
}

/** Engine nodes of its plan, each once. */
export function plannedNodesOf({ setup }: SlurmState, job: SlurmJob): number[] {
  const nodes = Array.from(
    listBits(job.plannedNodes ?? NO_NODES),
    (node) => setup.nodes.engineNode[node]!,
  );
  return [...new Set(nodes)];
}

/** One line for each partition; held jobs are not listed. */
export function sprioRows(state: SlurmState, job: SlurmJob): SprioRow[] {
  if (job.priority === 0) return [];
  const { setup, usage } = state;
  const age = ageTerm(setup.config.priority, accruesSince(state, job), job.priorityMs);
  return job.partitions.map((partition, at) =>
    sprioRow(setup.scale, priorityJob(state, job, at), {
      jobIdx: job.jobIdx,
      partition: setup.partitions[partition]!.config.name,
      priority: job.priorities?.[at] ?? job.priority,
      age,
      fairShare: fairShareOf(usage, job.assoc),
    }),
  );
}
