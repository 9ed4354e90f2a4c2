/** Gives the Gantt the shadow times of the queues' heads at the cursor, as long as it is mounted. Renders nothing, whatever moves. */
import { useEffect } from "react";
import { Dirty } from "../../../render/frameLoop.ts";
import { watchQueueHeads } from "../../../store/queueHeads.ts";
import type { GanttPainter } from "../ganttPainter.ts";
import { HeadPainter } from "./headPainter.ts";

export function HeadLayer({ painter }: { readonly painter: () => GanttPainter | null }) {
  useEffect(() => {
    const target = painter();
    if (!target) return;
    const marks = new HeadPainter(target.scene);
    target.overlay.extras.add(marks);
    const stop = watchQueueHeads((heads) => {
      if (marks.take(heads)) target.mark(Dirty.overlay);
    });
    return () => {
      stop();
      target.overlay.extras.delete(marks);
      target.mark(Dirty.overlay);
    };
  }, [painter]);
  return null;
}
