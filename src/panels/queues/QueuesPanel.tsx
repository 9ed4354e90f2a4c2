/**
 * The queue strip: one lane a tier, one line a waiting job from queueing to start, on the time axis of the Gantt above it. Its
 * gutter holds what each tier holds and waits for at the cursor. The table twin is `QueueTable`.
 */
import {
  type KeyboardEvent,
  lazy,
  type PointerEvent,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { admitsWorkloads, policyAt } from "../../scenario/policyAt.ts";
import { commandOf, run } from "../../store/commands.ts";
import type { QueueHead } from "../../store/queueHeads.ts";
import { runData } from "../../store/runData.ts";
import { isSlurmAt } from "../../store/slurmPools.ts";
import { useApp } from "../../store/store.ts";
import { handsOnTime } from "../../store/timeHands.ts";
import { useRunData } from "../../store/useRun.ts";
import { Button } from "../../ui/Button.tsx";
import { LetterMark } from "../../ui/LetterMark.tsx";
import { nextLine } from "./laneCursor.ts";
import type { GutterTexts } from "./laneGutter.ts";
import type { TierBand } from "./laneLayout.ts";
import { LanePainter } from "./lanePainter.ts";
import { laneWords } from "./laneWords.ts";
import { latestTier } from "./latestTier.ts";
import "../../ui/strip.css";
import "./queues.css";

const HeadNote = lazy(async () => ({ default: (await import("./HeadNote.tsx")).HeadNote }));

const NO_TEXTS: GutterTexts = { held: null, waiting: null, oldest: null };

export function QueuesPanel() {
  const data = useRunData();
  const { stage } = data;
  const tiers = stage?.tiers ?? [];
  // Slurm's queues are partitions; what the lanes stand for are QOS.
  const slurm = useApp(({ scenario, cursorMs }) => isSlurmAt(scenario, 0, cursorMs));
  const admits = useApp(({ scenario, cursorMs }) =>
    (scenario?.pools ?? []).some(({ id }) =>
      admitsWorkloads(policyAt(scenario!, id, cursorMs).preset),
    ),
  );
  const [dense, setDense] = useState(false);
  const [hasHead, setHasHead] = useState(false);
  const [bands, setBands] = useState<readonly TierBand[]>([]);
  const base = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const painter = useRef<LanePainter | null>(null);
  const rows = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!base.current || !over.current) return;
    const made = new LanePainter(base.current, over.current, {
      onBands: (next) => setBands((last) => (sameBands(last, next) ? last : next)),
      onDense: setDense,
      gutter: (tier) => textsOf(rows.current?.children[tier]),
      tierOf: latestTier,
    });
    painter.current = made;
    return () => {
      made.stop();
      painter.current = null;
    };
  }, []);

  const showHeads = useCallback((heads: readonly QueueHead[]) => {
    painter.current?.showHeads(
      heads.map(({ jobIdx, atMs, why }) => ({ jobIdx, atMs, shadowMs: why.plannedMs })),
    );
    setHasHead(heads.length > 0);
  }, []);

  // Rows that React just made are empty: the painter fills them in the next frame.
  useEffect(() => {
    if (stage) painter.current?.refresh();
  }, [stage]);

  return (
    <section className="strip queues" aria-label="Queues">
      <div className="strip-gutter">
        <div className="queue-row queue-head">
          <span className="queue-title">{slurm ? "QOS" : "Queues"}</span>
          <span
            className="number"
            title="Whole GPUs that its jobs hold: shares and slices are added up, and the sum is rounded down"
          >
            held
          </span>
          <span className="number">wait</span>
          <span
            className="number"
            title="How long the one who waits longest has waited, since it came or since it was stopped"
          >
            oldest wait
          </span>
        </div>
        <div className="queue-rows" ref={rows}>
          {tiers.map((tier, index) => (
            <TierRow
              key={tier.id}
              letter={tier.letter}
              name={tier.name}
              tier={index}
              tierCount={tiers.length}
              topCss={bands[index]?.topCss ?? index * 17}
              hidden={bands[index]?.heightCss === 0}
            />
          ))}
        </div>
      </div>
      <div className="strip-plot">
        <div className="queue-caption">
          {stage && (
            <Suspense fallback={null}>
              <HeadNote onHeads={showHeads} />
            </Suspense>
          )}
          {!hasHead && (
            <span>
              {dense
                ? "too many lines here: jobs waiting drawn as an area; zoom in for lines"
                : admits
                  ? "one line a waiting job; striped: admitted, waits for nodes"
                  : "one line a waiting job, from queueing to start"}
            </span>
          )}
          <Button
            label="Queue table"
            look="plain"
            keys={commandOf("toggleTwin")?.keys?.[0] ?? "T"}
            className="queue-table-button"
            onClick={() => run("toggleDrawer", { drawer: "queueTable" })}
          >
            table
          </Button>
        </div>
        <LanePlot base={base} over={over} painter={painter} />
      </div>
    </section>
  );
}

