/** The shape of a bar before it is painted: parts of a device (MIG instances, shares) divide the height of its row. */
import { WHOLE_DEVICE } from "../../model/units.ts";
import type { BarShape } from "../../render/spanRaster.ts";
import type { Bars } from "../../timeline/lod.ts";
import type { GanttScene } from "./scene.ts";

/** A shape to be filled in, again and again. */
export function emptyShape(): BarShape {
  return {
    x0: 0,
    x1: 0,
    barX0: 0,
    y0: 0,
    y1: 0,
    start: false,
    end: false,
    joinedAbove: false,
    look: 0,
  };
}

/** Gives the shape of bar `i` of unit `u` the height of its part; where the row is too low to be divided, all of them have all of it. */
export function shrinkToPart(
  shape: BarShape,
  scene: GanttScene,
  u: number,
  bars: Bars,
  i: number,
  hair: number,
): void {
  const device = scene.units!.unitFirst[u]! + bars.row[i]!;
  const place = scene.partPlaces.placeOf(device, bars.bits[i]!, bars.jobIdx[i]!, bars.startMs[i]!);
  const height = shape.y1 - shape.y0;
  if (!place || height < 3 * hair) return;
  const top = shape.y0 + Math.round((place.from * height) / WHOLE_DEVICE);
  const end = shape.y0 + Math.round((place.to * height) / WHOLE_DEVICE);
  shape.y0 = top;
  shape.y1 = Math.max(top + hair, end - top >= 3 * hair ? end - hair : end);
}
