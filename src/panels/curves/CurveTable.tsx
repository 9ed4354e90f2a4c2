/**
 * The curves in rows, for those who cannot see them and for those who want the numbers: each line at the cursor, in the future before the last change, and over the
 * window: least, mean over time, most, and what it adds up to.
 */
import { useMemo } from "react";
import { clockText } from "../../base/format.ts";
import type { Stage } from "../../protocol/messages.ts";
import { run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import { useRestingWindow } from "../../store/useRestingWindow.ts";
import { useCursorMs, useRunData } from "../../store/useRun.ts";
import { lineAt, lineOver, lineTotal } from "../../timeline/curves/curve.ts";
import { curveChoices } from "../../timeline/curves/curveList.ts";
import { Button } from "../../ui/Button.tsx";
import type { GridColumn } from "../../ui/grid/column.ts";
import { DataGrid } from "../../ui/grid/DataGrid.tsx";
import { Message } from "../../ui/Message.tsx";
import { changeText, curveText, totalText } from "./curveWords.ts";
import { recordEndMs } from "./useCurve.ts";
import { type NamedCurve, useCurves } from "./useCurves.ts";

interface CurveRow {
  readonly key: string;
  readonly curve: NamedCurve;
  readonly line: string;
  readonly now: number;
  readonly before: number;
  readonly least: number;
  readonly mean: number;
  readonly most: number;
  readonly total: number;
}

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

export function CurveTable() {
  const { stage, current, ghost, ghostFromMs } = useRunData();
  const atMs = useCursorMs();
  const window = useRestingWindow();
  const calendar = useApp((state) => state.scenario?.calendarStart);
  const ghostShown = useApp((state) => state.ghostShown);
  const generation = current.generation;
  // biome-ignore lint/correctness/useExhaustiveDependencies: which gauges a run has is known with its first chunks.
  const choices = useMemo(
    () => (stage ? curveChoices(stage, current.chunks) : []),
    [stage, generation, current.done],
  );
  const known = useCurves(choices, stage, current);
  const former = useCurves(choices, stage, ghostShown ? ghost : null);
  const toMs = Math.min(window.toMs, recordEndMs(current));
  const range = { fromMs: Math.min(window.fromMs, toMs), toMs };
  const rows = known ? rowsOf(known, former, atMs, ghostFromMs, range) : null;
  const columns = useMemo(() => (stage ? columnsOf(stage) : []), [stage]);
  return (
    <section className="table-drawer" aria-label="Table of curves">
      {rows === null ? (
        <Message title={stage ? "Adding up the run …" : "No run yet."} />
      ) : (
        <DataGrid
          label="Curves"
          columns={columns}
          rows={rows}
          leastCss={900}
          keyOf={(row) => row.key}
          noun="line"
          start={<strong>Curves</strong>}
          caption={
            <>
              At {clockText(atMs, calendar)}; over {clockText(range.fromMs, calendar)} to{" "}
              {clockText(range.toMs, calendar)}
            </>
          }
          end={
            <Button
              label="Close table"
              look="plain"
              keys="Shift+U"
              onClick={() => run("toggleDrawer", { drawer: "curves" })}
            />
          }
        />
      )}
    </section>
  );
}

function rowsOf(
  known: readonly NamedCurve[],
  former: readonly NamedCurve[] | null,
  atMs: number,
  ghostFromMs: number,
  { fromMs, toMs }: Range,
): CurveRow[] {
  return known.flatMap((named) => {
    const { choice, curve } = named;
    const before = atMs < ghostFromMs ? null : former?.find((one) => one.choice.id === choice.id);
    return curve.lines.map((line) => {
      const same = before?.curve.lines.find(({ label }) => label === line.label);
      return {
        key: `${choice.id} ${line.label}`,
        curve: named,
        line: line.label,
        now: lineAt(line, atMs),
        before: same ? lineAt(same, atMs) : Number.NaN,
        ...lineOver(line, fromMs, toMs),
        total: lineTotal(curve, line, fromMs, toMs),
      };
    });
  });
}

function columnsOf(stage: Stage): GridColumn<CurveRow>[] {
  const number = (id: "now" | "before" | "least" | "mean" | "most", label: string) => ({
    id,
    label,
    width: "84px",
    right: true,
    value: (row: CurveRow) => row[id],
    text: (row: CurveRow) => curveText(row.curve.curve.unit, row[id]),
  });
  return [
    {
      id: "curve",
      label: "curve",
      width: "minmax(190px, 1.6fr)",
      value: (row) => row.curve.choice.label,
      text: (row) => row.curve.choice.label,
      groups: true,
    },
    {
      id: "line",
      label: "line",
      width: "minmax(120px, 1fr)",
      value: (row) => row.line,
      text: (row) => row.line,
    },
    number("now", "at the cursor"),
    number("before", "before change"),
    {
      id: "change",
      label: "difference",
      width: "84px",
      right: true,
      value: (row) => row.now - row.before,
      text: (row) => changeText(row.curve.curve.unit, row.now - row.before),
    },
    number("least", "least"),
    number("mean", "mean"),
    number("most", "most"),
    {
      id: "total",
      label: "in all",
      width: "minmax(120px, 0.8fr)",
      right: true,
      value: (row) => row.total,
      text: (row) => totalText(row.curve.curve.unit, row.total, stage.cluster.deviceWord),
    },
  ];
}
