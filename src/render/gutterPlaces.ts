/** Where things stand in the gutter of the Gantt, by its width, and which of its blocks are named where rows are lower than letters. In CSS pixels. */
import type { RowLayout } from "../timeline/rows.ts";

export interface Places {
  readonly spineX: number;
  readonly boxX: number;
  readonly boxW: number;
  readonly railX: number;
  readonly cellsX: number;
  readonly cellsW: number;
  readonly small: boolean;
}

export interface Rows extends Places {
  /** Every so many blocks one has room for its name. */
  readonly every: number;
}

export function placesOf(widthCss: number, u: number): Places {
  const small = widthCss < 200;
  const wide = Math.min(u, 1.25);
  const boxX = small ? (widthCss < 140 ? 20 : 30) : 38 * wide;
  const boxW = 24 * wide;
  const cellsW = small ? (widthCss < 140 ? 48 : 72) : 92 * Math.min(u, 1.3);
  return {
    spineX: small ? 10 : 14,
    boxX,
    boxW,
    railX: boxX + boxW + 9,
    cellsX: widthCss - 10 - cellsW,
    cellsW,
    small,
  };
}

/** Where the box of a block ends in a gutter of this width: left of it a click is about the block, right of it about a node. */
export function headEndsCss(widthCss: number, u: number): number {
  return placesOf(widthCss, u).railX;
}

/** Each block where rows are as high as letters. */
export function everyNamed(layout: RowLayout, ratio: number, size: number): number {
  const lowest = layout.blockH.reduce((least, h) => Math.min(least, h), size * ratio) / ratio;
  return lowest < size ? Math.ceil((size * 1.6) / (lowest + layout.gap / ratio)) : 1;
}
