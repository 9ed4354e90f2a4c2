/**
 * The lane of gauges: numbers that the policy lab records beside who holds what, on the time axis of the sheet. React renders the frame, the picker and the labels; the
 * painter writes lines and values. The table twin is a tab of the queue table.
 */
import { useEffect, useRef, useState } from "react";
import { run } from "../../store/commands.ts";
import { Select } from "../../ui/Select.tsx";
import { GaugePainter, LINE_DASHES } from "./gaugePainter.ts";
import type { GaugeView } from "./gaugeViews.ts";
import "../../ui/strip.css";
import "./gauges.css";

export function GaugeLane() {
  const base = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  const scale = useRef<HTMLSpanElement>(null);
  const painter = useRef<GaugePainter | null>(null);
  const [views, setViews] = useState<readonly GaugeView[]>([]);
  const [chosen, setChosen] = useState("");
  const view = views.find((one) => one.key === chosen) ?? views[0] ?? null;

  useEffect(() => {
    if (!base.current || !over.current) return;
    const made = new GaugePainter(base.current, over.current, {
      onViews: setViews,
      valueText: (line) =>
        gutter.current?.querySelector<HTMLElement>(`[data-line="${line}"]`) ?? null,
      scaleText: () => scale.current,
    });
    painter.current = made;
    return () => {
      made.stop();
      painter.current = null;
    };
  }, []);
  useEffect(() => painter.current?.show(view), [view]);

  return (
    <section className="strip gauges" aria-label="Numbers over time" hidden={view === null}>
      <div className="strip-gutter" ref={gutter}>
        {view && (
          <Select
            label="Which numbers are drawn"
            bare
            className="select gauge-pick"
            value={view.key}
            options={views.map((one) => ({ value: one.key, label: one.label }))}
            onChange={setChosen}
          />
        )}
        <div className="gauge-lines" title={view?.note}>
          {view?.lines.map((line, index) => (
            <div className="gauge-line" key={`${view.key} ${line.gauge} ${line.subject}`}>
              <svg width="20" height="8" aria-hidden>
                <path
                  d="M0 4h20"
                  stroke={index === 0 ? "var(--ink)" : "var(--ink2)"}
                  strokeWidth="1.5"
                  strokeDasharray={(LINE_DASHES[index] ?? []).join(" ")}
                />
              </svg>
              <span className="gauge-name" title={line.label}>
                {line.label}
              </span>
              <b className="number" data-line={index} />
            </div>
          ))}
          {view?.target && <div className="gauge-line gauge-target">{view.target.label}</div>}
        </div>
      </div>
      <div className="strip-plot">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: seeking by keyboard is the axis's and the transport bar's. */}
        <div
          className="strip-canvas"
          role="img"
          aria-label={`${view?.label ?? "Nothing"} over time. The values at the cursor stand at the left; the queue table has a tab with all of them.`}
          onClick={(event) => {
            const left = event.currentTarget.getBoundingClientRect().left;
            const atMs = painter.current?.timeAt(event.clientX - left);
            if (atMs !== undefined) run("seek", { atMs: Math.round(atMs) });
          }}
        >
          <canvas ref={base} />
          <canvas ref={over} />
        </div>
        <span className="curve-scale gauge-scale" ref={scale} />
      </div>
    </section>
  );
}
