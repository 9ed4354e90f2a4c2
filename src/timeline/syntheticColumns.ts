/** The columns of a synthetic record: rectangles cut into chunks, with the waits, runs and series that belong to them. */
import { Table } from "../base/columns.ts";
import type { Cluster } from "../model/cluster.ts";
import type { JOB_SHAPE } from "../model/jobs.ts";
import { NodeStateCode } from "../model/states.ts";
import { DEVICE_PARTS } from "../model/units.ts";
import {
  type Chunk,
  DECISION_SHAPE,
  GAUGE_SHAPE,
  NODE_SPAN_SHAPE,
  RECT_SHAPE,
  RUN_SHAPE,
  SERIES_SHAPE,
  WAIT_SHAPE,
} from "../record/shapes.ts";

/** A rectangle before it is a row. */
export interface Drawn {
  startMs: number;
  endMs: number;
  jobIdx: number;
  device: number;
  count: number;
  bits: number;
}

/** Cuts rectangles in order of closing into chunks of equal size. */
export function cutChunks(
  cluster: Cluster,
  closed: readonly Drawn[],
  open: readonly Drawn[],
  jobs: Table<typeof JOB_SHAPE>,
  count: number,
  knownMs: number,
): Chunk[] {
  const chunks: Chunk[] = [];
  const steps = seriesSteps(closed, open, jobs);
  const waits = waitRows(closed, open, jobs);
  let fromMs = 0;
  let wait = 0;
  let step = 0;
  for (let c = 0, from = 0; c < count && from < closed.length; c++) {
    let to =
      c === count - 1
        ? closed.length
        : Math.min(closed.length, Math.ceil(((c + 1) * closed.length) / count));
    while (to < closed.length && closed[to]!.endMs === closed[to - 1]!.endMs) to += 1;
    const toMs = to === closed.length ? knownMs : closed[to - 1]!.endMs;
    const waitTo = firstAbove(waits, wait, (row) => row.toMs > toMs);
    const stepTo = firstAbove(steps, step, (row) => row.atMs > toMs);
    chunks.push({
      fromMs,
      toMs,
      rects: rectColumns(closed.slice(from, to)),
      runs: runColumns(closed.slice(from, to), jobs),
      waits: waitColumns(waits.slice(wait, waitTo)),
      decisions: new Table(DECISION_SHAPE, 1).take(),
      nodeSpans: spanColumns(cluster, chunks.length, fromMs, toMs),
      series: seriesColumns(steps.slice(step, stepTo)),
      gauges: new Table(GAUGE_SHAPE, 1).take(),
    });
    fromMs = toMs;
    from = to;
    wait = waitTo;
    step = stepTo;
  }
  return chunks;
}

function firstAbove<T>(rows: readonly T[], from: number, above: (row: T) => boolean): number {
  let i = from;
  while (i < rows.length && !above(rows[i]!)) i += 1;
  return i;
}

/** Rows as columns of the record, in the order given. O(rows). */
export function rectColumns(rows: readonly Drawn[]): Chunk["rects"] {
  const table = new Table(RECT_SHAPE, rows.length);
  rows.forEach((row, i) => {
    table.at.startMs[i] = row.startMs;
    table.at.endMs[i] = row.endMs;
    table.at.jobIdx[i] = row.jobIdx;
    table.at.device[i] = row.device;
    table.at.deviceCount[i] = row.count;
    table.at.bits[i] = row.bits;
  });
  table.length = rows.length;
  return table.take();
}

/** One run a job: its first rectangle stands for all. */
function runColumns(rows: readonly Drawn[], jobs: Table<typeof JOB_SHAPE>): Chunk["runs"] {
  const table = new Table(RUN_SHAPE, rows.length);
  const seen = new Set<number>();
  for (const row of rows) {
    if (seen.has(row.jobIdx)) continue;
    seen.add(row.jobIdx);
    const i = table.length++;
    table.at.startMs[i] = row.startMs;
    table.at.endMs[i] = row.endMs;
    table.at.jobIdx[i] = row.jobIdx;
    table.at.run[i] = 1;
    table.at.devices[i] = jobs.at.gpuTotal[row.jobIdx]!;
    table.at.endState[i] = (row.bits >> 3) & 7;
  }
  return table.take();
}

