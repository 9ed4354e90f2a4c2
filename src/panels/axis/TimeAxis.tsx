/**
 * The time axis that all strips of the sheet share. Click seeks, dragging the flag moves the cursor, dragging over the axis
 * zooms to the stretch; each has a key: the flag is a slider. Flags of changes are in `AxisFlags.tsx`.
 */
import {
  type KeyboardEvent,
  type PointerEvent,
  Suspense,
  useCallback,
  useEffect,
  useRef,
} from "react";
import type { Intervention } from "../../scenario/schema.ts";
import { setWindow, timeBounds } from "../../store/camera.ts";
import { run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import { handsOnTime } from "../../store/timeHands.ts";
import { timeMsAt } from "../../timeline/viewport.ts";
import { Later, LaterPart } from "../../ui/Later.tsx";
import { AxisPainter } from "./axisPainter.ts";
import "./axis.css";

// Most runs open without a change.
const flags = new LaterPart(async () => (await import("./AxisFlags.tsx")).AxisFlags);
const NO_CHANGES: readonly Intervention[] = [];

/** More flags would hide each other; the Gantt's lines and the list of changes then tell of them. */
const FLAGS_MOST = 200;

export function TimeAxis() {
  const plot = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const cursor = useRef<HTMLDivElement>(null);
  const now = useRef<HTMLDivElement>(null);
  const range = useRef<HTMLDivElement>(null);
  const painter = useRef<AxisPainter | null>(null);
  const down = useRef<{ x: number; onCursor: boolean } | null>(null);
  const all = useApp((state) => state.scenario?.interventions ?? NO_CHANGES);
  const changes = all.length > FLAGS_MOST ? NO_CHANGES : all;
  const calendar = useApp((state) => state.scenario?.calendarStart);

  useEffect(() => {
    if (!plot.current || !canvas.current || !cursor.current || !now.current) return;
    const box = plot.current;
    const made = new AxisPainter({
      canvas: canvas.current,
      cursor: cursor.current,
      now: now.current,
      flags: () => [...box.querySelectorAll<HTMLElement>(".axis-flag")],
    });
    painter.current = made;
    const letGo = handsOnTime(box);
    return () => {
      letGo();
      made.stop();
      painter.current = null;
    };
  }, []);
  const refresh = useCallback(() => painter.current?.refresh(), []);

  const xOf = (event: PointerEvent) =>
    event.clientX - (plot.current?.getBoundingClientRect().left ?? 0);
  const map = useApp((state) => state.drawer === "map");
  const timeAt = (x: number) => {
    const bounds = timeBounds();
    const atMs = timeMsAt(x, useApp.getState().window, painter.current?.widthCss ?? 1);
    return Math.round(Math.min(bounds.toMs, Math.max(bounds.fromMs, atMs)));
  };
  const onDown = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.isPrimary) {
      // A second finger: together they zoom.
      down.current = null;
      if (range.current) range.current.style.visibility = "hidden";
    }
    if (event.button !== 0 || !event.isPrimary) return;
    down.current = {
      x: xOf(event),
      onCursor: cursor.current?.contains(event.target as Node) ?? false,
    };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onMove = (event: PointerEvent) => {
    if (!down.current || !range.current) return;
    const x = xOf(event);
    if (down.current.onCursor) {
      run("seek", { atMs: timeAt(x) });
      return;
    }
    if (Math.abs(x - down.current.x) < 4) return;
    range.current.style.visibility = "visible";
    range.current.style.transform = `translateX(${Math.min(x, down.current.x)}px)`;
    range.current.style.width = `${Math.abs(x - down.current.x)}px`;
  };
  const onUp = (event: PointerEvent) => {
    const from = down.current;
    down.current = null;
    if (range.current) range.current.style.visibility = "hidden";
    if (!from || from.onCursor) return;
    const x = xOf(event);
    if (Math.abs(x - from.x) < 4) run("seek", { atMs: timeAt(x) });
    else setWindow({ fromMs: timeAt(Math.min(x, from.x)), toMs: timeAt(Math.max(x, from.x)) });
  };
  const onKey = (event: KeyboardEvent) => {
    const { window, cursorMs } = useApp.getState();
    const bounds = timeBounds();
    const span = window.toMs - window.fromMs;
    const to = {
      ArrowRight: cursorMs + span / 100,
      ArrowUp: cursorMs + span / 100,
      ArrowLeft: cursorMs - span / 100,
      ArrowDown: cursorMs - span / 100,
      PageUp: cursorMs + span / 10,
      PageDown: cursorMs - span / 10,
      Home: bounds.fromMs,
      End: bounds.toMs,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
      return;
    event.preventDefault();
    event.stopPropagation();
    run("seek", { atMs: Math.round(Math.min(bounds.toMs, Math.max(bounds.fromMs, to))) });
  };

  return (
    <section className="axis" aria-label="Time axis">
      <div className="axis-gutter">
        <div ref={now} className="axis-now" />
        <button
          type="button"
          className="axis-map"
          aria-pressed={map}
          title="Map of the cluster (N)"
          onClick={() => run("toggleDrawer", { drawer: "map" })}
        >
          map
        </button>
      </div>
      <div
        ref={plot}
        className="axis-plot"
        onPointerDown={onDown}
        onPointerMove={onMove}
        onPointerUp={onUp}
        onPointerCancel={() => {
          down.current = null;
          if (range.current) range.current.style.visibility = "hidden";
        }}
      >
        <canvas ref={canvas} />
        <div ref={range} className="axis-range" />
        {changes.length > 0 && (
          <Suspense>
            <Later part={flags} with={{ changes, calendar, refresh }} />
          </Suspense>
        )}
        <div
          ref={cursor}
          className="axis-cursor"
          role="slider"
          tabIndex={0}
          aria-label="Time cursor"
          aria-valuemin={0}
          aria-valuemax={0}
          aria-valuenow={0}
          onKeyDown={onKey}
        />
      </div>
    </section>
  );
}
