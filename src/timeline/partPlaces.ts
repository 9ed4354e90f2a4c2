/**
 * Where on its device's row a part of a device is drawn, in 1/1,000 of the row. A MIG instance stands at its place, in eighths. A share has no place of its own:
 * it takes the lowest stretch that no other share has meanwhile, the one it had before where that is free. Shares are placed in order of closing, so a
 * picture does not change as the record grows; where the free stretches are too small one by one, shares may cover each other. O(parts · those at once).
 */
import { migShape } from "../model/mig.ts";
import { WHOLE_DEVICE } from "../model/units.ts";
import type { Stage } from "../protocol/messages.ts";
import { type Chunk, type OpenSet, partOf } from "../record/shapes.ts";

export interface PartPlace {
  /** 1/1,000 of the row, from its top. */
  readonly from: number;
  readonly to: number;
}

interface Placed {
  readonly jobIdx: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly from: number;
  readonly to: number;
}

const PLACES = 8;

/** The place of a MIG instance that starts at `start`, with its profile's length. */
function migPlace(stage: Stage, jobIdx: number, device: number, start: number): PartPlace {
  const { components, at, migProfiles } = stage.jobs;
  const profile = migProfiles?.[(components.mig[at.firstComponent[jobIdx]!] ?? 0) - 1] ?? "";
  const group = groupOfDevice(stage, device);
  const { slices } = migShape(group?.gpuModel ?? "", group?.gpuMemMiB ?? 0, profile);
  const eighth = WHOLE_DEVICE / PLACES;
  return { from: start * eighth, to: Math.min(PLACES, start + slices) * eighth };
}

function groupOfDevice({ cluster }: Stage, device: number) {
  let low = 0;
  let high = cluster.nodeCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cluster.deviceBase[middle]! <= device) low = middle + 1;
    else high = middle;
  }
  return cluster.groups[cluster.nodeGroup[low - 1] ?? 0];
}

export class PartPlaces {
  #stage: Stage | null = null;
  #chunks: readonly Chunk[] = [];
  #open: OpenSet | null = null;
  /** By device, in order of closing; what is open stands last. */
  readonly #placed = new Map<number, Placed[]>();
  #openCount = new Map<number, number>();

  /** Takes in new chunks and what is open. O(their parts). */
  update(stage: Stage, chunks: readonly Chunk[], open: OpenSet | null): void {
    const same = stage === this.#stage && this.#chunks.every((chunk, i) => chunks[i] === chunk);
    const from = same ? this.#chunks.length : 0;
    if (!same) {
      this.#placed.clear();
      this.#openCount.clear();
    }
    if (same && open === this.#open && from === chunks.length) return;
    for (const [device, count] of this.#openCount) {
      const list = this.#placed.get(device)!;
      list.length -= count;
    }
    this.#openCount = new Map();
    this.#stage = stage;
    this.#chunks = chunks;
    this.#open = open;
    for (let i = from; i < chunks.length; i++) this.#add(chunks[i]!.rects, false);
    if (open) this.#add(open.rects, true);
  }

  get any(): boolean {
    return this.#placed.size > 0;
  }

  /** The place of a part on a row; null where it holds the whole device. O(shares of the device at once, and later). */
  placeOf(device: number, bits: number, jobIdx: number, startMs: number): PartPlace | null {
    const part = partOf(bits);
    if (part === 0 || !this.#stage) return null;
    if (part > WHOLE_DEVICE) return migPlace(this.#stage, jobIdx, device, part - WHOLE_DEVICE - 1);
    const list = this.#placed.get(device);
    return (
      list?.findLast((one) => one.jobIdx === jobIdx && one.startMs === startMs) ?? {
        from: 0,
        to: part,
      }
    );
  }

  #add(rects: Chunk["rects"], open: boolean): void {
    for (let row = 0; row < rects.bits.length; row++) {
      const part = partOf(rects.bits[row]!);
      if (part === 0 || part > WHOLE_DEVICE) continue;
      const device = rects.device[row]!;
      const list = this.#placed.get(device) ?? [];
      this.#placed.set(device, list);
      if (open) this.#openCount.set(device, (this.#openCount.get(device) ?? 0) + 1);
      const jobIdx = rects.jobIdx[row]!;
      const startMs = rects.startMs[row]!;
      const from = lowestFree(list, jobIdx, startMs, part);
      const endMs = open ? Number.POSITIVE_INFINITY : rects.endMs[row]!;
      list.push({ jobIdx, startMs, endMs, from, to: from + part });
    }
  }
}

/** Ends ascend, so what is over before `startMs` ends the search. */
function lowestFree(
  list: readonly Placed[],
  jobIdx: number,
  startMs: number,
  length: number,
): number {
  const others: Placed[] = [];
  let own = -1;
  for (let i = list.length - 1; i >= 0; i--) {
    const one = list[i]!;
    if (one.endMs < startMs) break;
    if (one.endMs === startMs) {
      if (one.jobIdx === jobIdx) own = one.from;
    } else others.push(one);
  }
  const free = (from: number) =>
    from + length <= WHOLE_DEVICE &&
    others.every((one) => one.to <= from || one.from >= from + length);
  if (own >= 0 && free(own)) return own;
  const starts = [0, ...others.map((one) => one.to)].sort((a, b) => a - b);
  return starts.find(free) ?? Math.min(WHOLE_DEVICE - length, starts.at(-1) ?? 0);
}
