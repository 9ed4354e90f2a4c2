/** The page: top bar, banner, sheet and inspector, status bar; dialogs are chunks that load when they are first opened. */

import { ChevronDown, ChevronUp } from "lucide-react";
import type { ComponentType } from "react";
import { lazy, Suspense } from "react";
import { TimeAxis } from "../panels/axis/TimeAxis.tsx";
import { CurvesPanel } from "../panels/curves/CurvesPanel.tsx";
import { GanttPanel } from "../panels/gantt/GanttPanel.tsx";
import { InspectorColumn } from "../panels/inspector/InspectorColumn.tsx";
import { QueuesPanel } from "../panels/queues/QueuesPanel.tsx";
import { useShell } from "../store/shellState.ts";
import { useApp } from "../store/store.ts";
import { useIsOldPicture } from "../store/useRun.ts";
import { Banner } from "./Banner.tsx";
import { DropZone } from "./DropZone.tsx";
import { type Embed, embeddedPanels } from "./embedded.ts";
import { SizeHandle } from "./layout/SizeHandle.tsx";
import { NoticeArea } from "./NoticeArea.tsx";
import { PanelBoundary } from "./PanelBoundary.tsx";
import { Sheet } from "./Sheet.tsx";
import { StatusBar } from "./StatusBar.tsx";
import { TopBar } from "./topbar/TopBar.tsx";

const TopologyPanel = lazy(async () => ({
  default: (await import("../panels/topology/TopologyPanel.tsx")).TopologyPanel,
}));
const ComparePanel = lazy(async () => ({
  default: (await import("./compare/ComparePanel.tsx")).ComparePanel,
}));
const CompareColumn = lazy(async () => ({
  default: (await import("./compare/CompareColumn.tsx")).CompareColumn,
}));
const Presenter = lazy(async () => ({
  default: (await import("./presenter/Presenter.tsx")).Presenter,
}));
const Dialogs = lazy(async () => ({ default: (await import("./dialogs/Dialogs.tsx")).Dialogs }));

/** Panels without anything around them but what went wrong, for slides and notebooks. */
const EMBEDDED: Readonly<Record<Embed, ComponentType>> = {
  gantt: GanttPanel,
  map: TopologyPanel,
  topology: GanttPanel,
  queues: QueuesPanel,
  curves: CurvesPanel,
};

/** Above these stands the time axis once: without it nobody knows when. */
const OVER_TIME: ReadonlySet<Embed> = new Set(["gantt", "queues", "curves"]);

export function App() {
  const names = embeddedPanels(location.search);
  if (names.length === 0) return <Workbench />;
  return (
    <div className="app embed" data-embed={names.join(" ")}>
      <Banner />
      {names.some((name) => OVER_TIME.has(name)) && (
        <div className="embed-axis" data-panel="axis">
          <TimeAxis />
        </div>
      )}
      {names.map((name) => {
        const Panel = EMBEDDED[name];
        return (
          <div key={name} className="embed-panel" data-panel={name}>
            <PanelBoundary name={name}>
              <Suspense>
                <Panel />
              </Suspense>
            </PanelBoundary>
          </div>
        );
      })}
    </div>
  );
}

function Workbench() {
  const side = useApp((state) => state.side);
  const comparing = useApp((state) => state.comparing);
  const full = useShell((state) => (comparing ? null : state.full));
  const presenting = useShell((state) => state.presenting);
  // By another clock everything that writes a time is written anew.
  const clock = useShell((state) => state.clock);
  const old = useIsOldPicture();
  return (
    <div
      className="app"
      data-side={side === "inspector" ? "inspector" : "editor"}
      data-full={full ?? undefined}
      data-presenting={presenting || undefined}
    >
      {presenting && (
        <PanelBoundary name="presenter">
          <Suspense>
            <Presenter />
          </Suspense>
        </PanelBoundary>
      )}
      <TopBar />
      <Banner />
      <div className="app-main" key={clock} aria-busy={old || undefined}>
        {comparing ? (
          <PanelBoundary name="compare">
            <Suspense fallback={<main className="sheet" aria-label="Futures side by side" />}>
              <ComparePanel />
            </Suspense>
          </PanelBoundary>
        ) : (
          <Sheet />
        )}
        <Inspector />
      </div>
      <StatusBar />
      <NoticeArea />
      <DropZone />
      <LazyDialogs />
    </div>
  );
}

function Inspector() {
  const comparing = useApp((state) => state.comparing && state.side === "inspector");
  const open = useShell((state) => state.bottomOpen);
  return (
    <aside
      className="inspector-column"
      data-panel="inspector"
      data-open={open}
      aria-label="Inspector"
    >
      <SizeHandle part="inspector" label="Width of the inspector" across />
      <button
        type="button"
        className="button bottom-handle"
        aria-expanded={open}
        onClick={() => useShell.setState({ bottomOpen: !open })}
      >
        {open ? <ChevronDown size={16} aria-hidden /> : <ChevronUp size={16} aria-hidden />}
        {open ? "Hide details" : "Show details"}
      </button>
      <Question />
      <div className="slot-fill">
        <PanelBoundary name="inspector">
          {comparing ? (
            <Suspense>
              <CompareColumn />
            </Suspense>
          ) : (
            <InspectorColumn />
          )}
        </PanelBoundary>
      </div>
    </aside>
  );
}

/** The question that the scenario answers: it leads the column that answers it, and leaves while an editor is open. */
function Question() {
  const question = useApp((state) =>
    state.side === "inspector" && !state.comparing ? state.scenario?.question : undefined,
  );
  return question ? <p className="question">{question}</p> : null;
}

function LazyDialogs() {
  const open = useShell((state) => state.dialog.kind !== "none");
  if (!open) return null;
  return (
    <PanelBoundary name="dialog">
      <Suspense>
        <Dialogs />
      </Suspense>
    </PanelBoundary>
  );
}
