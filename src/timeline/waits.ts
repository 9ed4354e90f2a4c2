/**
 * Who waited: stretches of waiting found by time. Waits are recorded when they close, so within a chunk they are in order of
 * their end; what waits at the end of the record is in the open set.
 */
import { upperBound } from "../base/bisect.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";

/** The part of a future that is needed here. */
export interface WaitSource {
  readonly chunks: readonly Chunk[];
  readonly open: OpenSet | null;
}

const firstFrom = new WeakMap<Chunk, number>();

/** Earliest start of a wait that closes in this chunk; lets a search skip chunks that lie wholly later. */
function firstFromMs(chunk: Chunk): number {
  let least = firstFrom.get(chunk);
  if (least === undefined) {
    least = Number.POSITIVE_INFINITY;
    const { fromMs } = chunk.waits;
    for (let row = 0; row < fromMs.length; row++) if (fromMs[row]! < least) least = fromMs[row]!;
    firstFrom.set(chunk, least);
  }
  return least;
}

/**
 * Calls `visit` for each wait that overlaps [fromMs, toMs], open ones with an end of `Infinity`; stops when it returns false.
 * O(waits that end after `fromMs` in chunks that reach into the range).
 */
export function eachWaitIn(
  source: WaitSource,
  fromMs: number,
  toMs: number,
  visit: (jobIdx: number, fromMs: number, toMs: number) => boolean,
): void {
  for (const chunk of source.chunks) {
    if (chunk.toMs < fromMs || firstFromMs(chunk) > toMs) continue;
    const { waits } = chunk;
    const rows = waits.jobIdx.length;
    for (let row = upperBound(waits.toMs, fromMs); row < rows; row++) {
      if (waits.fromMs[row]! > toMs) continue;
      if (!visit(waits.jobIdx[row]!, waits.fromMs[row]!, waits.toMs[row]!)) return;
    }
  }
  if (!source.open) return;
  const { waits } = source.open;
  for (let row = 0; row < waits.jobIdx.length; row++) {
    if (waits.fromMs[row]! > toMs) continue;
    if (!visit(waits.jobIdx[row]!, waits.fromMs[row]!, Number.POSITIVE_INFINITY)) return;
  }
}

export interface Waiters {
  readonly count: number;
  readonly jobIdx: Uint32Array;
  readonly fromMs: Float64Array;
}

/** Everybody who waits at a time: queued at or before it, not started by it. */
export function waitersAt(source: WaitSource, atMs: number): Waiters {
  const jobs: number[] = [];
  const froms: number[] = [];
  eachWaitIn(source, atMs, atMs, (jobIdx, fromMs) => {
    jobs.push(jobIdx);
    froms.push(fromMs);
    return true;
  });
  return { count: jobs.length, jobIdx: Uint32Array.from(jobs), fromMs: Float64Array.from(froms) };
}

/** Earliest queueing time among those who wait at `atMs`, by tier; `Infinity` where nobody waits. */
export function oldestWaits(
  source: WaitSource,
  atMs: number,
  tierOf: (jobIdx: number) => number,
  into: Float64Array,
): void {
  into.fill(Number.POSITIVE_INFINITY);
  eachWaitIn(source, atMs, atMs, (jobIdx, fromMs) => {
    const tier = tierOf(jobIdx);
    if (fromMs < into[tier]!) into[tier] = fromMs;
    return true;
  });
}