interface Wait {
  readonly fromMs: number;
  readonly toMs: number;
  readonly jobIdx: number;
}

function waitRows(
  closed: readonly Drawn[],
  open: readonly Drawn[],
  jobs: Table<typeof JOB_SHAPE>,
): Wait[] {
  const startMs = new Map<number, number>();
  for (const row of closed) startMs.set(row.jobIdx, row.startMs);
  for (const row of open) startMs.set(row.jobIdx, row.startMs);
  const rows: Wait[] = [];
  for (const [jobIdx, toMs] of startMs) {
    const fromMs = jobs.at.submitMs[jobIdx]!;
    if (fromMs < toMs) rows.push({ fromMs, toMs, jobIdx });
  }
  return rows.sort((a, b) => a.toMs - b.toMs || a.jobIdx - b.jobIdx);
}

function waitColumns(rows: readonly Wait[]): Chunk["waits"] {
  const table = new Table(WAIT_SHAPE, rows.length);
  rows.forEach((row, i) => {
    table.at.fromMs[i] = row.fromMs;
    table.at.toMs[i] = row.toMs;
    table.at.jobIdx[i] = row.jobIdx;
  });
  table.length = rows.length;
  return table.take();
}

interface Step {
  readonly atMs: number;
  readonly tier: number;
  readonly held: number;
  readonly waiting: number;
  readonly waited: number;
}

function seriesSteps(
  closed: readonly Drawn[],
  open: readonly Drawn[],
  jobs: Table<typeof JOB_SHAPE>,
): Step[] {
  const events: { atMs: number; tier: number; held: number; waiting: number; waited: number }[] =
    [];
  for (const rect of [...closed, ...open]) {
    const tier = jobs.at.tier[rect.jobIdx]!;
    events.push({ atMs: rect.startMs, tier, held: rect.count, waiting: 0, waited: 0 });
    events.push({ atMs: rect.endMs, tier, held: -rect.count, waiting: 0, waited: 0 });
  }
  for (const wait of waitRows(closed, open, jobs)) {
    const tier = jobs.at.tier[wait.jobIdx]!;
    const gpus = jobs.at.gpuTotal[wait.jobIdx]!;
    events.push({ atMs: wait.fromMs, tier, held: 0, waiting: 1, waited: gpus });
    events.push({ atMs: wait.toMs, tier, held: 0, waiting: -1, waited: -gpus });
  }
  events.sort((a, b) => a.atMs - b.atMs || a.tier - b.tier);
  const sums = [0, 1, 2, 3].map(() => ({ held: 0, waiting: 0, waited: 0 }));
  const steps: Step[] = [];
  for (const event of events) {
    const sum = sums[event.tier]!;
    sum.held += event.held;
    sum.waiting += event.waiting;
    sum.waited += event.waited;
    const last = steps.at(-1);
    const step = { atMs: event.atMs, tier: event.tier, ...sum };
    if (last && last.atMs === event.atMs && last.tier === event.tier)
      steps[steps.length - 1] = step;
    else steps.push(step);
  }
  return steps;
}

function seriesColumns(rows: readonly Step[]): Chunk["series"] {
  const table = new Table(SERIES_SHAPE, rows.length);
  rows.forEach((row, i) => {
    table.at.atMs[i] = row.atMs;
    table.at.tier[i] = row.tier;
    table.at.heldParts[i] = row.held * DEVICE_PARTS;
    table.at.jobsWaiting[i] = row.waiting;
    table.at.waitedParts[i] = row.waited * DEVICE_PARTS;
  });
  table.length = rows.length;
  return table.take();
}

/** Every third chunk a node is out of service for half of the chunk's time. */
function spanColumns(
  cluster: Cluster,
  chunk: number,
  fromMs: number,
  toMs: number,
): Chunk["nodeSpans"] {
  const table = new Table(NODE_SPAN_SHAPE, 1);
  if (chunk % 3 === 1 && !cluster.flat) {
    table.at.startMs[0] = fromMs;
    table.at.endMs[0] = fromMs + Math.floor((toMs - fromMs) / 2);
    table.at.node[0] = (chunk * 7) % cluster.nodeCount;
    table.at.state[0] = chunk % 2 === 0 ? NodeStateCode.drained : NodeStateCode.down;
    table.length = 1;
  }
  return table.take();
}
