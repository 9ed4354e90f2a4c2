/** Gives the Gantt the shadow times of the queues' heads at the cursor, as long as it is mounted. Renders nothing. */
import { useEffect, useState } from "react";
import { Dirty } from "../../../render/frameLoop.ts";
import { useQueueHeads } from "../../../store/queueHeads.ts";
import type { GanttPainter } from "../ganttPainter.ts";
import { HeadPainter } from "./headPainter.ts";

export function HeadLayer({ painter }: { readonly painter: () => GanttPainter | null }) {
  const [marks] = useState(() => new HeadPainter());
  const heads = useQueueHeads();
  useEffect(() => {
    const target = painter();
    if (!target) return;
    target.overlay.extras.add(marks);
    return () => {
      target.overlay.extras.delete(marks);
      target.mark(Dirty.overlay);
    };
  }, [painter, marks]);
  useEffect(() => {
    if (marks.take(heads)) painter()?.mark(Dirty.overlay);
  }, [heads, marks, painter]);
  return null;
}
