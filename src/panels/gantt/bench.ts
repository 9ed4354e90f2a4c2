/**
 * The Gantt's own measure: a synthetic record of so many bars on 1,024 GPUs, the real panel on the real page, and a scripted pan
 * and zoom; what counts is the script of each frame as the frame loop logged it (the log is left for `window.queuescope.bench`). It
 * changes what the page shows and puts it back.
 */
import { frameLoop } from "../../render/frameLoop.ts";
import { EMPTY_FUTURE, runData } from "../../store/runData.ts";
import { useApp } from "../../store/store.ts";
import type { LevelCode } from "../../timeline/rows.ts";
import { type SyntheticRecord, syntheticRecord } from "../../timeline/syntheticRecord.ts";
import type { TimeWindow } from "../../timeline/viewport.ts";

export interface GanttBenchPart {
  readonly name: string;
  readonly frames: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

export interface GanttBenchResult {
  readonly bars: number;
  readonly gpus: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly ratio: number;
  /** From handing over the record to the first complete picture. */
  readonly firstPictureMs: number;
  readonly parts: readonly GanttBenchPart[];
  /** All frames of all parts. */
  readonly all: GanttBenchPart;
}

const FRAMES = 60;

/** Runs the script on `bars` rectangles. Takes a few seconds; the page must show the Gantt. */
export async function runGanttBench(bars: number, nodes = 128): Promise<GanttBenchResult> {
  const before = { data: runData.get(), state: useApp.getState() };
  frameLoop.clearLog();
  const started = performance.now();
  const record = showSynthetic(bars, nodes);
  const whole = { fromMs: 0, toMs: record.endMs };
  await frameLoop.idle();
  const firstPictureMs = performance.now() - started;
  const leaves = record.stage.cluster.leafCount;
  const parts: GanttBenchPart[] = [];
  const costs: number[] = [];
  for (const level of [null, 1] as const) {
    const leafLevels =
      level === null
        ? {}
        : Object.fromEntries(
            Array.from({ length: leaves }, (_, leaf): [number, LevelCode] => [leaf, level]),
          );
    useApp.setState({ leafLevels });
    await frameLoop.idle();
    const name = level === null ? "default levels" : "all leaves open";
    for (const [kind, script] of scripts(whole)) {
      const measured = await measure(`${name}: ${kind}`, script);
      parts.push(measured.part);
      costs.push(...measured.costsMs);
    }
  }
  const canvas = document.querySelector<HTMLCanvasElement>(".gantt-plot");
  const result: GanttBenchResult = {
    bars,
    gpus: nodes * 8,
    widthPx: canvas?.width ?? 0,
    heightPx: canvas?.height ?? 0,
    ratio: globalThis.devicePixelRatio,
    firstPictureMs,
    parts,
    all: summary("all", costs),
  };
  runData.set({ stage: before.data.stage, current: before.data.current, ghost: before.data.ghost });
  const { window, cursorMs, selection, leafLevels } = before.state;
  useApp.setState({ window, cursorMs, selection, leafLevels });
  return result;
}

/** Shows a synthetic record in place of the run that is open; returns it. */
export function showSynthetic(bars: number, nodes: number): SyntheticRecord {
  const record = syntheticRecord({
    nodes,
    gpusPerNode: 8,
    rects: bars,
    nodesPerLeaf: 8,
    chunks: 64,
  });
  runData.set({
    stage: record.stage,
    current: {
      ...EMPTY_FUTURE,
      generation: -1,
      chunks: record.chunks,
      open: record.open,
      knownMs: record.knownMs,
      endMs: record.endMs,
      done: true,
    },
    ghost: null,
  });
  useApp.setState({
    window: { fromMs: 0, toMs: record.endMs },
    cursorMs: Math.floor(record.endMs / 2),
    selection: null,
    hover: null,
    leafLevels: {},
  });
  return record;
}

type Step = (frame: number) => TimeWindow | { readonly cursorMs: number };

/** The movements: each gives what frame `i` of `FRAMES` shows. */
function scripts(whole: TimeWindow): [string, Step][] {
  const span = whole.toMs - whole.fromMs;
  const at = (middle: number, width: number): TimeWindow => ({
    fromMs: middle - width / 2,
    toMs: middle + width / 2,
  });
  return [
    ["pan, whole run in 4 windows", (i) => at(span * (0.3 + (0.3 * i) / FRAMES), span / 4)],
    ["pan, 1 % of the run", (i) => at(span * (0.5 + (0.05 * i) / FRAMES), span / 100)],
    ["zoom in 200 times", (i) => at(span * 0.47, span / 200 ** (i / FRAMES))],
    ["zoom out to the whole run", (i) => at(span * 0.5, span / 200 ** (1 - i / FRAMES))],
    ["play", (i) => ({ cursorMs: Math.floor(span * (0.3 + (0.4 * i) / FRAMES)) })],
  ];
}

async function measure(
  name: string,
  step: Step,
): Promise<{ part: GanttBenchPart; costsMs: number[] }> {
  useApp.setState(stateOf(step(0)));
  await frameLoop.idle();
  const first = frameLoop.log().costsMs.length;
  for (let i = 1; i <= FRAMES; i++) {
    useApp.setState(stateOf(step(i)));
    await frameLoop.idle();
  }
  const costsMs = frameLoop.log().costsMs.slice(first);
  return { part: summary(name, costsMs), costsMs };
}

function stateOf(
  step: TimeWindow | { readonly cursorMs: number },
): { window: TimeWindow } | { cursorMs: number } {
  return "cursorMs" in step ? step : { window: step };
}

function summary(name: string, costsMs: readonly number[]): GanttBenchPart {
  const sorted = [...costsMs].sort((a, b) => a - b);
  const rank = (share: number) =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { name, frames: sorted.length, p50Ms: rank(0.5), p95Ms: rank(0.95), maxMs: rank(1) };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
