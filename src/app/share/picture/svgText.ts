/** Pieces of SVG text: numbers of two decimals, rectangles as paths, opacity, an image of pixels. */
import type { Raster } from "./rasterPath.ts";

export const ANCHORS: Readonly<Record<string, string>> = {
  center: "middle",
  right: "end",
  end: "end",
};
/** From the line that canvas text hangs on to the baseline, in parts of the size. */
export const DROPS: Readonly<Record<string, number>> = {
  middle: 0.35,
  top: 0.85,
  hanging: 0.8,
  bottom: -0.2,
};

/** In device pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  width: number;
  readonly height: number;
}

/** Rounding of a transform, in device pixels. */
export const NEAR = 1e-6;

export function boxPath({ x, y, width, height }: Box): string {
  const w = round(width);
  return w === 0 ? "" : `M${round(x)} ${round(y)}h${w}v${round(height)}h${-w}z`;
}

export function opacity(what: string, share: number): string {
  return share === 1 ? "" : ` ${what}-opacity="${round(share)}"`;
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Pixels as an image inside the SVG. */
export function imageOf({ width, height, data }: Raster): string {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const image = new ImageData(new Uint8ClampedArray(data), width, height);
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  return `<image width="${width}" height="${height}" style="image-rendering:pixelated" href="${canvas.toDataURL()}"/>`;
}
