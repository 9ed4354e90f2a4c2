/**
 * Idle devices over time, in steps with running integrals, so that the idle time of any stretch of waiting costs two searches. At a step H
 * devices are idle and can be had and W are waited for; each device waited for answers for min(H, W) / W of one.
 */
import { upperBound } from "../base/bisect.ts";
import { Table } from "../base/columns.ts";
import { DEVICE_PARTS } from "../model/units.ts";
import type { Chunk } from "../record/shapes.ts";
import type { ClosedChange } from "./closedDevices.ts";

const STEP_SHAPE = {
  atMs: "f64",
  /** Idle devices a device waited for, and its integral up to the step (ms). */
  each: "f64",
  eachMs: "f64",
  /** Devices without demand, and closed ones. */
  spare: "f64",
  spareMs: "f64",
  closed: "f64",
  closedMs: "f64",
  waited: "f64",
  waitedMs: "f64",
} as const;

/** Integrals from time 0 on. */
export type IdleIntegral = "eachMs" | "spareMs" | "closedMs" | "waitedMs";
const RATE = { eachMs: "each", spareMs: "spare", closedMs: "closed", waitedMs: "waited" } as const;

export class IdleTimeline {
  readonly #steps = new Table(STEP_SHAPE, 256);
  readonly #devices: number;
  #heldParts = 0;
  #waitedParts = 0;
  #closed = 0;
  #away = 0;

  constructor(devices: number) {
    this.#devices = devices;
    this.#step(0);
  }

  /** Reads series and changes, both in order of time. Yields after each chunk. O(rows). */
  *read(
    chunks: readonly Pick<Chunk, "series">[],
    changes: readonly ClosedChange[],
    tiers: number,
  ): Generator<void> {
    const held = new Int32Array(tiers);
    const waited = new Float64Array(tiers);
    let next = 0;
    const changeUntil = (atMs: number): void => {
      for (; next < changes.length && changes[next]!.atMs <= atMs; next++) {
        this.#closed += changes[next]!.closed;
        this.#away += changes[next]!.away;
        this.#step(changes[next]!.atMs);
      }
    };
    for (const { series } of chunks) {
      for (let row = 0; row < series.atMs.length; row++) {
        const tier = series.tier[row]!;
        changeUntil(series.atMs[row]!);
        this.#heldParts += series.heldParts[row]! - held[tier]!;
        this.#waitedParts += series.waitedParts[row]! - waited[tier]!;
        held[tier] = series.heldParts[row]!;
        waited[tier] = series.waitedParts[row]!;
        this.#step(series.atMs[row]!);
      }
      yield;
    }
    changeUntil(Number.POSITIVE_INFINITY);
  }

  /** An integral from time 0 to `atMs`, device-ms (`eachMs`: ms). O(log steps). */
  until(atMs: number, of: IdleIntegral): number {
    const { at, length } = this.#steps;
    const step = Math.max(0, upperBound(at.atMs, atMs, 0, length) - 1);
    return at[of][step]! + at[RATE[of]][step]! * (atMs - at.atMs[step]!);
  }

  /** What holds from `atMs` on; an instant has one step. */
  #step(atMs: number): void {
    const table = this.#steps;
    const last = table.length - 1;
    if (last < 0 || table.at.atMs[last] !== atMs) table.reserve(1);
    const row = last < 0 || table.at.atMs[last] !== atMs ? table.length++ : last;
    const { at } = table;
    if (row > 0) {
      const ms = atMs - at.atMs[row - 1]!;
      for (const sum of ["eachMs", "spareMs", "closedMs", "waitedMs"] as const)
        at[sum][row] = at[sum][row - 1]! + at[RATE[sum]][row - 1]! * ms;
    }
    const idle = Math.max(0, this.#devices - this.#away - this.#heldParts / DEVICE_PARTS);
    const closed = Math.min(idle, Math.max(0, this.#closed));
    const waited = this.#waitedParts / DEVICE_PARTS;
    const taken = Math.min(idle - closed, waited);
    at.atMs[row] = atMs;
    at.each[row] = waited > 0 ? taken / waited : 0;
    at.spare[row] = idle - closed - taken;
    at.closed[row] = closed;
    at.waited[row] = waited;
  }
}
