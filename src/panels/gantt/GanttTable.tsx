/**
 * The table twin of the Gantt: the runs in the window, in rows that sort and select. Rows are virtual; beyond a limit the longest
 * runs are kept and the header says how many there are.
 */
import {
  type ColumnDef,
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  sortFn_basic,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { lazy, Suspense, useMemo, useState } from "react";
import { clockText, countText, durationText, numberText } from "../../base/format.ts";
import { nameOf } from "../../model/jobs.ts";
import type { Stage } from "../../protocol/messages.ts";
import { run } from "../../store/commands.ts";
import { useOccurs } from "../../store/recordHas.ts";
import { useApp } from "../../store/store.ts";
import { useRunData } from "../../store/useRun.ts";
import { jobLabel, ownerText } from "../../timeline/jobNames.ts";
import { Occurs } from "../../timeline/occurs.ts";
import { Button } from "../../ui/Button.tsx";
import { LetterMark } from "../../ui/LetterMark.tsx";
import { Message } from "../../ui/Message.tsx";
import { Cell, type GridColumn, RowGrid } from "../../ui/RowGrid.tsx";
import { type RunRow, runsInWindow } from "./runRows.ts";
import { useRestingWindow } from "./useRestingWindow.ts";
import "./gantt.css";
import "./ganttTable.css";

const NodeTable = lazy(async () => ({
  default: (await import("./history/NodeTable.tsx")).NodeTable,
}));

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic },
});
type Column = ColumnDef<typeof features, RunRow>;
const numeric = { sortFn: sortFn_basic } as const;
const COLUMNS: readonly (Column & { readonly label: string; readonly right?: boolean })[] = [
  { id: "job", label: "job", accessorFn: (row) => row.jobIdx, ...numeric },
  { id: "tier", label: "tier", accessorFn: (row) => row.tier, ...numeric },
  { id: "user", label: "team · user", accessorFn: (row) => row.jobIdx, enableSorting: false },
  { id: "devices", label: "GPUs", accessorFn: (row) => row.devices, right: true, ...numeric },
  { id: "run", label: "run", accessorFn: (row) => row.run, right: true, ...numeric },
  { id: "start", label: "start", accessorFn: (row) => row.startMs, right: true, ...numeric },
  { id: "end", label: "end", accessorFn: (row) => row.endMs, right: true, ...numeric },
  { id: "length", label: "length", accessorFn: (row) => row.lengthMs, right: true, ...numeric },
  { id: "ended", label: "how it ended", accessorFn: (row) => row.ended, ...numeric },
];
const COLUMN_DEFS: Column[] = [...COLUMNS];

export function GanttTable() {
  const data = useRunData();
  const window = useRestingWindow();
  const scenario = useApp((state) => state.scenario);
  const calendar = scenario?.calendarStart;
  const tells = (useOccurs() & (Occurs.history | Occurs.closed)) !== 0;
  const [tab, setTab] = useState<"runs" | "nodes">("runs");
  const nodes = tells && tab === "nodes";
  const [sorting, setSorting] = useState<SortingState>([]);
  const found = useMemo(
    () =>
      data.stage
        ? runsInWindow(data.stage, scenario, data.current, window)
        : { rows: [], total: 0 },
    [data.stage, scenario, data.current, window],
  );
  const table = useTable({
    features,
    columns: COLUMN_DEFS,
    data: found.rows,
    state: { sorting },
    onSortingChange: setSorting,
  });
  if (!data.stage)
    return (
      <Message title="Nothing runs yet">
        Pick a scenario from the library, or drop a trace file on the page.
      </Message>
    );
  const kept =
    found.rows.length < found.total
      ? `; the longest ${numberText(found.rows.length)} are listed, zoom in for all`
      : "";
  return (
    <section className="table-drawer" aria-label="Run table">
      <header className="table-drawer-head">
        {tells && (
          <fieldset className="run-tabs" aria-label="Tables of the Gantt">
            <button type="button" aria-pressed={!nodes} onClick={() => setTab("runs")}>
              Runs
            </button>
            <button type="button" aria-pressed={nodes} onClick={() => setTab("nodes")}>
              Nodes and rounds
            </button>
          </fieldset>
        )}
        <strong>
          {nodes ? "Nodes" : countText(found.total, "run")} from{" "}
          {clockText(window.fromMs, calendar)} to {clockText(window.toMs, calendar)}
          {nodes ? "" : kept}
        </strong>
        <Button
          label="Close table"
          look="plain"
          keys="T"
          onClick={() => run("toggleDrawer", { drawer: "ganttTable" })}
        />
      </header>
      {nodes ? (
        <Suspense>
          <NodeTable stage={data.stage} future={data.current} window={window} calendar={calendar} />
        </Suspense>
      ) : found.total === 0 ? (
        <Message
          title="No run in this stretch of time."
          action={<Button label="Show the whole run" keys="0" onClick={() => run("fitAll")} />}
        />
      ) : (
        <Grid
          rows={table.getRowModel().rows.map((row) => row.original)}
          stage={data.stage}
          calendar={calendar}
          sorting={sorting}
          onSort={(id) => table.getColumn(id)?.toggleSorting()}
        />
      )}
    </section>
  );
}

