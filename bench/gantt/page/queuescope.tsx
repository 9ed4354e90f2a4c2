/** Ours: the product's panel, all leaves open, so that it draws bars and not load, as the others must. */
import { createRoot } from "react-dom/client";
import "../../../src/theme/tokens.css";
import { GanttPanel } from "../../../src/panels/gantt/GanttPanel.tsx";
import { frameLoop } from "../../../src/render/frameLoop.ts";
import { EMPTY_FUTURE, runData } from "../../../src/store/runData.ts";
import { useApp } from "../../../src/store/store.ts";
import { applyTheme } from "../../../src/theme/applyTheme.ts";
import type { SyntheticRecord } from "../../../src/timeline/syntheticRecord.ts";
import type { Contestant } from "./page.ts";

export async function mountQueuescope(
  stage: HTMLElement,
  record: SyntheticRecord,
): Promise<Contestant> {
  applyTheme("dark");
  const { chunks, open, knownMs, endMs } = record;
  runData.set({
    stage: record.stage,
    current: { ...EMPTY_FUTURE, generation: 1, chunks, open, knownMs, endMs, done: true },
  });
  const leaves = record.stage.cluster.leafCount;
  useApp.setState({
    cursorMs: endMs,
    leafLevels: Object.fromEntries(
      Array.from({ length: leaves }, (_, leaf): [number, 1] => [leaf, 1]),
    ),
  });
  createRoot(stage).render(<GanttPanel />);
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  await frameLoop.idle();
  return {
    show: (fromMs, toMs) => {
      useApp.setState({ window: { fromMs, toMs } });
      // The loop's frame was asked for before this one: it is over when this one comes.
      return new Promise((resolve) => requestAnimationFrame(() => resolve()));
    },
    rest: () => frameLoop.idle(),
  };
}
