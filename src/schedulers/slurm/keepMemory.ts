/**
 * A new configuration for the same slurmctld (`scontrol reconfigure`, `scontrol update`, `sacctmgr modify`): usage, reservations, times of
 * passes, and what jobs were told stay; everything that follows from the configuration is made anew. Partitions, QOS and
 * associations are found again by their names.
 */
import type { Usage, UsageColumns } from "../../scheduling/accounting/usage.ts";
import { computeAccounts, computeUsers } from "../../scheduling/priority/classicFairShare.ts";
import { computeFairTree } from "../../scheduling/priority/fairTree.ts";
import type { SlurmJob, SlurmState } from "./state.ts";

/** Moves what stays from one memory to another that has just been created. O(entries + jobs + reservations). */
export function keepMemory(from: SlurmState, to: SlurmState): void {
  keepUsage(from.usage, to.usage);
  const { partitionOfName } = to.setup;
  const partitionOf = (job: SlurmJob): number =>
    partitionOfName.get(from.setup.partitions[job.partition]!.config.name) ?? -1;
  to.kept = new Map(
    [...from.jobs].map(([jobIdx, job]) => [jobIdx, { ...job, partition: partitionOf(job) }]),
  );
  to.lowestPriority = from.lowestPriority;
  to.lastMainMs = from.lastMainMs;
  to.passesComputed = from.passesComputed;
  to.passesSkipped = from.passesSkipped;
  if (from.setup.controllerStartMs === to.setup.controllerStartMs) {
    to.lastBackfillMs = from.lastBackfillMs;
    const sameTicks =
      from.setup.config.priority.calcPeriodMs === to.setup.config.priority.calcPeriodMs;
    if (sameTicks && to.usage.setup.counts && from.usage.setup.counts)
      to.nextTickMs = from.nextTickMs;
  }
  const named = (state: SlurmState): string =>
    state.setup.config.nodes.map((node) => node.name).join(",");
  if (from.setup.words === to.setup.words && named(from) === named(to))
    to.reservations = from.reservations;
}

function keepUsage(from: Usage, to: Usage): void {
  to.scale = from.scale;
  to.lastFadeSec = from.lastFadeSec;
  to.lastFade = from.lastFade;
  to.lastTickSec = from.lastTickSec;
  to.nextResetSec = from.nextResetSec;
  const { tree } = to.setup;
  const entries = rowsByName(from.setup.tree.count, (row) => entryName(from, row));
  for (let row = 0; row < tree.count; row++)
    keepRow(from, from.assoc, entries.get(entryName(to, row)), to, to.assoc, row);
  const qos = rowsByName(from.setup.qos.length, (row) => from.setup.qos[row]!.name);
  for (const [row, { name }] of to.setup.qos.entries())
    keepRow(from, from.qos, qos.get(name), to, to.qos, row);
  if (to.setup.config.fairTree) computeFairTree(to);
  else {
    computeAccounts(to);
    computeUsers(to);
  }
  to.staleTicks = 2;
}

function entryName({ setup }: Usage, row: number): string {
  const { account, user, partition } = setup.tree.limits[row]!;
  return `${account}/${user}/${partition}`;
}

function rowsByName(count: number, nameOf: (row: number) => string): Map<string, number> {
  return new Map(Array.from({ length: count }, (_, row) => [nameOf(row), row]));
}

function keepRow(
  fromUsage: Usage,
  from: UsageColumns,
  fromRow: number | undefined,
  toUsage: Usage,
  to: UsageColumns,
  toRow: number,
): void {
  if (fromRow === undefined) return;
  to.billed[toRow] = from.billed[fromRow]!;
  to.wall[toRow] = from.wall[fromRow]!;
  const before = fromUsage.setup.tres;
  toUsage.setup.tres.forEach((name, at) => {
    const was = before.indexOf(name);
    if (was < 0) return;
    to.tres[toRow * toUsage.setup.tres.length + at] = from.tres[fromRow * before.length + was]!;
  });
}

/** What a waiting job was told, and since when it waits. */
export function keepPending(from: SlurmJob, to: SlurmJob, basic: boolean): void {
  keepOrders(from, to);
  to.beginMs = from.beginMs;
  to.eligibleMs = from.eligibleMs;
  to.accrueMs = from.accrueMs;
  to.restarts = from.restarts;
  to.switchesSinceMs = from.switchesSinceMs;
  if (basic || from.prioritySet) to.priority = from.priority;
}

/** What a running job was told, and whether it is on its way out or asleep. */
export function keepRun(from: SlurmJob, to: SlurmJob): void {
  keepOrders(from, to);
  to.restarts = from.restarts;
  to.eligibleMs = from.eligibleMs;
  to.priority = from.priority;
  to.partition = to.partitions.includes(from.partition) ? from.partition : to.partition;
  to.suspended = from.suspended;
  to.suspendedAtMs = from.suspendedAtMs;
  to.suspendedByCommand = from.suspendedByCommand;
  to.preemptMs = from.preemptMs;
  to.preemptorIdx = from.preemptorIdx;
  to.graceEndMs = from.graceEndMs;
  to.leavesMs = from.leavesMs;
}

function keepOrders(from: SlurmJob, to: SlurmJob): void {
  to.submitMs = from.submitMs;
  to.hold = from.hold;
  to.nice = from.nice;
  to.prioritySet = from.prioritySet;
}
