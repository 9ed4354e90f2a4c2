/** The moment worth looking at in a run that nobody has looked at yet: when most jobs wait. */
import type { Chunk } from "../record/shapes.ts";
import { Demand } from "./demand.ts";

/** The first time at which most jobs wait, ms; `null` where nobody ever does. O(rows of the series). */
export function busiestMs(chunks: readonly Chunk[]): number | null {
  const demand = new Demand();
  demand.update(chunks);
  const { atMs, jobsWaiting } = demand.at;
  let best = -1;
  for (let row = 0; row < demand.count; row++) {
    if (jobsWaiting[row]! > (best < 0 ? 0 : jobsWaiting[best]!)) best = row;
  }
  return best < 0 ? null : atMs[best]!;
}
