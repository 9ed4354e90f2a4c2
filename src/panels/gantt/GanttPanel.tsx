/**
 * The Gantt: who held which device, over time, with the topology of the moment in its gutter. React renders the frame, the menu
 * and the chip of a brushed stretch; bars, text and outlines are canvases that follow the store by themselves. The table twin is
 * `GanttTable`.
 */
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { run } from "../../store/commands.ts";
import { useHasPromises, useOccurs } from "../../store/recordHas.ts";
import { useShell } from "../../store/shellState.ts";
import { keepsNodes } from "../../store/slurmPools.ts";
import { useApp } from "../../store/store.ts";
import { useRunData } from "../../store/useRun.ts";
import { Occurs } from "../../timeline/occurs.ts";
import { Button } from "../../ui/Button.tsx";
import { Message } from "../../ui/Message.tsx";
import { focusAfterMenu } from "../../ui/menuFocus.ts";
import type { MenuPlace } from "./GanttMenu.tsx";
import { GanttInput } from "./ganttInput.ts";
import { GanttPainter } from "./ganttPainter.ts";
import { loadNote } from "./loadWords.ts";
import { NoJobs } from "./NoJobs.tsx";
import "./gantt.css";

const NO_TARGET = { jobIdx: -1, node: -1 };
const GanttMenu = lazy(async () => ({ default: (await import("./GanttMenu.tsx")).GanttMenu }));

const ReservationLayer = lazy(async () => ({
  default: (await import("./reservations/ReservationLayer.tsx")).ReservationLayer,
}));

const HistoryLayer = lazy(async () => ({
  default: (await import("./history/HistoryLayer.tsx")).HistoryLayer,
}));

const SpotlightLayer = lazy(async () => ({
  default: (await import("./spotlight/SpotlightLayer.tsx")).SpotlightLayer,
}));

const HeadLayer = lazy(async () => ({
  default: (await import("./heads/HeadLayer.tsx")).HeadLayer,
}));

const PlanLayer = lazy(async () => ({
  default: (await import("./plan/PlanLayer.tsx")).PlanLayer,
}));

const RangeCard = lazy(async () => ({
  default: (await import("./range/RangeCard.tsx")).RangeCard,
}));

const GroupLayer = lazy(async () => ({
  default: (await import("./groups/GroupLayer.tsx")).GroupLayer,
}));

