/** The names and pools that the history of a run's nodes is told with, by the document at hand. */
import type { Stage } from "../protocol/messages.ts";
import type { HistoryContext } from "../timeline/nodeWords.ts";
import { poolOfGroup } from "./slurmPools.ts";
import { useApp } from "./store.ts";

/** O(groups of nodes). */
export function historyContext(stage: Stage): HistoryContext {
  const { scenario } = useApp.getState();
  const { groups, nodeGroup } = stage.cluster;
  const poolOf = groups.map(({ id }) => (scenario ? poolOfGroup(scenario, id) : -1));
  return {
    stage,
    calendar: scenario?.calendarStart,
    firstPool: (node) => poolOf[nodeGroup[node]!] ?? -1,
  };
}
