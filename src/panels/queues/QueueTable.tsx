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
import { useMemo, useRef, useState } from "react";
import { clockNear, clockText, countText, durationText, numberText } from "../../base/format.ts";
import { nameOf } from "../../model/jobs.ts";
import { waitWords } from "../../model/sentences.ts";
import type { Stage } from "../../protocol/messages.ts";
import { run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import { useCursorMs, useRunData } from "../../store/useRun.ts";
import { jobLabel, ownerText } from "../../timeline/jobNames.ts";
import { Button } from "../../ui/Button.tsx";
import { LetterMark } from "../../ui/LetterMark.tsx";
import { Message } from "../../ui/Message.tsx";
import { Cell, type GridColumn, RowGrid } from "../../ui/RowGrid.tsx";
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

/** `closes`: it has the button that closes the drawer. */
export function QueueTable({ closes = true }: { readonly closes?: boolean }) {
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
      className="table-drawer"
      aria-label="Queue table"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <Rows
        rows={shown.rows}
        stage={data.stage}
        atMs={shown.atMs}
        calendar={scenario.calendarStart}
        closes={closes}
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

function Rows(props: RowsProps & { readonly closes: boolean }) {
  const { rows, stage, atMs, calendar, closes } = props;
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
      <header className="table-drawer-head">
        <strong>
          {countText(rows.length, "job")} {rows.length === 1 ? "waits" : "wait"} at{" "}
          {clockText(atMs, calendar)}
        </strong>
        {rows.some((row) => row.position === 0) && (
          <span className="part-note">
            – under #: the order goes by what only the scheduler knows; the card of a job says its
            place
          </span>
        )}
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
              <LetterMark letter={tier.letter} tier={index} tierCount={stage.tiers.length} />
            </button>
          ))}
        </fieldset>
        {closes && (
          <Button
            label="Close table"
            look="plain"
            keys="T"
            onClick={() => run("toggleDrawer", { drawer: "queueTable" })}
          />
        )}
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
  const selection = useApp((state) => state.selection);
  const selected = selection?.kind === "job" ? selection.jobIdx : -1;
  return (
    <RowGrid
      label="Waiting jobs"
      columns={gridColumns(stage.cluster.deviceWord)}
      template="32px minmax(120px, 1.4fr) 80px minmax(96px, 1fr) 48px 64px 64px minmax(180px, 1.7fr) 84px"
      leastCss={880}
      rowCount={rows.length}
      keyOf={(row) => rows[row]!.jobIdx}
      isSelected={(row) => rows[row]!.jobIdx === selected}
      sort={sorting[0]}
      onSort={onSort}
      onPick={(row) => run("selectJob", { jobIdx: rows[row]!.jobIdx })}
      cells={(row) => <Cells row={rows[row]!} stage={stage} atMs={atMs} calendar={calendar} />}
    />
  );
}

function gridColumns(deviceWord: string): GridColumn[] {
  return COLUMNS.map(({ id, label, right, enableSorting }) => ({
    id: id!,
    label: id === "gpus" ? `${deviceWord}s` : label,
    right: right === true,
    sortable: enableSorting !== false,
  }));
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
  const who = ownerText(stage, row.jobIdx);
  return (
    <>
      <Cell look="number">{row.position > 0 ? numberText(row.position) : "–"}</Cell>
      <Cell title={jobLabel(jobs, row.jobIdx)}>
        <b>{nameOf(jobs.ids, row.jobIdx)}</b>{" "}
        <span className="quiet">
          {jobLabel(jobs, row.jobIdx).slice(nameOf(jobs.ids, row.jobIdx).length)}
        </span>
      </Cell>
      <Cell look="tier-cell">
        <LetterMark letter={tier?.letter ?? "?"} tier={row.tier} tierCount={stage.tiers.length} />{" "}
        {tier?.name}
      </Cell>
      <Cell look="quiet">{who === "" ? "–" : who}</Cell>
      <Cell look="number">{numberText(row.gpus)}</Cell>
      <Cell look="number">{durationText(row.waitedMs)}</Cell>
      <Cell look="number">{Number.isFinite(row.limitMs) ? durationText(row.limitMs) : "none"}</Cell>
      <Cell>{waitWords(row.reason)}</Cell>
      <Cell look="number">
        {Number.isFinite(row.plannedMs) ? clockNear(row.plannedMs, atMs, calendar) : "–"}
      </Cell>
    </>
  );
}
