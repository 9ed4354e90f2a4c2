/** One of the compared futures: its letter, what it is and mean waits at the left, who held which device at the right. */
import { useEffect, useRef } from "react";
import { durationText } from "../../base/format.ts";
import { useMetrics } from "../../panels/inspector/useMetrics.ts";
import { timeBounds } from "../../store/camera.ts";
import { run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import { handsOnTime } from "../../store/timeHands.ts";
import { panBy, type TimeWindow } from "../../timeline/viewport.ts";
import { Button } from "../../ui/Button.tsx";
import { LetterMark } from "../../ui/LetterMark.tsx";
import { FuturePainter } from "./futurePainter.ts";
import type { ComparedFuture } from "./futures.ts";

interface FutureStripProps {
  readonly compared: ComparedFuture;
  /** What tells it from the others. */
  readonly name: string;
  readonly detail: string;
}

export function FutureStrip({ compared, name, detail }: FutureStripProps) {
  const { letter, keptIndex } = compared;
  return (
    <section className="strip future" aria-label={`Future ${letter}: ${name}`}>
      <div className="strip-gutter future-gutter">
        <div className="future-head">
          <b className="future-letter">{letter}</b>
          <span className="future-name">
            <b>{name}</b>
            <span className="quiet">{detail}</span>
          </span>
        </div>
        <MeanWaits compared={compared} />
        <div className="future-acts">
          {keptIndex >= 0 ? (
            <>
              <Button
                label={`Go on from ${letter}`}
                look="plain"
                onClick={() => run("openBranch", { index: keptIndex })}
              >
                go on from here
              </Button>
              <Button
                label={`Forget ${letter}`}
                look="plain"
                onClick={() => run("forgetBranch", { index: keptIndex })}
              >
                forget
              </Button>
            </>
          ) : (
            <span className="quiet">the run that is shown</span>
          )}
        </div>
      </div>
      <FuturePlot compared={compared} name={name} />
    </section>
  );
}

function MeanWaits({ compared }: { readonly compared: ComparedFuture }) {
  const { stage, future } = compared;
  const metrics = useMetrics(stage, future);
  const rows = stage.tiers.flatMap((tier, index) => {
    const mean = metrics?.byTier[tier.id]?.waitSec.mean;
    return mean === null || mean === undefined ? [] : [{ tier, index, meanMs: mean * 1_000 }];
  });
  return (
    <dl className="future-waits">
      <dt className="quiet">mean wait</dt>
      <dd />
      {rows.map(({ tier, index, meanMs }) => (
        <div key={tier.id} className="future-wait">
          <dt>
            <LetterMark letter={tier.letter} tier={index} tierCount={stage.tiers.length} />
            <span className="sr-only">{tier.name}</span>
          </dt>
          <dd>{durationText(Math.round(meanMs / 1_000) * 1_000)}</dd>
        </div>
      ))}
    </dl>
  );
}

const DRAG_SLACK_CSS = 4;

function FuturePlot({
  compared,
  name,
}: {
  readonly compared: ComparedFuture;
  readonly name: string;
}) {
  const base = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const painter = useRef<FuturePainter | null>(null);
  useEffect(() => {
    if (!base.current || !text.current || !over.current) return;
    const made = new FuturePainter({
      base: base.current,
      text: text.current,
      over: over.current,
    });
    painter.current = made;
    const letGo = handsOnTime(base.current.parentElement!);
    return () => {
      letGo();
      made.stop();
      painter.current = null;
    };
  }, []);
  useEffect(() => painter.current?.show(compared), [compared]);
  const drag = useRef<{ x: number; window: TimeWindow; moved: boolean } | null>(null);
  const jobAt = (event: React.MouseEvent): number => {
    const box = event.currentTarget.getBoundingClientRect();
    return painter.current?.jobAt(event.clientX - box.left, event.clientY - box.top) ?? -1;
  };
  return (
    <div className="strip-plot">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: jobs are selected by keyboard in the list of those that moved. */}
      <div
        className="strip-canvas"
        role="img"
        aria-label={`${name}: devices by job over time. The table beside it has the numbers.`}
        onPointerDown={(event) => {
          drag.current = null;
          // A second finger: together they zoom.
          if (event.button !== 0 || !event.isPrimary) return;
          drag.current = { x: event.clientX, window: useApp.getState().window, moved: false };
        }}
        onPointerMove={(event) => {
          const from = drag.current;
          if (!from || event.buttons === 0) return;
          const byCss = event.clientX - from.x;
          if (!from.moved && Math.abs(byCss) < DRAG_SLACK_CSS) return;
          from.moved = true;
          event.currentTarget.setPointerCapture(event.pointerId);
          const { fromMs, toMs } = from.window;
          const byMs = (-byCss / event.currentTarget.clientWidth) * (toMs - fromMs);
          useApp.setState({ window: panBy(from.window, byMs, timeBounds()) });
        }}
        onClick={(event) => {
          if (drag.current?.moved) return;
          const jobIdx = jobAt(event);
          if (jobIdx >= 0) run("selectJob", { jobIdx });
          else {
            const left = event.currentTarget.getBoundingClientRect().left;
            const atMs = painter.current?.timeAt(event.clientX - left);
            if (atMs !== undefined) run("seek", { atMs: Math.round(atMs) });
          }
        }}
        onMouseMove={(event) => {
          const jobIdx = jobAt(event);
          const { hover } = useApp.getState();
          if ((hover?.kind === "job" ? hover.jobIdx : -1) !== jobIdx)
            useApp.setState({ hover: jobIdx < 0 ? null : { kind: "job", jobIdx } });
        }}
        onMouseLeave={() => useApp.setState({ hover: null })}
      >
        <canvas ref={base} />
        <canvas ref={text} />
        <canvas ref={over} />
      </div>
    </div>
  );
}
