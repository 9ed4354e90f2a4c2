/** What rows can be grouped by, in words. */
import type { Stage } from "../../protocol/messages.ts";
import type { Grouping } from "../../store/state.ts";
import { canGroupBy } from "../../timeline/rowUnits.ts";

export const GROUP_WORDS: Readonly<Record<Grouping, string>> = {
  leaf: "leaf switch",
  node: "node",
  domain: "NVSwitch domain",
  team: "team",
  tier: "tier",
  job: "job",
};

/** Whether the cluster of a run has what is asked for. */
export function canGroup(stage: Stage, by: Grouping): boolean {
  return by === "leaf" || by === "node" || by === "domain" ? canGroupBy(stage.cluster, by) : true;
}
