/** Apache ECharts, custom series on a canvas, as its own Gantt examples do it: one rectangle a bar, the window by `dataZoom`. */

import type { CustomSeriesRenderItemAPI, CustomSeriesRenderItemParams } from "echarts";
import { CustomChart } from "echarts/charts";
import { DataZoomComponent, GridComponent } from "echarts/components";
import * as echarts from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import type { SyntheticRecord } from "../../../src/timeline/syntheticRecord.ts";
import type { Contestant } from "./page.ts";

const COLOURS = ["#eaa24b", "#6fc3f8", "#138356", "#c36dae"];

export function mountEcharts(stage: HTMLElement, record: SyntheticRecord): Contestant {
  echarts.use([CustomChart, GridComponent, DataZoomComponent, CanvasRenderer]);
  const chart = echarts.init(stage, null, { renderer: "canvas", width: 1_200, height: 600 });
  const rows: number[][] = [];
  const tiers = record.stage.jobs.at.tier;
  for (const { rects } of record.chunks) {
    for (let i = 0; i < rects.startMs.length; i++) {
      rows.push([
        rects.startMs[i]!,
        rects.endMs[i]!,
        rects.device[i]!,
        rects.deviceCount[i]!,
        tiers[rects.jobIdx[i]!]!,
      ]);
    }
  }
  chart.setOption({
    animation: false,
    grid: { left: 0, right: 0, top: 0, bottom: 0 },
    xAxis: { type: "value", min: 0, max: record.endMs, show: false },
    // The first 600 rows, one pixel each, as ours shows them.
    yAxis: { type: "value", min: 0, max: 600, inverse: true, show: false },
    dataZoom: [{ type: "inside", xAxisIndex: 0, filterMode: "weakFilter", start: 0, end: 100 }],
    series: [
      {
        type: "custom",
        progressive: 0,
        clip: true,
        encode: { x: [0, 1], y: 2 },
        dimensions: ["start", "end", "device", "count", "tier"],
        data: rows,
        renderItem: (_: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI) => {
          const from = api.coord([api.value(0), api.value(2)]);
          const to = api.coord([api.value(1), Number(api.value(2)) + Number(api.value(3))]);
          return {
            type: "rect" as const,
            shape: {
              x: from[0]!,
              y: from[1]!,
              width: Math.max(1, to[0]! - from[0]! - 1),
              height: to[1]! - from[1]!,
            },
            style: { fill: COLOURS[Number(api.value(4))]! },
          };
        },
      },
    ],
  });
  return {
    show: (fromMs, toMs) =>
      new Promise((resolve) => {
        const done = () => {
          chart.off("finished", done);
          resolve();
        };
        chart.on("finished", done);
        chart.dispatchAction({ type: "dataZoom", startValue: fromMs, endValue: toMs });
      }),
  };
}
