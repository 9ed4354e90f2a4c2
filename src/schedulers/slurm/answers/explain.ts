/** What Slurm says of one waiting job: its reason as squeue shows it, with the numbers behind it. Nothing here decides. */

import { countBoth, listBits, share } from "../../../base/bitSets.ts";
import type { Explanation, PoolView } from "../../../engine/view.ts";
import { slurmReasonCode } from "../../../model/reasons.ts";
import { SLURM_REASONS } from "../../../model/slurm/reasons.ts";
import { NEVER_MS } from "../../../model/units.ts";
import type { SlurmState } from "../state.ts";

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
  const unitsNeeded = devices ? gpusNeeded : (job?.wanted.minNodes ?? 1);
  const unitsFree = devices ? view.gpusFreeTotal : countBoth(state.resources.idle, partition.nodes);
  const first = queue[0];
  return {
    reason: slurmReasonCode(SLURM_REASONS[job?.reason ?? 0] ?? "None"),
    gpusNeeded,
    gpusFree: view.gpusFreeTotal,
    unit: devices ? "devices" : "nodes",
    unitsNeeded,
    unitsFree,
    position: position < 0 ? 0 : position,
    headJobIdx: first === undefined || first.job.jobIdx === jobIdx ? -1 : first.job.jobIdx,
    reservedForJobIdx: -1,
    plannedMs: job?.plannedMs ?? NEVER_MS,
    plannedNodes:
      job?.plannedNodes === null || job === undefined
        ? []
        : engineNodes(listBits(job.plannedNodes)),
    frees: freesOf(view, state, partition.nodes, unitsNeeded - unitsFree),
  };
}

/** Runs on the nodes of the partition by their ends, until what is missing is there. */
function freesOf(
  view: PoolView,
  state: SlurmState,
  nodes: Int32Array,
  missing: number,
): Explanation["frees"] {
  const frees: { jobIdx: number; atMs: number; units: number }[] = [];
  let stillMissing = missing;
  for (const run of state.running) {
    if (stillMissing <= 0 || frees.length === MOST_FREES) break;
    if (run.nodes === null || !share(run.nodes, nodes)) continue;
    const units = state.setup.nodes.flat ? run.cpus : countBoth(run.nodes, nodes);
    frees.push({ jobIdx: run.jobIdx, atMs: Math.max(run.endMs, view.nowMs), units });
    stillMissing -= units;
  }
  return frees;
}
