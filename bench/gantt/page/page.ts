/**
 * One page for all contestants: `?who=queuescope|echarts|vis&bars=N`. Each draws the same bars of the same record on 1200 × 600 px
 * and answers `show(fromMs, toMs)` with a promise that resolves when the frame is drawn. The measure is taken from outside.
 */
import { type SyntheticRecord, syntheticRecord } from "../../../src/timeline/syntheticRecord.ts";

export interface Contestant {
  show(fromMs: number, toMs: number): Promise<void>;
  /** Resolves when nothing is left to draw; without it every frame is whole. */
  rest?(): Promise<void>;
}

declare global {
  interface Window {
    contest?: { readonly endMs: number; readonly readyMs: number } & Contestant;
    contestError?: string;
  }
}

const query = new URLSearchParams(location.search);
const bars = Number(query.get("bars") ?? 10_000);
const stage = document.getElementById("stage")!;

async function contestant(record: SyntheticRecord): Promise<Contestant> {
  switch (query.get("who")) {
    case "echarts":
      return (await import("./echarts.ts")).mountEcharts(stage, record);
    case "vis":
      return (await import("./visTimeline.ts")).mountVis(stage, record);
    default:
      return (await import("./queuescope.tsx")).mountQueuescope(stage, record);
  }
}

try {
  const record = syntheticRecord({
    nodes: bars >= 1_000_000 ? 1_024 : 128,
    gpusPerNode: 8,
    rects: bars,
    nodesPerLeaf: 8,
    chunks: 64,
  });
  const started = performance.now();
  const made = await contestant(record);
  await made.show(0, record.endMs);
  await made.rest?.();
  window.contest = {
    endMs: record.endMs,
    readyMs: performance.now() - started,
    show: (fromMs, toMs) => made.show(fromMs, toMs),
    rest: async () => made.rest?.(),
  };
} catch (error) {
  window.contestError = error instanceof Error ? error.message : String(error);
}
