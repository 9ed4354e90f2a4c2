/**
 * The drawer that says where waiting comes from, in view: a row a cause with what was waited and what stood idle, over time; a pressed row lists its
 * jobs. Tables by tier and team are beside it, and the same numbers in rows for those who cannot see the picture.
 */
import { useEffect, useMemo, useRef, useState } from "react";
import { NBSP, numberText } from "../../base/format.ts";
import { type CauseRow, causeRows, hoursText } from "../../metrics/causeRows.ts";
import { run } from "../../store/commands.ts";
import { useAccount } from "../../store/useAccount.ts";
import { useRestingWindow } from "../../store/useRestingWindow.ts";
import { useRunData } from "../../store/useRun.ts";
import { Button } from "../../ui/Button.tsx";
import { Message } from "../../ui/Message.tsx";
import { CauseJobs } from "./CauseJobs.tsx";
import { CauseTable } from "./CauseTable.tsx";
import { CausePainter, mostOf } from "./causePainter.ts";
import { LimitPlot } from "./LimitPlot.tsx";
import "../../ui/strip.css";
import "./waiting.css";

const BINS = 400;
type Tab = "time" | "tier" | "team" | "limits";

export function WaitingDrawer() {
  const { stage, current } = useRunData();
  const window = useRestingWindow();
  const [tab, setTab] = useState<Tab>("time");
  if (!stage) return <Message title="No run yet." />;
  const tabs: readonly { readonly id: Tab; readonly label: string }[] = [
    { id: "time", label: "Over time" },
    { id: "tier", label: "By tier" },
    ...(stage.teams.length > 1 ? [{ id: "team" as const, label: "By team" }] : []),
    { id: "limits", label: "Limits and runs" },
  ];
  return (
    <section className="table-drawer waiting" aria-label="Where waiting comes from">
      <header className="table-drawer-head">
        <strong className="waiting-title">Where waiting comes from, in view</strong>
        <fieldset className="tabs" aria-label="How it is shown">
          {tabs.map(({ id, label }) => (
            <button key={id} type="button" aria-pressed={tab === id} onClick={() => setTab(id)}>
              {label}
            </button>
          ))}
        </fieldset>
        <Button
          label="Close"
          look="plain"
          keys="Q"
          onClick={() => run("toggleDrawer", { drawer: "waiting" })}
        />
      </header>
      {tab === "limits" ? (
        <LimitPlot stage={stage} future={current} />
      ) : (
        <Body tab={tab} stage={stage} future={current} range={{ ...window, bins: BINS }} />
      )}
    </section>
  );
}

type BodyProps = {
  readonly tab: Exclude<Tab, "limits">;
  readonly stage: Parameters<typeof useAccount>[0];
  readonly future: Parameters<typeof useAccount>[1];
  readonly range: Parameters<typeof useAccount>[2];
};

function Body({ tab, stage, future, range }: BodyProps) {
  const known = useAccount(stage, future, range);
  const word = stage.cluster.deviceWord;
  const rows = useMemo(() => (known ? causeRows(known.account, word) : null), [known, word]);
  if (future.done && range.fromMs >= future.endMs)
    return <Message title="Nothing waits here: the run is over before." />;
  if (!known || !rows) return <Message title="Adding up what waited …" />;
  if (rows.length === 0)
    return <Message title={`In view every ${word} is held and no job waits.`} />;
  if (tab !== "time")
    return (
      <CauseTable account={known.account} rows={rows} groups={tab} stage={stage} word={word} />
    );
  return <OverTime rows={rows} known={known.account} stage={stage} future={future} />;
}

interface OverTimeProps {
  readonly rows: readonly CauseRow[];
  readonly known: Parameters<typeof causeRows>[0];
  readonly stage: BodyProps["stage"];
  readonly future: BodyProps["future"];
}

function OverTime({ rows, known, stage, future }: OverTimeProps) {
  const [pressed, setPressed] = useState<number | null>(null);
  const word = stage.cluster.deviceWord;
  const chosen = rows.find(({ cause }) => cause === pressed) ?? null;
  return (
    <div className="strip waiting-strip">
      <div className="strip-gutter">
        <div className="waiting-row waiting-head">
          <span>{word}-hours</span>
          <span className="number">waited</span>
          <span className="number">idle</span>
        </div>
        <div className="waiting-rows">
          {rows.map((row) => (
            <button
              type="button"
              key={row.cause}
              className="waiting-row"
              title={`${row.meaning} ${hoursText(row.waitedMs)} waited, ${hoursText(row.idleMs)} idle.`}
              disabled={row.waitedMs === 0}
              aria-pressed={row.cause === chosen?.cause}
              onClick={() => setPressed(row.cause === pressed ? null : row.cause)}
            >
              <span className="waiting-name">{row.label}</span>
              <b className="number">{shortHours(row.waitedMs)}</b>
              <span className="number">{shortHours(row.idleMs)}</span>
            </button>
          ))}
        </div>
      </div>
      <div className="strip-plot">
        {chosen ? (
          <CauseJobs
            key={chosen.cause}
            stage={stage}
            future={future}
            cause={chosen.cause}
            label={chosen.label}
            range={known.range}
            onBack={() => setPressed(null)}
          />
        ) : (
          <Picture rows={rows} known={known} word={word} />
        )}
      </div>
    </div>
  );
}

const HOUR_MS = 3_600_000;
const MILLION = 1_000_000;

/** Beside the bands there is room for six digits; the tables have all of them. */
function shortHours(ms: number): string {
  const hours = ms / HOUR_MS;
  return hours < MILLION ? hoursText(ms) : `${numberText(hours / MILLION, 1)}${NBSP}M`;
}

interface PictureProps {
  readonly rows: readonly CauseRow[];
  readonly known: OverTimeProps["known"];
  readonly word: string;
}

function Picture({ rows, known, word }: PictureProps) {
  const binMs = (known.range.toMs - known.range.fromMs) / known.range.bins;
  const most = (values: readonly Float64Array[]) => numberText(mostOf(values) / binMs);
  const base = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const painter = useRef<CausePainter | null>(null);
  useEffect(() => {
    if (!base.current || !over.current) return;
    const made = new CausePainter(base.current, over.current);
    painter.current = made;
    return () => {
      made.stop();
      painter.current = null;
    };
  }, []);
  useEffect(() => painter.current?.show({ range: known.range, rows }), [known, rows]);
  return (
    <>
      <div className="waiting-caption">
        <span className="waiting-key" data-of="waited" /> {word}s waited for, above the line: up to{" "}
        {most(rows.map(({ waited }) => waited))}
        <span className="waiting-key" data-of="idle" /> {word}s idle for this cause, below: up to{" "}
        {most(rows.map(({ idle }) => idle))}
        {rows.some(({ cause }) => cause < 0) && (
          <>
            <span className="waiting-key" data-of="spare" /> idle while nobody waits
          </>
        )}
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: seeking by keyboard is the axis's and the transport bar's. */}
      <div
        className="strip-canvas"
        role="img"
        aria-label={`${word}s waited for and idle by cause, over time. The sums stand at the left; the tables by tier have them in rows.`}
        onClick={(event) => {
          const left = event.currentTarget.getBoundingClientRect().left;
          const atMs = painter.current?.timeAt(event.clientX - left);
          if (atMs !== undefined) run("seek", { atMs: Math.round(atMs) });
        }}
      >
        <canvas ref={base} />
        <canvas ref={over} />
      </div>
    </>
  );
}
