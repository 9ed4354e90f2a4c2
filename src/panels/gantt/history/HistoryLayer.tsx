/** Gives the Gantt the history of nodes and rounds of the run that is shown, as long as it is mounted. Renders nothing. */
import { useEffect } from "react";
import { Dirty } from "../../../render/frameLoop.ts";
import { historyContext } from "../../../store/historyContext.ts";
import type { GanttPainter } from "../ganttPainter.ts";
import { HistoryPainter } from "./historyPainter.ts";
import { sceneHistoryOf } from "./sceneHistory.ts";

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
