/**
 * Device time of rented nodes that are away while jobs wait: nobody holds these devices, and nobody could, so they are not idle. A span of a node is in the record when it
 * is over, so stretches of waiting are kept as they come, joined where one follows the other, with running sums. O(1) a stretch, O(log stretches) a span;
 * 24 bytes a stretch.
 */
import { upperBound } from "../base/bisect.ts";
import type { AwaySpan } from "../record/awaySpans.ts";

export class AwayTime {
  readonly #spans: AwaySpan[] = [];
  readonly #fromMs: number[] = [];
  readonly #toMs: number[] = [];
  /** Ms of waiting before each stretch. */
  readonly #before: number[] = [];

  /** Somebody waits from one time to another. Stretches come in order of time. */
  waits(fromMs: number, toMs: number): void {
    const last = this.#toMs.length - 1;
    if (last >= 0 && this.#toMs[last] === fromMs) {
      this.#toMs[last] = toMs;
      return;
    }
    this.#before.push(last < 0 ? 0 : this.#before[last]! + this.#toMs[last]! - this.#fromMs[last]!);
    this.#fromMs.push(fromMs);
    this.#toMs.push(toMs);
  }

  add(spans: readonly AwaySpan[]): void {
    this.#spans.push(...spans);
  }

  /** Device-ms up to a time. */
  whileWaiting(untilMs: number): number {
    return this.#spans.reduce(
      (sum, { startMs, endMs, devices }) =>
        sum +
        devices *
          (this.#waitedUntil(Math.min(untilMs, endMs)) -
            this.#waitedUntil(Math.min(untilMs, startMs))),
      0,
    );
  }

  #waitedUntil(ms: number): number {
    const at = upperBound(this.#fromMs, ms) - 1;
    if (at < 0) return 0;
    return this.#before[at]! + Math.min(ms, this.#toMs[at]!) - this.#fromMs[at]!;
  }
}
