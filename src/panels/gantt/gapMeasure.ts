/** Two bars side by side in time: how long each is, and what lies between. The first is the one picked last, the second is pointed at with Shift. */
import { durationText } from "../../base/format.ts";
import type { Stage } from "../../protocol/messages.ts";
import { jobLabel } from "../../timeline/jobNames.ts";
import type { JobRect } from "../../timeline/jobRects.ts";

export interface PickedBar extends JobRect {
  readonly jobIdx: number;
}

/** The bar as a reader sees it: all that its run did on these devices without a pause. Open ends are at `knownMs`. */
export function wholeBar(
  rects: readonly JobRect[],
  bar: { readonly jobIdx: number; readonly device: number; readonly startMs: number },
  knownMs: number,
): PickedBar | null {
  const found = rects.find(
    (rect) =>
      rect.startMs <= bar.startMs &&
      rect.endMs > bar.startMs &&
      rect.device <= bar.device &&
      bar.device < rect.device + rect.deviceCount,
  );
  return found ? { ...found, jobIdx: bar.jobIdx, endMs: Math.min(found.endMs, knownMs) } : null;
}

/** Between two bars: positive = a gap, negative = they overlap for so long. */
export function gapMs(a: JobRect, b: JobRect): number {
  return Math.max(a.startMs, b.startMs) - Math.min(a.endMs, b.endMs);
}

export function gapWords(stage: Stage, a: PickedBar, b: PickedBar): string {
  const gap = gapMs(a, b);
  const first = gap < 0 ? `Overlap of ${durationText(-gap)}` : `Gap of ${durationText(gap)}`;
  const of = (bar: PickedBar) =>
    `${jobLabel(stage.jobs, bar.jobIdx)} (${durationText(bar.endMs - bar.startMs)})`;
  return `${first} between ${of(a)} and ${of(b)}.`;
}
