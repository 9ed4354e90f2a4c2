/**
 * Gangs across nodes: a bar on a whole node joins the same bar in the node above. Both nodes' bars are walked in order of start,
 * so finding the partner of each costs one pass over both lists.
 */
import { type Bars, createBars } from "../../timeline/lod.ts";

/** First of `above`, from `a` on, that does not start before bar `i`. Both lists are in order of start. */
export function findSame(above: Bars, a: number, bars: Bars, i: number): number {
  let at = a;
  while (at < above.count && above.startMs[at]! < bars.startMs[i]!) at += 1;
  return at;
}

/** True where bar `i` is the same run of the same job as `above[a]`. */
export function isSame(above: Bars, a: number, bars: Bars, i: number): boolean {
  return (
    above.jobIdx[a]! === bars.jobIdx[i]! &&
    above.startMs[a]! === bars.startMs[i]! &&
    above.endMs[a]! === bars.endMs[i]!
  );
}

/** Appends what `isSame` compares. */
export function remember(into: Bars, bars: Bars, i: number): void {
  const at = into.count;
  if (at === into.x0.length) {
    const wider = createBars(at * 2);
    wider.jobIdx.set(into.jobIdx);
    wider.startMs.set(into.startMs);
    wider.endMs.set(into.endMs);
    Object.assign(into, wider);
    into.count = at;
  }
  into.jobIdx[at] = bars.jobIdx[i]!;
  into.startMs[at] = bars.startMs[i]!;
  into.endMs[at] = bars.endMs[i]!;
  into.count = at + 1;
}
