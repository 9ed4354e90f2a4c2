/**
 * The numbers of the queue strip's gutter at the cursor: what each tier holds, how many of its jobs wait and since when. Written
 * straight into text nodes; React is not asked.
 */
import { amountText, durationText, numberText } from "../../base/format.ts";
import { drawnRun } from "../../store/drawnRun.ts";
import { useApp } from "../../store/store.ts";
import { type StepSeries, StepWalk } from "../../timeline/stepSeries.ts";
import { oldestWaits } from "../../timeline/waits.ts";

export interface GutterTexts {
  readonly held: HTMLElement | null;
  readonly waiting: HTMLElement | null;
  readonly oldest: HTMLElement | null;
}

/** The oldest wait needs a search; ten times a second is as fast as numbers can be read. */
const OLDEST_EVERY_MS = 100;

export class LaneGutter {
  readonly #texts: (tier: number) => GutterTexts;
  readonly #tierOf: (jobIdx: number) => number;
  #walk = new StepWalk({ tiers: 0, chunks: [] });
  #oldestMs = new Float64Array(0);
  #oldestAtMs = Number.NEGATIVE_INFINITY;
  #oldestCursorMs = 0;

  constructor(texts: (tier: number) => GutterTexts, tierOf: (jobIdx: number) => number) {
    this.#texts = texts;
    this.#tierOf = tierOf;
  }

  /** Takes another series; true when it has another number of tiers. */
  read(series: StepSeries): boolean {
    const other = this.#oldestMs.length !== series.tiers;
    this.#walk = new StepWalk(series);
    this.#oldestAtMs = Number.NEGATIVE_INFINITY;
    if (other) this.#oldestMs = new Float64Array(series.tiers);
    return other;
  }

  /** Returns true while a number is older than the cursor. */
  write(nowMs: number): boolean {
    const { cursorMs } = useApp.getState();
    const { current } = drawnRun();
    this.#walk.moveTo(cursorMs);
    let pending = false;
    if (nowMs - this.#oldestAtMs >= OLDEST_EVERY_MS) {
      oldestWaits(current, cursorMs, this.#tierOf, this.#oldestMs);
      this.#oldestAtMs = nowMs;
      this.#oldestCursorMs = cursorMs;
    } else pending = this.#oldestCursorMs !== cursorMs;
    const known = current.done || cursorMs <= current.knownMs;
    for (let tier = 0; tier < this.#oldestMs.length; tier++) {
      const { held, waiting, oldest } = this.#texts(tier);
      const waits = this.#walk.waiting[tier]!;
      const since = this.#oldestMs[tier]!;
      const told = known && waits > 0 && since <= cursorMs;
      put(held, known ? amountText(this.#walk.held(tier)) : "–");
      put(waiting, known && waits > 0 ? numberText(waits) : "–");
      put(oldest, told ? durationText(cursorMs - since) : "–");
    }
    return pending;
  }
}

function put(element: HTMLElement | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}
