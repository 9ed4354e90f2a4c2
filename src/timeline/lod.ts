/**
 * Bars of one unit on the pixels of a plot. A bar covers the pixels `floor(start · s)` to `floor(end · s)`, at least one. Where
 * two claim a pixel of a row the longer one has it (equal: the earlier), so sub-pixel neighbours merge, the longest wins, and a
 * lone short bar never vanishes. The rows of a unit are walked once in order of start; a claim can only be disputed at a bar's
 * first pixel, by the last bar in the row, so one pixel and one length a row are all the memory this takes.
 */

import type { PixelScale } from "./pixelScale.ts";
import { ENTRY_BLOCK_BITS, firstStartingFrom, type Part } from "./rowIndex.ts";
import { UNIT_ROWS_MAX } from "./rowUnits.ts";

/** Bit set of `Bars.flags`: is this edge of the piece the real start or end of the bar? */
export const BarEdge = { start: 1, end: 2 } as const;

/** Pieces of bars in the order in which they must be painted. */
export interface Bars {
  count: number;
  /** Pixels of the piece. */
  x0: Int32Array;
  x1: Int32Array;
  /** First pixel of the whole bar, whoever has it. */
  barX0: Int32Array;
  row: Uint8Array;
  rows: Uint8Array;
  flags: Uint8Array;
  bits: Uint16Array;
  jobIdx: Uint32Array;
  startMs: Float64Array;
  endMs: Float64Array;
  /** Bars that have no pixel of their own because this one covers them. */
  merged: Uint32Array;
}

/** Room for `capacity` pieces; it grows by doubling and is reused from frame to frame. */
export function createBars(capacity = 256): Bars {
  return {
    count: 0,
    x0: new Int32Array(capacity),
    x1: new Int32Array(capacity),
    barX0: new Int32Array(capacity),
    row: new Uint8Array(capacity),
    rows: new Uint8Array(capacity),
    flags: new Uint8Array(capacity),
    bits: new Uint16Array(capacity),
    jobIdx: new Uint32Array(capacity),
    startMs: new Float64Array(capacity),
    endMs: new Float64Array(capacity),
    merged: new Uint32Array(capacity),
  };
}

function grow(bars: Bars): void {
  const wider = createBars(bars.x0.length * 2);
  for (const key of Object.keys(wider) as (keyof Bars)[]) {
    if (key !== "count") (wider[key] as Uint8Array).set(bars[key] as Uint8Array);
  }
  Object.assign(bars, wider, { count: bars.count });
}

const lastX1 = new Int32Array(UNIT_ROWS_MAX);
const lastSpanMs = new Float64Array(UNIT_ROWS_MAX);
const lastBar = new Int32Array(UNIT_ROWS_MAX);
let head = new Int32Array(64);
let headEnd = new Int32Array(64);

/**
 * Fills `out` with the pieces of unit `u` that touch pixels `clipFrom` ≤ x < `clipTo`. Open bars end at `openEndMs`.
 * O(log n + k · parts) with k the unit's rectangles in the window. No allocation unless `out` must grow.
 */
export function emitUnit(
  parts: readonly Part[],
  u: number,
  scale: PixelScale,
  clipFrom: number,
  clipTo: number,
  openEndMs: number,
  out: Bars,
): void {
  const s = scale.pxPerMs;
  const origin = scale.originPx;
  const fromMs = (clipFrom - 1 + origin) / s;
  const toMs = (clipTo + 1 + origin) / s;
  out.count = 0;
  lastX1.fill(-0x40000000);
  lastBar.fill(-1);
  openHeads(parts, u, fromMs, toMs);
  for (;;) {
    const p = earliest(parts);
    if (p < 0) return;
    const part = parts[p]!;
    const e = head[p]!;
    head[p] = nextAlive(part, e + 1, headEnd[p]!, fromMs);
    const startMs = part.startMs[e]!;
    const closed = part.endMs[e]! !== Number.POSITIVE_INFINITY;
    const endMs = closed ? part.endMs[e]! : openEndMs;
    const x0 = Math.floor(startMs * s) - origin;
    const x1 = Math.max(x0 + 1, Math.floor(endMs * s) - origin);
    if (x1 <= clipFrom || x0 >= clipTo) continue;
    place(
      part,
      e,
      x0,
      x1,
      startMs,
      endMs,
      closed ? BarEdge.start | BarEdge.end : BarEdge.start,
      out,
    );
  }
}

