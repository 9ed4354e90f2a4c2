/**
 * The gauges of a future, one list of steps for each gauge and subject, ready to be asked: the value at a time, and what a column of pixels covers. Rows
 * come in order of time, so a list only grows; another future is read from its beginning. A value that is no number is a gap.
 */
import type { Chunk } from "../record/shapes.ts";

/** Steps of one gauge of one subject: `values[i]` holds from `atMs[i]` on. */
export interface GaugeSteps {
  readonly kind: number;
  readonly subject: number;
  readonly atMs: readonly number[];
  readonly values: readonly number[];
  /** Largest finite value. */
  most: number;
}

/** Least, mean over time and most of a stretch; NaN where nothing is known in it. */
export interface GaugeStats {
  readonly least: number;
  readonly mean: number;
  readonly most: number;
}

const SUBJECTS = 65_536;

/** Index of the step that holds at a time; −1 before the first. O(log n). */
export function stepAt(steps: GaugeSteps, atMs: number): number {
  let low = 0;
  let high = steps.atMs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps.atMs[middle]! <= atMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The value that holds at a time; NaN before the first. O(log n). */
export function valueAt(steps: GaugeSteps, atMs: number): number {
  return steps.values[stepAt(steps, atMs)] ?? Number.NaN;
}

/** Of `fromMs` ≤ t < `toMs`; infinite values count for least and most, not for the mean. O(log n + steps within). */
export function statsOver(steps: GaugeSteps, fromMs: number, toMs: number): GaugeStats {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  let sum = 0;
  let knownMs = 0;
  for (let i = Math.max(0, stepAt(steps, fromMs)); i < steps.atMs.length; i++) {
    const begin = Math.max(fromMs, steps.atMs[i]!);
    if (begin >= toMs) break;
    const value = steps.values[i]!;
    if (Number.isNaN(value)) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
    if (!Number.isFinite(value)) continue;
    const ms = Math.min(toMs, steps.atMs[i + 1] ?? toMs) - begin;
    sum += value * ms;
    knownMs += ms;
  }
  if (least > most) return { least: Number.NaN, mean: Number.NaN, most: Number.NaN };
  return { least, mean: sum / knownMs, most };
}

interface GrowingSteps extends GaugeSteps {
  readonly atMs: number[];
  readonly values: number[];
}

export class GaugeSeries {
  /** Grows when another gauge or subject comes up, or one ends or goes on. */
  version = 0;
  readonly #steps = new Map<number, GrowingSteps>();
  #chunks: readonly Chunk[] = [];

  /** Takes in new chunks. O(their rows). */
  update(chunks: readonly Chunk[]): void {
    const same = this.#chunks.every((chunk, index) => chunks[index] === chunk);
    if (!same) {
      this.#steps.clear();
      this.version += 1;
    }
    for (let i = same ? this.#chunks.length : 0; i < chunks.length; i++) this.#add(chunks[i]!);
    this.#chunks = chunks;
  }

  get(kind: number, subject: number): GaugeSteps | undefined {
    return this.#steps.get(kind * SUBJECTS + subject);
  }

  /** Subjects of a gauge that occur, ascending. O(gauges). */
  subjects(kind: number): number[] {
    return [...this.#steps.values()]
      .filter((steps) => steps.kind === kind)
      .map((steps) => steps.subject)
      .sort((a, b) => a - b);
  }

  get any(): boolean {
    return this.#steps.size > 0;
  }

  #add({ gauges }: Chunk): void {
    const { atMs, kind, subject, value } = gauges;
    for (let row = 0; row < atMs.length; row++) {
      const key = kind[row]! * SUBJECTS + subject[row]!;
      let steps = this.#steps.get(key);
      if (!steps) {
        steps = { kind: kind[row]!, subject: subject[row]!, atMs: [], values: [], most: 0 };
        this.#steps.set(key, steps);
        this.version += 1;
      }
      const before = steps.values.at(-1) ?? value[row]!;
      if (Number.isNaN(before) !== Number.isNaN(value[row]!)) this.version += 1;
      steps.atMs.push(atMs[row]!);
      steps.values.push(value[row]!);
      if (Number.isFinite(value[row]!)) steps.most = Math.max(steps.most, value[row]!);
    }
  }
}
