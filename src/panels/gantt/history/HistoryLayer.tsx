/** Gives the Gantt the history of nodes and rounds of the run that is shown, as long as it is mounted. Renders nothing. */
import { useEffect } from "react";
import { Dirty } from "../../../render/frameLoop.ts";
import { poolOfGroup } from "../../../store/slurmPools.ts";
import { useApp } from "../../../store/store.ts";
import type { GanttPainter } from "../ganttPainter.ts";
import { HistoryPainter } from "./historyPainter.ts";
import { type HistoryContext, sceneHistoryOf } from "./sceneHistory.ts";

/** The names and pools of the run of a stage, by the document at hand. */
export function historyContext(stage: HistoryContext["stage"]): HistoryContext {
  const { scenario } = useApp.getState();
  const { groups, nodeGroup } = stage.cluster;
  const poolOf = groups.map(({ id }) => (scenario ? poolOfGroup(scenario, id) : -1));
  return {
    stage,
    calendar: scenario?.calendarStart,
    firstPool: (node) => poolOf[nodeGroup[node]!] ?? -1,
  };
}

export function HistoryLayer({ painter }: { readonly painter: () => GanttPainter | null }) {
  useEffect(() => {
    const target = painter();
    if (!target) return;
    const { scene, overlay } = target;
    const marks = new HistoryPainter(scene);
    scene.tellHistory((stage, future) => {
      const history = sceneHistoryOf(future, historyContext(stage));
      marks.take(history);
      return history;
    });
    overlay.extras.add(marks);
    target.mark(Dirty.more);
    return () => {
      overlay.extras.delete(marks);
      scene.tellHistory(null);
      target.mark(Dirty.more);
    };
  }, [painter]);
  return null;
}
