/**
 * The lane of passes, on the time axis of the Gantt above it. React renders the frame; the painter writes picture and numbers. With
 * the keyboard the lane is stepped through pass by pass; each is told in words.
 */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { commandOf, run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import { PassPainter } from "./passPainter.ts";
import "../../ui/strip.css";
import "./passes.css";

export function PassLane() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const painter = useRef<PassPainter | null>(null);
  const [any, setAny] = useState(false);
  const [spoken, setSpoken] = useState("");
  useEffect(() => {
    if (!canvas.current) return;
    const made = new PassPainter(canvas.current, {
      onAny: setAny,
      lastText: (kind) =>
        gutter.current?.querySelector<HTMLElement>(`[data-kind="${kind}"]`) ?? null,
    });
    painter.current = made;
    return () => {
      made.stop();
      painter.current = null;
    };
  }, []);
  const onMove = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - box.left;
    showTip(tip.current, painter.current?.wordsAt(x, event.clientY - box.top) ?? "", x, box.width);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: "nextPass", ArrowLeft: "previousPass" }[event.key] as
      | "nextPass"
      | "previousPass"
      | undefined;
    if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    run(step);
    setSpoken(painter.current?.wordsOf(useApp.getState().cursorMs) ?? "");
  };
  return (
    <section className="strip passes" aria-label="Passes of the schedulers" hidden={!any}>
      <div className="strip-gutter" ref={gutter}>
        <PassRow kind={0} label="main">
          <path d="M5 2h2v8h-2z" fill="currentColor" />
        </PassRow>
        <PassRow kind={1} label="backfill">
          <path d="M2.5 10 6 2l3.5 8z" fill="currentColor" />
        </PassRow>
      </div>
      <div className="strip-plot">
        {/* biome-ignore lint/a11y/useSemanticElements: a canvas with a keyboard path of its own. */}
        <div
          className="strip-canvas"
          role="group"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys step through the passes.
          tabIndex={0}
          aria-label={`Passes over time: bars are main passes, wedges backfill passes, tall ones started jobs. Left and right arrow step, also ${commandOf("nextPass")?.keys?.[0] ?? ""}. The table is a tab of the queue table.`}
          onPointerMove={onMove}
          onPointerLeave={() => showTip(tip.current, "", 0, 0)}
          onKeyDown={onKey}
        >
          <canvas ref={canvas} />
        </div>
        <div ref={tip} className="pass-tip" />
        <div className="sr-only" role="status">
          {spoken}
        </div>
      </div>
    </section>
  );
}

interface PassRowProps {
  readonly kind: number;
  readonly label: string;
  readonly children: React.ReactNode;
}

function PassRow({ kind, label, children }: PassRowProps) {
  return (
    <div className="pass-row">
      <svg width="12" height="12" aria-hidden>
        {children}
      </svg>
      <span className="pass-name">
        {label}
        <span className="pass-word"> passes</span>
      </span>
      <span className="number" data-kind={kind} />
    </div>
  );
}

function showTip(tip: HTMLElement | null, text: string, x: number, width: number): void {
  if (!tip) return;
  tip.textContent = text;
  tip.style.visibility = text === "" ? "hidden" : "visible";
  if (text === "") return;
  const left = Math.max(0, Math.min(x + 12, width - tip.offsetWidth - 4));
  tip.style.transform = `translateX(${Math.round(left)}px)`;
}
