/**
 * Who may preempt whom (`preempt/qos`, `preempt/partition_prio`), in which order Slurm looks at victims, and how one is stopped:
 * slurm.conf(5) `PreemptType`, `PreemptMode`, `PreemptExemptTime`; preempt.html. A job in its grace time stays a candidate, so that
 * its preemptor finds it again at the next attempt.
 */

import { share } from "../../../base/bitSets.ts";
import type { PoolView } from "../../../engine/view.ts";
import { JobStateCode } from "../../../model/states.ts";
import type { Victim } from "../../../scheduling/preemption/victimOrder.ts";
import { sortVictims } from "../../../scheduling/preemption/victimOrder.ts";
import type { SlurmJob, SlurmState } from "../state.ts";

export type StopMode = "off" | "cancel" | "requeue" | "suspend";

/**
 * How a job is stopped when it is a victim. Its QOS (with `preempt/qos`) or partition overrides the cluster; a QOS with `OFF` has
 * the cluster's mode (sacctmgr(1)), a partition with `OFF` is not preempted. O(1).
 */
export function stopMode(state: SlurmState, job: SlurmJob): StopMode {
  const { config, qos, partitions } = state.setup;
  const { type, mode } = config.preemption;
  if (type === "none") return "off";
  const common = mode === "within" ? "off" : mode;
  if (type === "partition_prio") {
    const own = partitions[job.partition]!.config.preemptMode;
    return own === null || own === "within" ? common : own;
  }
  const own = qos[job.qos]?.config.preemptMode ?? null;
  return own === null || own === "within" || own === "off" ? common : own;
}

/** A requeue of a job that must not be requeued (`--no-requeue`, `JobRequeue=0`) is a cancel. O(1). */
export function stopsByRequeue(state: SlurmState, job: SlurmJob): boolean {
  if (stopMode(state, job) !== "requeue") return false;
  return job.request.requeue ?? state.setup.config.life.jobRequeue;
}

/** Grace time of a victim: that of its QOS or of its partition, ms. O(1). */
export function graceMs(state: SlurmState, job: SlurmJob): number {
  const { config, qos, partitions } = state.setup;
  if (config.preemption.type === "qos") return qos[job.qos]?.config.graceMs ?? 0;
  return partitions[job.partition]!.config.graceMs;
}

/**
 * Running jobs that this pending job may preempt in its present partition, first to go first: by priority of their QOS (tier of their
 * partition), then fewest nodes, then first submitted; with `preempt_youngest_first` the last started. O(running).
 */
export function preemptables(view: PoolView, state: SlurmState, job: SlurmJob): SlurmJob[] {
  if (!mayPreemptAny(state, job)) return [];
  const nodes = state.setup.partitions[job.partition]!.nodes;
  const found: (Victim & { readonly job: SlurmJob })[] = [];
  for (const victim of state.running) {
    if (!mayPreempt(state, job, victim) || !isRunning(view, victim)) continue;
    if (exemptUntilMs(state, victim) > view.nowMs) continue;
    if (!share(victim.nodes!, nodes)) continue;
    found.push({
      job: victim,
      jobIdx: victim.jobIdx,
      rank: rankOf(state, victim),
      nodes: victim.nodeCount,
      // slurmctld keeps start times in whole seconds: those of one second are equally young.
      startMs: Math.floor(victim.startMs / 1_000) * 1_000,
      place: victim.jobIdx,
    });
  }
  sortVictims(found, state.setup.config.scheduler.preemptYoungestFirst);
  return found.map((each) => each.job);
}

/** Whether the job could preempt anything at all: the cheap question before the dear one. O(QOS or partitions). */
export function mayPreemptAny(state: SlurmState, job: SlurmJob): boolean {
  const { config, qos, partitions } = state.setup;
  const { type } = config.preemption;
  if (type === "none") return false;
  if (type === "partition_prio") {
    const tier = partitions[job.partition]!.config.priorityTier;
    return partitions.some((other) => isBelow(other.config, tier));
  }
  const own = qos[job.qos];
  return own !== undefined && (allowsWithin(state, own.index) || own.preempts.includes(1));
}

