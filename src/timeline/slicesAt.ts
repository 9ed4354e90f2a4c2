/** What is held of the devices that jobs share, at one moment: MIG instances and shares, from the record alone. */
import { WHOLE_DEVICE } from "../model/units.ts";
import { partOf } from "../record/shapes.ts";
import type { PartPlaces } from "./partPlaces.ts";
import { firstStartingFrom, type Part } from "./rowIndex.ts";
import type { RowUnits } from "./rowUnits.ts";

/** A part of a device that a job holds: a MIG instance or a share, in 1/1,000 from its upper edge. */
export interface Slice {
  readonly jobIdx: number;
  readonly from: number;
  readonly to: number;
}

/** Slices by device, from the top and beside each other; devices that somebody holds whole have none. O(entries of units with parts at the moment). */
export function slicesAt(
  parts: readonly Part[],
  units: RowUnits,
  places: PartPlaces,
  atMs: number,
): Map<number, Slice[]> {
  const slices = new Map<number, Slice[]>();
  for (const part of parts) {
    if (!part.shares || part.fromMs > atMs || part.toMs <= atMs) continue;
    for (let u = 0; u < units.unitCount; u++) {
      for (let e = firstStartingFrom(part, u, atMs + 0.5) - 1; e >= part.first[u]!; e--) {
        if ((e & 31) === 31 && e - 31 >= part.first[u]! && part.blockEndMs[e >> 5]! <= atMs) {
          e -= 31;
          continue;
        }
        if (part.endMs[e]! <= atMs || partOf(part.bits[e]!) === 0) continue;
        const device = units.unitFirst[u]! + (part.rows[e]! & 255);
        const [jobIdx, startMs] = [part.jobIdx[e]!, part.startMs[e]!];
        const place = places.placeOf(device, part.bits[e]!, jobIdx, startMs);
        if (!place) continue;
        const list = slices.get(device) ?? [];
        slices.set(device, list);
        list.push({ jobIdx, from: place.from, to: place.to });
      }
    }
  }
  for (const [device, list] of slices) slices.set(device, besideEachOther(list));
  return slices;
}

/** Part of a device that its slices hold, 0 to 1. */
export function heldPart(slices: readonly Pick<Slice, "from" | "to">[]): number {
  return Math.min(1, slices.reduce((sum, { from, to }) => sum + (to - from), 0) / WHOLE_DEVICE);
}

/** Shares whose places over time cover each other have places of their own at one moment: from the top, in the same order. */
function besideEachOther(list: Slice[]): Slice[] {
  list.sort((a, b) => a.from - b.from || a.jobIdx - b.jobIdx);
  if (list.every(({ from }, i) => i === 0 || from >= list[i - 1]!.to)) return list;
  let top = 0;
  return list.map(({ jobIdx, from, to }) => {
    const slice = { jobIdx, from: top, to: top + to - from };
    top = slice.to;
    return slice;
  });
}
