/** What a run leaves open, in columns: rectangles in order of job and allocation, waits in order of job, node spans by node. */
import { Table } from "../base/columns.ts";
import type { RunDigest } from "../record/digest.ts";
import {
  NODE_SPAN_SHAPE,
  type OpenSet,
  RECT_SHAPE,
  rectBits,
  WAIT_SHAPE,
} from "../record/shapes.ts";
import type { Run } from "./run.ts";

const OPEN_MS = Number.POSITIVE_INFINITY;

/** O(what lives · log). */
export function openSetOf(run: Run): OpenSet {
  const rects = new Table(RECT_SHAPE, 64);
  const waits = new Table(WAIT_SHAPE, 64);
  const nodeSpans = new Table(NODE_SPAN_SHAPE, 8);
  for (const slot of slotsByJob(run)) {
    appendRects(run, slot, rects);
    const fromMs = run.live.at.waitFromMs[slot]!;
    if (fromMs < 0) continue;
    waits.reserve(1);
    const row = waits.length++;
    waits.at.fromMs[row] = fromMs;
    waits.at.toMs[row] = OPEN_MS;
    waits.at.jobIdx[row] = run.live.at.jobIdx[slot]!;
  }
  for (const span of run.nodes.openSpans()) {
    nodeSpans.reserve(1);
    const row = nodeSpans.length++;
    nodeSpans.at.startMs[row] = span.sinceMs;
    nodeSpans.at.endMs[row] = OPEN_MS;
    nodeSpans.at.node[row] = span.node;
    nodeSpans.at.state[row] = span.state;
  }
  return {
    atMs: run.clock.nowMs,
    rects: rects.take(),
    waits: waits.take(),
    nodeSpans: nodeSpans.take(),
  };
}

/** Rows of the runs that are still open, in job order, for a copy of the digest. */
export function appendOpenRuns(run: Run, digest: RunDigest): void {
  const live = run.live.at;
  for (const slot of slotsByJob(run)) {
    const startMs = live.runStartMs[slot]!;
    if (startMs < 0) continue;
    const devices = live.devicesMost[slot]!;
    const reason = live.startReason[slot]!;
    digest.row(
      live.jobIdx[slot]!,
      live.run[slot]!,
      0,
      reason,
      0,
      devices,
      live.allocation[slot]!,
      startMs,
      -1,
    );
  }
}

function slotsByJob(run: Run): Int32Array {
  const jobs = new Int32Array(run.live.count);
  let count = 0;
  for (let slot = 0; slot < run.live.used; slot++) {
    if (run.live.at.jobIdx[slot]! >= 0) jobs[count++] = run.live.at.jobIdx[slot]!;
  }
  return jobs.sort().map((jobIdx) => run.live.slotOf[jobIdx]!);
}

function appendRects(run: Run, slot: number, rects: Table<typeof RECT_SHAPE>): void {
  if (run.live.at.lent[slot] === 1) return;
  const entries = run.allocations.holdings.at;
  for (let entry = run.live.at.first[slot]!; entry >= 0; entry = entries.next[entry]!) {
    if (entries.count[entry] === 0) continue;
    rects.reserve(1);
    const row = rects.length++;
    rects.at.startMs[row] = entries.sinceMs[entry]!;
    rects.at.endMs[row] = OPEN_MS;
    rects.at.jobIdx[row] = entries.jobIdx[entry]!;
    rects.at.device[row] = entries.device[entry]!;
    rects.at.deviceCount[row] = entries.count[entry]!;
    rects.at.bits[row] = rectBits(entries.memberState[entry]!, 0, entries.part[entry]!);
  }
}
