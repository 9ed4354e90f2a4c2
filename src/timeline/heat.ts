/**
 * Load of whole blocks (leaves) for the far level: device-milliseconds held per block, tier and time bin. Bins are anchored in
 * time, not on the screen, so a pan never changes a bin. A grid of `binCount` base bins over the run is summed exactly once
 * per chunk; coarser bins are sums of it, and bins finer than the base are added up from the rectangles themselves.
 */
import type { Chunk } from "../record/shapes.ts";
import { nextAlive } from "./lod.ts";
import type { Part } from "./rowIndex.ts";
import { firstStartingFrom } from "./rowIndex.ts";
import type { RowUnits } from "./rowUnits.ts";

const BINS_MOST = 2_048;
const BINS_LEAST = 256;
/** Very many blocks share this much room (numbers of 8 bytes). */
const ROOM = 2 ** 23;
/** Tier positions kept apart; further tiers share the last. */
export const HEAT_TIERS = 6;

export class HeatGrid {
  readonly units: RowUnits;
  /** Power of two. */
  binMs = 1_024;
  /** Base bins of a block: a power of two. */
  readonly binCount: number;
  /** [block][bin][tier], device-ms. */
  readonly sums: Float64Array;
  /** Chunks whose rectangles are in `sums`. */
  #chunks: readonly Chunk[] = [];
  #work: Generator<void, void> | null = null;

  constructor(units: RowUnits) {
    this.units = units;
    let bins = BINS_MOST;
    while (bins > BINS_LEAST && units.blockCount * bins * HEAT_TIERS > ROOM) bins /= 2;
    this.binCount = bins;
    this.sums = new Float64Array(units.blockCount * bins * HEAT_TIERS);
  }

