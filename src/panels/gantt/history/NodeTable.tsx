/** The table twin of what the Gantt draws beside jobs: nodes that are not there, boot, change pools, are drained or down, failed devices, rounds. */
import { type ReactNode, useMemo } from "react";
import { clockText, durationText } from "../../../base/format.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { readClock } from "../../../store/clockEntry.ts";
import { columnMemory } from "../../../store/columnMemory.ts";
import { run } from "../../../store/commands.ts";
import { historyContext } from "../../../store/historyContext.ts";
import type { Future } from "../../../store/runData.ts";
import { useApp } from "../../../store/store.ts";
import type { TimeWindow } from "../../../timeline/viewport.ts";
import type { GridColumn } from "../../../ui/grid/column.ts";
import { DataGrid } from "../../../ui/grid/DataGrid.tsx";
import { Message } from "../../../ui/Message.tsx";
import { type HistoryRow, historyRows } from "./nodeRows.ts";

const MEMORY = columnMemory("nodes");

interface NodeTableProps {
  readonly stage: Stage;
  readonly future: Future;
  readonly window: TimeWindow;
  readonly calendar: string | undefined;
  readonly tabs: ReactNode;
  readonly close: ReactNode;
}

export function NodeTable({ stage, future, window, calendar, tabs, close }: NodeTableProps) {
  const rows = useMemo(
    () => historyRows(future, historyContext(stage), window),
    [stage, future, window],
  );
  const columns = useMemo(() => columnsOf(calendar), [calendar]);
  const selection = useApp((state) => state.selection);
  const selected = selection?.kind === "node" ? selection.node : -1;
  return (
    <DataGrid
      label="Nodes and rounds"
      columns={columns}
      rows={rows}
      keyOf={(row) => row.key}
      isSelected={(row) => selected >= 0 && row.node === selected}
      onPick={({ node, fromMs }) => {
        if (node >= 0) run("selectNode", { node });
        else run("seek", { atMs: fromMs });
      }}
      leastCss={660}
      noun="entry"
      nouns="entries"
      memory={MEMORY}
      start={tabs}
      end={close}
      caption={
        <strong>
          Nodes from {clockText(window.fromMs, calendar)} to {clockText(window.toMs, calendar)}
        </strong>
      }
      empty={<Message title="Nothing of that in this stretch of time." />}
    />
  );
}

function columnsOf(calendar: string | undefined): readonly GridColumn<HistoryRow>[] {
  const time = (id: "from" | "to", of: (row: HistoryRow) => number): GridColumn<HistoryRow> => ({
    id,
    label: id,
    width: "112px",
    right: true,
    kind: "time",
    value: of,
    read: (text) => readClock(text, useApp.getState().cursorMs, calendar),
    text: (row) => (Number.isFinite(of(row)) ? clockText(of(row), calendar) : "–"),
  });
  const text = (id: "what" | "words", label: string, width: string): GridColumn<HistoryRow> => ({
    id,
    label,
    width,
    groups: true,
    value: (row) => row[id],
    text: (row) => row[id],
  });
  return [
    text("what", "what", "minmax(130px, 1fr)"),
    text("words", "what happened", "minmax(220px, 2fr)"),
    time("from", (row) => row.fromMs),
    time("to", (row) => row.toMs),
    {
      id: "length",
      label: "length",
      width: "84px",
      right: true,
      kind: "duration",
      value: (row) => row.toMs - row.fromMs,
      text: ({ fromMs, toMs }) =>
        Number.isFinite(toMs) && toMs > fromMs ? durationText(toMs - fromMs) : "–",
    },
  ];
}
