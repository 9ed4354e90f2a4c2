/**
 * Numbers by which gauges of quota name their subject: a ClusterQueue of a pool with a flavor and a resource, or a queue of Volcano or KAI that the YAML describes. They are counted over the policies of the pools as the run begins, then over
 * the changes of policy in order of time, so a change later than another moves no number that was there before it, and chunks that are kept mean the same. O(quotas of all policies).
 */
import type { Change, PoolInfo } from "../world.ts";
import { objectsOf } from "./config.ts";

export interface QuotaCell {
  readonly pool: number;
  readonly queue: string;
  readonly flavor: string;
  readonly resource: string;
}

/** Names of the queue that is there where the YAML describes none. */
export const WHOLE_QUEUE = "cluster-queue";
export const WHOLE_FLAVOR = "default-flavor";

/** What one byte of kind leaves for a subject. */
const CELLS_MOST = 65_536;

/** Volcano and KAI know no flavors; of their resources GPUs are told. */
export const GPU_CELL = { flavor: "", resource: "nvidia.com/gpu" };

export const cellKey = ({ pool, queue, flavor, resource }: QuotaCell): string =>
  [pool, queue, flavor, resource].join("\u0000");

const QUEUE_KINDS: Readonly<Record<string, "VolcanoQueue" | "KaiQueue">> = {
  volcano: "VolcanoQueue",
  kai: "KaiQueue",
};

/** In order of their numbers. */
export function quotaCells(pools: readonly PoolInfo[], changes: readonly Change[]): QuotaCell[] {
  const cells = new Map<string, QuotaCell>();
  const note = (pool: number, { preset, kubernetes }: PoolInfo["settings"]) => {
    const kind = QUEUE_KINDS[preset];
    const own =
      kind && objectsOf(kubernetes, kind).map(({ name }) => ({ pool, queue: name, ...GPU_CELL }));
    const of = own ?? (preset === "kueue" ? cellsOf(pool, kubernetes) : []);
    for (const one of of)
      if (cells.size < CELLS_MOST && !cells.has(cellKey(one))) cells.set(cellKey(one), one);
  };
  for (const [pool, { settings }] of pools.entries()) note(pool, settings);
  for (const change of changes) if (change.kind === "policy") note(change.pool, change.settings);
  return [...cells.values()];
}

function cellsOf(pool: number, config: PoolInfo["settings"]["kubernetes"]): QuotaCell[] {
  const queues = objectsOf(config, "ClusterQueue");
  if (queues.length === 0)
    return [{ pool, queue: WHOLE_QUEUE, flavor: WHOLE_FLAVOR, resource: "nvidia.com/gpu" }];
  return queues.flatMap(({ name, groups }) =>
    groups
      .flatMap(({ flavors }) => flavors)
      .flatMap(({ flavor, resources }) =>
        resources.map(({ resource }) => ({ pool, queue: name, flavor, resource })),
      ),
  );
}

/** An amount in whole CPUs, GiB or pieces. */
export function plainAmount(resource: string, amount: number): number {
  if (resource === "cpu") return amount / 1000;
  return resource === "memory" ? amount / 1024 : amount;
}
