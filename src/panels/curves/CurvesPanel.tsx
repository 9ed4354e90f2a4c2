/**
 * The curves strip: what all rows of the Gantt sum to. React renders the frame and the labels; the painter writes every number
 * that depends on the cursor. The queue table holds the same facts in rows for those who cannot see the picture, and a
 * sentence here says the values at the cursor.
 */
import { lazy, Suspense, useEffect, useRef } from "react";
import { circledNumber } from "../../base/format.ts";
import { run } from "../../store/commands.ts";
import { useShell } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { useRunData } from "../../store/useRun.ts";
import { CurvePainter, type CurveTexts } from "./curvePainter.ts";
import "../../ui/strip.css";
import "./curves.css";

const CurveExtras = lazy(async () => ({
  default: (await import("./CurveExtras.tsx")).CurveExtras,
}));

export function CurvesPanel() {
  const base = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const painter = useRef<CurvePainter | null>(null);
  const data = useRunData();
  const word = data.stage?.cluster.deviceWord ?? "GPU";
  const changes = useShell((state) => state.ghostOf);
  const ghostShown = useApp((state) => state.ghostShown);
  const hasGhost = data.ghost !== null && ghostShown;

  useEffect(() => {
    if (!base.current || !over.current) return;
    const part = (name: string): HTMLElement | null =>
      gutter.current?.querySelector<HTMLElement>(`[data-part="${name}"]`) ??
      plot.current?.querySelector<HTMLElement>(`[data-part="${name}"]`) ??
      null;
    const texts = (): CurveTexts => ({
      held: part("held"),
      heldGhost: part("heldGhost"),
      heldChange: part("heldChange"),
      waited: part("waited"),
      waitedGhost: part("waitedGhost"),
      waitedChange: part("waitedChange"),
      heldScale: part("heldScale"),
      waitedScale: part("waitedScale"),
    });
    const made = new CurvePainter(base.current, over.current, texts);
    painter.current = made;
    return () => {
      made.stop();
      painter.current = null;
    };
  }, []);

  const before = hasGhost ? `before ${changes > 0 ? circledNumber(changes) : ""}`.trim() : "";
  return (
    <section className="strip curves" aria-label={`${word}s held and waited for`}>
      <div className="strip-gutter" ref={gutter}>
        <CurveValue name="held" label={`${word}s held`} before={before} />
        <CurveValue name="waited" label={`${word}s waited for`} before={before} />
      </div>
      <div className="strip-plot" ref={plot}>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: seeking by keyboard is the axis's and the transport bar's. */}
        <div
          className="strip-canvas"
          role="img"
          aria-label={`${word}s held by tier, and ${word}s waited for, over time. The values at the cursor stand at the left.`}
          onClick={(event) => {
            const left = event.currentTarget.getBoundingClientRect().left;
            const atMs = painter.current?.timeAt(event.clientX - left);
            if (atMs !== undefined) run("seek", { atMs: Math.round(atMs) });
          }}
        >
          <canvas ref={base} />
          <canvas ref={over} />
        </div>
        <span className="curve-scale" data-part="heldScale" />
        <span className="curve-scale" data-part="waitedScale" />
      </div>
      <Suspense>
        <CurveExtras />
      </Suspense>
    </section>
  );
}

function CurveValue({
  name,
  label,
  before,
}: {
  readonly name: string;
  readonly label: string;
  readonly before: string;
}) {
  return (
    <div className="curve-value">
      <div>
        <span className="curve-label">{label}</span>
        <b className="number" data-part={name} />
      </div>
      <div>
        <span className="curve-label curve-before">{before}</span>
        <span className="number curve-before" data-part={`${name}Ghost`} />
        <span className="number curve-change" data-part={`${name}Change`} />
      </div>
    </div>
  );
}
