/** Why a job that has left without running can never run, as far as the cluster itself says so: no scheduler is asked. */

import type { Cluster } from "../model/cluster.ts";
import { WaitReasonCode } from "../model/reasons.ts";
import { JobStateCode } from "../model/states.ts";
import { NEVER_MS } from "../model/units.ts";
import type { World } from "../model/world.ts";
import { clusterAt } from "./labels.ts";
import type { Run } from "./run.ts";
import type { Explanation } from "./view.ts";

/** Null where the job lives, or the cluster has what it asks for. O(nodes). */
export function explainRefused(run: Run, jobIdx: number): Explanation | null {
  if (run.live.jobState[jobIdx] !== JobStateCode.done) return null;
  const { world } = run;
  const cluster = clusterAt(world, world.jobs.at.submitMs[jobIdx]!);
  const groups = groupsOf(world, cluster, jobIdx);
  const gpusNeeded = world.jobs.at.gpuTotal[jobIdx]!;
  const lacks = lackOf(world, groups, jobIdx) ?? tooLarge(world, groups, jobIdx);
  // More than the whole cluster has a sentence of its own.
  if (lacks === null && gpusNeeded <= cluster.deviceCount) return null;
  const gpusFree = run.allocations.ledger.poolGpusFree[run.world.poolOfJob[jobIdx]!]!;
  return {
    reason: WaitReasonCode.never,
    ...(lacks !== null && { lacks }),
    gpusNeeded,
    gpusFree,
    unit: "devices",
    unitsNeeded: gpusNeeded,
    unitsFree: gpusFree,
    position: -1,
    headJobIdx: -1,
    reservedForJobIdx: -1,
    plannedMs: NEVER_MS,
    plannedNodes: [],
    frees: [],
  };
}

/** What the job asks of its nodes and none of its pool has, in words: a label, a device model, or all of it on one node. */
function lackOf({ jobs }: World, groups: Groups, jobIdx: number): string | null {
  const wish = jobs.lab.get(jobIdx)?.nodes ?? null;
  const labels = Object.entries(wish?.labels ?? {});
  for (const [label, value] of labels)
    if (!groups.some((group) => group.labels[label] === value))
      return `the label ${label}=${value}`;
  const asked = modelsOf(jobs, jobIdx);
  const hasModel = (model: string): boolean => asked.length === 0 || asked.includes(model);
  if (!groups.some((group) => hasModel(group.gpuModel)))
    return `GPUs of the model ${asked.join(" or ")}`;
  const fits = groups.some(
    (group) =>
      hasModel(group.gpuModel) && labels.every(([label, value]) => group.labels[label] === value),
  );
  if (fits) return null;
  const all = labels.map(([label, value]) => `${label}=${value}`);
  return `${[...all, ...(asked.length > 0 ? [asked.join(" or ")] : [])].join(" and ")} at once`;
}

/** What one member asks of its node and the largest has not. */
function tooLarge({ jobs }: World, groups: Groups, jobIdx: number): string | null {
  const { at, components } = jobs;
  const most = (of: (group: Groups[number]) => number) => Math.max(0, ...groups.map(of));
  for (let row = at.firstComponent[jobIdx]!; row < at.firstComponent[jobIdx + 1]!; row++) {
    const asked = [
      [components.gpus[row]!, most((group) => group.gpusPerNode), "GPUs"],
      [components.cpuMilli[row]! / 1_000, most((group) => group.cpusPerNode), "CPUs"],
      [components.memMiB[row]! / 1_024, most((group) => group.memMiBPerNode / 1_024), "GiB"],
    ] as const;
    for (const [wanted, there, what] of asked)
      if (wanted > there) return `${wanted} ${what}: the largest has ${there}`;
  }
  return null;
}

type Groups = readonly Cluster["groups"][number][];

/** What kinds of nodes the pool of a job has. */
function groupsOf({ poolOfJob, poolOfNode }: World, cluster: Cluster, jobIdx: number): Groups {
  const used = new Set<number>();
  for (let node = 0; node < cluster.nodeCount; node++)
    if (poolOfNode[node] === poolOfJob[jobIdx]) used.add(cluster.nodeGroup[node]!);
  return [...used].map((group) => cluster.groups[group]!);
}

/** Device models of which one has to be had; empty = any. */
function modelsOf({ at, components, gpuModels, lab }: World["jobs"], jobIdx: number): string[] {
  const model = components.gpuModel[at.firstComponent[jobIdx]!]!;
  if (model > 0) return [gpuModels[model - 1]!];
  return (lab.get(jobIdx)?.nodes?.models ?? []).map((wish) => wish.model);
}

/** Names of the reasons for which jobs were refused, with their counts. */
export function refusedByReason(refused: Float64Array): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [reason, code] of Object.entries(WaitReasonCode)) {
    if (refused[code]! > 0) counts[reason] = refused[code]!;
  }
  return counts;
}
