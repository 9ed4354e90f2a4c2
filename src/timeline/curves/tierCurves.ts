/** What the series of the record says by tier: devices held and waited for, jobs that wait; and demand over what is in service. O(rows). */

import { DEVICE_PARTS } from "../../model/units.ts";
import type { Chunk } from "../../record/shapes.ts";
import type { CapacityStep } from "../capacity.ts";
import { type Steps, stepsOf } from "./steps.ts";

export type TierField = "heldParts" | "jobsWaiting" | "waitedParts";

type SeriesChunks = readonly Pick<Chunk, "series">[];

export interface TierSteps {
  readonly tiers: readonly Steps[];
  readonly total: Steps;
}

/** One field of each tier, and its sum; what is held and waited for in devices. Yields after each chunk. */
export function* tierSteps(
  chunks: SeriesChunks,
  tierCount: number,
  field: TierField,
): Generator<void, TierSteps> {
  const lists = Array.from({ length: tierCount }, () => ({ atMs: [0], values: [0] }));
  const total = { atMs: [0], values: [0] };
  const now = new Float64Array(tierCount);
  const unit = field === "jobsWaiting" ? 1 : DEVICE_PARTS;
  let sum = 0;
  for (const { series } of chunks) {
    const column = series[field];
    for (let row = 0; row < series.atMs.length; row++) {
      const tier = series.tier[row]!;
      const value = column[row]!;
      if (value === now[tier]) continue;
      sum += value - now[tier]!;
      now[tier] = value;
      lists[tier]!.atMs.push(series.atMs[row]!);
      lists[tier]!.values.push(value / unit);
      total.atMs.push(series.atMs[row]!);
      total.values.push(sum / unit);
    }
    yield;
  }
  return {
    tiers: lists.map(({ atMs, values }) => stepsOf(atMs, values)),
    total: stepsOf(total.atMs, total.values),
  };
}

/** Devices held and waited for, as a part of those in service; no value while none is. */
export function* demandSteps(
  chunks: SeriesChunks,
  inService: readonly CapacityStep[],
  tierCount: number,
): Generator<void, Steps> {
  const atMs = [0];
  const values = [0];
  const held = new Float64Array(tierCount);
  const waited = new Float64Array(tierCount);
  let parts = 0;
  let next = 0;
  let devices = 0;
  const note = (ms: number): void => {
    atMs.push(ms);
    values.push(devices > 0 ? parts / DEVICE_PARTS / devices : Number.NaN);
  };
  const serveUntil = (ms: number): void => {
    for (; next < inService.length && inService[next]!.atMs <= ms; next++) {
      devices = inService[next]!.devices;
      note(inService[next]!.atMs);
    }
  };
  serveUntil(0);
  for (const { series } of chunks) {
    for (let row = 0; row < series.atMs.length; row++) {
      const tier = series.tier[row]!;
      serveUntil(series.atMs[row]!);
      parts += series.heldParts[row]! - held[tier]! + series.waitedParts[row]! - waited[tier]!;
      held[tier] = series.heldParts[row]!;
      waited[tier] = series.waitedParts[row]!;
      note(series.atMs[row]!);
    }
    yield;
  }
  serveUntil(Number.POSITIVE_INFINITY);
  return stepsOf(atMs, values);
}