  /** Goes over to another list of chunks: takes out those that are gone, adds the new ones, in slices taken by `step`. */
  update(chunks: readonly Chunk[], endMs: number, positionOfJob: Uint8Array): void {
    while (this.#work) this.step(64);
    const lastMs = Math.max(endMs, chunks.at(-1)?.toMs ?? 0);
    while (this.binMs * this.binCount < lastMs) {
      if (this.#chunks.length > 0) this.#fold();
      else this.binMs *= 2;
    }
    if (chunks !== this.#chunks) this.#work = this.#change(chunks, positionOfJob);
  }

  /** Works on; true while the grid is not complete. */
  step(steps: number): boolean {
    for (let i = 0; i < steps && this.#work; i++) if (this.#work.next().done) this.#work = null;
    return this.#work !== null;
  }

  *#change(chunks: readonly Chunk[], positionOfJob: Uint8Array): Generator<void, void> {
    const before = this.#chunks;
    this.#chunks = chunks;
    let same = 0;
    while (same < before.length && before[same] === chunks[same]) same += 1;
    for (let i = same; i < before.length; i++) yield* this.#add(before[i]!, -1, positionOfJob);
    for (let i = same; i < chunks.length; i++) yield* this.#add(chunks[i]!, 1, positionOfJob);
  }

  *#add({ rects }: Chunk, sign: number, positionOfJob: Uint8Array): Generator<void, void> {
    const { unitOfDevice, blockOfUnit, unitFirst } = this.units;
    for (let i = 0; i < rects.startMs.length; i++) {
      let device = rects.device[i]!;
      const end = device + rects.deviceCount[i]!;
      while (device < end) {
        const unit = unitOfDevice[device]!;
        const to = Math.min(end, unitFirst[unit + 1]!);
        const at = blockOfUnit[unit]! * this.binCount;
        const weight = sign * (to - device);
        spread(
          rects.startMs[i]!,
          rects.endMs[i]!,
          weight,
          positionOfJob[rects.jobIdx[i]!]!,
          0,
          this.binMs,
          at,
          this.sums,
        );
        device = to;
      }
      if ((i & 2_047) === 2_047) yield;
    }
  }

  #fold(): void {
    const { sums, binCount } = this;
    for (let b = 0; b < this.units.blockCount; b++) {
      const base = b * binCount * HEAT_TIERS;
      for (let i = 0; i < (binCount / 2) * HEAT_TIERS; i++) {
        const bin = Math.floor(i / HEAT_TIERS);
        const from = base + bin * 2 * HEAT_TIERS + (i % HEAT_TIERS);
        sums[base + i] = sums[from]! + sums[from + HEAT_TIERS]!;
      }
      sums.fill(0, base + (binCount / 2) * HEAT_TIERS, base + binCount * HEAT_TIERS);
    }
    this.binMs *= 2;
  }
}

/** Adds `weight` × time of the stretch to each bin of `binMs` from `originMs` on that it touches. The stretch lies inside. */
function spread(
  startMs: number,
  endMs: number,
  weight: number,
  position: number,
  originMs: number,
  binMs: number,
  at: number,
  sums: Float64Array,
): void {
  let bin = Math.floor((startMs - originMs) / binMs);
  let leftMs = startMs;
  while (leftMs < endMs) {
    const rightMs = Math.min(endMs, originMs + (bin + 1) * binMs);
    sums[(at + bin) * HEAT_TIERS + position]! += weight * (rightMs - leftMs);
    leftMs = rightMs;
    bin += 1;
  }
}

/** Adds entries `from`…`to` of a part to `bins` bins of `binMs` from `originMs` on. */
function addRange(
  part: Part,
  from: number,
  to: number,
  originMs: number,
  binMs: number,
  bins: number,
  openEndMs: number,
  positionOfJob: Uint8Array,
  sums: Float64Array,
): void {
  const lastMs = originMs + bins * binMs;
  for (let e = from; e < to; e++) {
    const startMs = Math.max(originMs, part.startMs[e]!);
    const endMs = Math.min(
      lastMs,
      part.endMs[e]! === Number.POSITIVE_INFINITY ? openEndMs : part.endMs[e]!,
    );
    if (endMs <= startMs) continue;
    const position = positionOfJob[part.jobIdx[e]!]!;
    spread(startMs, endMs, part.rows[e]! >> 8, position, originMs, binMs, 0, sums);
  }
}

/** Width of the bins drawn: a power of two of ms that is at least `leastPx` pixels wide, at most twice that. */
export function drawnBinMs(pxPerMs: number, leastPx: number): number {
  let binMs = 1;
  while (binMs * pxPerMs < leastPx) binMs *= 2;
  while (binMs > 1 / 1_024 && (binMs / 2) * pxPerMs >= leastPx) binMs /= 2;
  return binMs;
}

/**
 * Device-ms of block `b` in `bins` bins of `binMs` from bin number `firstBin` on, by tier position, into `out`
 * ([bin][position]). From the grid where it is coarse enough, else from the rectangles. Open bars end at `openEndMs`.
 */
export function heatOf(
  grid: HeatGrid,
  parts: readonly Part[],
  b: number,
  binMs: number,
  firstBin: number,
  bins: number,
  openEndMs: number,
  positionOfJob: Uint8Array,
  out: Float64Array,
): void {
  out.fill(0, 0, bins * HEAT_TIERS);
  const coarse = binMs >= grid.binMs;
  if (coarse) addGrid(grid, b, binMs / grid.binMs, firstBin, bins, out);
  const { units } = grid;
  const originMs = firstBin * binMs;
  const lastMs = originMs + bins * binMs;
  for (const part of parts) {
    const open = part.toMs === Number.POSITIVE_INFINITY;
    if ((coarse && !open) || part.fromMs >= lastMs || part.toMs <= originMs) continue;
    for (let u = units.blockFirst[b]!; u < units.blockFirst[b + 1]!; u++) {
      const to = firstStartingFrom(part, u, lastMs);
      const from = nextAlive(part, part.first[u]!, to, originMs);
      addRange(part, from, to, originMs, binMs, bins, openEndMs, positionOfJob, out);
    }
  }
}

function addGrid(
  grid: HeatGrid,
  b: number,
  fold: number,
  firstBin: number,
  bins: number,
  out: Float64Array,
): void {
  const { sums, binCount } = grid;
  for (let i = 0; i < bins; i++) {
    const from = (firstBin + i) * fold;
    const to = Math.min(binCount, from + fold);
    for (let bin = Math.max(0, from); bin < to; bin++) {
      const at = (b * binCount + bin) * HEAT_TIERS;
      for (let t = 0; t < HEAT_TIERS; t++) out[i * HEAT_TIERS + t]! += sums[at + t]!;
    }
  }
}
