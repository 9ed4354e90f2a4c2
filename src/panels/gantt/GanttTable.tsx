/**
 * The table twin of the Gantt: the runs in the window, in rows that sort, filter, group and select. Rows are virtual; beyond a limit the
 * longest runs are kept and the header says how many there are.
 */
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { clockText, countText, durationText, numberText } from "../../base/format.ts";
import type { Stage } from "../../protocol/messages.ts";
import { readClock } from "../../store/clockEntry.ts";
import { columnMemory } from "../../store/columnMemory.ts";
import { run } from "../../store/commands.ts";
import { jobColumns } from "../../store/jobColumns.ts";
import { useJobPick } from "../../store/jobPick.ts";
import { useOccurs } from "../../store/recordHas.ts";
import { useApp } from "../../store/store.ts";
import { useRestingWindow } from "../../store/useRestingWindow.ts";
import { useRunData } from "../../store/useRun.ts";
import { Occurs } from "../../timeline/occurs.ts";
import type { TimeWindow } from "../../timeline/viewport.ts";
import { Button } from "../../ui/Button.tsx";
import type { GridColumn } from "../../ui/grid/column.ts";
import { DataGrid } from "../../ui/grid/DataGrid.tsx";
import { Message } from "../../ui/Message.tsx";
import { type RunRow, runsInWindow } from "./runRows.ts";
import "./gantt.css";
import "./ganttTable.css";

const NodeTable = lazy(async () => ({
  default: (await import("./history/NodeTable.tsx")).NodeTable,
}));

const MEMORY = columnMemory("runs");

export function GanttTable() {
  const data = useRunData();
  const window = useRestingWindow();
  const calendar = useApp((state) => state.scenario?.calendarStart);
  const tells = (useOccurs() & (Occurs.history | Occurs.closed)) !== 0;
  const [tab, setTab] = useState<"runs" | "nodes">("runs");
  const nodes = tells && tab === "nodes";
  if (!data.stage)
    return (
      <Message title="Nothing runs yet">
        Pick a scenario from the library, or drop a trace file on the page.
      </Message>
    );
  const tabs = tells && (
    <fieldset className="run-tabs" aria-label="Tables of the Gantt">
      <button type="button" aria-pressed={!nodes} onClick={() => setTab("runs")}>
        Runs
      </button>
      <button type="button" aria-pressed={nodes} onClick={() => setTab("nodes")}>
        Nodes and rounds
      </button>
    </fieldset>
  );
  const close = (
    <Button
      label="Close table"
      look="plain"
      keys="T"
      onClick={() => run("toggleDrawer", { drawer: "ganttTable" })}
    />
  );
  return (
    <section className="table-drawer" aria-label="Run table">
      {nodes ? (
        <Suspense>
          <NodeTable
            stage={data.stage}
            future={data.current}
            window={window}
            calendar={calendar}
            tabs={tabs}
            close={close}
          />
        </Suspense>
      ) : (
        <Runs stage={data.stage} window={window} calendar={calendar} tabs={tabs} close={close} />
      )}
    </section>
  );
}

interface RunsProps {
  readonly stage: Stage;
  readonly window: TimeWindow;
  readonly calendar: string | undefined;
  readonly tabs: ReactNode;
  readonly close: ReactNode;
}

function Runs({ stage, window, calendar, tabs, close }: RunsProps) {
  const { current } = useRunData();
  const scenario = useApp((state) => state.scenario);
  const pick = useJobPick<RunRow>();
  const { rows, total } = useMemo(
    () => runsInWindow(stage, scenario, current, window),
    [stage, scenario, current, window],
  );
  const columns = useMemo(() => columnsOf(stage, calendar), [stage, calendar]);
  const kept =
    rows.length < total
      ? `; the longest ${numberText(rows.length)} are listed, zoom in for all`
      : "";
  return (
    <DataGrid
      label="Runs in the window"
      columns={columns}
      rows={rows}
      keyOf={(row) => `${row.jobIdx}.${row.startMs}.${row.run}`}
      isSelected={pick.isSelected}
      onPick={pick.onPick}
      leastCss={960}
      noun="run"
      memory={MEMORY}
      caption={
        <strong>
          {countText(total, "run")} from {clockText(window.fromMs, calendar)} to{" "}
          {clockText(window.toMs, calendar)}
          {kept}
        </strong>
      }
      start={tabs}
      end={close}
      empty={
        <Message
          title="No run in this stretch of time."
          action={<Button label="Show the whole run" keys="0" onClick={() => run("fitAll")} />}
        />
      }
    />
  );
}

function columnsOf(stage: Stage, calendar: string | undefined): readonly GridColumn<RunRow>[] {
  const job = jobColumns<RunRow>(stage, (row) => row.tier);
  const time = (id: "start" | "end", of: (row: RunRow) => number): GridColumn<RunRow> => ({
    id,
    label: id,
    width: "112px",
    right: true,
    kind: "time",
    value: of,
    read: (text) => readClock(text, useApp.getState().cursorMs, calendar),
    text: (row) => (Number.isFinite(of(row)) ? clockText(of(row), calendar) : "–"),
  });
  return [
    { ...job.job, width: "minmax(150px, 1.4fr)" },
    { ...job.tier, width: "96px" },
    { ...job.owner, width: "minmax(96px, 1fr)" },
    job.team,
    job.user,
    {
      ...job.devices,
      id: "devices",
      width: "60px",
      value: (row) => row.devices,
      text: (row) => numberText(row.devices),
    },
    {
      id: "run",
      label: "run",
      width: "48px",
      right: true,
      value: (row) => row.run,
      text: (row) => (row.run > 0 ? numberText(row.run) : "–"),
    },
    time("start", (row) => row.startMs),
    time("end", (row) => row.endMs),
    {
      id: "length",
      label: "length",
      width: "84px",
      right: true,
      kind: "duration",
      value: (row) => row.lengthMs,
      text: (row) => durationText(row.lengthMs),
    },
    {
      id: "hours",
      label: `${stage.cluster.deviceWord}-hours`,
      width: "84px",
      right: true,
      hidden: true,
      value: deviceHours,
      text: (row) => numberText(deviceHours(row), 1),
      sum: (total) => numberText(total, 1),
    },
    {
      id: "ended",
      label: "how it ended",
      width: "minmax(96px, 1fr)",
      value: endedText,
      text: endedText,
    },
    {
      id: "state",
      label: "end state",
      width: "minmax(84px, 0.8fr)",
      hidden: true,
      groups: true,
      value: (row) => row.ended,
      text: (row) => row.ended,
    },
    {
      id: "lost",
      label: "work lost",
      width: "72px",
      right: true,
      kind: "duration",
      hidden: true,
      value: (row) => row.lostMs,
      text: (row) => (row.lostMs > 0 ? durationText(row.lostMs) : "–"),
    },
  ];
}

function deviceHours({ devices, lengthMs }: RunRow): number {
  return (devices * lengthMs) / 3_600_000;
}

function endedText({ ended, lostMs }: RunRow): string {
  return lostMs > 0 ? `${ended}, ${durationText(lostMs)} lost` : ended;
}
