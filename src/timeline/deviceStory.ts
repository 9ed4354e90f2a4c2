/** Who holds a device and who held it, from the record: one pass over rectangles, whole devices and parts alike. O(rectangles), when asked. */
import { type Chunk, memberStateOf, type OpenSet, partOf } from "../record/shapes.ts";

export interface Hold {
  readonly jobIdx: number;
  readonly fromMs: number;
  /** `Infinity` while it is held at the end of the record. */
  readonly toMs: number;
  readonly memberState: number;
  /** 0 = the whole device; else as in the record (`partOf`). */
  readonly part: number;
}

/** In order of time; stretches of one job that follow each other without a gap are one where only the state of the member changed. */
export function holdsOf(
  { chunks, open }: { readonly chunks: readonly Chunk[]; readonly open: OpenSet | null },
  device: number,
): Hold[] {
  const holds: Hold[] = [];
  const read = (rects: Chunk["rects"], isOpen: boolean): void => {
    const { device: first, deviceCount, startMs, endMs, jobIdx, bits } = rects;
    for (let row = 0; row < first.length; row++) {
      if (device < first[row]! || device >= first[row]! + deviceCount[row]!) continue;
      holds.push({
        jobIdx: jobIdx[row]!,
        fromMs: startMs[row]!,
        toMs: isOpen ? Number.POSITIVE_INFINITY : endMs[row]!,
        memberState: memberStateOf(bits[row]!),
        part: partOf(bits[row]!),
      });
    }
  };
  for (const chunk of chunks) read(chunk.rects, false);
  if (open) read(open.rects, true);
  return joined(holds.sort((a, b) => a.fromMs - b.fromMs || a.jobIdx - b.jobIdx));
}

function joined(holds: readonly Hold[]): Hold[] {
  const found: Hold[] = [];
  const lastOf = new Map<string, number>();
  for (const hold of holds) {
    const key = `${hold.jobIdx} ${hold.part}`;
    const at = lastOf.get(key);
    const last = at === undefined ? undefined : found[at];
    if (last !== undefined && last.toMs === hold.fromMs) {
      found[at!] = { ...last, toMs: hold.toMs, memberState: hold.memberState };
      continue;
    }
    lastOf.set(key, found.length);
    found.push(hold);
  }
  return found;
}

/** Part of the time up to `atMs` in which somebody held the device, 0 … 1. O(holds). */
export function heldShare(holds: readonly Hold[], atMs: number): number {
  if (atMs <= 0) return 0;
  let heldMs = 0;
  let coveredMs = 0;
  for (const { fromMs, toMs } of holds) {
    const from = Math.max(fromMs, coveredMs);
    const to = Math.min(toMs, atMs);
    if (to > from) heldMs += to - from;
    coveredMs = Math.max(coveredMs, to);
  }
  return heldMs / atMs;
}
