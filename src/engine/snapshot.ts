/**
 * The state of a run at the end of an instant. It holds only what lives: waiting, held and running jobs, what they hold,
 * events ahead, closed nodes, decided dependencies of jobs that are not done, and the schedulers' own states. A job that has
 * arrived and is not in it is done.
 */
import type { PoolSettings } from "../model/policy.ts";
import type { RunDigest } from "../record/digest.ts";
import type { TierTotals } from "../record/recorder.ts";
import type { ApplicationCopy } from "./application/application.ts";
import type { ArrivalsCopy } from "./arrivals.ts";
import type { EventsCopy } from "./eventQueue.ts";
import type { HappenedCopy } from "./happened.ts";
import type { HoldingsCopy } from "./holdings.ts";
import type { LiveCopy } from "./liveJobs.ts";
import type { NodesCopy } from "./nodeLife.ts";
import type { PastCopy } from "./pastRuns.ts";

export interface Snapshot {
  readonly atMs: number;
  readonly eventCount: number;
  readonly passCount: number;
  readonly jobsDone: number;
  readonly refused: Float64Array;
  readonly arrivals: ArrivalsCopy;
  readonly nextChange: number;
  readonly idlePasses: number;
  readonly live: LiveCopy;
  readonly past: PastCopy;
  readonly holdings: HoldingsCopy;
  readonly events: EventsCopy;
  readonly nodes: NodesCopy;
  readonly repartitions: Int32Array;
  readonly failedDevices: Int32Array;
  readonly application: ApplicationCopy | null;
  readonly edges: Int32Array;
  readonly tiers: TierTotals;
  readonly gauges: ReadonlyMap<number, number>;
  readonly pools: readonly {
    readonly settings: PoolSettings;
    readonly state: unknown;
    readonly wakeMs: number;
    readonly wakeVersion: number;
    readonly news: HappenedCopy;
  }[];
  readonly digest: RunDigest;
  readonly bytes: number;
}

/** Bytes of all typed arrays in plain data, and a little for each object. */
export function bytesOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength + 96;
  if (value instanceof Map) {
    let bytes = 64;
    for (const [key, entry] of value) bytes += 32 + bytesOf(key) + bytesOf(entry);
    return bytes;
  }
  if (typeof value !== "object" || value === null) return 8;
  let bytes = 32;
  for (const entry of Object.values(value)) bytes += 8 + bytesOf(entry);
  return bytes;
}
