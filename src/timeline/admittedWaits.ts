/**
 * Which part of a wait a job had its quota already and stood before the nodes: from a decision `admit` to the quota taken back, the
 * end of the wait, or a change of the pool's policy. Schedulers that are no admission layer write `admit` for a replica of a service that is wanted: that is no quota. The log is read forward, each chunk once:
 * O(decisions) for a run, O(spans of the job) for a wait.
 */
import { type Chunk, DecisionKindCode } from "../record/shapes.ts";

const NONE: readonly number[] = [];

/** A change of a pool's policy: what the scheduler before had admitted is void. */
export interface PolicyChange {
  readonly atMs: number;
  /** −1 = every pool. */
  readonly pool: number;
  /** The new one is an admission layer. */
  readonly admits: boolean;
}

export class AdmittedWaits {
  /** From and to in turn; the last `to` is `Infinity` while nobody took the quota back. */
  readonly #spans = new Map<number, number[]>();
  #chunks: readonly Chunk[] = [];
  #changes: readonly PolicyChange[] = [];
  #changeIdx = 0;
  #poolOfJob: ArrayLike<number> = [];
  #admits: boolean[] = [];

  /** Reads on, or anew where the run is another. `changes` in order of time; `admits`: by pool, whether its first policy is an admission layer. */
  read(
    chunks: readonly Chunk[],
    poolOfJob: ArrayLike<number>,
    changes: readonly PolicyChange[],
    admits: readonly boolean[],
  ): void {
    if (chunks === this.#chunks) return;
    let known = this.#chunks.length;
    if (this.#chunks.some((chunk, index) => chunks[index] !== chunk)) {
      this.#spans.clear();
      known = 0;
    }
    if (known === 0) {
      this.#changeIdx = 0;
      this.#admits = [...admits];
    }
    this.#poolOfJob = poolOfJob;
    this.#changes = changes;
    for (let at = known; at < chunks.length; at++) this.#readChunk(chunks[at]!);
    this.#chunks = chunks;
  }

  /** From and to in turn, in order of time; not cut to a wait. */
  of(jobIdx: number): readonly number[] {
    return this.#spans.get(jobIdx) ?? NONE;
  }

  /** When the job had been admitted that waits at `atMs`, in a wait that began at `fromMs`; −1 = it had no quota then. */
  since(jobIdx: number, fromMs: number, atMs: number): number {
    const spans = this.of(jobIdx);
    for (let i = 0; i < spans.length; i += 2)
      if (spans[i]! >= fromMs && spans[i]! <= atMs && atMs < spans[i + 1]!) return spans[i]!;
    return -1;
  }

  #readChunk({ decisions, toMs }: Chunk): void {
    const { kind, jobIdx, atMs } = decisions;
    const { admit, evict, start, cancel } = DecisionKindCode;
    for (let row = 0; row < kind.length; row++) {
      if (atMs[row]! >= this.#nextChangeMs()) this.#change(atMs[row]!);
      const what = kind[row];
      if (what === admit && this.#admits[this.#poolOfJob[jobIdx[row]!]!])
        this.#open(jobIdx[row]!, atMs[row]!);
      else if (what === evict || what === start || what === cancel)
        this.#close(jobIdx[row]!, atMs[row]!);
    }
    if (toMs >= this.#nextChangeMs()) this.#change(toMs);
  }

  #nextChangeMs(): number {
    return this.#changes[this.#changeIdx]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  /** Ends what was admitted before the changes up to a time. */
  #change(untilMs: number): void {
    for (; this.#nextChangeMs() <= untilMs; this.#changeIdx++) {
      const { atMs, pool, admits } = this.#changes[this.#changeIdx]!;
      this.#admits = this.#admits.map((before, at) => (pool < 0 || at === pool ? admits : before));
      for (const [jobIdx, spans] of this.#spans)
        if ((pool < 0 || this.#poolOfJob[jobIdx] === pool) && spans.at(-2)! < atMs)
          this.#close(jobIdx, atMs);
    }
  }

  #open(jobIdx: number, atMs: number): void {
    const spans = this.#spans.get(jobIdx);
    if (!spans) this.#spans.set(jobIdx, [atMs, Number.POSITIVE_INFINITY]);
    else if (spans.at(-1) !== Number.POSITIVE_INFINITY) spans.push(atMs, Number.POSITIVE_INFINITY);
  }

  #close(jobIdx: number, atMs: number): void {
    const spans = this.#spans.get(jobIdx);
    if (spans?.at(-1) === Number.POSITIVE_INFINITY) spans[spans.length - 1] = atMs;
  }
}
