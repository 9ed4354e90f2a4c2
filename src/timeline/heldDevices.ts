/**
 * How many whole devices a job holds at a time, or from the fewest to the most over a while: elastic jobs shrink and grow within a run, and jobs whose pods are bound
 * one by one hold some before the rest. It is null for jobs that hold shares or slices of devices, which are no whole number.
 */
import { countText, numberText } from "../base/format.ts";
import { type Chunk, DecisionKindCode, type OpenSet, partOf } from "../record/shapes.ts";
import type { RunSizes } from "./runSizes.ts";

export interface HeldSource {
  readonly chunks: readonly Chunk[];
  readonly open: OpenSet | null;
}

/** From `fromMs` until before `toMs`; without it at that time alone. O(rectangles of the record since `fromMs`). */
export function heldDevices(
  { chunks, open }: HeldSource,
  jobIdx: number,
  fromMs: number,
  toMs = fromMs,
): RunSizes | null {
  const changes = new Map<number, number>();
  let isWhole = true;
  const add = (atMs: number, devices: number): void => {
    changes.set(atMs, (changes.get(atMs) ?? 0) + devices);
  };
  const read = ({ jobIdx: of, startMs, endMs, deviceCount, bits }: Chunk["rects"]): void => {
    for (let row = of.indexOf(jobIdx); row >= 0; row = of.indexOf(jobIdx, row + 1)) {
      const start = startMs[row]!;
      if (endMs[row]! <= fromMs || (start > fromMs && start >= toMs)) continue;
      if (partOf(bits[row]!) !== 0) isWhole = false;
      add(Math.max(fromMs, start), deviceCount[row]!);
      add(endMs[row]!, -deviceCount[row]!);
    }
  };
  for (const { rects, toMs: closedMs } of chunks) if (closedMs >= fromMs) read(rects);
  if (open) read(open.rects);
  if (!isWhole) return null;
  let [devices, least, most] = [0, Number.POSITIVE_INFINITY, 0];
  for (const atMs of [...changes.keys()].sort((a, b) => a - b)) {
    if (atMs >= toMs && atMs > fromMs) break;
    devices += changes.get(atMs)!;
    if (devices === 0) continue;
    least = Math.min(least, devices);
    most = Math.max(most, devices);
  }
  return most === 0 ? null : { least, most };
}

const resized = new WeakMap<Chunk, ReadonlySet<number>>();

/** Whether a job shrinks or grows within a run, as far as the record goes. O(chunks); each is read once. */
export function changesSize({ chunks }: Pick<HeldSource, "chunks">, jobIdx: number): boolean {
  return chunks.some((chunk) => {
    const known = resized.get(chunk) ?? resizedIn(chunk);
    resized.set(chunk, known);
    return known.has(jobIdx);
  });
}

function resizedIn({ decisions: { kind, jobIdx } }: Chunk): ReadonlySet<number> {
  const jobs = new Set<number>();
  const { resize } = DecisionKindCode;
  for (let row = kind.indexOf(resize); row >= 0; row = kind.indexOf(resize, row + 1))
    jobs.add(jobIdx[row]!);
  return jobs;
}

/** "48", "48–64". */
export function sizeText({ least, most }: RunSizes): string {
  return least === most ? String(most) : `${least}–${most}`;
}

/** What a job holds beside what it asks for: "64 GPUs" where it is that, "48 of 64 GPUs", "4–8 GPUs, asked for 4". */
export function heldWords(held: RunSizes | null, asked: number, word: string): string {
  if (held === null || (held.least === asked && held.most === asked)) return countText(asked, word);
  if (held.most <= asked) return `${sizeText(held)} of ${countText(asked, word)}`;
  const more = held.least === held.most ? countText(held.most, word) : `${sizeText(held)} ${word}s`;
  return `${more}, asked for ${numberText(asked)}`;
}
