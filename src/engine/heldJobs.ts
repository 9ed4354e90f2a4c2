/** Why a job that is held waits: no scheduler is asked, the engine itself keeps it. */
import { JobStateCode } from "../model/states.ts";
import { NEVER_MS } from "../model/units.ts";
import type { Run } from "./run.ts";
import type { Explanation } from "./view.ts";

/** The explanation of a held job at the run's present time; null when the job is not held. */
export function explainHeld(run: Run, jobIdx: number): Explanation | null {
  const slot = run.live.slotOf[jobIdx]!;
  if (slot < 0 || run.live.jobState[jobIdx] !== JobStateCode.held) return null;
  const { jobs, poolOfJob } = run.world;
  const gpusFree = run.allocations.ledger.poolGpusFree[poolOfJob[jobIdx]!]!;
  const beginMs = jobs.at.beginMs[jobIdx]!;
  return {
    reason: run.live.at.waitReason[slot]!,
    gpusNeeded: jobs.at.gpuTotal[jobIdx]!,
    gpusFree,
    unit: "devices",
    unitsNeeded: jobs.at.gpuTotal[jobIdx]!,
    unitsFree: gpusFree,
    position: -1,
    headJobIdx: -1,
    reservedForJobIdx: -1,
    plannedMs: beginMs > run.clock.nowMs ? beginMs : NEVER_MS,
    plannedNodes: [],
    frees: [],
  };
}