interface GridProps {
  readonly rows: readonly RunRow[];
  readonly stage: Stage;
  readonly calendar: string | undefined;
  readonly sorting: SortingState;
  readonly onSort: (id: string) => void;
}

function Grid({ rows, stage, calendar, sorting, onSort }: GridProps) {
  const selection = useApp((state) => state.selection);
  const selected = selection?.kind === "job" ? selection.jobIdx : -1;
  return (
    <RowGrid
      label="Runs in the window"
      columns={gridColumns(stage.cluster.deviceWord)}
      template="minmax(150px, 1.4fr) 96px minmax(96px, 1fr) 60px 48px 112px 112px 84px minmax(96px, 1fr)"
      leastCss={960}
      rowCount={rows.length}
      keyOf={(row) => row}
      isSelected={(row) => rows[row]!.jobIdx === selected}
      sort={sorting[0]}
      onSort={onSort}
      onPick={(row) => run("selectJob", { jobIdx: rows[row]!.jobIdx })}
      cells={(row) => <Cells row={rows[row]!} stage={stage} calendar={calendar} />}
    />
  );
}

function gridColumns(deviceWord: string): GridColumn[] {
  return COLUMNS.map(({ id, label, right, enableSorting }) => ({
    id: id!,
    label: id === "devices" ? `${deviceWord}s` : label,
    right: right === true,
    sortable: enableSorting !== false,
  }));
}

function endedText({ ended, lostMs }: RunRow): string {
  return lostMs > 0 ? `${ended}, ${durationText(lostMs)} lost` : ended;
}

function Cells({
  row,
  stage,
  calendar,
}: {
  readonly row: RunRow;
  readonly stage: Stage;
  readonly calendar: string | undefined;
}) {
  const { jobs } = stage;
  const tier = stage.tiers[row.tier];
  const who = ownerText(stage, row.jobIdx);
  const id = nameOf(jobs.ids, row.jobIdx);
  const label = jobLabel(jobs, row.jobIdx);
  return (
    <>
      <Cell title={label}>
        <b>{id}</b> <span className="quiet">{label.slice(id.length)}</span>
      </Cell>
      <Cell>
        <LetterMark letter={tier?.letter ?? "?"} tier={row.tier} tierCount={stage.tiers.length} />{" "}
        {tier?.name}
      </Cell>
      <Cell>{who === "" ? "–" : who}</Cell>
      <Cell look="number">{numberText(row.devices)}</Cell>
      <Cell look="number">{row.run > 0 ? numberText(row.run) : "–"}</Cell>
      <Cell look="number">{clockText(row.startMs, calendar)}</Cell>
      <Cell look="number">{Number.isFinite(row.endMs) ? clockText(row.endMs, calendar) : "–"}</Cell>
      <Cell look="number">{durationText(row.lengthMs)}</Cell>
      <Cell title={endedText(row)}>{endedText(row)}</Cell>
    </>
  );
}
