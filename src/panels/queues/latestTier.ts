/**
 * The tier of a job at the end of the run, from the stage that `runData` holds now. The painter asks in its own frame, which may
 * come before React has rendered a new stage, so nothing here may lag behind it.
 */
import type { Stage } from "../../protocol/messages.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { runData } from "../../store/runData.ts";
import { useApp } from "../../store/store.ts";
import { type TierAt, tierLookup } from "../../timeline/jobNames.ts";

type Interventions = Scenario["interventions"];
const NONE: Interventions = [];

let known: {
  readonly stage: Stage;
  readonly interventions: Interventions;
  readonly tierAt: TierAt;
} | null = null;

/** Position of the job's tier; 0 while nothing is staged. O(1) but for the first call after a change. */
export function latestTier(jobIdx: number): number {
  const { stage } = runData.get();
  if (!stage) return 0;
  const interventions = useApp.getState().scenario?.interventions ?? NONE;
  if (known?.stage !== stage || known.interventions !== interventions) {
    const ids = stage.tiers.map((tier) => tier.id);
    const tierAt = tierLookup(stage.jobs.at.tier, stage.jobs.ids, ids, interventions);
    known = { stage, interventions, tierAt };
  }
  return known.tierAt(jobIdx, Number.MAX_VALUE);
}
