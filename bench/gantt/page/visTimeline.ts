/** vis-timeline: one group a node, one item a bar, no stacking, the window by `setWindow`. It draws with DOM elements. */
import { Timeline } from "vis-timeline/standalone";
import "vis-timeline/styles/vis-timeline-graph2d.css";
import { rowUnitsOf } from "../../../src/timeline/rowUnits.ts";
import type { SyntheticRecord } from "../../../src/timeline/syntheticRecord.ts";
import type { Contestant } from "./page.ts";

export function mountVis(stage: HTMLElement, record: SyntheticRecord): Contestant {
  const units = rowUnitsOf(record.stage.cluster);
  const items: { id: number; group: number; start: number; end: number; content: string }[] = [];
  for (const { rects } of record.chunks) {
    for (let i = 0; i < rects.startMs.length; i++) {
      items.push({
        id: items.length,
        group: units.unitOfDevice[rects.device[i]!]!,
        start: rects.startMs[i]!,
        end: rects.endMs[i]!,
        content: "",
      });
    }
  }
  const groups = Array.from(units.unitNode, (node) => ({ id: node, content: "" }));
  const timeline = new Timeline(stage, items, groups, {
    stack: false,
    height: 600,
    start: 0,
    end: record.endMs,
    showCurrentTime: false,
    autoResize: false,
    zoomable: false,
    moveable: true,
  });
  return {
    show: (fromMs, toMs) =>
      new Promise((resolve) => {
        timeline.setWindow(fromMs, toMs, { animation: false }, () =>
          requestAnimationFrame(() => requestAnimationFrame(() => resolve())),
        );
      }),
  };
}
