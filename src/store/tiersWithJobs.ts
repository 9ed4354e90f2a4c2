/** Which tiers a job of the run is in, at its start or by a change: only these are offered to filter by and explained. */
import { useMemo } from "react";
import type { Stage } from "../protocol/messages.ts";
import { acting } from "../scenario/interventions.ts";
import type { Scenario } from "../scenario/schema.ts";
import { useApp } from "./store.ts";

type Interventions = Scenario["interventions"];
const NONE: Interventions = [];

/** Tiers with jobs, and their places among all. */
export function useTiersWithJobs(stage: Stage | null): readonly TierWithJobs[] {
  const interventions = useApp((state) => state.scenario?.interventions) ?? NONE;
  return useMemo(() => {
    if (!stage) return [];
    const used = tiersWithJobs(stage, interventions);
    return stage.tiers
      .map((tier, index) => ({ tier, index }))
      .filter(({ index }) => used[index] === 1);
  }, [stage, interventions]);
}

export interface TierWithJobs {
  readonly tier: Stage["tiers"][number];
  readonly index: number;
}

/** 1 for each tier with a job; all of them where there is no job. O(jobs + interventions). */
export function tiersWithJobs(
  stage: {
    readonly tiers: readonly { readonly id: string }[];
    readonly jobs: { readonly count: number; readonly at: { readonly tier: ArrayLike<number> } };
  },
  interventions: Interventions,
): Uint8Array {
  const used = new Uint8Array(stage.tiers.length);
  const { tier } = stage.jobs.at;
  for (let jobIdx = 0; jobIdx < stage.jobs.count; jobIdx++) used[tier[jobIdx]!] = 1;
  for (const change of acting(interventions)) {
    if (change.kind !== "retier") continue;
    const to = stage.tiers.findIndex(({ id }) => id === change.tier);
    if (to >= 0) used[to] = 1;
  }
  return used.includes(1) ? used : used.fill(1);
}
