/** Device time that jobs hold: thousandths of devices × ms, entry by entry of their holdings. */
import { devicePartsOf } from "../model/deviceWeight.ts";
import type { JobTable } from "../model/jobs.ts";
import type { Allocations } from "./allocations.ts";
import type { Holdings } from "./holdings.ts";
import type { Ledger } from "./ledger.ts";
import type { LiveJobs } from "./liveJobs.ts";

/** Thousandths that an entry holds of each of its devices. */
export function milliOfEntry(
  ledger: Ledger,
  { at }: Holdings,
  mig: ArrayLike<number>,
  entry: number,
): number {
  return ledger.milliOf(at.node[entry]!, at.part[entry]!, mig[at.component[entry]!]!);
}

/** What one device of a component row's members counts with this part, in 1/7,000 of it. */
export function partsOfRow(
  { components, migProfiles }: JobTable,
  part: number,
  row: number,
): number {
  return devicePartsOf(part, migProfiles[components.mig[row]! - 1]);
}

/** What the current run of a job has held up to now. O(entries). */
export function heldMilliMs(
  { ledger, holdings }: Allocations,
  { at: live }: LiveJobs,
  mig: ArrayLike<number>,
  slot: number,
  nowMs: number,
): number {
  let milliMs = live.heldMilliMs[slot]!;
  if (live.lent[slot] === 1) return milliMs;
  const { at } = holdings;
  for (let entry = live.first[slot]!; entry >= 0; entry = at.next[entry]!)
    if (at.count[entry]! > 0)
      milliMs +=
        at.count[entry]! *
        milliOfEntry(ledger, holdings, mig, entry) *
        (nowMs - at.sinceMs[entry]!);
  return milliMs;
}
