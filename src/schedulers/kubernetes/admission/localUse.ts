/**
 * Admission fair sharing: what each LocalQueue has used, sampled at fixed times; between samples an admission counts at once as a penalty. Resources weigh 1 each in the units of their quota (CPUs whole, memory
 * in GiB), as upstream's default weights do in spirit; the ordering value of each LocalQueue stands in a record that its workloads share. O(LocalQueues × resources) a sample. Rules:
 * `scheduling/kubernetes/kueue/usageDecay.ts`.
 */
import {
  decayed,
  entryPenalty,
  usageValue,
} from "../../../scheduling/kubernetes/kueue/usageDecay.ts";
import { CPU, MEMORY } from "./asks.ts";
import type { KueueSetup } from "./setup.ts";

export interface LocalUse {
  /** By LocalQueue: what orders its workloads. */
  readonly locals: readonly { readonly queue: string; used: number }[];
  /** By LocalQueue × resource: remembered, added since the last sample, and held now. */
  readonly consumed: Float64Array;
  readonly penalty: Float64Array;
  readonly running: Float64Array;
  lastSampleMs: number;
}

export function noLocalUse({ locals, resources }: KueueSetup, nowMs: number): LocalUse {
  const size = locals.length * resources.length;
  return {
    locals: locals.map(({ namespace, name }) => ({ queue: `${namespace}/${name}`, used: 0 })),
    consumed: new Float64Array(size),
    penalty: new Float64Array(size),
    running: new Float64Array(size),
    lastSampleMs: nowMs,
  };
}

export function copyUse(use: LocalUse): LocalUse {
  return {
    locals: use.locals.map((local) => ({ ...local })),
    consumed: use.consumed.slice(),
    penalty: use.penalty.slice(),
    running: use.running.slice(),
    lastSampleMs: use.lastSampleMs,
  };
}

/** Samples that have come due. True where one has. */
export function sampleUse(setup: KueueSetup, use: LocalUse, nowMs: number): boolean {
  const { samplingMs, halfLifeMs } = setup.times;
  if (!setup.anyUse || use.lastSampleMs + samplingMs > nowMs) return false;
  const elapsedMs = nowMs - use.lastSampleMs;
  use.lastSampleMs = nowMs;
  for (let at = 0; at < use.consumed.length; at++)
    use.consumed[at] = decayed(use.consumed[at]!, use.running[at]!, elapsedMs, halfLifeMs);
  use.penalty.fill(0);
  for (let localIdx = 0; localIdx < use.locals.length; localIdx++) revalue(setup, use, localIdx);
  return true;
}

/** When the next sample is due, where anybody is ordered by use. */
export function nextSampleMs({ anyUse, times }: KueueSetup, use: LocalUse): number {
  return anyUse ? use.lastSampleMs + times.samplingMs : Number.POSITIVE_INFINITY;
}

/** A workload of the LocalQueue takes this much of each resource (with a penalty), or gives it back (negative). */
export function noteUse(
  setup: KueueSetup,
  use: LocalUse,
  localIdx: number,
  byResource: Float64Array,
  sign: 1 | -1,
): void {
  if (!setup.anyUse || localIdx < 0) return;
  const { samplingMs, halfLifeMs } = setup.times;
  const first = localIdx * setup.resources.length;
  for (let at = 0; at < byResource.length; at++) {
    const amount = byResource[at]!;
    if (amount === 0) continue;
    use.running[first + at]! += sign * amount;
    if (sign > 0) use.penalty[first + at]! += entryPenalty(amount, samplingMs, halfLifeMs);
  }
  if (sign > 0) revalue(setup, use, localIdx);
}

/** A workload holds this much, and its admission has been counted before. */
export function runsOn(
  { anyUse, resources }: KueueSetup,
  { running }: LocalUse,
  localIdx: number,
  amounts: Float64Array,
): void {
  if (!anyUse || localIdx < 0) return;
  for (let at = 0; at < amounts.length; at++)
    running[localIdx * resources.length + at]! += amounts[at]!;
}

function revalue({ locals, resources }: KueueSetup, use: LocalUse, localIdx: number): void {
  const first = localIdx * resources.length;
  const of = (list: Float64Array) => Array.from(list.subarray(first, first + resources.length));
  use.locals[localIdx]!.used = usageValue(
    of(use.consumed),
    of(use.penalty),
    resources.map(perUnit),
    locals[localIdx]!.weight,
  );
}

/** CPUs are kept in 1/1,000 and memory in MiB; one CPU, one GiB and one of anything else weigh the same. */
function perUnit(resource: string): number {
  if (resource === CPU) return 1 / 1000;
  return resource === MEMORY ? 1 / 1024 : 1;
}
