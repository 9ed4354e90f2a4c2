/** What others ask of usage: a job's fair-share factor, and what limits on minutes are held against. */
import type { Usage, UsageColumns } from "../accounting/usage.ts";
import { classicFactor } from "./classicFairShare.ts";

/** Fair-share factor of an entry as of the last tick, 0 … 1; 0 for a job without an association (−1). O(1). */
export function fairShareOf(usage: Usage, entry: number): number {
  if (entry < 0) return 0;
  return usage.setup.config.fairTree ? usage.rankFactor[entry]! : classicFactor(usage, entry);
}

/** Usage as limits on minutes see it, as of the last tick and the ends since. Reads `usage` at each call. */
export function usageForLimits(usage: Usage): {
  readonly nowMs: number;
  assocTresMins(entry: number, tres: string): number;
  qosTresMins(qos: number, tres: string): number;
  assocWallMs(entry: number): number;
  qosWallMs(qos: number): number;
  fairShare(entry: number): number;
} {
  const { setup } = usage;
  const minutes = (of: UsageColumns, row: number, tres: string, scale: number): number => {
    const index = setup.tres.indexOf(tres);
    return index < 0 ? 0 : (of.tres[row * setup.tres.length + index]! * scale) / 60;
  };
  const scaleOfQos = (qos: number): number => (setup.qos[qos]!.noDecay ? 1 : usage.scale);
  return {
    get nowMs() {
      return usage.lastTickSec * 1000;
    },
    assocTresMins: (entry, tres) => minutes(usage.assoc, entry, tres, usage.scale),
    qosTresMins: (qos, tres) => minutes(usage.qos, qos, tres, scaleOfQos(qos)),
    assocWallMs: (entry) => usage.assoc.wall[entry]! * usage.scale * 1000,
    qosWallMs: (qos) => usage.qos.wall[qos]! * scaleOfQos(qos) * 1000,
    fairShare: (entry) => fairShareOf(usage, entry),
  };
}
