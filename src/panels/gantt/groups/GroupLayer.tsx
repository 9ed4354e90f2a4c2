/** Shows the Gantt by team, tier or job as long as it is mounted. Renders nothing. */
import { useEffect } from "react";
import type { LaneGrouping } from "../../../timeline/jobRows.ts";
import type { GanttPainter } from "../ganttPainter.ts";
import { GroupLanes } from "./groupLanes.ts";

export function GroupLayer({
  painter,
  by,
}: {
  readonly painter: () => GanttPainter | null;
  readonly by: LaneGrouping;
}) {
  useEffect(() => {
    const target = painter();
    if (!target) return;
    target.showGroups(new GroupLanes(by));
    return () => target.showGroups(null);
  }, [painter, by]);
  return null;
}
