/** The numbers of the lane of gauges in rows: each at the cursor, and its least, mean and most in the window. */
import { useMemo, useRef } from "react";
import { clockText } from "../../../base/format.ts";
import { GAUGES, type Gauge, GaugeCode } from "../../../model/lab/gauges.ts";
import type { Stage } from "../../../protocol/messages.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import { columnMemory } from "../../../store/columnMemory.ts";
import { useApp } from "../../../store/store.ts";
import { useRestingWindow } from "../../../store/useRestingWindow.ts";
import { useCursorMs, useRunData } from "../../../store/useRun.ts";
import { GaugeSeries, statsOver, valueAt } from "../../../timeline/gaugeSeries.ts";
import { gaugeName, gaugeText, quotaGaps, subjectName } from "../../../timeline/gaugeWords.ts";
import type { GridColumn } from "../../../ui/grid/column.ts";
import { DataGrid } from "../../../ui/grid/DataGrid.tsx";
import { Message } from "../../../ui/Message.tsx";

interface GaugeRow {
  readonly key: number;
  readonly gauge: Gauge;
  readonly whose: string;
  readonly now: number;
  readonly least: number;
  readonly mean: number;
  readonly most: number;
}

const SUBJECTS = 65_536;
const MEMORY = columnMemory("gauges");

export function GaugeTable() {
  const { stage, current } = useRunData();
  const atMs = useCursorMs();
  const scenario = useApp((state) => state.scenario);
  const window = useRestingWindow();
  const series = useRef(new GaugeSeries());
  const rows = useMemo(() => {
    series.current.update(current.chunks);
    const toMs = Math.min(window.toMs, Math.max(current.knownMs, current.done ? current.endMs : 0));
    return stage ? rowsOf(series.current, stage, scenario, atMs, window.fromMs, toMs) : [];
  }, [stage, current, scenario, atMs, window]);
  const columns = useMemo(() => (stage ? gaugeColumns(stage) : []), [stage]);
  if (!stage || rows.length === 0) return <Message title="This run has recorded no numbers." />;
  const calendar = scenario?.calendarStart;
  return (
    <DataGrid
      label="Numbers over time"
      columns={columns}
      rows={rows}
      leastCss={680}
      keyOf={(row) => row.key}
      noun="number"
      memory={MEMORY}
      caption={
        <>
          At {clockText(atMs, calendar)}; least, mean over time and most from{" "}
          {clockText(window.fromMs, calendar)} to {clockText(window.toMs, calendar)}
          {quotaGaps(stage) !== "" && `; ${quotaGaps(stage)}`}
        </>
      }
    />
  );
}

function rowsOf(
  series: GaugeSeries,
  stage: Stage,
  scenario: Scenario | null,
  atMs: number,
  fromMs: number,
  toMs: number,
): GaugeRow[] {
  return GAUGES.flatMap((gauge) =>
    series.subjects(GaugeCode[gauge]).map((subject) => {
      const steps = series.get(GaugeCode[gauge], subject)!;
      return {
        key: GaugeCode[gauge] * SUBJECTS + subject,
        gauge,
        whose: subjectName(gauge, subject, stage, scenario),
        now: valueAt(steps, atMs),
        ...statsOver(steps, fromMs, toMs),
      };
    }),
  );
}

function gaugeColumns(stage: Stage): GridColumn<GaugeRow>[] {
  const number = (id: "now" | "least" | "mean" | "most", label: string) => ({
    id,
    label,
    width: "92px",
    right: true,
    value: (row: GaugeRow) => row[id],
    text: (row: GaugeRow) => gaugeText(row.gauge, row[id]),
  });
  const name = (row: GaugeRow) => gaugeName(row.gauge, stage.cluster.deviceWord);
  return [
    {
      id: "name",
      label: "number",
      width: "minmax(170px, 1.4fr)",
      groups: true,
      value: name,
      text: name,
    },
    {
      id: "whose",
      label: "whose",
      width: "minmax(120px, 1fr)",
      groups: true,
      value: (row) => row.whose,
      text: (row) => row.whose || "cluster",
    },
    number("now", "at the cursor"),
    number("least", "least"),
    number("mean", "mean"),
    number("most", "most"),
  ];
}
