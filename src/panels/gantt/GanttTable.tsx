// biome-ignore-all lint/a11y/useSemanticElements: rows are virtual and placed by transform, which table elements do not allow.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
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
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { clockText, countText, durationText, numberText } from "../../base/format.ts";
import { nameOf } from "../../model/jobs.ts";
import type { Stage } from "../../protocol/messages.ts";
import { run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import { useRunData } from "../../store/useRun.ts";
import { jobLabel } from "../../timeline/jobNames.ts";
import { Button } from "../../ui/Button.tsx";
import { LetterMark } from "../../ui/LetterMark.tsx";
import { Message } from "../../ui/Message.tsx";
import { type RunRow, runsInWindow } from "./runRows.ts";
import { useRestingWindow } from "./useRestingWindow.ts";
import "./gantt.css";

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
const ROW_CSS = 24;

export function GanttTable() {
  const data = useRunData();
  const window = useRestingWindow();
  const calendar = useApp((state) => state.scenario?.calendarStart);
  const [sorting, setSorting] = useState<SortingState>([]);
  const found = useMemo(
    () => (data.stage ? runsInWindow(data.stage, data.current, window) : { rows: [], total: 0 }),
    [data.stage, data.current, window],
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
    <section className="gantt-table" aria-label="Run table">
      <header className="gantt-table-head">
        <strong>
          {countText(found.total, "run")} from {clockText(window.fromMs, calendar)} to{" "}
          {clockText(window.toMs, calendar)}
          {kept}
        </strong>
        <Button
          label="Close table"
          look="plain"
          keys="T"
          onClick={() => run("toggleDrawer", { drawer: "ganttTable" })}
        />
      </header>
      {found.total === 0 ? (
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
  const scroller = useRef<HTMLDivElement>(null);
  const selection = useApp((state) => state.selection);
  const selected = selection?.kind === "job" ? selection.jobIdx : -1;
  const [focus, setFocus] = useState(0);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_CSS,
    overscan: 8,
    initialRect: { width: 800, height: 240 },
  });
  const onKey = (event: KeyboardEvent) => {
    const step = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 8,
      PageUp: -8,
      Home: -rows.length,
      End: rows.length,
    }[event.key];
    const row = rows[focus];
    if (event.key === "Enter" && row) run("selectJob", { jobIdx: row.jobIdx });
    else if (step === undefined) return;
    else {
      const next = Math.min(rows.length - 1, Math.max(0, focus + step));
      setFocus(next);
      virtual.scrollToIndex(next);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      className="gantt-grid"
      ref={scroller}
      role="grid"
      aria-label="Runs in the window"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={`gantt-row-${focus}`}
      tabIndex={0}
      onKeyDown={onKey}
    >
      <div role="row" aria-rowindex={1} className="gantt-tr gantt-th">
        {COLUMNS.map((column) => {
          const sort = sorting.find((entry) => entry.id === column.id);
          const label = column.id === "devices" ? `${stage.cluster.deviceWord}s` : column.label;
          return (
            <div
              key={column.id}
              role="columnheader"
              aria-sort={sort ? (sort.desc ? "descending" : "ascending") : "none"}
              className={column.right ? "number" : ""}
            >
              {column.enableSorting === false ? (
                label
              ) : (
                <button type="button" className="gantt-sort" onClick={() => onSort(column.id!)}>
                  {label}
                  {sort ? (sort.desc ? " ↓" : " ↑") : ""}
                </button>
              )}
            </div>
          );
        })}
      </div>
      <div className="gantt-body" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on the grid selects the row with the focus.
          <div
            key={item.key}
            id={`gantt-row-${item.index}`}
            role="row"
            aria-rowindex={item.index + 2}
            aria-selected={rows[item.index]!.jobIdx === selected}
            className={`gantt-tr ${item.index === focus ? "gantt-focus" : ""}`}
            style={{ transform: `translateY(${item.start}px)` }}
            onClick={() => {
              setFocus(item.index);
              run("selectJob", { jobIdx: rows[item.index]!.jobIdx });
            }}
          >
            <Cells row={rows[item.index]!} stage={stage} calendar={calendar} />
          </div>
        ))}
      </div>
    </div>
  );
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
  const team = stage.teams[jobs.at.team[row.jobIdx]!];
  const user = jobs.users[jobs.at.user[row.jobIdx]!] ?? "";
  const who = [team ? (team.name === "" ? team.id : team.name) : "", user]
    .filter((part) => part !== "")
    .join(" · ");
  const id = nameOf(jobs.ids, row.jobIdx);
  const label = jobLabel(jobs, row.jobIdx);
  return (
    <>
      <div role="gridcell" title={label}>
        <b>{id}</b> <span className="quiet">{label.slice(id.length)}</span>
      </div>
      <div role="gridcell">
        <LetterMark letter={tier?.letter ?? "?"} position={row.tier} /> {tier?.name}
      </div>
      <div role="gridcell">{who === "" ? "–" : who}</div>
      <div role="gridcell" className="number">
        {numberText(row.devices)}
      </div>
      <div role="gridcell" className="number">
        {row.run > 0 ? numberText(row.run) : "–"}
      </div>
      <div role="gridcell" className="number">
        {clockText(row.startMs, calendar)}
      </div>
      <div role="gridcell" className="number">
        {Number.isFinite(row.endMs) ? clockText(row.endMs, calendar) : "–"}
      </div>
      <div role="gridcell" className="number">
        {durationText(row.lengthMs)}
      </div>
      <div role="gridcell">{row.ended}</div>
    </>
  );
}
