/** The placement that a pool's settings name, for steps that place. */
import { LAB_PLACEMENTS, type LabPlacement, type PoolSettings } from "../../../../model/policy.ts";

export function placementOf({ settings }: PoolSettings): LabPlacement {
  return LAB_PLACEMENTS.find((known) => known === settings["placement"]) ?? "firstFit";
}
