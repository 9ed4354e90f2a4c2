/** The page: top bar, banner, sheet and inspector, status bar; dialogs are chunks that load when they are first opened. */

import { ChevronDown, ChevronUp } from "lucide-react";
import { lazy, Suspense } from "react";
import { InspectorColumn } from "../panels/inspector/InspectorColumn.tsx";
import { useShell } from "../store/shellState.ts";
import { useApp } from "../store/store.ts";
import { Banner } from "./Banner.tsx";
import { DropZone } from "./DropZone.tsx";
import { NoticeArea } from "./NoticeArea.tsx";
import { PanelBoundary } from "./PanelBoundary.tsx";
import { Sheet } from "./Sheet.tsx";
import { StatusBar } from "./StatusBar.tsx";
import { TopBar } from "./topbar/TopBar.tsx";

const Dialogs = lazy(async () => ({ default: (await import("./dialogs/Dialogs.tsx")).Dialogs }));

export function App() {
  const side = useApp((state) => state.side);
  return (
    <div className="app" data-side={side === "inspector" ? "inspector" : "editor"}>
      <TopBar />
      <Banner />
      <div className="app-main">
        <Sheet />
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
  const open = useShell((state) => state.bottomOpen);
  return (
    <aside
      className="inspector-column"
      data-panel="inspector"
      data-open={open}
      aria-label="Inspector"
    >
      <button
        type="button"
        className="button bottom-handle"
        aria-expanded={open}
        onClick={() => useShell.setState({ bottomOpen: !open })}
      >
        {open ? <ChevronDown size={16} aria-hidden /> : <ChevronUp size={16} aria-hidden />}
        {open ? "Hide details" : "Show details"}
      </button>
      <div className="slot-fill">
        <PanelBoundary name="inspector">
          <InspectorColumn />
        </PanelBoundary>
      </div>
    </aside>
  );
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