export function GanttPanel() {
  const gutter = useRef<HTMLCanvasElement>(null);
  const base = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const spacer = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const live = useRef<HTMLDivElement>(null);
  const note = useRef<HTMLParagraphElement>(null);
  const input = useRef<GanttInput | null>(null);
  const painterRef = useRef<GanttPainter | null>(null);
  const painterOf = useCallback(() => painterRef.current, []);
  const reserves = useApp((state) => keepsNodes(state.scenario));
  const occurs = useOccurs();
  const promises = useHasPromises();
  const grouping = useApp((state) => state.grouping);
  const spotlight = useShell((state) => state.spotlight);
  const range = useApp((state) => state.range);
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const data = useRunData();
  const cluster = data.stage?.cluster;
  const word = cluster?.deviceWord ?? "GPU";
  const services = useApp((state) => (state.scenario?.services.length ?? 0) > 0);
  const idle = data.stage?.jobs.count === 0 && !services;

  useEffect(() => {
    if (!gutter.current || !base.current || !text.current || !overlay.current) return;
    if (!scroller.current || !tip.current || !live.current) return;
    const canvases = {
      gutter: gutter.current,
      base: base.current,
      text: text.current,
      overlay: overlay.current,
    };
    const painter = new GanttPainter(
      canvases,
      (heightCss) => {
        if (spacer.current) spacer.current.style.height = `${Math.floor(heightCss)}px`;
      },
      (open, asLoad) => {
        if (!note.current) return;
        note.current.hidden = asLoad === 0;
        note.current.textContent = loadNote(open, asLoad);
        input.current?.hideTip();
      },
      (topCss) => {
        if (scroller.current) scroller.current.scrollTop = topCss;
      },
    );
    const gutterCanvas = gutter.current;
    const parts = {
      scroller: scroller.current,
      tip: tip.current,
      live: live.current,
      gutterCss: () => gutterCanvas.clientWidth,
    };
    const made = new GanttInput(painter, parts);
    input.current = made;
    painterRef.current = painter;
    return () => {
      made.stop();
      painter.stop();
      input.current = null;
      painterRef.current = null;
    };
  }, []);

  return (
    <section className="gantt" aria-label="Gantt">
      <canvas ref={gutter} className="gantt-gutter" />
      <canvas ref={base} className="gantt-plot" />
      <canvas ref={text} className="gantt-plot" />
      <canvas ref={overlay} className="gantt-plot" />
      <div
        ref={scroller}
        className="gantt-scroll"
        role="application"
        aria-label={`Who held which ${word}, over time${cluster ? `: ${cluster.deviceCount} ${word}s` : ""}. Arrow keys move from bar to bar, Enter selects, the menu key opens a menu. The run table has the same in rows.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the Gantt has its own keyboard cursor.
        tabIndex={0}
        onMouseDown={(event) => {
          // With Shift the browser would select all text from the last click to here.
          if (!event.shiftKey) return;
          event.preventDefault();
          event.currentTarget.focus({ preventScroll: true });
        }}
        onContextMenu={(event) => {
          event.preventDefault();
          const target = input.current?.target ?? NO_TARGET;
          setMenu({ xCss: event.clientX, yCss: event.clientY, target });
        }}
      >
        <div ref={spacer} className="gantt-spacer" />
      </div>
      {menu && (
        <Suspense fallback={null}>
          <GanttMenu
            place={menu}
            onClose={() => {
              setMenu(null);
              focusAfterMenu(scroller.current);
            }}
          />
        </Suspense>
      )}
      {reserves && (
        <Suspense fallback={null}>
          <ReservationLayer painter={painterOf} />
        </Suspense>
      )}
      {(occurs & Occurs.history) !== 0 && (
        <Suspense fallback={null}>
          <HistoryLayer painter={painterOf} />
        </Suspense>
      )}
      {data.stage && (
        <Suspense fallback={null}>
          <HeadLayer painter={painterOf} />
        </Suspense>
      )}
      {spotlight && (
        <Suspense fallback={null}>
          <SpotlightLayer painter={painterOf} />
        </Suspense>
      )}
      {promises && (
        <Suspense fallback={null}>
          <PlanLayer painter={painterOf} />
        </Suspense>
      )}
      {(grouping === "team" || grouping === "tier" || grouping === "job") && (
        <Suspense fallback={null}>
          <GroupLayer painter={painterOf} by={grouping} />
        </Suspense>
      )}
      <p ref={note} className="gantt-note" hidden />
      <div ref={tip} className="gantt-tip" aria-hidden="true" />
      <div ref={live} className="gantt-live" role="status" aria-live="polite" />
      {range && (
        <Suspense fallback={null}>
          <RangeCard range={range} />
        </Suspense>
      )}
      {idle && <NoJobs />}
      {!data.stage && (
        <div className="gantt-empty">
          <NothingRuns />
        </div>
      )}
    </section>
  );
}

/** Most often the first bars are here before these words. */
function Opening() {
  return (
    <div className="late">
      <Message title="Opening …" />
    </div>
  );
}

function NothingRuns() {
  const status = useApp((state) => state.runStatus);
  const opening = useShell((state) => state.opening);
  if (opening) return <Opening />;
  if (status.phase === "traceNeeded") {
    return (
      <Message
        title={`Drop ${status.name} here`}
        action={<Button label="Open file" onClick={() => run("openFile")} />}
      >
        The link holds the scenario, its changes and the time; the log itself never travels.
      </Message>
    );
  }
  return (
    <Message
      title="Nothing runs yet"
      action={<Button label="Open the library" onClick={() => run("openLibrary")} />}
    >
      Pick a scenario, or drop a trace file on the page.
    </Message>
  );
}
