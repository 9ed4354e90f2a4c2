/**
 * The minimap: the whole run in one strip. Its box is the window that all strips below share: drag it or its handles, or take
 * them by keyboard; a click beside it brings the window there. The cursor and the changes are shown for orientation.
 */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import { clockText, durationText, numberText } from "../../base/format.ts";
import { setWindow, timeBounds } from "../../store/camera.ts";
import { useApp } from "../../store/store.ts";
import { useRunData } from "../../store/useRun.ts";
import { clampWindow, type TimeWindow } from "../../timeline/viewport.ts";
import { MinimapPainter } from "./minimapPainter.ts";
import "./minimap.css";

type Grip = "box" | "from" | "to";
const LEAST_MS = 1_000;

/** The window after a grip was moved by `byMs`. */
function moved(window: TimeWindow, grip: Grip, byMs: number, bounds: TimeWindow): TimeWindow {
  if (grip === "box")
    return clampWindow({ fromMs: window.fromMs + byMs, toMs: window.toMs + byMs }, bounds);
  if (grip === "from") {
    return {
      fromMs: Math.min(Math.max(bounds.fromMs, window.fromMs + byMs), window.toMs - LEAST_MS),
      toMs: window.toMs,
    };
  }
  return {
    fromMs: window.fromMs,
    toMs: Math.max(Math.min(bounds.toMs, window.toMs + byMs), window.fromMs + LEAST_MS),
  };
}

export function Minimap() {
  const plot = useRef<HTMLDivElement>(null);
  const base = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const painter = useRef<MinimapPainter | null>(null);
  const drag = useRef<{ grip: Grip; x: number; window: TimeWindow } | null>(null);
  const data = useRunData();
  const word = data.stage?.cluster.deviceWord ?? "GPU";
  const count = data.stage?.cluster.deviceCount ?? 0;

  useEffect(() => {
    if (!base.current || !over.current || !box.current) return;
    const made = new MinimapPainter({ base: base.current, over: over.current, box: box.current });
    painter.current = made;
    return () => {
      made.stop();
      painter.current = null;
    };
  }, []);

  const msOf = (px: number) => {
    const bounds = timeBounds();
    return (px / Math.max(1, painter.current?.widthCss ?? 1)) * (bounds.toMs - bounds.fromMs);
  };
  const onDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    const x = event.clientX - (plot.current?.getBoundingClientRect().left ?? 0);
    const edge = (event.target as HTMLElement).dataset.edge as Grip | undefined;
    const inside = box.current?.contains(event.target as Node) ?? false;
    if (!inside) {
      const { window } = useApp.getState();
      const half = (window.toMs - window.fromMs) / 2;
      const atMs = timeBounds().fromMs + msOf(x);
      setWindow({ fromMs: atMs - half, toMs: atMs + half });
    }
    drag.current = { grip: edge ?? "box", x, window: useApp.getState().window };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onMove = (event: PointerEvent) => {
    if (!drag.current) return;
    const x = event.clientX - (plot.current?.getBoundingClientRect().left ?? 0);
    useApp.setState({
      window: moved(drag.current.window, drag.current.grip, msOf(x - drag.current.x), timeBounds()),
    });
  };
  const stop = () => {
    drag.current = null;
  };
  const onKey = (grip: Grip) => (event: KeyboardEvent) => {
    const { window } = useApp.getState();
    const span = window.toMs - window.fromMs;
    const share = { ArrowRight: 0.05, ArrowLeft: -0.05, PageUp: 0.5, PageDown: -0.5 }[event.key];
    if (share === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
      return;
    event.preventDefault();
    event.stopPropagation();
    useApp.setState({ window: moved(window, grip, share * span, timeBounds()) });
  };

  return (
    <section className="minimap" aria-label="Whole run">
      <div className="minimap-words">
        <b>{data.stage ? `Demand over ${numberText(count)} ${word}s` : "Demand"}</b>
        <span>below: held · above: waits</span>
      </div>
      <div
        ref={plot}
        className="minimap-plot"
        onPointerDown={onDown}
        onPointerMove={onMove}
        onPointerUp={stop}
        onPointerCancel={stop}
      >
        <canvas ref={base} />
        <canvas ref={over} />
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame and a legend of its own. */}
        <div
          ref={box}
          className="minimap-box"
          role="group"
          aria-label="Window of time shown below. Left and right arrow move it."
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the box is moved with the arrow keys.
          tabIndex={0}
          onKeyDown={onKey("box")}
        >
          <Handle edge="from" label="Start of the window" onKey={onKey("from")} />
          <Handle edge="to" label="End of the window" onKey={onKey("to")} />
        </div>
      </div>
    </section>
  );
}

interface HandleProps {
  readonly edge: "from" | "to";
  readonly label: string;
  readonly onKey: (event: KeyboardEvent) => void;
}

/** A slider whose value is written when somebody asks, that is on focus and on keys: panning renders nothing. */
function Handle({ edge, label, onKey }: HandleProps) {
  const tell = (element: HTMLElement) => {
    const { window, scenario } = useApp.getState();
    const atMs = edge === "from" ? window.fromMs : window.toMs;
    element.setAttribute("aria-valuenow", String(Math.round(atMs / 1_000)));
    element.setAttribute("aria-valuemax", String(Math.round(timeBounds().toMs / 1_000)));
    element.setAttribute(
      "aria-valuetext",
      `${clockText(atMs, scenario?.calendarStart)}, ${durationText(window.toMs - window.fromMs)} shown`,
    );
  };
  return (
    <div
      className="minimap-handle"
      data-edge={edge}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={0}
      aria-valuenow={0}
      onFocus={(event) => tell(event.currentTarget)}
      onKeyDown={(event) => {
        onKey(event);
        tell(event.currentTarget);
      }}
    />
  );
}
