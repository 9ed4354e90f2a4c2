// biome-ignore-all lint/a11y/useSemanticElements: rows are virtual and placed by transform, which table elements do not allow.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
/**
 * The table twin of the lanes: who waits at the cursor, in rows that sort, filter and select. Rows are virtual, so a queue of
 * 100,000 jobs costs what is on screen. It follows the cursor at most four times a second, and never while the pointer is on it
 * and the run plays: tables that jump under the hand are not read.
 */
import {
  type ColumnDef,
  type ColumnFiltersState,
  columnFilteringFeature,
  createFilteredRowModel,
  createSortedRowModel,
  filterFn_equals,
  rowSortingFeature,
  type SortingState,
  sortFn_basic,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { clockNear, clockText, countText, durationText, numberText } from "../../base/format.ts";
import { nameOf } from "../../model/jobs.ts";
import { waitWords } from "../../model/sentences.ts";
import type { Stage } from "../../protocol/messages.ts";
import { run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import { useCursorMs, useRunData } from "../../store/useRun.ts";
import { jobLabel } from "../../timeline/jobNames.ts";
import { Button } from "../../ui/Button.tsx";
import { LetterMark } from "../../ui/LetterMark.tsx";
import { Message } from "../../ui/Message.tsx";
import { QueueReader, type QueueRow } from "./queueRows.ts";
import "../../ui/strip.css";
import "./queueTable.css";

const features = tableFeatures({
  rowSortingFeature,
  columnFilteringFeature,
  sortedRowModel: createSortedRowModel(),
  filteredRowModel: createFilteredRowModel(),
  sortFns: { basic: sortFn_basic },
  filterFns: { equals: filterFn_equals },
});

type Column = ColumnDef<typeof features, QueueRow>;
const numeric = { sortFn: sortFn_basic } as const;
const COLUMNS: readonly (Column & { readonly label: string; readonly right?: boolean })[] = [
  { id: "position", label: "#", accessorFn: (row) => row.position, right: true, ...numeric },
  { id: "job", label: "job", accessorFn: (row) => row.jobIdx, ...numeric },
  {
    id: "tier",
    label: "tier",
    accessorFn: (row) => row.tier,
    filterFn: filterFn_equals,
    ...numeric,
  },
  { id: "user", label: "team · user", accessorFn: (row) => row.jobIdx, enableSorting: false },
  { id: "gpus", label: "GPUs", accessorFn: (row) => row.gpus, right: true, ...numeric },
  { id: "waited", label: "waited", accessorFn: (row) => row.waitedMs, right: true, ...numeric },
  { id: "limit", label: "limit", accessorFn: (row) => row.limitMs, right: true, ...numeric },
  { id: "reason", label: "why it waits", accessorFn: (row) => row.reason, ...numeric },
  {
    id: "planned",
    label: "planned start",
    accessorFn: (row) => row.plannedMs,
    right: true,
    ...numeric,
  },
];
const COLUMN_DEFS: Column[] = [...COLUMNS];
const ROW_CSS = 24;

export function QueueTable() {
  const data = useRunData();
  const cursorMs = useCursorMs();
  const scenario = useApp((state) => state.scenario);
  const reader = useRef<QueueReader | null>(null);
  const [held, setHeld] = useState(false);
  const playing = useApp((state) => state.playing);
  const kept = useRef<{ rows: QueueRow[]; atMs: number; stage: Stage | null } | null>(null);
  const fresh = useMemo(() => {
    if (!data.stage || !scenario) return { rows: [], atMs: cursorMs, stage: data.stage };
    reader.current ??= new QueueReader();
    return {
      rows: reader.current.rowsAt(data.stage, data.current, scenario, cursorMs),
      atMs: cursorMs,
      stage: data.stage,
    };
  }, [data.stage, data.current, scenario, cursorMs]);
  const stays = held && playing && kept.current?.stage === data.stage;
  const shown = stays && kept.current ? kept.current : fresh;
  kept.current = shown;
  if (!data.stage || !scenario) {
    return (
      <Message title="No jobs yet">
        Pick a scenario from the library, or drop a trace file on the page.
      </Message>
    );
  }
  return (
    <section
      className="queue-table"
      aria-label="Queue table"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <Rows
        rows={shown.rows}
        stage={data.stage}
        atMs={shown.atMs}
        calendar={scenario.calendarStart}
      />
    </section>
  );
}

interface RowsProps {
  readonly rows: QueueRow[];
  readonly stage: Stage;
  readonly atMs: number;
  readonly calendar: string | undefined;
}

function Rows({ rows, stage, atMs, calendar }: RowsProps) {
  const [sorting, setSorting] = useState<SortingState>([]);
  const [columnFilters, setColumnFilters] = useState<ColumnFiltersState>([]);
  const table = useTable({
    features,
    columns: COLUMN_DEFS,
    data: rows,
    state: { sorting, columnFilters },
    onSortingChange: setSorting,
    onColumnFiltersChange: setColumnFilters,
  });
  const tierFilter = columnFilters[0]?.value as number | undefined;
  const visible = table.getRowModel().rows;
  return (
    <>
      <header className="queue-table-head">
        <strong>
          {countText(rows.length, "job")} {rows.length === 1 ? "waits" : "wait"} at{" "}
          {clockText(atMs, calendar)}
        </strong>
        <fieldset className="queue-table-filters" aria-label="Filter by tier">
          {stage.tiers.map((tier, index) => (
            <button
              key={tier.id}
              type="button"
              className="tier-filter"
              aria-pressed={tierFilter === index}
              aria-label={`Only tier ${tier.name}`}
              title={`Only tier ${tier.name}`}
              onClick={() =>
                setColumnFilters(tierFilter === index ? [] : [{ id: "tier", value: index }])
              }
            >
              <LetterMark letter={tier.letter} position={index} />
            </button>
          ))}
        </fieldset>
        <Button
          label="Close table"
          look="plain"
          keys="T"
          onClick={() => run("toggleDrawer", { drawer: "queueTable" })}
        />
      </header>
      {rows.length === 0 ? (
        <Message
          title={`No job waits at ${clockText(atMs, calendar)}.`}
          action={
            <Button
              label="Inject a job"
              keys="J"
              onClick={() => run("openSide", { side: "inject" })}
            />
          }
        >
          Move the cursor, or add load.
        </Message>
      ) : visible.length === 0 ? (
        <Message
          title={`No waiting job matches tier:${stage.tiers[tierFilter ?? 0]?.name ?? ""}.`}
          action={<Button label="Clear filter" onClick={() => setColumnFilters([])} />}
        />
      ) : (
        <Grid
          rows={visible.map((row) => row.original)}
          stage={stage}
          atMs={atMs}
          calendar={calendar}
          sorting={sorting}
          onSort={(id) => table.getColumn(id)?.toggleSorting()}
        />
      )}
    </>
  );
}

interface GridProps extends RowsProps {
  readonly sorting: SortingState;
  readonly onSort: (id: string) => void;
}

function Grid({ rows, stage, atMs, calendar, sorting, onSort }: GridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const selection = useApp((state) => state.selection);
  const selected = selection?.kind === "job" ? selection.jobIdx : -1;
  const [focus, setFocus] = useState(0);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_CSS,
    overscan: 8,
    // Rows are there in the first frame, before the scroller is measured.
    initialRect: { width: 800, height: 240 },
  });
  const onKey = (event: KeyboardEvent) => {
    const last = rows.length - 1;
    const step = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 8,
      PageUp: -8,
      Home: -rows.length,
      End: rows.length,
    }[event.key];
    if (event.key === "Enter" && rows[focus]) run("selectJob", { jobIdx: rows[focus].jobIdx });
    else if (step === undefined) return;
    else {
      const next = Math.min(last, Math.max(0, focus + step));
      setFocus(next);
      virtual.scrollToIndex(next);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      className="queue-grid"
      ref={scroller}
      role="grid"
      aria-label="Waiting jobs"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={`queue-row-${rows[focus]?.jobIdx ?? 0}`}
      tabIndex={0}
      onKeyDown={onKey}
    >
      <div role="row" aria-rowindex={1} className="queue-tr queue-th">
        {COLUMNS.map((column) => {
          const sort = sorting.find((entry) => entry.id === column.id);
          const order = sort ? (sort.desc ? "descending" : "ascending") : "none";
          const label = column.id === "gpus" ? `${stage.cluster.deviceWord}s` : column.label;
          return (
            <div
              key={column.id}
              role="columnheader"
              aria-sort={order}
              className={column.right ? "number" : ""}
            >
              {column.enableSorting === false ? (
                label
              ) : (
                <button type="button" className="sort" onClick={() => onSort(column.id!)}>
                  {label}
                  {sort ? (sort.desc ? " ↓" : " ↑") : ""}
                </button>
              )}
            </div>
          );
        })}
      </div>
      <div className="queue-body" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index]!;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on the grid selects the row with the focus.
            <div
              key={row.jobIdx}
              id={`queue-row-${row.jobIdx}`}
              role="row"
              aria-rowindex={item.index + 2}
              aria-selected={row.jobIdx === selected}
              className={`queue-tr ${item.index === focus ? "queue-focus" : ""}`}
              style={{ transform: `translateY(${item.start}px)` }}
              onClick={() => {
                setFocus(item.index);
                run("selectJob", { jobIdx: row.jobIdx });
              }}
            >
              <Cells row={row} stage={stage} atMs={atMs} calendar={calendar} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Cells({
  row,
  stage,
  atMs,
  calendar,
}: {
  readonly row: QueueRow;
  readonly stage: Stage;
  readonly atMs: number;
  readonly calendar: string | undefined;
}) {
  const { jobs } = stage;
  const tier = stage.tiers[row.tier];
  // A single team says nothing.
  const team = stage.teams.length > 1 ? stage.teams[jobs.at.team[row.jobIdx]!] : undefined;
  const user = jobs.users[jobs.at.user[row.jobIdx]!] ?? "";
  const who = [team ? (team.name === "" ? team.id : team.name) : "", user]
    .filter((part) => part !== "")
    .join(" · ");
  return (
    <>
      <div role="gridcell" className="number">
        {numberText(row.position)}
      </div>
      <div role="gridcell" title={jobLabel(jobs, row.jobIdx)}>
        <b>{nameOf(jobs.ids, row.jobIdx)}</b>{" "}
        <span className="quiet">
          {jobLabel(jobs, row.jobIdx).slice(nameOf(jobs.ids, row.jobIdx).length)}
        </span>
      </div>
      <div role="gridcell" className="tier-cell">
        <LetterMark letter={tier?.letter ?? "?"} position={row.tier} /> {tier?.name}
      </div>
      <div role="gridcell" className="quiet">
        {who === "" ? "–" : who}
      </div>
      <div role="gridcell" className="number">
        {numberText(row.gpus)}
      </div>
      <div role="gridcell" className="number">
        {durationText(row.waitedMs)}
      </div>
      <div role="gridcell" className="number">
        {Number.isFinite(row.limitMs) ? durationText(row.limitMs) : "none"}
      </div>
      <div role="gridcell">{waitWords(row.reason)}</div>
      <div role="gridcell" className="number">
        {Number.isFinite(row.plannedMs) ? clockNear(row.plannedMs, atMs, calendar) : "–"}
      </div>
    </>
  );
}
