/**
 * Where text may stand: the bars wide and high enough for a label, gangs merged to the block in which they are drawn, and the
 * ends of runs whose node failed. Every visible pixel of a bar counts, so a label can be clamped to what is in view. Places are kept in time, so that a
 * zoom can take them along.
 */
import { EndStateCode } from "../model/states.ts";
import { endStateOf, partOf } from "../record/shapes.ts";
import { nextAlive } from "./lod.ts";
import { type PixelScale, timeMsOfPixel, xDevOf } from "./pixelScale.ts";
import { firstStartingFrom, type Part } from "./rowIndex.ts";
import { blockAt, drawsBars, padOf, type RowLayout, rowTop } from "./rows.ts";
import { rowsOfUnit, UNIT_ROWS_MAX } from "./rowUnits.ts";

export interface LabelSpan {
  readonly jobIdx: number;
  readonly bits: number;
  readonly startMs: number;
  readonly endMs: number;
  /** Device pixels from the top of the content; may reach out of the view. */
  readonly y0: number;
  y1: number;
  readonly near: boolean;
  /** Pauses of the run lie in it. */
  readonly paused: boolean;
}

export interface FailMark {
  readonly atMs: number;
  readonly y0: number;
  readonly y1: number;
}

export interface LabelScan {
  readonly spans: LabelSpan[];
  readonly fails: FailMark[];
}

const LEAST_WIDTH_CSS = 30;
const LEAST_HEIGHT_CSS = 11;

/** A pause that the label of a run may lie across, in parts of the least width: a checkpoint, not a night. */
const PAUSE = 0.5;

/**
 * Collects label places in view; the rectangles of a run that follow each other on the same rows are one place, where nothing of another look (`isSolid`) parts
 * them for long. O(rectangles in the window of the open blocks).
 */
export function scanLabels(
  parts: readonly Part[],
  layout: RowLayout,
  scale: PixelScale,
  width: number,
  scrollDev: number,
  height: number,
  ratio: number,
  openEndMs: number,
  isSolid: (jobIdx: number, bits: number, startMs: number) => boolean = () => true,
): LabelScan {
  const out: LabelScan = { spans: [], fails: [] };
  const { units } = layout;
  const leastWidth = LEAST_WIDTH_CSS * ratio;
  const leastHeight = LEAST_HEIGHT_CSS * ratio;
  const open: LabelSpan[] = [];
  for (let b = Math.max(0, blockAt(layout, scrollDev)); b < units.blockCount; b++) {
    if (layout.blockY[b]! > scrollDev + height) break;
    if (!drawsBars(layout, b)) continue;
    let above = new Map<number, LabelSpan>();
    for (let u = units.blockFirst[b]!; u < units.blockFirst[b + 1]!; u++) {
      const here = new Map<number, LabelSpan>();
      scanUnit(
        { parts, layout, u, scale, width, leastWidth, openEndMs, isSolid },
        above,
        here,
        out.fails,
        open,
      );
      above = here;
    }
  }
  for (const span of open) {
    if (span.y1 - span.y0 >= leastHeight && span.y1 > scrollDev && span.y0 < scrollDev + height)
      out.spans.push(span);
  }
  return out;
}

interface UnitScan {
  readonly parts: readonly Part[];
  readonly layout: RowLayout;
  readonly u: number;
  readonly scale: PixelScale;
  readonly width: number;
  readonly leastWidth: number;
  readonly openEndMs: number;
  readonly isSolid: (jobIdx: number, bits: number, startMs: number) => boolean;
}

/** The run that stands on rows from each first row on, as far as it was followed. */
const chain = {
  jobIdx: new Int32Array(UNIT_ROWS_MAX),
  count: new Int32Array(UNIT_ROWS_MAX),
  bits: new Uint16Array(UNIT_ROWS_MAX),
  paused: new Uint8Array(UNIT_ROWS_MAX),
  startMs: new Float64Array(UNIT_ROWS_MAX),
  /** End of what is solid. */
  solidMs: new Float64Array(UNIT_ROWS_MAX),
};

/**
 * Rectangles of one run that follow each other on the rows from each first row on, whatever they look like: where their first one is found, and how far they reach. Most
 * are too narrow for a label, and how work looks is asked only of those that are not.
 */
const stretch = {
  jobIdx: new Int32Array(UNIT_ROWS_MAX),
  count: new Int32Array(UNIT_ROWS_MAX),
  part: new Int32Array(UNIT_ROWS_MAX),
  entry: new Int32Array(UNIT_ROWS_MAX),
  startMs: new Float64Array(UNIT_ROWS_MAX),
  endMs: new Float64Array(UNIT_ROWS_MAX),
};

