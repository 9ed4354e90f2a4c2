/**
 * Bars as pixels: pure functions from rectangles to a `Uint32Array`, the same in Node and in the page. Every pixel depends only
 * on its place and on what covers it, never on the rectangle being repainted, so a strip equals that part of a full picture.
 * Patterns are anchored to absolute pixels (`phaseX`, `phaseY`) and move with what they fill.
 */
import type { RasterPalette, TierPixels } from "./rasterPalette.ts";

export interface Raster {
  readonly pixels: Uint32Array;
  readonly width: number;
  readonly height: number;
  /** Added to x and y before a pattern is looked up. */
  phaseX: number;
  phaseY: number;
  /** Only these pixels are written: x0 ≤ x < x1, y0 ≤ y < y1. */
  clipX0: number;
  clipX1: number;
  clipY0: number;
  clipY1: number;
  /** Device pixels a CSS pixel, rounded: the width of hairlines. */
  readonly hair: number;
}

export function createRaster(
  width: number,
  height: number,
  hair: number,
  pixels?: Uint32Array,
): Raster {
  return {
    pixels: pixels ?? new Uint32Array(width * height),
    width,
    height,
    phaseX: 0,
    phaseY: 0,
    clipX0: 0,
    clipX1: width,
    clipY0: 0,
    clipY1: height,
    hair,
  };
}

/** How a bar looks left of the cursor. */
export const Look = {
  running: 0,
  /** Holds devices without progress: stripes of tint on pale. */
  stalled: 1,
  /** Stopped and its work lost: signal hatch on pale. */
  lost: 2,
  /** Writes its state: lying stripes on full. */
  writing: 3,
  /** Reads its state back: lying stripes on pale. */
  reading: 4,
  /** Image pull and container start: upright stripes on pale. */
  starting: 5,
  /** Told to end, and still there: a grid of dots on pale. */
  ending: 6,
  /** Hangs for want of members that it lost: stripes both ways on pale. */
  hung: 7,
} as const;

/** Bars lower than this have no room for a label. */
const LOW_CSS = 11;

export function fillRect(
  r: Raster,
  x0: number,
  x1: number,
  y0: number,
  y1: number,
  colour: number,
): void {
  const left = x0 > r.clipX0 ? x0 : r.clipX0;
  const right = x1 < r.clipX1 ? x1 : r.clipX1;
  const top = y0 > r.clipY0 ? y0 : r.clipY0;
  const bottom = y1 < r.clipY1 ? y1 : r.clipY1;
  const count = right - left;
  if (count <= 0) return;
  const { pixels, width } = r;
  if (count > 24) {
    for (let y = top; y < bottom; y++) pixels.fill(colour, y * width + left, y * width + right);
    return;
  }
  for (let y = top; y < bottom; y++) {
    const end = y * width + right;
    for (let i = y * width + left; i < end; i++) pixels[i] = colour;
  }
}

/** Stripes at 45°: `on` pixels of `period` in `colour`, the rest untouched. `rise` = up to the right. With `tipY` they are chevrons that point to the right there. */
function hatchRect(
  r: Raster,
  x0: number,
  x1: number,
  y0: number,
  y1: number,
  period: number,
  on: number,
  rise: boolean,
  colour: number,
  tipY?: number,
): void {
  const left = Math.max(x0, r.clipX0);
  const right = Math.min(x1, r.clipX1);
  const top = Math.max(y0, r.clipY0);
  const bottom = Math.min(y1, r.clipY1);
  for (let y = top; y < bottom; y++) {
    const down = tipY === undefined ? r.phaseY + y : Math.abs(y - tipY);
    const along = rise ? r.phaseX + down : r.phaseX - down;
    for (let x = left; x < right; x++) {
      const place = (x + along) % period;
      if ((place < 0 ? place + period : place) < on) r.pixels[y * r.width + x] = colour;
    }
  }
}

export interface BarShape {
  /** Pixels painted. */
  x0: number;
  x1: number;
  /** First pixel of the whole bar: what depends on its width must not depend on how much of it is painted. */
  barX0: number;
  y0: number;
  y1: number;
  /** The left and right edges are the real start and end. */
  start: boolean;
  end: boolean;
  /** The same bar goes on above or below: no edge there. */
  joinedAbove: boolean;
  look: number;
}