/** Whether `job` may preempt `victim`, exempt times aside. O(1). */
function mayPreempt(state: SlurmState, job: SlurmJob, victim: SlurmJob): boolean {
  const { config, qos, partitions } = state.setup;
  if (config.preemption.type === "partition_prio") {
    const tier = partitions[job.partition]!.config.priorityTier;
    return isBelow(partitions[victim.partition]!.config, tier);
  }
  const own = qos[job.qos];
  const other = qos[victim.qos];
  if (own === undefined || other === undefined) return false;
  if (own === other) return allowsWithin(state, own.index) && job.priority > victim.priority;
  return own.preempts[other.index] === 1;
}

/** Until when a running job is exempt (`PreemptExemptTime` of its QOS, of its partition's, or of the cluster). O(1). */
export function exemptUntilMs(state: SlurmState, job: SlurmJob): number {
  const { config, qos, partitions } = state.setup;
  const own = qos[job.qos]?.config;
  const ofPartition = qos[partitions[job.partition]!.qos]?.config;
  const [first, second] = own?.overPartQos ? [own, ofPartition] : [ofPartition, own];
  const exemptMs = first?.preemptExemptMs ?? second?.preemptExemptMs ?? config.preemption.exemptMs;
  return job.startMs + exemptMs;
}

/** Whether anybody is exempt at all. O(QOS). */
export function hasExemptTimes(state: SlurmState): boolean {
  const { config, qos } = state.setup;
  if (config.preemption.type === "none") return false;
  return (
    config.preemption.exemptMs > 0 || qos.some((each) => (each.config.preemptExemptMs ?? 0) > 0)
  );
}

/**
 * From when on, without an event, the victims of a blocked job may be others: an exempt time passes, or it may tell its victims
 * again. `Infinity` = never. O(running) for jobs that may preempt, O(1) for others.
 */
export function preemptionDiffersMs(view: PoolView, state: SlurmState, job: SlurmJob): number {
  let differs = Number.POSITIVE_INFINITY;
  if (!mayPreemptAny(state, job)) return differs;
  const attemptMs = nextAttemptMs(state, job);
  if (attemptMs > view.nowMs) differs = attemptMs;
  if (!hasExemptTimes(state)) return differs;
  for (const victim of state.running) {
    if (!mayPreempt(state, job, victim)) continue;
    const untilMs = exemptUntilMs(state, victim);
    if (untilMs > view.nowMs) differs = Math.min(differs, untilMs);
  }
  return differs;
}

/** A preemptor tells its victims to go only every `KillWait` + `MessageTimeout`. */
export function nextAttemptMs(state: SlurmState, job: SlurmJob): number {
  const { killWaitMs, messageTimeoutMs } = state.setup.config.life;
  return job.preemptAttemptMs < 0 ? 0 : job.preemptAttemptMs + killWaitMs + messageTimeoutMs;
}

/** Neither on its way out nor starting up. */
function isRunning(view: PoolView, job: SlurmJob): boolean {
  const state = view.jobState[job.jobIdx];
  return state !== JobStateCode.ending && state !== JobStateCode.done;
}

function rankOf(state: SlurmState, job: SlurmJob): number {
  const { config, qos, partitions } = state.setup;
  if (config.preemption.type === "partition_prio")
    return partitions[job.partition]!.config.priorityTier;
  return qos[job.qos]?.config.priority ?? 0;
}

function isBelow(
  partition: { readonly priorityTier: number; readonly preemptMode: string | null },
  tier: number,
): boolean {
  return partition.priorityTier < tier && partition.preemptMode !== "off";
}

function allowsWithin(state: SlurmState, qos: number): boolean {
  const { preemption } = state.setup.config;
  if (preemption.within || preemption.mode === "within") return true;
  const { preemptMode, preemptWithin } = state.setup.qos[qos]!.config;
  return preemptMode === "within" || preemptWithin === true;
}
