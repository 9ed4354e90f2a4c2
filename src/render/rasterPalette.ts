/** The palette as 32-bit pixels in the byte order of `ImageData` on little-endian machines (ABGR), which all browsers run on. */
import { mix, parseColour } from "../theme/colour.ts";
import type { Palette, TierColours } from "../theme/palette.ts";

export interface TierPixels {
  readonly full: number;
  readonly pencil: number;
  readonly pale: number;
  readonly mark: number;
  readonly heat: number;
  readonly label: number;
  readonly hatch: 0 | 1 | 2;
}

export interface RasterPalette {
  readonly sheet: number;
  readonly raise: number;
  readonly line: number;
  readonly line2: number;
  readonly rule: number;
  readonly idle: number;
  readonly idleDot: number;
  readonly idlePencil: number;
  readonly stripe: number;
  readonly signal: number;
  /** By tier position, see `positionOfTier`; `DIM` places further the same paler, for what a search does not find. */
  readonly tiers: readonly TierPixels[];
}

/** A colour text as one opaque pixel. */
function pixelOf(colour: string): number {
  const [red, green, blue] = parseColour(colour);
  return (
    ((255 << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0
  );
}

/** Colours belong to six positions; more tiers share them in order (as `tierColours` of the theme does). */
export function positionOfTier(tier: number, tierCount: number): number {
  return Math.min(5, tierCount <= 6 ? tier : Math.floor((tier * 6) / tierCount));
}

/** Added to a position: not found by the search. */
export const DIM = 6;
const DIM_SHARE = 0.22;

export function rasterPaletteOf(palette: Palette): RasterPalette {
  return {
    sheet: pixelOf(palette.bg),
    raise: pixelOf(palette.raise),
    line: pixelOf(palette.line),
    line2: pixelOf(palette.line2),
    rule: pixelOf(palette.rule),
    idle: pixelOf(palette.idle),
    idleDot: pixelOf(palette.idleDot),
    idlePencil: pixelOf(palette.idlePencil),
    stripe: pixelOf(palette.stripe),
    signal: pixelOf(palette.signal),
    tiers: [
      ...palette.positions.map((colours) => pixelsOf(colours, (colour) => colour)),
      ...palette.positions.map((colours) =>
        pixelsOf(colours, (colour) => mix(colour, palette.bg, DIM_SHARE)),
      ),
    ],
  };
}

function pixelsOf(colours: TierColours, seen: (colour: string) => string): TierPixels {
  return {
    full: pixelOf(seen(colours.full)),
    pencil: pixelOf(seen(colours.pencil)),
    pale: pixelOf(seen(colours.pale)),
    mark: pixelOf(seen(colours.mark)),
    heat: pixelOf(seen(colours.heat)),
    label: pixelOf(seen(colours.label)),
    hatch: colours.hatch,
  };
}
