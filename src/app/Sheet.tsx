/**
 * The sheet: every strip shares the gutter at the left and the plot at the right, so the Gantt, what waits and the sums lie on
 * the same pixels of time. Strips know each other only through the store.
 */
import { lazy, Suspense } from "react";
import { TimeAxis } from "../panels/axis/TimeAxis.tsx";
import { CurvesPanel } from "../panels/curves/CurvesPanel.tsx";
import { GanttPanel } from "../panels/gantt/GanttPanel.tsx";
import { Minimap } from "../panels/minimap/Minimap.tsx";
import { QueuesPanel } from "../panels/queues/QueuesPanel.tsx";
import { useApp } from "../store/store.ts";
import { PanelBoundary } from "./PanelBoundary.tsx";

const QueueTable = lazy(async () => ({
  default: (await import("../panels/queues/QueueTable.tsx")).QueueTable,
}));
const GanttTable = lazy(async () => ({
  default: (await import("../panels/gantt/GanttTable.tsx")).GanttTable,
}));

export function Sheet() {
  const drawer = useApp((state) => state.drawer);
  return (
    <main className="sheet" aria-label="Cluster over time">
      <Slot name="minimap">
        <Minimap />
      </Slot>
      <Slot name="axis">
        <TimeAxis />
      </Slot>
      <Slot name="gantt">
        <GanttPanel />
      </Slot>
      {drawer === "none" ? (
        <>
          <Slot name="queues">
            <QueuesPanel />
          </Slot>
          <Slot name="curves">
            <CurvesPanel />
          </Slot>
        </>
      ) : (
        <Slot name="drawer">
          <Suspense>{drawer === "queueTable" ? <QueueTable /> : <GanttTable />}</Suspense>
        </Slot>
      )}
    </main>
  );
}

interface SlotProps {
  readonly name: string;
  readonly children: React.ReactNode;
}

/** A panel that fails takes only its own strip with it. */
function Slot({ name, children }: SlotProps) {
  return (
    <div className={`slot-${name}`} data-panel={name}>
      <PanelBoundary name={name}>{children}</PanelBoundary>
    </div>
  );
}
