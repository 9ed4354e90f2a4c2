/** What few runs have and the page then shows: found out as the record grows, told to React only when it turns. */
import { useSyncExternalStore } from "react";
import { occursIn } from "../timeline/occurs.ts";
import { runData } from "./runData.ts";

/** Whether the run that is shown has recorded gauges. O(chunks), and most often O(1). */
function hasGauges(): boolean {
  return runData.get().current.chunks.some((chunk) => chunk.gauges.atMs.length > 0);
}

const subscribe = (changed: () => void) => runData.subscribe(changed);

export function useHasGauges(): boolean {
  return useSyncExternalStore(subscribe, hasGauges);
}

/** What occurs in the run that is shown: bits of `Occurs`, and 1 << code of each member state. */
export function useOccurs(): number {
  return useSyncExternalStore(subscribe, () => {
    const { chunks, open } = runData.get().current;
    return occursIn(chunks, open);
  });
}
