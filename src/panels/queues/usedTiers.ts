/** Which tiers have a lane: those that a job of the run is in, at its start or by a change. A log whose jobs are all of one tier needs one lane. */
import type { Stage } from "../../protocol/messages.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { runData } from "../../store/runData.ts";
import { useApp } from "../../store/store.ts";
import { tiersWithJobs } from "../../store/tiersWithJobs.ts";

type Interventions = Scenario["interventions"];
const NONE: Interventions = [];

let known: {
  readonly stage: Stage;
  readonly interventions: Interventions;
  readonly used: Uint8Array;
} | null = null;

/** 1 for each tier with a lane; all of them where there is no job. O(jobs + interventions) after a change, else O(1). */
export function usedTiers(): Uint8Array {
  const { stage } = runData.get();
  if (!stage) return new Uint8Array(0);
  const interventions = useApp.getState().scenario?.interventions ?? NONE;
  if (known?.stage !== stage || known.interventions !== interventions)
    known = { stage, interventions, used: tiersWithJobs(stage, interventions) };
  return known.used;
}