function sameBands(a: readonly TierBand[], b: readonly TierBand[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ topCss, heightCss }, index) => {
      const other = b[index]!;
      return Math.abs(topCss - other.topCss) < 0.5 && heightCss > 0 === other.heightCss > 0;
    })
  );
}

interface TierRowProps {
  readonly letter: string;
  readonly name: string;
  readonly tier: number;
  readonly tierCount: number;
  readonly topCss: number;
  /** No job of the run is in it. */
  readonly hidden: boolean;
}

/** The numbers are written by the painter, so React leaves them empty. */
function TierRow({ letter, name, tier, tierCount, topCss, hidden }: TierRowProps) {
  return (
    <div className="queue-row" style={{ top: topCss }} hidden={hidden}>
      <LetterMark letter={letter} tier={tier} tierCount={tierCount} />
      <span className="queue-name" title={name}>
        {name}
      </span>
      <span className="number" />
      <span className="number strong" />
      <span className="number" />
    </div>
  );
}

function textsOf(row: Element | undefined): GutterTexts {
  if (!row) return NO_TEXTS;
  const cell = (index: number) => (row.children[index] as HTMLElement | undefined) ?? null;
  return { held: cell(2), waiting: cell(3), oldest: cell(4) };
}

interface LanePlotProps {
  readonly base: React.RefObject<HTMLCanvasElement | null>;
  readonly over: React.RefObject<HTMLCanvasElement | null>;
  readonly painter: React.RefObject<LanePainter | null>;
}

function LanePlot({ base, over, painter }: LanePlotProps) {
  const [spoken, setSpoken] = useState("");
  const line = useRef(-1);
  const plot = useRef<HTMLDivElement>(null);
  useEffect(() => (plot.current ? handsOnTime(plot.current, { onePans: true }) : undefined), []);

  const jobUnder = (event: PointerEvent): number => {
    const box = event.currentTarget.getBoundingClientRect();
    return painter.current?.jobAt(event.clientX - box.left, event.clientY - box.top) ?? -1;
  };
  const onMove = (event: PointerEvent) => {
    const jobIdx = jobUnder(event);
    const { hover } = useApp.getState();
    const now = hover?.kind === "job" ? hover.jobIdx : -1;
    if (now === jobIdx) return;
    useApp.setState({ hover: jobIdx < 0 ? null : { kind: "job", jobIdx } });
    (event.currentTarget as HTMLElement).title = tipOf(jobIdx, painter.current);
  };
  const onClick = (event: PointerEvent) => {
    const jobIdx = jobUnder(event);
    if (jobIdx >= 0) run("selectJob", { jobIdx });
  };
  const onKey = (event: KeyboardEvent) => {
    const lanes = painter.current?.lanes;
    if (!lanes) return;
    if (event.key === "Enter" && line.current >= 0) {
      run("selectJob", { jobIdx: lanes.jobIdx[line.current]! });
      event.stopPropagation();
      return;
    }
    const next = nextLine(lanes, line.current, event.key, useApp.getState().window);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    line.current = next;
    const jobIdx = lanes.jobIdx[next]!;
    useApp.setState({ hover: { kind: "job", jobIdx } });
    setSpoken(wordsOf(jobIdx, next, painter.current));
  };

  return (
    <div
      ref={plot}
      className="strip-canvas"
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the canvas has its own keyboard cursor.
      tabIndex={0}
      aria-label="Waiting jobs over time. Arrow keys move from job to job, Enter selects. The queue table has the same in rows."
      onPointerMove={onMove}
      onPointerLeave={() => useApp.setState({ hover: null })}
      onClick={onClick as unknown as React.MouseEventHandler}
      onKeyDown={onKey}
    >
      <canvas ref={base} />
      <canvas ref={over} />
      <div className="sr-only" role="status">
        {spoken}
      </div>
    </div>
  );
}

/** What is said of a job's line, a row of the painter's lanes, at the cursor. */
function wordsOf(jobIdx: number, row: number, painter: LanePainter | null): string {
  const { stage, current } = runData.get();
  if (!stage || !painter) return "";
  const { cursorMs, scenario } = useApp.getState();
  const fromMs = painter.lanes.fromMs[row]!;
  const toMs = painter.lanes.toMs[row]!;
  const admittedMs = painter.admittedMs(jobIdx, fromMs, cursorMs);
  const line = { jobIdx, fromMs, toMs, admittedMs };
  return laneWords(stage, current, line, cursorMs, scenario?.calendarStart);
}

/** The tooltip of a job's line: of the wait at the cursor, or else its first. */
function tipOf(jobIdx: number, painter: LanePainter | null): string {
  const lanes = painter?.lanes;
  if (!lanes || jobIdx < 0) return "";
  const { cursorMs } = useApp.getState();
  let row = -1;
  for (let at = lanes.jobIdx.indexOf(jobIdx); at >= 0; at = lanes.jobIdx.indexOf(jobIdx, at + 1)) {
    const holds = lanes.fromMs[at]! <= cursorMs && cursorMs < lanes.toMs[at]!;
    if (row < 0 || holds) row = at;
  }
  return row < 0 ? "" : wordsOf(jobIdx, row, painter);
}
