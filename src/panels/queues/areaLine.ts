/** Where lines are too many, the selected job's own wait stands at the foot of its tier's area. */
import type { Future } from "../../store/runData.ts";
import { type JobStory, jobStoryOf } from "../../timeline/jobStory.ts";
import { type TimeWindow, xCssOf } from "../../timeline/viewport.ts";
import type { TierBand } from "./laneLayout.ts";

export class AreaLine {
  #own: {
    readonly future: Future | null;
    readonly jobIdx: number;
    readonly waits: JobStory["waits"];
  } = { future: null, jobIdx: -1, waits: [] };

  /** Draws in the context's colour. O(waits of the job), and a search where the job is another one. */
  draw(
    context: CanvasRenderingContext2D,
    future: Future,
    jobIdx: number,
    band: TierBand,
    { window, widthCss }: { readonly window: TimeWindow; readonly widthCss: number },
  ): void {
    if (this.#own.future !== future || this.#own.jobIdx !== jobIdx)
      this.#own = { future, jobIdx, waits: jobStoryOf(future, jobIdx).waits };
    for (const { fromMs, toMs } of this.#own.waits) {
      const left = Math.max(-2, xCssOf(fromMs, window, widthCss));
      const right = Math.min(widthCss + 2, xCssOf(toMs, window, widthCss));
      if (right < left) continue;
      const y = Math.round(band.topCss + band.heightCss) - 5;
      context.fillRect(left, y, Math.max(3, right - left), 3);
    }
  }
}
