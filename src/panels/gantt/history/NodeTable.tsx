/** The table twin of what the Gantt draws beside jobs: nodes that are not there, boot, change pools, are drained or down, failed devices, rounds. */
import { useMemo, useState } from "react";
import { clockText, durationText } from "../../../base/format.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { run } from "../../../store/commands.ts";
import { historyContext } from "../../../store/historyContext.ts";
import type { Future } from "../../../store/runData.ts";
import { useApp } from "../../../store/store.ts";
import type { TimeWindow } from "../../../timeline/viewport.ts";
import { Message } from "../../../ui/Message.tsx";
import { Cell, RowGrid } from "../../../ui/RowGrid.tsx";
import { type HistoryRow, historyRows } from "./nodeRows.ts";

type ColumnId = "what" | "words" | "from" | "to" | "length";
const COLUMNS: readonly {
  readonly id: ColumnId;
  readonly label: string;
  readonly right: boolean;
}[] = [
  { id: "what", label: "what", right: false },
  { id: "words", label: "what happened", right: false },
  { id: "from", label: "from", right: true },
  { id: "to", label: "to", right: true },
  { id: "length", label: "length", right: true },
];

const KEYS: Readonly<Record<ColumnId, (row: HistoryRow) => string | number>> = {
  what: (row) => row.what,
  words: (row) => row.words,
  from: (row) => row.fromMs,
  to: (row) => row.toMs,
  length: (row) => row.toMs - row.fromMs,
};

interface NodeTableProps {
  readonly stage: Stage;
  readonly future: Future;
  readonly window: TimeWindow;
  readonly calendar: string | undefined;
}

export function NodeTable({ stage, future, window, calendar }: NodeTableProps) {
  const [sort, setSort] = useState<{ readonly id: ColumnId; readonly desc: boolean }>();
  const found = useMemo(
    () => historyRows(future, historyContext(stage), window),
    [stage, future, window],
  );
  const rows = useMemo(() => (sort ? sorted(found, sort.id, sort.desc) : found), [found, sort]);
  const selection = useApp((state) => state.selection);
  const selected = selection?.kind === "node" ? selection.node : -1;
  if (rows.length === 0) return <Message title="Nothing of that in this stretch of time." />;
  return (
    <RowGrid
      label="Nodes and rounds"
      columns={COLUMNS.map((column) => ({ ...column, sortable: true }))}
      template="minmax(130px, 1fr) minmax(220px, 2fr) 112px 112px 84px"
      leastCss={660}
      rowCount={rows.length}
      keyOf={(row) => rows[row]!.key}
      isSelected={(row) => selected >= 0 && rows[row]!.node === selected}
      sort={sort}
      onSort={(id) => setSort({ id: id as ColumnId, desc: sort?.id === id && !sort.desc })}
      onPick={(row) => {
        const { node, fromMs } = rows[row]!;
        if (node >= 0) run("selectNode", { node });
        else run("seek", { atMs: fromMs });
      }}
      cells={(row) => <Cells row={rows[row]!} calendar={calendar} />}
    />
  );
}

function sorted(rows: readonly HistoryRow[], id: ColumnId, desc: boolean): readonly HistoryRow[] {
  const key = KEYS[id];
  const way = desc ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    return x === y ? a.key - b.key : x < y ? -way : way;
  });
}

function Cells({
  row,
  calendar,
}: {
  readonly row: HistoryRow;
  readonly calendar: string | undefined;
}) {
  const { what, words, fromMs, toMs } = row;
  const ended = Number.isFinite(toMs);
  return (
    <>
      <Cell title={what}>{what}</Cell>
      <Cell title={words}>{words}</Cell>
      <Cell look="number">{clockText(fromMs, calendar)}</Cell>
      <Cell look="number">{ended ? clockText(toMs, calendar) : "–"}</Cell>
      <Cell look="number">{ended && toMs > fromMs ? durationText(toMs - fromMs) : "–"}</Cell>
    </>
  );
}
