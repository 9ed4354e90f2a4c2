/** Shows the Gantt by team, tier or job as long as it is mounted. Renders nothing. */
import { useEffect } from "react";
import { useApp } from "../../../store/store.ts";
import { beginWork } from "../../../store/underway.ts";
import type { LaneGrouping } from "../../../timeline/jobRows.ts";
import type { GanttPainter } from "../ganttPainter.ts";
import { GroupLanes } from "./groupLanes.ts";

/** By job the rows reach far beyond the window: the first ones seen are those of the cursor, and a job selected elsewhere is brought into sight. */
function showRowOf(target: GanttPainter, lanes: GroupLanes): () => void {
  let first = true;
  const look = (): void => {
    const { selection } = useApp.getState();
    const job = selection?.kind === "job" ? selection.jobIdx : first ? lanes.firstAt() : -1;
    if (job >= 0) target.scrollToRow(job, first);
  };
  const tell = beginWork();
  const wait = setInterval(() => {
    if (!target.view?.layout.units.groups) return;
    clearInterval(wait);
    tell();
    look();
    first = false;
  }, 50);
  const off = useApp.subscribe((state) => state.selection, look);
  return () => {
    clearInterval(wait);
    tell();
    off();
  };
}

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
    const lanes = new GroupLanes(by);
    target.showGroups(lanes);
    const stop = by === "job" ? showRowOf(target, lanes) : () => undefined;
    return () => {
      stop();
      target.showGroups(null);
    };
  }, [painter, by]);
  return null;
}
