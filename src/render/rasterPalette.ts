/** The palette as 32-bit pixels of `ImageData`, for what is painted pixel by pixel. */
import { mix } from "../theme/colour.ts";
import type { Palette, TierColours } from "../theme/palette.ts";
import { packColour } from "./packColour.ts";

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
  /** By tier position, see `positionOfTier` of the theme; `DIM` places further the same paler, for what a search does not find. */
  readonly tiers: readonly TierPixels[];
}

/** Added to a position: not found by the search. */
export const DIM = 6;
const DIM_SHARE = 0.22;

/** Built once a theme change. O(colours). */
export function rasterPaletteOf(palette: Palette): RasterPalette {
  return {
    sheet: packColour(palette.bg),
    raise: packColour(palette.raise),
    line: packColour(palette.line),
    line2: packColour(palette.line2),
    rule: packColour(palette.rule),
    idle: packColour(palette.idle),
    idleDot: packColour(palette.idleDot),
    idlePencil: packColour(palette.idlePencil),
    stripe: packColour(palette.stripe),
    signal: packColour(palette.signal),
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
    full: packColour(seen(colours.full)),
    pencil: packColour(seen(colours.pencil)),
    pale: packColour(seen(colours.pale)),
    mark: packColour(seen(colours.mark)),
    heat: packColour(seen(colours.heat)),
    label: packColour(seen(colours.label)),
    hatch: colours.hatch,
  };
}
