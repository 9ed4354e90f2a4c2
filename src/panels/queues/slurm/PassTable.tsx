/** The passes of Slurm's two schedulers up to the cursor, newest first: the table twin of the lane. A row goes to its time. */
import { useMemo, useRef, useState } from "react";
import { countText } from "../../../base/format.ts";
import { slurmClock } from "../../../model/slurm/words.ts";
import { PassKind } from "../../../record/shapes.ts";
import { readClock } from "../../../store/clockEntry.ts";
import { columnMemory } from "../../../store/columnMemory.ts";
import { run } from "../../../store/commands.ts";
import type { Future } from "../../../store/runData.ts";
import { useApp } from "../../../store/store.ts";
import { PassIndex } from "../../../timeline/passIndex.ts";
import { Check } from "../../../ui/Check.tsx";
import type { GridColumn } from "../../../ui/grid/column.ts";
import { DataGrid } from "../../../ui/grid/DataGrid.tsx";
import { Message } from "../../../ui/Message.tsx";

interface PassRow {
  readonly row: number;
  readonly atMs: number;
  readonly kind: number;
  readonly looked: number;
  readonly started: number;
}

/** So many of the newest are listed. */
const ROWS_MOST = 5_000;
const MEMORY = columnMemory("passes");

interface PassTableProps {
  readonly future: Future;
  readonly atMs: number;
  readonly calendar: string | undefined;
}

export function PassTable({ future, atMs, calendar }: PassTableProps) {
  const index = useRef<PassIndex | null>(null);
  const [starting, setStarting] = useState(false);
  const rows = useMemo(() => {
    index.current ??= new PassIndex();
    index.current.update(future.chunks);
    return rowsUpTo(index.current, atMs, starting);
  }, [future.chunks, atMs, starting]);
  const columns = useMemo(() => columnsOf(calendar), [calendar]);
  return (
    <DataGrid
      label="Passes"
      columns={columns}
      rows={rows}
      leastCss={420}
      keyOf={(row) => row.row}
      noun="pass"
      nouns="passes"
      memory={MEMORY}
      onPick={(row) => run("seek", { atMs: row.atMs })}
      start={
        <Check label="Only passes that started jobs" checked={starting} onChange={setStarting} />
      }
      caption={
        <>
          {rows.length < ROWS_MOST
            ? countText(rows.length, "pass", "passes")
            : `the last ${countText(ROWS_MOST, "pass", "passes")}`}
          ; passes that could change nothing are not computed, and not listed
        </>
      }
      empty={<Message title="No pass up to the cursor." />}
    />
  );
}

function rowsUpTo(index: PassIndex, atMs: number, starting: boolean): PassRow[] {
  const { rows } = index;
  const list: PassRow[] = [];
  for (let row = index.count - 1; row >= 0 && list.length < ROWS_MOST; row--) {
    if (rows.atMs[row]! > atMs || (starting && rows.started[row] === 0)) continue;
    list.push({
      row,
      atMs: rows.atMs[row]!,
      kind: rows.kind[row]!,
      looked: rows.looked[row]!,
      started: rows.started[row]!,
    });
  }
  return list;
}

function columnsOf(calendar: string | undefined): readonly GridColumn<PassRow>[] {
  return [
    {
      id: "time",
      label: "TIME",
      width: "minmax(120px, 1fr)",
      kind: "time",
      read: (text) => readClock(text, useApp.getState().cursorMs, calendar),
      value: (row) => row.atMs,
      text: (row) => slurmClock(row.atMs, calendar),
    },
    {
      id: "scheduler",
      label: "SCHEDULER",
      width: "minmax(90px, 1fr)",
      groups: true,
      value: (row) => row.kind,
      text: (row) => (row.kind === PassKind.main ? "main" : "backfill"),
    },
    {
      id: "looked",
      label: "LOOKED AT",
      width: "90px",
      right: true,
      value: (row) => row.looked,
      text: (row) => String(row.looked),
      sum: String,
    },
    {
      id: "started",
      label: "STARTED",
      width: "90px",
      right: true,
      value: (row) => row.started,
      text: (row) => String(row.started),
      sum: String,
    },
  ];
}
