/** What a picture of load says at one place: the share of a block's device time held in one bin, by tier, and by how many jobs. */
import { HEAT_TIERS, type HeatGrid, heatOf } from "./heat.ts";
import { nextAlive } from "./lod.ts";
import { firstStartingFrom, type Part } from "./rowIndex.ts";
import { rowsOfBlock } from "./rowUnits.ts";

export interface LoadBin {
  readonly fromMs: number;
  readonly toMs: number;
  /** 0 to 1, all tiers. */
  readonly share: number;
  /** By tier position, 0 to 1. */
  readonly shares: readonly number[];
  /** Jobs that held a device of the block at some time of the bin. */
  readonly jobCount: number;
}

/** Bin number `bin` of `binMs` in block `b`. O(rectangles of the block in the bin). */
export function loadAt(
  grid: HeatGrid,
  parts: readonly Part[],
  b: number,
  binMs: number,
  bin: number,
  openEndMs: number,
  positionOfJob: Uint8Array,
): LoadBin {
  const { units } = grid;
  const fromMs = bin * binMs;
  const toMs = fromMs + binMs;
  const sums = new Float64Array(HEAT_TIERS);
  heatOf(grid, parts, b, binMs, bin, 1, openEndMs, positionOfJob, sums);
  const devices = rowsOfBlock(units, b);
  const shares = Array.from(sums, (sum) => sum / (Math.max(1, devices) * binMs));
  const jobs = new Set<number>();
  for (const part of parts) {
    if (part.fromMs >= toMs || part.toMs <= fromMs) continue;
    for (let u = units.blockFirst[b]!; u < units.blockFirst[b + 1]!; u++) {
      const end = firstStartingFrom(part, u, Math.min(toMs, openEndMs));
      for (
        let e = nextAlive(part, part.first[u]!, end, fromMs);
        e < end;
        e = nextAlive(part, e + 1, end, fromMs)
      )
        if (part.endMs[e]! > fromMs) jobs.add(part.jobIdx[e]!);
    }
  }
  return {
    fromMs,
    toMs,
    share: shares.reduce((sum, share) => sum + share, 0),
    shares,
    jobCount: jobs.size,
  };
}