function scanUnit(
  scan: UnitScan,
  above: ReadonlyMap<number, LabelSpan>,
  here: Map<number, LabelSpan>,
  fails: FailMark[],
  open: LabelSpan[],
): void {
  const { parts, layout, u, scale, width, openEndMs } = scan;
  const fromMs = timeMsOfPixel(0, scale);
  const toMs = timeMsOfPixel(width, scale);
  const leastMs = scan.leastWidth / scale.pxPerMs;
  chain.jobIdx.fill(-1);
  stretch.jobIdx.fill(-1);
  const close = (row: number): void => {
    if (stretch.jobIdx[row]! < 0) return;
    if (stretch.endMs[row]! - stretch.startMs[row]! >= leastMs)
      followStretch(scan, row, above, here, open);
    stretch.jobIdx[row] = -1;
  };
  for (let p = 0; p < parts.length; p++) {
    const part = parts[p]!;
    if (part.fromMs >= toMs || part.toMs <= fromMs) continue;
    const end = firstStartingFrom(part, u, toMs);
    for (
      let e = nextAlive(part, part.first[u]!, end, fromMs);
      e < end;
      e = nextAlive(part, e + 1, end, fromMs)
    ) {
      const bits = part.bits[e]!;
      const startMs = part.startMs[e]!;
      const endMs = Math.min(part.endMs[e]!, Math.max(openEndMs, startMs));
      const row = part.rows[e]! & 255;
      const count = part.rows[e]! >> 8;
      if (endStateOf(bits) === EndStateCode.nodeFailed) addFail(scan, endMs, row, count, fails);
      // A part of a device is too low for letters.
      if (partOf(bits) !== 0) continue;
      const jobIdx = part.jobIdx[e]!;
      if (
        stretch.jobIdx[row] !== jobIdx ||
        stretch.count[row] !== count ||
        stretch.endMs[row] !== startMs
      ) {
        close(row);
        stretch.jobIdx[row] = jobIdx;
        stretch.count[row] = count;
        stretch.part[row] = p;
        stretch.entry[row] = e;
        stretch.startMs[row] = startMs;
      }
      stretch.endMs[row] = endMs;
    }
  }
  for (let row = 0; row < rowsOfUnit(layout.units, u); row++) close(row);
}

/** The rectangles of a stretch once more, with what they look like. */
function followStretch(
  scan: UnitScan,
  row: number,
  above: ReadonlyMap<number, LabelSpan>,
  here: Map<number, LabelSpan>,
  open: LabelSpan[],
): void {
  const { parts, u, scale, openEndMs } = scan;
  const pauseMs = (PAUSE * scan.leastWidth) / scale.pxPerMs;
  const jobIdx = stretch.jobIdx[row]!;
  const rows = row + 256 * stretch.count[row]!;
  const fromMs = stretch.startMs[row]!;
  const toMs = stretch.endMs[row]!;
  for (let p = stretch.part[row]!; p < parts.length; p++) {
    const part = parts[p]!;
    if (part.fromMs >= toMs || part.toMs < fromMs) continue;
    const end = firstStartingFrom(part, u, toMs);
    for (
      let e = p === stretch.part[row] ? stretch.entry[row]! : firstStartingFrom(part, u, fromMs);
      e < end;
      e++
    ) {
      if (part.jobIdx[e] !== jobIdx || part.rows[e] !== rows || partOf(part.bits[e]!) !== 0)
        continue;
      const startMs = part.startMs[e]!;
      const endMs = Math.min(part.endMs[e]!, Math.max(openEndMs, startMs));
      const solid = scan.isSolid(jobIdx, part.bits[e]!, startMs);
      if (chain.jobIdx[row] !== jobIdx || (!solid && endMs - startMs > pauseMs)) {
        endChain(scan, row, above, here, open);
        if (!solid) continue;
        chain.jobIdx[row] = jobIdx;
        chain.count[row] = stretch.count[row]!;
        chain.bits[row] = part.bits[e]!;
        chain.paused[row] = 0;
        chain.startMs[row] = startMs;
      }
      if (solid) chain.solidMs[row] = endMs;
      else chain.paused[row] = 1;
    }
  }
  endChain(scan, row, above, here, open);
}

function addFail(
  { layout, u, scale, width }: UnitScan,
  atMs: number,
  row: number,
  count: number,
  fails: FailMark[],
): void {
  const x = xDevOf(atMs, scale);
  if (x < 0 || x > width) return;
  fails.push({ atMs, y0: rowTop(layout, u, row), y1: rowTop(layout, u, row + count) });
}

/** What was followed on a row becomes a place for a label, or grows the one of the same run on the unit above. */
function endChain(
  { layout, u, scale, leastWidth }: UnitScan,
  row: number,
  above: ReadonlyMap<number, LabelSpan>,
  here: Map<number, LabelSpan>,
  open: LabelSpan[],
): void {
  const jobIdx = chain.jobIdx[row]!;
  chain.jobIdx[row] = -1;
  const startMs = chain.startMs[row]!;
  const endMs = chain.solidMs[row]!;
  if (jobIdx < 0 || (endMs - startMs) * scale.pxPerMs < leastWidth) return;
  if (xDevOf(endMs, scale) < leastWidth) return;
  const count = chain.count[row]!;
  const y1 = rowTop(layout, u, row + count);
  const near = padOf(layout, u) > 0;
  const whole = count === rowsOfUnit(layout.units, u);
  const same = whole ? above.get(jobIdx) : undefined;
  if (same && same.startMs === startMs && same.endMs === endMs) {
    if (!near) same.y1 = y1;
    here.set(jobIdx, same);
    return;
  }
  const span = {
    jobIdx,
    bits: chain.bits[row]!,
    startMs,
    endMs,
    y0: rowTop(layout, u, row),
    y1,
    near,
    paused: chain.paused[row] === 1,
  };
  open.push(span);
  if (whole) here.set(jobIdx, span);
}
