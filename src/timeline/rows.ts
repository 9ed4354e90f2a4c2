/**
 * Where units and blocks stand on the sheet, in device pixels from the top of the content. Each block has one of three levels:
 * far (one strip of load), middle (k pixels a device, so no device is thinner than another), near (at least 15 px a node). The
 * level is chosen by height unless the user chose it; positions never reorder.
 */
import { type RowUnits, rowsOfUnit } from "./rowUnits.ts";

export const Level = { far: 0, middle: 1, near: 2 } as const;
export type LevelCode = 0 | 1 | 2;

export interface LayoutWish {
  /** Height to fill, CSS pixels. */
  readonly heightCss: number;
  /** Device pixels a CSS pixel. */
  readonly ratio: number;
  /** Scale of the sheet: 1 desk, 1.25 wall, 1.5 presenter. */
  readonly u: number;
  /** Levels chosen by hand, by block. */
  readonly chosen: Readonly<Record<number, LevelCode>>;
  /** Block that holds most of the selection, −1 = none. */
  readonly selected: number;
  /** Jobs hold shares or slices of devices: bars within bars want taller rows. */
  readonly hasParts?: boolean;
}

export interface RowLayout {
  readonly units: RowUnits;
  readonly level: Uint8Array;
  /** 1 where a block that is open has too many bars for its pixels and is drawn as its load (`crowded`). */
  readonly load: Uint8Array;
  /** Device pixels. */
  readonly blockY: Int32Array;
  readonly blockH: Int32Array;
  readonly unitY: Int32Array;
  readonly unitH: Int32Array;
  /** Space at the foot of each unit that no bar covers. */
  readonly pad: number;
  readonly gap: number;
  readonly heightDev: number;
  /** Pixels a device in middle blocks. */
  readonly k: number;
}

const FAR_CSS = 18;
/** Room that is left goes to the strips first. */
const FAR_MOST_CSS = 23;
/** What no block can open into is theirs again, up to twice that. */
const FAR_TALLEST_CSS = 46;
const FAR_LEAST_CSS = 6;
const FAR_NAMED_CSS = 12;
const NEAR_LEAST_CSS = 15;
/** A device of a near node grows to where its own bar can have a label. */
const NEAR_MOST_CSS_A_ROW = 16;
/** The same where it is shared: a seventh of it can be told apart and pointed at. */
const SHARED_MOST_CSS_A_ROW = 48;
const MIDDLE_MOST_K = 3;

/** Lays out all blocks. O(units). */
export function layoutRows(units: RowUnits, wish: LayoutWish): RowLayout {
  const { ratio, u } = wish;
  const gap = Math.round(7 * u * ratio * (units.blockCount > 24 ? 0.43 : 1));
  const height = Math.floor(wish.heightCss * ratio) - gap;
  const middleK = Math.max(1, Math.round(ratio * (u >= 1.2 ? 2 : 1)));
  const leastFarH = farHeight(units, height, gap, wish);
  const level = chooseLevels(units, wish, height, gap, leastFarH, middleK);
  const nearLeast = Math.round(NEAR_LEAST_CSS * u * ratio);
  let farH = leastFarH;
  while (
    farH < FAR_MOST_CSS * u * ratio &&
    total(units, level, gap, farH + 1, nearLeast, middleK) <= height
  )
    farH += 1;
  const nearH = nearHeight(units, level, height, gap, farH, middleK, wish);
  const k = widerMiddle(units, level, height, gap, farH, nearH, middleK, wish);
  while (
    farH < FAR_TALLEST_CSS * u * ratio &&
    total(units, level, gap, farH + 1, nearH, k) <= height
  )
    farH += 1;
  const pad = Math.max(1, Math.round(2 * ratio));
  const blockY = new Int32Array(units.blockCount);
  const blockH = new Int32Array(units.blockCount);
  const unitY = new Int32Array(units.unitCount);
  const unitH = new Int32Array(units.unitCount);
  let y = Math.round(gap / 2);
  for (let b = 0; b < units.blockCount; b++) {
    blockY[b] = y;
    const from = units.blockFirst[b]!;
    const to = units.blockFirst[b + 1]!;
    for (let i = from; i < to; i++) {
      const h = unitHeight(units, i, level[b]!, farH, to - from, nearH, k);
      unitY[i] = Math.round(y);
      y += h;
      unitH[i] = Math.round(y) - unitY[i]!;
    }
    y = Math.round(y);
    blockH[b] = y - blockY[b]!;
    y += gap;
  }
  return {
    units,
    level,
    load: new Uint8Array(units.blockCount),
    blockY,
    blockH,
    unitY,
    unitH,
    pad,
    gap,
    heightDev: y - gap + Math.round(gap / 2),
    k,
  };
}

function unitHeight(
  units: RowUnits,
  i: number,
  level: number,
  farH: number,
  inBlock: number,
  nearH: number,
  k: number,
): number {
  if (level === Level.far) return farH / inBlock;
  const rows = Math.max(1, rowsOfUnit(units, i));
  return level === Level.middle ? k * rows : Math.max(nearH, k * rows);
}

function farHeight(units: RowUnits, height: number, gap: number, wish: LayoutWish): number {
  const most = Math.round(FAR_CSS * wish.u * wish.ratio);
  // Nodes in a row of strips: each is to be named, what does not fit scrolls.
  const least =
    units.by === "node" || units.by === "domain"
      ? Math.round(FAR_NAMED_CSS * wish.u * wish.ratio)
      : Math.round(FAR_LEAST_CSS * wish.ratio);
  return Math.max(least, Math.min(most, Math.floor(height / units.blockCount) - gap));
}

