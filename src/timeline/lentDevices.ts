/**
 * What a suspended job has lent: the record has no rectangles of it meanwhile, so they are made here from the ones that end with its suspension, up to its
 * resumption or the end of its run. They lie under those of whoever uses the devices. A job that keeps its devices while it is suspended has rectangles of its own.
 * O(decisions and runs of what is new, plus the rectangles of a chunk for each suspension).
 */
import { MemberStateCode } from "../model/states.ts";
import {
  type Chunk,
  DecisionKindCode,
  memberStateOf,
  type OpenSet,
  rectBits,
} from "../record/shapes.ts";

export interface LentRect {
  readonly startMs: number;
  /** `Infinity` while nobody knows. */
  readonly endMs: number;
  readonly jobIdx: number;
  readonly device: number;
  readonly deviceCount: number;
  readonly bits: number;
}

const SUSPENDED = rectBits(MemberStateCode.suspended, 0, 0);

export class LentDevices {
  readonly #closed: LentRect[] = [];
  /** Suspended now: what each job held. */
  readonly #lent = new Map<number, LentRect[]>();
  #chunks: readonly Chunk[] = [];

  /** Takes in new chunks; true where there may be something else than before. */
  update(chunks: readonly Chunk[]): boolean {
    const same = this.#chunks.every((chunk, index) => chunks[index] === chunk);
    const before = this.#closed.length + this.#lent.size;
    if (!same) {
      this.#closed.length = 0;
      this.#lent.clear();
    }
    for (let i = same ? this.#chunks.length : 0; i < chunks.length; i++) this.#add(chunks[i]!);
    this.#chunks = chunks;
    return before + this.#closed.length + this.#lent.size > 0;
  }

  /** All of them, those that go on last. */
  rects(open: OpenSet | null): readonly LentRect[] {
    const going = [...this.#lent.values()].filter(
      ([first]) => first && !(open && keepsThem(open.rects, first)),
    );
    return [...this.#closed, ...going.flat()];
  }

  #add(chunk: Chunk): void {
    const { decisions, runs } = chunk;
    let run = 0;
    const endRuns = (atMs: number): void => {
      for (; run < runs.endMs.length && runs.endMs[run]! < atMs; run++)
        this.#end(chunk, runs.jobIdx[run]!, runs.endMs[run]!);
    };
    for (let row = 0; row < decisions.kind.length; row++) {
      const kind = decisions.kind[row]!;
      if (kind !== DecisionKindCode.suspend && kind !== DecisionKindCode.resume) continue;
      const atMs = decisions.atMs[row]!;
      const jobIdx = decisions.jobIdx[row]!;
      endRuns(atMs);
      if (kind === DecisionKindCode.resume) this.#end(chunk, jobIdx, atMs);
      else this.#lent.set(jobIdx, heldUntil(chunk.rects, jobIdx, atMs));
    }
    endRuns(Number.POSITIVE_INFINITY);
  }

  #end({ rects }: Chunk, jobIdx: number, atMs: number): void {
    const lent = this.#lent.get(jobIdx);
    if (!lent) return;
    this.#lent.delete(jobIdx);
    const [first] = lent;
    if (first && !keepsThem(rects, first))
      for (const one of lent) this.#closed.push({ ...one, endMs: atMs });
  }
}

/** What a job held until it was suspended, as if it held it on. */
function heldUntil(rects: Chunk["rects"], jobIdx: number, atMs: number): LentRect[] {
  const held: LentRect[] = [];
  for (
    let row = rects.jobIdx.indexOf(jobIdx);
    row >= 0;
    row = rects.jobIdx.indexOf(jobIdx, row + 1)
  ) {
    if (rects.endMs[row] !== atMs) continue;
    held.push({
      startMs: atMs,
      endMs: Number.POSITIVE_INFINITY,
      jobIdx,
      device: rects.device[row]!,
      deviceCount: rects.deviceCount[row]!,
      bits: SUSPENDED,
    });
  }
  return held;
}

/** Whether the job itself has a rectangle as suspended from then on. */
function keepsThem(rects: Chunk["rects"], { jobIdx, startMs }: LentRect): boolean {
  for (
    let row = rects.jobIdx.indexOf(jobIdx);
    row >= 0;
    row = rects.jobIdx.indexOf(jobIdx, row + 1)
  ) {
    if (
      rects.startMs[row] === startMs &&
      memberStateOf(rects.bits[row]!) === MemberStateCode.suspended
    )
      return true;
  }
  return false;
}