function openHeads(parts: readonly Part[], u: number, fromMs: number, toMs: number): void {
  if (head.length < parts.length) {
    head = new Int32Array(parts.length * 2);
    headEnd = new Int32Array(parts.length * 2);
  }
  for (let p = 0; p < parts.length; p++) {
    const part = parts[p]!;
    if (part.fromMs >= toMs || part.toMs < fromMs) {
      head[p] = 0;
      headEnd[p] = 0;
      continue;
    }
    const end = firstStartingFrom(part, u, toMs);
    headEnd[p] = end;
    head[p] = nextAlive(part, part.first[u]!, end, fromMs);
  }
}

/** Next entry from `e` on that ends at or after `fromMs`; blocks that ended before are passed in one step. */
export function nextAlive(part: Part, from: number, end: number, fromMs: number): number {
  const { endMs, blockEndMs } = part;
  let e = from;
  while (e < end && endMs[e]! < fromMs) {
    e += 1;
    while ((e & 31) === 0 && e < end && blockEndMs[e >> ENTRY_BLOCK_BITS]! < fromMs) e += 32;
  }
  return e < end ? e : end;
}

function earliest(parts: readonly Part[]): number {
  let best = -1;
  let bestMs = Number.POSITIVE_INFINITY;
  for (let p = 0; p < parts.length; p++) {
    if (head[p]! >= headEnd[p]!) continue;
    const startMs = parts[p]!.startMs[head[p]!]!;
    if (best < 0 || startMs < bestMs) {
      best = p;
      bestMs = startMs;
    }
  }
  return best;
}

function place(
  part: Part,
  e: number,
  x0: number,
  x1: number,
  startMs: number,
  endMs: number,
  edges: number,
  out: Bars,
): void {
  const spanMs = endMs - startMs;
  const first = part.rows[e]! & 255;
  const end = first + (part.rows[e]! >> 8);
  let lost = 0;
  let swallowed = 0;
  for (let row = first; row < end; row++) {
    if (lastX1[row]! - 1 !== x0) continue;
    if (spanMs <= lastSpanMs[row]!) lost += 1;
    else if (lastBar[row]! >= 0 && out.x0[lastBar[row]!]! === x0) {
      swallowed = Math.max(swallowed, 1 + out.merged[lastBar[row]!]!);
    }
  }
  const rows = end - first;
  if (lost === 0) {
    claim(
      add(out, part, e, x0, x0, x1, first, rows, startMs, endMs, edges, swallowed),
      x1,
      spanMs,
      first,
      end,
    );
    return;
  }
  if (lost < rows) {
    for (let row = first; row < end; row++) {
      if (lastX1[row]! - 1 === x0 && spanMs <= lastSpanMs[row]!) continue;
      const bar = add(
        out,
        part,
        e,
        x0,
        x0,
        x0 + 1,
        row,
        1,
        startMs,
        endMs,
        x1 === x0 + 1 ? edges : BarEdge.start,
        0,
      );
      claim(bar, x0 + 1, spanMs, row, row + 1);
    }
  }
  if (x1 > x0 + 1) {
    claim(
      add(out, part, e, x0, x0 + 1, x1, first, rows, startMs, endMs, edges & BarEdge.end, 0),
      x1,
      spanMs,
      first,
      end,
    );
  } else {
    for (let row = first; row < end; row++) {
      if (lastBar[row]! >= 0 && out.jobIdx[lastBar[row]!]! !== part.jobIdx[e]!) {
        out.merged[lastBar[row]!]! += 1;
        break;
      }
    }
  }
}

function add(
  out: Bars,
  part: Part,
  e: number,
  barX0: number,
  x0: number,
  x1: number,
  row: number,
  rows: number,
  startMs: number,
  endMs: number,
  flags: number,
  merged: number,
): number {
  if (out.count === out.x0.length) grow(out);
  const i = out.count++;
  out.x0[i] = x0;
  out.x1[i] = x1;
  out.barX0[i] = barX0;
  out.row[i] = row;
  out.rows[i] = rows;
  out.flags[i] = flags;
  out.bits[i] = part.bits[e]!;
  out.jobIdx[i] = part.jobIdx[e]!;
  out.startMs[i] = startMs;
  out.endMs[i] = endMs;
  out.merged[i] = merged;
  return i;
}

function claim(bar: number, x1: number, spanMs: number, first: number, end: number): void {
  for (let row = first; row < end; row++) {
    lastX1[row] = x1;
    lastSpanMs[row] = spanMs;
    lastBar[row] = bar;
  }
}