function heightAt(
  units: RowUnits,
  b: number,
  level: number,
  farH: number,
  nearH: number,
  k: number,
): number {
  let h = 0;
  const from = units.blockFirst[b]!;
  const to = units.blockFirst[b + 1]!;
  for (let i = from; i < to; i++) h += unitHeight(units, i, level, farH, to - from, nearH, k);
  return h;
}

function total(
  units: RowUnits,
  level: Uint8Array,
  gap: number,
  farH: number,
  nearH: number,
  k: number,
): number {
  let h = 0;
  for (let b = 0; b < units.blockCount; b++)
    h += heightAt(units, b, level[b]!, farH, nearH, k) + gap;
  return h;
}

/** Opens the selection's block, then as many others as fit: to middle in order, and to near where all of them fit. */
function chooseLevels(
  units: RowUnits,
  wish: LayoutWish,
  height: number,
  gap: number,
  farH: number,
  k: number,
): Uint8Array {
  const level = new Uint8Array(units.blockCount);
  const nearLeast = Math.round(NEAR_LEAST_CSS * wish.u * wish.ratio);
  const fits = () => total(units, level, gap, farH, nearLeast, k) <= height;
  level.fill(Level.near);
  if (fits()) return withChosen(level, wish);
  level.fill(Level.far);
  const order = nearestFirst(units.blockCount, wish.selected);
  for (const to of [Level.middle, Level.near]) {
    for (const b of order) {
      if (to === Level.near && b !== wish.selected && level.includes(Level.far)) break;
      const before = level[b]!;
      level[b] = to;
      if (!fits()) level[b] = before;
    }
    if (to === Level.middle && wish.selected >= 0) openSelected(level, wish.selected, fits);
  }
  return withChosen(level, wish);
}

/** Makes room for the selection's block at the near level by folding others, the farthest first. */
function openSelected(level: Uint8Array, selected: number, fits: () => boolean): void {
  const before = level.slice();
  level[selected] = Level.near;
  for (const b of nearestFirst(level.length, selected).reverse()) {
    if (fits()) return;
    if (b !== selected) level[b] = Level.far;
  }
  if (!fits()) level.set(before);
}

function nearestFirst(count: number, from: number): number[] {
  const order = Array.from({ length: count }, (_, b) => b);
  return from < 0 ? order : order.sort((a, b) => Math.abs(a - from) - Math.abs(b - from) || a - b);
}

function withChosen(level: Uint8Array, wish: LayoutWish): Uint8Array {
  for (const [b, code] of Object.entries(wish.chosen)) {
    if (Number(b) < level.length) level[Number(b)] = code;
  }
  return level;
}

/** Near nodes share what is left, up to a comfortable height. */
function nearHeight(
  units: RowUnits,
  level: Uint8Array,
  height: number,
  gap: number,
  farH: number,
  k: number,
  wish: LayoutWish,
): number {
  const least = Math.round(NEAR_LEAST_CSS * wish.u * wish.ratio);
  let rows = 1;
  for (let i = 0; i < units.unitCount; i++) rows = Math.max(rows, rowsOfUnit(units, i));
  const aRow = wish.hasParts ? SHARED_MOST_CSS_A_ROW : NEAR_MOST_CSS_A_ROW;
  const most = Math.max(least, Math.round(aRow * rows * wish.u * wish.ratio));
  let low = least;
  let high = most;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (total(units, level, gap, farH, middle, k) <= height) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Whole pixels a device: middle blocks grow only where the near ones are at their most, and all of them alike. */
function widerMiddle(
  units: RowUnits,
  level: Uint8Array,
  height: number,
  gap: number,
  farH: number,
  nearH: number,
  least: number,
  wish: LayoutWish,
): number {
  let k = least;
  while (k < MIDDLE_MOST_K * wish.ratio && total(units, level, gap, farH, nearH, k + 1) <= height)
    k += 1;
  return k;
}

/** Are the bars of block `b` drawn one by one? Else it is its load. */
export function drawsBars(layout: RowLayout, b: number): boolean {
  return layout.level[b] !== Level.far && layout.load[b] === 0;
}

/** Top of row `row` of unit `i`, device pixels from the top of the content. Rounded apart, so that no row blurs or vanishes. */
export function rowTop(layout: RowLayout, i: number, row: number): number {
  const rows = Math.max(1, rowsOfUnit(layout.units, i));
  const h = layout.unitH[i]! - padOf(layout, i);
  return layout.unitY[i]! + Math.round((row * h) / rows);
}

/** Space below the bars of unit `i`: only near nodes stand apart. */
export function padOf(layout: RowLayout, i: number): number {
  return layout.level[layout.units.blockOfUnit[i]!] === Level.near ? layout.pad : 0;
}

/** Block at a height of the content, −1 in no block (gaps belong to the block above). O(log blocks). */
export function blockAt(layout: RowLayout, yDev: number): number {
  const { blockY, units } = layout;
  let low = 0;
  let high = units.blockCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (blockY[middle]! <= yDev) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Unit at a height of the content, −1 outside. O(log units). */
export function unitAt(layout: RowLayout, yDev: number): number {
  const b = blockAt(layout, yDev);
  if (b < 0 || yDev >= layout.blockY[b]! + layout.blockH[b]!) return -1;
  let low = layout.units.blockFirst[b]!;
  let high = layout.units.blockFirst[b + 1]!;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (layout.unitY[middle]! <= yDev) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
