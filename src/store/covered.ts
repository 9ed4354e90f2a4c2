/**
 * Whether more of the record can change a strip at all. A strip shows a window of time; once the record is known beyond it, what is still computed lies behind
 * its right edge, and the strip is painted again when the run is over (scales and sums of the whole run are right from then on).
 */
import { Dirty, type PainterHandle } from "../render/frameLoop.ts";
import { drawnRun } from "./drawnRun.ts";
import { type Future, onRecord } from "./runData.ts";
import { useApp } from "./store.ts";

export class Covered {
  /** The run whose record is painted as far as the strip reaches; −1 = none. */
  #generation = -1;

  /** After each painting: `future` is what it shows completely, `null` where something is still to be taken in. */
  painted(future: Future | null): void {
    const { window, cursorMs } = useApp.getState();
    const reaches = future !== null && future.knownMs >= Math.max(window.toMs, cursorMs);
    this.#generation = reaches ? future.generation : -1;
  }

  /** Marks a painter whenever the record changes; what is not more of the same is always painted. Returns the unsubscriber. */
  follow(painter: PainterHandle): () => void {
    return onRecord((more) => {
      if (!more) this.#generation = -1;
      painter.mark(more ? Dirty.more : Dirty.data);
    });
  }

  /** True while the record that is drawn now differs from the painted one only behind the right edge. */
  get holds(): boolean {
    const { current } = drawnRun();
    return !current.done && current.generation === this.#generation;
  }
}
