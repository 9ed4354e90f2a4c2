/** One chosen curve in its half of the strip: what it says at the cursor at the left, its picture at the right. The painter writes what moves. */
import { type ReactNode, useEffect, useRef } from "react";
import { circledNumber, durationText } from "../../base/format.ts";
import { run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import { useRunData } from "../../store/useRun.ts";
import type { Curve, CurveLine } from "../../timeline/curves/curve.ts";
import type { CurveId } from "../../timeline/curves/curveIds.ts";
import { LetterMark } from "../../ui/LetterMark.tsx";
import { ChosenPainter } from "./chosenPainter.ts";
import { LINE_DASHES } from "./chosenShapes.ts";
import { curveText } from "./curveWords.ts";
import { useCurve } from "./useCurve.ts";

interface ChosenProps {
  readonly id: CurveId;
  readonly label: string;
  readonly chooser: ReactNode;
}

export function ChosenCurve({ id, label, chooser }: ChosenProps) {
  const base = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  const painter = useRef<ChosenPainter | null>(null);
  const { stage, current, ghost } = useRunData();
  const ghostShown = useApp((state) => state.ghostShown);
  const changes = useApp((state) => state.scenario?.interventions.length ?? 0);
  const known = useCurve(id, stage, current);
  const before = useCurve(id, stage, ghostShown ? ghost : null);
  const curve = known?.curve ?? null;

  useEffect(() => {
    if (!base.current || !over.current) return;
    const part = (name: string) =>
      gutter.current?.querySelector<HTMLElement>(`[data-part="${name}"]`) ?? null;
    const made = new ChosenPainter(base.current, over.current, {
      valueText: (line) => part(`line${line}`),
      ghostText: () => part("ghost"),
      changeText: () => part("change"),
    });
    painter.current = made;
    return () => {
      made.stop();
      painter.current = null;
    };
  }, []);
  const tiers = stage?.tiers.length ?? 0;
  useEffect(
    () => painter.current?.show(curve, before?.curve ?? null, tiers),
    [curve, before, tiers],
  );

  return (
    <section className="strip" aria-label={label}>
      <div className="strip-gutter curve-gutter" ref={gutter}>
        <div className="curve-head">
          {chooser}
          <b className="number" data-part="line-1" />
        </div>
        {curve && <Values curve={curve} />}
        {before?.curve && (
          <div className="curve-ghost">
            <span>before {changes > 0 ? circledNumber(changes) : ""}</span>
            <span className="number" data-part="ghost" />
            <span className="number curve-change" data-part="change" />
          </div>
        )}
      </div>
      <div className="strip-plot">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: seeking by keyboard is the axis's and the transport bar's. */}
        <div
          className="strip-canvas"
          role="img"
          aria-label={`${label}, over time. The values at the cursor stand at the left; the table of curves has all of them.`}
          onClick={(event) => {
            const left = event.currentTarget.getBoundingClientRect().left;
            const atMs = painter.current?.timeAt(event.clientX - left);
            if (atMs !== undefined) run("seek", { atMs: Math.round(atMs) });
          }}
        >
          <canvas ref={base} />
          <canvas ref={over} />
        </div>
        {curve ? (
          <span className="curve-scale">{scaleText(curve)}</span>
        ) : (
          <span className="curve-note">
            {known ? "This run has none of it." : "Adding up the run …"}
          </span>
        )}
      </div>
    </section>
  );
}

function scaleText(curve: Curve): string {
  const most = curveText(curve.unit, curve.most);
  return curve.binMs === undefined ? most : `${most}, in steps of ${durationText(curve.binMs)}`;
}

/** Samples and values of the lines; one line alone has its value beside its name. */
function Values({ curve }: { readonly curve: Curve }) {
  const { stage } = useRunData();
  if (curve.lines.length < 2) return null;
  // Two or four lines with names stand under each other; letters and samples go where they have room.
  const many = curve.lines.length > 4 || curve.lines.some(({ look }) => look.kind !== "line");
  return (
    <ul className="curve-values" data-many={many ? "" : undefined}>
      {curve.lines.map((line, index) => (
        <li key={line.label} title={line.label}>
          <Sample line={line} tiers={stage?.tiers ?? []} />
          {line.look.kind !== "tier" && (
            <span className="curve-name">{line.label.replace(" while work waits", "")}</span>
          )}
          <span className="number" data-part={`line${index}`} />
        </li>
      ))}
    </ul>
  );
}

interface SampleProps {
  readonly line: CurveLine;
  readonly tiers: readonly { readonly letter: string }[];
}

function Sample({ line: { look, label }, tiers }: SampleProps) {
  if (look.kind === "tier")
    return (
      <>
        <LetterMark
          letter={tiers[look.tier]?.letter ?? ""}
          tier={look.tier}
          tierCount={tiers.length}
        />
        <span className="sr-only">{label}</span>
      </>
    );
  if (look.kind === "use") return <i className="curve-key" data-use={look.use} aria-hidden />;
  return (
    <svg width="14" height="8" aria-hidden>
      <path
        d="M0 4h14"
        stroke={look.dash === 0 ? "var(--ink)" : "var(--ink2)"}
        strokeWidth="1.5"
        strokeDasharray={(LINE_DASHES[look.dash] ?? []).join(" ")}
      />
    </svg>
  );
}
