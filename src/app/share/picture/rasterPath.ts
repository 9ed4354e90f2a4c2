/**
 * The pixels of a raster as shapes: stretches of one colour in a row, joined with the same stretch of the row above, one path a colour. Bars are rectangles
 * of one colour, so that a bar costs one rectangle whatever its size. O(pixels); null above a number of rectangles, where a raster is the better picture.
 */
export interface RasterPath {
  /** `#rrggbb`. */
  readonly fill: string;
  readonly opacity: number;
  /** In pixels of the raster. */
  readonly path: string;
}

export interface Raster {
  readonly width: number;
  readonly height: number;
  /** RGBA, a byte each. */
  readonly data: Uint8ClampedArray | Uint8Array;
}

interface Run {
  readonly from: number;
  readonly until: number;
  readonly colour: number;
  readonly top: number;
}

const RECTANGLES_MOST = 60_000;

export function rasterPaths(raster: Raster, most = RECTANGLES_MOST): RasterPath[] | null {
  const { width, height, data } = raster;
  const parts = new Map<number, string[]>();
  let rectangles = 0;
  const close = (run: Run, bottom: number): void => {
    let list = parts.get(run.colour);
    if (!list) {
      list = [];
      parts.set(run.colour, list);
    }
    list.push(
      `M${run.from} ${run.top}h${run.until - run.from}v${bottom - run.top}h${run.from - run.until}z`,
    );
    rectangles += 1;
  };
  let open: Run[] = [];
  for (let y = 0; y < height; y++) {
    open = continued(open, runsOf(data, width, y), y, close);
    if (rectangles + open.length > most) return null;
  }
  for (const run of open) close(run, height);
  return [...parts].map(([colour, list]) => ({
    fill: `#${(colour >>> 8).toString(16).padStart(6, "0")}`,
    opacity: (colour & 255) / 255,
    path: list.join(""),
  }));
}

/** Stretches of one colour in a row; what is transparent is none. */
function runsOf(data: Raster["data"], width: number, y: number): Run[] {
  const runs: Run[] = [];
  const colourAt = (x: number): number => {
    const at = (y * width + x) * 4;
    const alpha = data[at + 3]!;
    return alpha === 0
      ? 0
      : ((data[at]! << 24) | (data[at + 1]! << 16) | (data[at + 2]! << 8) | alpha) >>> 0;
  };
  for (let x = 0; x < width; ) {
    const colour = colourAt(x);
    const from = x;
    do x++;
    while (x < width && colourAt(x) === colour);
    if ((colour & 255) !== 0) runs.push({ from, until: x, colour, top: y });
  }
  return runs;
}

/** Stretches that go on keep their top; the others of the row above are closed. Both lists are in order of place. */
function continued(
  above: readonly Run[],
  row: readonly Run[],
  y: number,
  close: (run: Run, bottom: number) => void,
): Run[] {
  const open: Run[] = [];
  let at = 0;
  for (const run of row) {
    while (at < above.length && above[at]!.from < run.from) close(above[at++]!, y);
    const over = above[at];
    if (over && over.from === run.from && over.until === run.until && over.colour === run.colour) {
      open.push(over);
      at++;
    } else open.push(run);
  }
  while (at < above.length) close(above[at++]!, y);
  return open;
}
