/**
 * All rectangles of one job as blocks of the sheet: for outlines of selection, hover and ghost. The search runs over the columns
 * once when the job or the record changes; placing the blocks on the pixels of a view costs what the job has.
 */
import { WHOLE_DEVICE } from "../model/units.ts";
import { type Chunk, type OpenSet, partOf } from "../record/shapes.ts";
import type { PartPlace } from "./partPlaces.ts";
import { type PixelScale, xDevOf } from "./pixelScale.ts";
import { Level, padOf, type RowLayout, rowTop } from "./rows.ts";
import { type RowUnits, rowsOfUnit } from "./rowUnits.ts";

export interface JobRect {
  readonly startMs: number;
  readonly endMs: number;
  readonly device: number;
  readonly deviceCount: number;
  readonly bits: number;
}

/**
 * Rectangles of a job, in order of start, then device; those that follow each other on the same devices are one, whatever the job did meanwhile. O(rectangles
 * of the record).
 */
export function rectsOfJob(
  chunks: readonly Chunk[],
  open: OpenSet | null,
  jobIdx: number,
): JobRect[] {
  const found: JobRect[] = [];
  const read = (rects: Chunk["rects"]): void => {
    const jobs = rects.jobIdx;
    for (let i = jobs.indexOf(jobIdx); i >= 0; i = jobs.indexOf(jobIdx, i + 1))
      found.push(rectAt(rects, i));
  };
  for (const chunk of chunks) read(chunk.rects);
  if (open) read(open.rects);
  return joined(found.sort(byStart));
}

function joined(rects: readonly JobRect[]): JobRect[] {
  const whole: JobRect[] = [];
  const lastOn = new Map<number, number>();
  for (const rect of rects) {
    const at = lastOn.get(rect.device);
    const last = at === undefined ? undefined : whole[at];
    if (
      at !== undefined &&
      last?.endMs === rect.startMs &&
      last.deviceCount === rect.deviceCount &&
      partOf(last.bits) === partOf(rect.bits)
    ) {
      whole[at] = { ...rect, startMs: last.startMs };
      continue;
    }
    lastOn.set(rect.device, whole.length);
    whole.push(rect);
  }
  return whole;
}

/** Rectangles of several jobs, in the order of `rectsOfJob`. O(rectangles of the record) in one pass. */
export function rectsOfJobs(
  chunks: readonly Chunk[],
  open: OpenSet | null,
  jobs: Iterable<number>,
): JobRect[] {
  const wanted = new Set(jobs);
  const found: JobRect[] = [];
  for (const rects of [...chunks.map((chunk) => chunk.rects), ...(open ? [open.rects] : [])]) {
    for (let i = 0; i < rects.jobIdx.length; i++)
      if (wanted.has(rects.jobIdx[i]!)) found.push(rectAt(rects, i));
  }
  return found.sort(byStart);
}

/**
 * Runs of a job in another future as rectangles on lanes: the first run takes the lane of the first of `own`, and so on; one more than there are takes the last lane,
 * or `firstLane` where the job has none (−1: nowhere). Members of a gang that begin together are one bar. O(n).
 */
export function otherRunsOnLanes(
  other: readonly JobRect[],
  own: readonly JobRect[],
  firstLane: number,
): JobRect[] {
  const found: JobRect[] = [];
  for (const rect of other) {
    const last = found.at(-1);
    if (last && rect.startMs < last.endMs) {
      found[found.length - 1] = { ...last, endMs: Math.max(last.endMs, rect.endMs) };
      continue;
    }
    const lane = (own[found.length] ?? own.at(-1))?.device ?? firstLane;
    if (lane >= 0) found.push({ ...rect, device: lane, deviceCount: 1 });
  }
  return found;
}

function rectAt(rects: Chunk["rects"], i: number): JobRect {
  return {
    startMs: rects.startMs[i]!,
    endMs: rects.endMs[i]!,
    device: rects.device[i]!,
    deviceCount: rects.deviceCount[i]!,
    bits: rects.bits[i]!,
  };
}

function byStart(a: JobRect, b: JobRect): number {
  return a.startMs - b.startMs || a.device - b.device;
}

/** Block that holds most of a job's device time, −1 for a job without rectangles. */
export function mainBlock(rects: readonly JobRect[], units: RowUnits, knownMs: number): number {
  const sums = new Map<number, number>();
  for (const rect of rects) {
    const block = units.blockOfUnit[units.unitOfDevice[rect.device]!]!;
    const ms = (Math.min(rect.endMs, knownMs) - rect.startMs) * rect.deviceCount;
    sums.set(block, (sums.get(block) ?? 0) + ms);
  }
  let best = -1;
  for (const [block, sum] of sums) if (best < 0 || sum > sums.get(best)!) best = block;
  return best;
}

export interface DevBox {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  y1: number;
}

/** The rectangles as boxes in device pixels of the content; neighbours of one run in a block become one box. */
export function boxesOf(
  rects: readonly JobRect[],
  layout: RowLayout,
  scale: PixelScale,
  openEndMs: number,
  placeOf?: (rect: JobRect) => PartPlace | null,
): DevBox[] {
  const { units } = layout;
  const boxes: (DevBox & { endUnit: number; startMs: number; endMs: number })[] = [];
  for (const rect of rects) {
    const end = rect.device + rect.deviceCount;
    for (let device = rect.device; device < end; ) {
      const u = units.unitOfDevice[device]!;
      const base = units.unitFirst[u]!;
      const to = Math.min(end, units.unitFirst[u + 1]!);
      const block = units.blockOfUnit[u]!;
      const last = boxes.at(-1);
      const far = layout.level[block] === Level.far;
      const top = far ? layout.unitY[u]! : rowTop(layout, u, device - base);
      const foot = far ? top + layout.unitH[u]! : rowTop(layout, u, to - base);
      const part = far ? null : placeOf?.(rect);
      const milli = (foot - top) / WHOLE_DEVICE;
      const y0 = part ? top + Math.round(part.from * milli) : top;
      const y1 = part ? top + Math.round(part.to * milli) : foot;
      const joins =
        last &&
        last.startMs === rect.startMs &&
        last.endMs === rect.endMs &&
        last.endUnit === u &&
        device === base &&
        units.blockOfUnit[u - 1] === block &&
        padOf(layout, u) === 0;
      const endUnit = to - base === rowsOfUnit(units, u) ? u + 1 : -1;
      if (joins) {
        last.y1 = y1;
        last.endUnit = endUnit;
      } else {
        const x0 = xDevOf(rect.startMs, scale);
        const endMs = rect.endMs === Number.POSITIVE_INFINITY ? openEndMs : rect.endMs;
        const x1 = Math.max(x0 + 1, xDevOf(endMs, scale));
        boxes.push({ x0, x1, y0, y1, endUnit, startMs: rect.startMs, endMs: rect.endMs });
      }
      device = to;
    }
  }
  return boxes;
}
