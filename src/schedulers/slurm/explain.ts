/** What Slurm says of one waiting job: its reason as squeue shows it, with the numbers behind it. Nothing here decides. */
import type { Explanation, PoolView } from "../../engine/view.ts";
import { slurmReasonCode } from "../../model/reasons.ts";
import { SLURM_REASONS } from "../../model/slurm/reasons.ts";
import { NEVER_MS } from "../../model/units.ts";
import { countBoth, nodesOf } from "./nodeSets.ts";
import type { SlurmState } from "./state.ts";

const MOST_FREES = 12;

/** O(queue + running). */
export function explainJob(view: PoolView, state: SlurmState, jobIdx: number): Explanation {
  const job = state.jobs.get(jobIdx);
  const { setup, queue } = state;
  const gpusNeeded = view.jobs.at.gpuTotal[jobIdx]!;
  const position = queue.findIndex((entry) => entry.job.jobIdx === jobIdx);
  const partition = setup.partitions[job?.partition ?? setup.defaultPartition]!;
  const engineNodes = (nodes: Int32Array): number[] => [
    ...new Set(Array.from(nodes, (node) => setup.nodes.engineNode[node]!)),
  ];
  const devices = setup.nodes.flat;
  const first = queue[0];
  return {
    reason: slurmReasonCode(SLURM_REASONS[job?.reason ?? 0] ?? "None"),
    gpusNeeded,
    gpusFree: view.gpusFreeTotal,
    unit: devices ? "devices" : "nodes",
    unitsNeeded: devices ? gpusNeeded : (job?.wanted.minNodes ?? 1),
    unitsFree: devices ? view.gpusFreeTotal : countBoth(state.resources.idle, partition.nodes),
    position: position < 0 ? 0 : position,
    headJobIdx: first === undefined || first.job.jobIdx === jobIdx ? -1 : first.job.jobIdx,
    reservedForJobIdx: -1,
    plannedMs: job?.plannedMs ?? NEVER_MS,
    plannedNodes:
      job?.plannedNodes === null || job === undefined ? [] : engineNodes(nodesOf(job.plannedNodes)),
    frees: state.running.slice(0, MOST_FREES).map((run) => ({
      jobIdx: run.jobIdx,
      atMs: Math.max(run.endMs, view.nowMs),
      units: devices ? run.cpus : run.nodeCount,
    })),
  };
}
