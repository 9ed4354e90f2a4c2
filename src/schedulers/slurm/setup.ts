/**
 * What a configuration means for this pool, resolved once: partitions and QOS by index, their nodes as bit sets, the association
 * tree. Nothing of it changes during a run, so snapshots share it. A configuration that names no partition has one for each
 * queue of the scenario over all nodes; a tier without a QOS of its name is a QOS with a priority by its rank.
 */
import { assert } from "../../base/assert.ts";
import { countBits, share } from "../../base/bitSets.ts";
import { setBits, wordsFor } from "../../base/bits.ts";
import type { PoolView } from "../../engine/view.ts";
import type { PoolSettings } from "../../model/policy.ts";
import type {
  SlurmConfig,
  SlurmPartition,
  SlurmQos,
  TresAmounts,
} from "../../model/slurm/config.ts";
import { defaultPartition, defaultQos } from "../../model/slurm/defaults.ts";
import type { AssociationTree } from "../../scheduling/accounting/associations.ts";
import { associationsOf } from "../../scheduling/accounting/associations.ts";
import type { PriorityScale } from "../../scheduling/priority/multifactor.ts";
import { priorityScale } from "../../scheduling/priority/multifactor.ts";
import type { SlurmNodes } from "./select/nodes.ts";
import { layNodes } from "./select/nodes.ts";
import type { SelectOptions } from "./select/options.ts";
import { selectOptions } from "./select/options.ts";
import { tresOfNodes } from "./tres.ts";

export interface PartitionInfo {
  readonly index: number;
  readonly config: SlurmPartition;
  /** Bit set over Slurm nodes. */
  readonly nodes: Int32Array;
  readonly nodeCount: number;
  /** Partition QOS (`setup.qos`); −1 = none. */
  readonly qos: number;
  /** Partitions that share a node with it, itself included: 1 by index. */
  readonly shares: Uint8Array;
  /** All of it. */
  readonly tres: TresAmounts;
  readonly select: SelectOptions;
  /** Index of its name in the scenario's queues; −1 = none. */
  readonly queue: number;
}

export interface QosInfo {
  readonly index: number;
  readonly config: SlurmQos;
  /** QOS that this one preempts: 1 by index. */
  readonly preempts: Uint8Array;
}

export interface SlurmSetup {
  readonly config: SlurmConfig;
  readonly nodes: SlurmNodes;
  readonly nodeCount: number;
  readonly words: number;
  readonly partitions: readonly PartitionInfo[];
  readonly partitionOfName: ReadonlyMap<string, number>;
  readonly defaultPartition: number;
  readonly qos: readonly QosInfo[];
  readonly qosOfName: ReadonlyMap<string, number>;
  /** QOS of each tier of the scenario. */
  readonly qosOfTier: Int32Array;
  readonly tree: AssociationTree;
  readonly scale: PriorityScale;
  readonly controllerStartMs: number;
  /** Tests only: computes every pass, also those that cannot differ from the last. */
  readonly everyPass: boolean;
}

/** Resolves a configuration for a pool. O(nodes × partitions + jobs). */
export function setupOf(view: PoolView, pool: PoolSettings, everyPass: boolean): SlurmSetup {
  const config = pool.slurm;
  assert(config !== undefined, "the preset slurm has a configuration");
  const nodes = layNodes(view, config);
  const words = wordsFor(nodes.count);
  const qos = qosFor(config, view);
  const qosOfName = new Map(qos.map((each) => [each.config.name, each.index]));
  const partitions = partitionsFor(config, view, nodes, qosOfName);
  const tree = associationsOf(config, view.teams, view.jobs);
  return {
    config,
    nodes,
    nodeCount: nodes.count,
    words,
    partitions,
    partitionOfName: new Map(partitions.map((each) => [each.config.name, each.index])),
    defaultPartition: defaultOf(partitions),
    qos,
    qosOfName,
    qosOfTier: Int32Array.from(view.tiers, (tier) => {
      return qosOfName.get(tier.id) ?? qosOfName.get(tier.name) ?? 0;
    }),
    tree,
    scale: priorityScale(
      config.priority,
      { nodes: nodes.count, cpus: nodes.totals.cpus },
      {
        qos: qos.map((each) => each.config.priority),
        assocs: tree.limits.map((each) => each.priority),
        partitions: partitions.map((each) => each.config.priorityJobFactor),
      },
    ),
    controllerStartMs: Number(pool.settings.controllerStartMs ?? 0),
    everyPass,
  };
}

/** The default partition; where none is (Slurm would refuse jobs that name none), the first of those with the most GPUs. */
function defaultOf(partitions: readonly PartitionInfo[]): number {
  const named = partitions.findIndex((partition) => partition.config.isDefault);
  if (named >= 0) return named;
  const gpus = partitions.map((partition) => partition.tres["gres/gpu"] ?? 0);
  return gpus.indexOf(gpus.reduce((most, count) => Math.max(most, count), 0));
}

function partitionsFor(
  config: SlurmConfig,
  view: PoolView,
  nodes: SlurmNodes,
  qosOfName: ReadonlyMap<string, number>,
): PartitionInfo[] {
  const named = config.partitions.length > 0 ? config.partitions : implied(view.queues);
  const words = wordsFor(nodes.count);
  const sets = named.map((partition) => {
    const set = new Int32Array(words);
    if (partition.nodes === null) setBits(set, 0, nodes.count);
    else {
      for (const name of partition.nodes) {
        const node = nodes.indexOf.get(name);
        if (node !== undefined) setBits(set, node, node + 1);
      }
    }
    return set;
  });
  return named.map((partition, index) => ({
    index,
    config: partition,
    nodes: sets[index]!,
    nodeCount: countBits(sets[index]!),
    qos: partition.qos === null ? -1 : (qosOfName.get(partition.qos) ?? -1),
    shares: Uint8Array.from(sets, (other) => (share(other, sets[index]!) ? 1 : 0)),
    tres: tresOfNodes(nodes, sets[index]!, partition.tresBillingWeights),
    select: selectOptions(config, partition),
    queue: view.queues.indexOf(partition.name),
  }));
}

/** A queue that no line describes is a partition over all nodes. */
function implied(queues: readonly string[]): SlurmPartition[] {
  const names = queues.filter((name) => name !== "");
  return (names.length === 0 ? ["batch"] : names).map((name, index) => ({
    ...defaultPartition(name),
    isDefault: index === 0,
    nodes: null,
  }));
}

/** Those of the configuration, `normal` where it is missing, and the tiers that have none. */
function qosFor(config: SlurmConfig, view: PoolView): QosInfo[] {
  const list = [...config.qos];
  if (!list.some((each) => each.name === "normal")) list.unshift(defaultQos("normal"));
  view.tiers.forEach((tier, rank) => {
    const known = list.some((each) => each.name === tier.id || each.name === tier.name);
    if (!known) list.push({ ...defaultQos(tier.id), priority: view.tiers.length - 1 - rank });
  });
  return list.map((each, index) => ({
    index,
    config: each,
    preempts: Uint8Array.from(list, (other) => (each.preempt.includes(other.name) ? 1 : 0)),
  }));
}
