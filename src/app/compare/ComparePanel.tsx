/** Several futures of one scenario under one clock, in the place of the sheet: a strip each, and between them what one holds more than A. */
import { Fragment, useEffect, useRef } from "react";
import { TimeAxis } from "../../panels/axis/TimeAxis.tsx";
import { Minimap } from "../../panels/minimap/Minimap.tsx";
import { run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import { Button } from "../../ui/Button.tsx";
import { Message } from "../../ui/Message.tsx";
import { DifferencePainter } from "./differencePainter.ts";
import { differencesOf } from "./differences.ts";
import { FutureStrip } from "./FutureStrip.tsx";
import type { ComparedFuture } from "./futures.ts";
import { useFutures } from "./useFutures.ts";
import "../../ui/strip.css";
import "./compare.css";

export function ComparePanel() {
  const futures = useFutures();
  const [a] = futures;
  return (
    <main className="sheet compare-sheet" aria-label="Futures side by side">
      <div className="slot-minimap" data-panel="minimap">
        <Minimap />
      </div>
      <div className="slot-axis" data-panel="axis">
        <TimeAxis />
      </div>
      <div className="futures" data-panel="futures" data-count={futures.length}>
        {!a ? (
          <Message
            title="No future is here yet."
            action={<Button label="Back to the run" onClick={() => run("toggleCompare")} />}
          />
        ) : (
          futures.map((future, index) => (
            <Fragment
              key={`${future.letter} ${future.keptIndex < 0 ? "shown" : future.future.digest}`}
            >
              {index > 0 && <Difference a={a} b={future} />}
              <FutureStrip compared={future} {...nameOfFuture(a, future)} />
            </Fragment>
          ))
        )}
      </div>
    </main>
  );
}

/** What tells a future from A; A itself by its title. */
function nameOfFuture(a: ComparedFuture, b: ComparedFuture): { name: string; detail: string } {
  if (a === b) {
    const { title, interventions } = a.scenario;
    const count = interventions.length;
    return {
      name: title ?? "A",
      detail: count === 0 ? "no change" : count === 1 ? "1 change" : `${count} changes`,
    };
  }
  const rows = differencesOf(a.scenario, b.scenario, b.stage.cluster.deviceWord);
  const [first] = rows;
  if (!first) return { name: "the same document", detail: "" };
  return {
    name: first.b === "–" ? `without ${first.what}` : `${first.what}: ${first.b}`,
    detail: rows.length > 1 ? `and ${rows.length - 1} more` : `A: ${first.a}`,
  };
}

interface DifferenceProps {
  readonly a: ComparedFuture;
  readonly b: ComparedFuture;
}

function Difference({ a, b }: DifferenceProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scale = useRef<HTMLSpanElement>(null);
  const painter = useRef<DifferencePainter | null>(null);
  const word = useApp(() => b.stage.cluster.deviceWord);
  useEffect(() => {
    if (!canvas.current) return;
    const made = new DifferencePainter(canvas.current, () => scale.current);
    painter.current = made;
    return () => {
      made.stop();
      painter.current = null;
    };
  }, []);
  useEffect(() => painter.current?.show(a, b), [a, b]);
  return (
    <section className="strip difference" aria-label={`${b.letter} less A`}>
      <div className="strip-gutter difference-gutter">
        <b>
          {b.letter} − {a.letter}, {word}s held
        </b>
        <span className="quiet">up: {b.letter} holds more</span>
      </div>
      <div className="strip-plot">
        <div
          className="strip-canvas"
          role="img"
          aria-label={`${word}s that ${b.letter} holds more or less than A, over time`}
        >
          <canvas ref={canvas} />
        </div>
        <span className="curve-scale difference-scale" ref={scale} />
      </div>
    </section>
  );
}
