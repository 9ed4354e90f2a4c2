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
import { useHasGauges } from "../store/recordHas.ts";
import { usesSlurm } from "../store/slurmPools.ts";
import { useApp } from "../store/store.ts";
import { SizeHandle } from "./layout/SizeHandle.tsx";
import { PanelBoundary } from "./PanelBoundary.tsx";

const QueueTable = lazy(async () => ({
  default: (await import("../panels/queues/QueueTable.tsx")).QueueTable,
}));
const SlurmDrawer = lazy(async () => ({
  default: (await import("../panels/queues/slurm/SlurmDrawer.tsx")).SlurmDrawer,
}));
const LabDrawer = lazy(async () => ({
  default: (await import("../panels/queues/lab/LabDrawer.tsx")).LabDrawer,
}));
const GaugeLane = lazy(async () => ({
  default: (await import("../panels/gauges/GaugeLane.tsx")).GaugeLane,
}));
const PassLane = lazy(async () => ({
  default: (await import("../panels/passes/PassLane.tsx")).PassLane,
}));
const GanttTable = lazy(async () => ({
  default: (await import("../panels/gantt/GanttTable.tsx")).GanttTable,
}));
const HitsTable = lazy(async () => ({
  default: (await import("../panels/search/HitsTable.tsx")).HitsTable,
}));
const WaitingDrawer = lazy(async () => ({
  default: (await import("../panels/waiting/WaitingDrawer.tsx")).WaitingDrawer,
}));
const CurveTable = lazy(async () => ({
  default: (await import("../panels/curves/CurveTable.tsx")).CurveTable,
}));
const DecisionDrawer = lazy(async () => ({
  default: (await import("../panels/decisions/DecisionDrawer.tsx")).DecisionDrawer,
}));
const TopologyPanel = lazy(async () => ({
  default: (await import("../panels/topology/TopologyPanel.tsx")).TopologyPanel,
}));

const MarkLayer = lazy(async () => ({
  default: (await import("../panels/marks/MarkLayer.tsx")).MarkLayer,
}));

export function Sheet() {
  const drawer = useApp((state) => state.drawer);
  const marked = useApp((state) => state.range !== null || state.bookmarks.length > 0);
  const slurm = useApp((state) => usesSlurm(state.scenario));
  const gauges = useHasGauges();
  const teams = useApp((state) => (state.scenario?.teams.length ?? 0) > 1);
  const Queue = slurm ? SlurmDrawer : gauges || teams ? LabDrawer : QueueTable;
  return (
    <main className="sheet" aria-label="Cluster over time" data-drawer={drawer}>
      <Slot name="minimap">
        <Minimap />
      </Slot>
      <Slot name="axis">
        <TimeAxis />
      </Slot>
      <Slot name="gantt">
        <GanttPanel />
      </Slot>
      <Slot name="passes">
        {slurm && (
          <Suspense>
            <PassLane />
          </Suspense>
        )}
      </Slot>
      <Slot name="gauges">
        {gauges && (
          <Suspense>
            <GaugeLane />
          </Suspense>
        )}
      </Slot>
      {drawer === "map" && (
        <Slot name="map">
          <Suspense>
            <TopologyPanel closes />
          </Suspense>
        </Slot>
      )}
      {drawer === "none" || drawer === "map" ? (
        <>
          <Slot name="queues" handle={<SizeHandle part="queues" label="Height of the queues" />}>
            <QueuesPanel />
          </Slot>
          <Slot name="curves" handle={<SizeHandle part="curves" label="Height of the curves" />}>
            <CurvesPanel />
          </Slot>
        </>
      ) : (
        <Slot name="drawer">
          <Suspense>
            {drawer === "ganttTable" ? (
              <GanttTable />
            ) : drawer === "waiting" ? (
              <WaitingDrawer />
            ) : drawer === "decisions" ? (
              <DecisionDrawer />
            ) : drawer === "hits" ? (
              <HitsTable />
            ) : drawer === "curves" ? (
              <CurveTable />
            ) : (
              <Queue />
            )}
          </Suspense>
        </Slot>
      )}
      {marked && (
        <PanelBoundary name="marks">
          <Suspense>
            <MarkLayer />
          </Suspense>
        </PanelBoundary>
      )}
    </main>
  );
}

interface SlotProps {
  readonly name: string;
  readonly children: React.ReactNode;
  /** What changes the height of the strip. Behind the panel, so that who goes to a panel comes to what it shows. */
  readonly handle?: React.ReactNode;
}

/** A panel that fails takes only its own strip with it. */
function Slot({ name, children, handle }: SlotProps) {
  return (
    <div className={`slot-${name}`} data-panel={name}>
      <PanelBoundary name={name}>{children}</PanelBoundary>
      {handle}
    </div>
  );
}