/** Paints one bar: inked left of `cursorX`, pencilled right of it. */
export function paintBar(
  r: Raster,
  bar: BarShape,
  cursorX: number,
  tier: TierPixels,
  palette: RasterPalette,
): void {
  const { hair } = r;
  const { x0, y0, y1 } = bar;
  const x1 = bar.end && bar.x1 - bar.barX0 >= 3 * hair ? bar.x1 - hair : bar.x1;
  const ink = x1 < cursorX ? x1 : cursorX;
  if (ink > x0) paintInk(r, bar, x0, ink, x1, tier, palette);
  if (x1 <= cursorX) return;
  const from = x0 > cursorX ? x0 : cursorX;
  if (y1 - y0 <= 2 * hair) {
    fillRect(r, from, x1, y0, y1, tier.mark);
    return;
  }
  // Edges of bars so narrow would be all that is seen of them.
  if (x1 - bar.barX0 < 3 * hair) {
    fillRect(r, from, x1, y0, y1, tier.heat);
    return;
  }
  // Low bars come in crowds: edges just dark enough to be seen keep the future quieter than the past.
  const own = bar.joinedAbove ? y1 - y0 - 2 * hair : y1 - y0;
  const edge = own < LOW_CSS * hair ? tier.mark : tier.full;
  fillRect(r, from, x1, y0, y1, tier.pencil);
  if (!bar.joinedAbove) fillRect(r, from, x1, y0, y0 + hair, edge);
  fillRect(r, from, x1, y1 - hair, y1, edge);
  if (bar.end) fillRect(r, x1 - hair, x1, y0, y1, edge);
  if (bar.start && x0 >= cursorX) fillRect(r, x0, x0 + hair, y0, y1, edge);
}

function paintInk(
  r: Raster,
  bar: BarShape,
  x0: number,
  x1: number,
  endX: number,
  tier: TierPixels,
  palette: RasterPalette,
): void {
  const { hair } = r;
  const { y0, y1, look } = bar;
  if (look === Look.running) {
    fillRect(r, x0, x1, y0, y1, tier.full);
    if (tier.hatch !== 0 && y1 - y0 >= 5 * hair) {
      hatchRect(r, x0, x1, y0, y1, 7 * hair, hair, tier.hatch === 1, tier.label);
    }
    return;
  }
  fillRect(r, x0, x1, y0, y1, look === Look.writing ? tier.full : tier.pale);
  if (look !== Look.lost) {
    paintState(r, bar, x0, x1, tier);
    return;
  }
  const thick = y1 - y0 > 12 * hair;
  hatchRect(
    r,
    x0,
    x1,
    y0,
    y1,
    (thick ? 5 : 4) * hair,
    (thick ? 2 : 1) * hair,
    true,
    palette.signal,
  );
  if (bar.end && x1 >= endX)
    fillRect(r, Math.max(x0, endX - 2 * hair), endX, y0, y1, palette.signal);
}

/** The pattern of a member state, over its ground. */
function paintState(r: Raster, bar: BarShape, x0: number, x1: number, tier: TierPixels): void {
  const { hair } = r;
  const { y0, y1 } = bar;
  const { full } = tier;
  if (bar.look === Look.writing) gridRect(r, x0, x1, y0, y1, 0, 3 * hair, tier.label);
  else if (bar.look === Look.reading) gridRect(r, x0, x1, y0, y1, 0, 3 * hair, full);
  else if (bar.look === Look.starting) gridRect(r, x0, x1, y0, y1, 4 * hair, 0, full);
  else if (bar.look === Look.ending) gridRect(r, x0, x1, y0, y1, 2 * hair, 2 * hair, full);
  else if (bar.look === Look.hung) {
    hatchRect(r, x0, x1, y0, y1, 6 * hair, hair, true, full);
    hatchRect(r, x0, x1, y0, y1, 6 * hair, hair, false, full);
  } else hatchRect(r, x0, x1, y0, y1, 4 * hair, 2 * hair, false, full);
}

/** Marks where a pixel is on a column of `everyX` and on a row of `everyY`; 0 = everywhere. Both are one hair wide. */
function gridRect(
  r: Raster,
  x0: number,
  x1: number,
  y0: number,
  y1: number,
  everyX: number,
  everyY: number,
  colour: number,
): void {
  const left = Math.max(x0, r.clipX0);
  const right = Math.min(x1, r.clipX1);
  const bottom = Math.min(y1, r.clipY1);
  for (let y = Math.max(y0, r.clipY0); y < bottom; y++) {
    if (everyY > 0 && (y + r.phaseY) % everyY >= r.hair) continue;
    for (let x = left; x < right; x++)
      if (everyX === 0 || (x + r.phaseX) % everyX < r.hair) r.pixels[y * r.width + x] = colour;
  }
}

/** How a node that takes no work looks, in neutral: all but what is not there at all have a frame. */
export const ClosedLook = {
  /** Wide stripes. */
  drained: 0,
  /** Narrow stripes the other way; a failed device too. */
  down: 1,
  /** Bare ground. */
  absent: 2,
  /** Upright stripes, as a job that starts up. */
  boots: 3,
  /** Chevrons to the right: on its way to another pool. */
  moves: 4,
} as const;

