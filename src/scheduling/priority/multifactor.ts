/**
 * priority/multifactor: a job's priority is the sum of weight × factor less its nice value, cut to a whole number of at least 1
 * (the manual's page "Multifactor Priority Plugin"; recording 08). Only age and fair share change while a job waits; the other terms
 * are computed once for each of its partitions. Priorities are computed when a job is submitted or released, and at ticks.
 */
import type { PriorityConfig, TresAmounts } from "../../model/slurm/config.ts";
import type { SprioRow } from "../../model/slurm/tables.ts";
import { secondOf } from "../accounting/usage.ts";

/** What factors are measured against; the same for all jobs. */
export interface PriorityScale {
  readonly config: PriorityConfig;
  readonly clusterNodes: number;
  readonly clusterCpus: number;
  /** Highest priority of a QOS and of an association, highest `PriorityJobFactor`. */
  readonly mostQos: number;
  readonly mostAssoc: number;
  readonly mostPartition: number;
}

/** What a job brings along, in one of its partitions. */
export interface PriorityJob {
  /** Fewest nodes and CPUs asked for; 0 CPUs = not known. */
  readonly nodes: number;
  readonly cpus: number;
  /** `Infinity` = none. */
  readonly limitMs: number;
  readonly nice: number;
  readonly assocPriority: number;
  readonly qosPriority: number;
  /** `PriorityJobFactor`. */
  readonly partitionFactor: number;
  readonly tres: TresAmounts;
  /** All TRES of the partition. */
  readonly partitionTres: TresAmounts;
}

/** Weighted terms that do not change while the job waits. */
export interface FixedTerms {
  readonly assoc: number;
  readonly jobSize: number;
  readonly partition: number;
  readonly qos: number;
  /** Sum of `tresTerms`. */
  readonly tres: number;
  readonly nice: number;
}

const HIGHEST = 4_294_967_295;

/** The scale of a cluster. O(QOS + partitions + associations). */
export function priorityScale(
  config: PriorityConfig,
  cluster: { readonly nodes: number; readonly cpus: number },
  priorities: {
    readonly qos: readonly number[];
    readonly assocs: readonly number[];
    readonly partitions: readonly number[];
  },
): PriorityScale {
  const most = (list: readonly number[], least: number): number =>
    list.reduce((highest, each) => Math.max(highest, each), least);
  return {
    config,
    clusterNodes: cluster.nodes,
    clusterCpus: cluster.cpus,
    mostQos: most(priorities.qos, 0),
    mostAssoc: most(priorities.assocs, 0),
    mostPartition: most(priorities.partitions, 1),
  };
}

/** The terms of a job that stay. O(weighted TRES). */
export function fixedTerms(scale: PriorityScale, job: PriorityJob): FixedTerms {
  const { config } = scale;
  return {
    assoc: config.weightAssoc * norm(job.assocPriority, scale.mostAssoc, config.noNormalAssoc),
    jobSize: config.weightJobSize === 0 ? 0 : config.weightJobSize * sizeFactor(scale, job),
    partition:
      config.weightPartition * norm(job.partitionFactor, scale.mostPartition, config.noNormalPart),
    qos: config.weightQos * norm(job.qosPriority, scale.mostQos, config.noNormalQos),
    tres: Object.values(tresTerms(scale, job)).reduce((sum, term) => sum + term, 0),
    nice: job.nice,
  };
}

function norm(value: number, most: number, asItIs: boolean): number {
  if (asItIs) return value;
  return most === 0 ? 0 : value / most;
}

/** `PriorityWeightTRES`: each TRES as a part of its partition's, weighted. */
function tresTerms(scale: PriorityScale, job: PriorityJob): Record<string, number> {
  const terms: Record<string, number> = {};
  for (const [tres, weight] of Object.entries(scale.config.weightTres)) {
    const value = job.tres[tres] ?? 0;
    const all = job.partitionTres[tres] ?? 0;
    const factor = scale.config.noNormalTres ? value : all === 0 ? 0 : value / all;
    terms[tres] = weight * factor;
  }
  return terms;
}

/** Nodes and CPUs as parts of the cluster's, half each; GPUs do not enter. */
function sizeFactor(
  { config, clusterNodes, clusterCpus }: PriorityScale,
  job: PriorityJob,
): number {
  if (clusterNodes === 0 || clusterCpus === 0) return 0;
  let factor: number;
  if (config.smallRelativeToTime) {
    const cpus = Math.max((job.nodes * clusterCpus) / clusterNodes, job.cpus);
    factor = cpus / Math.max(1, Math.ceil(job.limitMs / 60_000)) / clusterCpus;
    if (config.favorSmall) factor = 1 - factor;
  } else if (config.favorSmall) {
    factor = Math.max(0, clusterNodes - job.nodes) / clusterNodes;
    if (job.cpus > 0) factor = (factor + (clusterCpus - job.cpus) / clusterCpus) / 2;
  } else {
    factor = job.nodes / clusterNodes;
    if (job.cpus > 0) factor = (factor + job.cpus / clusterCpus) / 2;
  }
  return Math.min(1, Math.max(0, factor));
}

/**
 * The age term: time since the job began to accrue (eligible, not held, no dependency; since its submission with `ACCRUE_ALWAYS`), as
 * a part of `PriorityMaxAge`. `nowMs`: the tick, or the submission. `sinceMs`: `Infinity` = it does not accrue.
 */
export function ageTerm(config: PriorityConfig, sinceMs: number, nowMs: number): number {
  if (config.weightAge === 0 || !(nowMs > sinceMs)) return 0;
  const mostSec = Math.floor(config.maxAgeMs / 1000);
  const ageSec = secondOf(nowMs) - secondOf(sinceMs);
  return config.weightAge * (ageSec < mostSec ? ageSec / mostSec : 1);
}

/** Priority of a job that is not held: 1 … 4,294,967,295. `age`: `ageTerm`; `fairShare`: 0 … 1, 0 without an association. O(1). */
export function multifactorPriority(
  config: PriorityConfig,
  fixed: FixedTerms,
  age: number,
  fairShare: number,
): number {
  // In slurmctld's order: where the sum is close to a whole number, another order rounds otherwise.
  const sum =
    age +
    fixed.assoc +
    config.weightFairshare * fairShare +
    fixed.jobSize +
    fixed.partition +
    fixed.qos +
    fixed.tres -
    fixed.nice;
  return Math.min(HIGHEST, Math.trunc(Math.max(1, sum)));
}

/** What a tick makes of a priority: 0 is held and stays so; with `INCR_ONLY` it never falls. */
export function afterTick(config: PriorityConfig, before: number, computed: number): number {
  if (before === 0) return 0;
  return config.incrOnly ? Math.max(before, computed) : computed;
}

/** One line of `sprio -l`. */
export function sprioRow(
  scale: PriorityScale,
  job: PriorityJob,
  shown: {
    readonly jobIdx: number;
    readonly partition: string;
    readonly priority: number;
    readonly age: number;
    readonly fairShare: number;
  },
): SprioRow {
  const fixed = fixedTerms(scale, job);
  return {
    jobIdx: shown.jobIdx,
    partition: shown.partition,
    priority: shown.priority,
    age: shown.age,
    assoc: fixed.assoc,
    fairshare: scale.config.weightFairshare * shown.fairShare,
    jobSize: fixed.jobSize,
    partitionFactor: fixed.partition,
    qos: fixed.qos,
    nice: fixed.nice,
    tres: tresTerms(scale, job),
  };
}