/** A node out of service, or a device of it. */
export function paintClosed(
  r: Raster,
  x0: number,
  x1: number,
  y0: number,
  y1: number,
  look: number,
  palette: RasterPalette,
): void {
  const { hair } = r;
  const { stripe, rule } = palette;
  fillRect(r, x0, x1, y0, y1, palette.raise);
  if (look === ClosedLook.absent) return;
  if (look === ClosedLook.boots) gridRect(r, x0, x1, y0, y1, 4 * hair, 0, rule);
  else if (look === ClosedLook.down)
    hatchRect(r, x0, x1, y0, y1, 5 * hair, 2 * hair, false, stripe);
  else {
    const tipY = look === ClosedLook.moves ? (y0 + y1) >> 1 : undefined;
    hatchRect(r, x0, x1, y0, y1, 7 * hair, 3 * hair, true, stripe, tipY);
  }
  if (y1 - y0 < 5 * hair) return;
  fillRect(r, x0, x1, y0, y0 + hair, rule);
  fillRect(r, x0, x1, y1 - hair, y1, rule);
  fillRect(r, x0, x0 + hair, y0, y1, rule);
  fillRect(r, x1 - hair, x1, y0, y1, rule);
}

/** Ground of one row of pixels by its phase; rows repeat every `GROUND_ROWS` hairs. */
export const GROUND_ROWS = 8;

export interface Ground {
  /** [phase][x]: under the rows of devices. */
  readonly rows: Uint32Array[];
  /** Between them. */
  readonly plain: Uint32Array;
}

export interface GroundInput {
  /** 1 where work waits. */
  readonly waiting: Uint8Array;
  /** Grid lines: x and whether a day begins there. */
  readonly gridX: readonly number[];
  readonly gridDay: readonly boolean[];
  readonly cursorX: number;
  /** From this pixel on nothing is computed yet. */
  readonly knownX: number;
}

/** Prepares the ground: sheet, grid, idle-while-work-waits stipple, and hatch where nothing is computed. O(8 · width). */
export function prepareGround(
  r: Raster,
  input: GroundInput,
  palette: RasterPalette,
  ground: Ground,
): void {
  const { hair } = r;
  const { clipX0, clipX1 } = r;
  ground.plain.fill(palette.sheet, clipX0, clipX1);
  for (let i = 0; i < input.gridX.length; i++) {
    const x = input.gridX[i]!;
    const colour = input.gridDay[i] ? palette.line2 : palette.line;
    for (let k = Math.max(clipX0, x); k < Math.min(clipX1, x + hair); k++) ground.plain[k] = colour;
  }
  for (let phase = 0; phase < ground.rows.length; phase++) {
    const row = ground.rows[phase]!;
    row.set(ground.plain.subarray(clipX0, clipX1), clipX0);
    const dotRow = Math.floor(phase / hair) % 4 === 0;
    const shift = Math.floor(phase / hair) % 8 === 0 ? 0 : 2;
    for (let x = clipX0; x < clipX1; x++) {
      if (x >= input.knownX) {
        if ((x + r.phaseX + phase) % (8 * hair) < hair) row[x] = palette.line2;
      } else if (input.waiting[x] === 1) {
        if (x >= input.cursorX) row[x] = palette.idlePencil;
        else {
          const place = Math.floor((x + r.phaseX) / hair) + shift;
          row[x] = dotRow && place % 4 === 0 ? palette.idleDot : palette.idle;
        }
      }
    }
  }
}

/** Copies the ground to rows `y0`…`y1`. */
export function layGround(r: Raster, ground: Ground, y0: number, y1: number, rows: boolean): void {
  const top = Math.max(y0, r.clipY0);
  const bottom = Math.min(y1, r.clipY1);
  const { clipX0, clipX1, width, pixels } = r;
  const period = ground.rows.length;
  const whole = clipX0 === 0 && clipX1 === width;
  for (let y = top; y < bottom; y++) {
    const source = rows ? ground.rows[(y + r.phaseY) % period]! : ground.plain;
    pixels.set(
      whole ? source.subarray(0, width) : source.subarray(clipX0, clipX1),
      y * width + clipX0,
    );
  }
}

/** Moves the picture by whole pixels; what came into view keeps old pixels and must be painted. */
export function shiftRaster(r: Raster, dx: number, dy: number): void {
  const { pixels, width, height } = r;
  const offset = dy * width + dx;
  if (offset > 0) pixels.copyWithin(offset, 0, width * height - offset);
  else if (offset < 0) pixels.copyWithin(0, -offset, width * height);
}
