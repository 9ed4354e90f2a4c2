/**
 * Writes the record: rows are appended to growing tables and handed over as one immutable chunk at a time. Step series are
 * written once an instant, for the tiers whose values differ from their last row.
 */
import { type ArraysOf, allocate, Table } from "../base/columns.ts";
import {
  type Chunk,
  DECISION_SHAPE,
  GAUGE_SHAPE,
  NODE_SPAN_SHAPE,
  RECT_SHAPE,
  RUN_SHAPE,
  SERIES_SHAPE,
  WAIT_SHAPE,
} from "./shapes.ts";

const TIER_SHAPE = {
  heldParts: "f64",
  jobsWaiting: "i32",
  waitedParts: "f64",
  lastHeld: "i32",
  lastWaiting: "i32",
  lastWaited: "f64",
} as const;
/** A subject is a number of 16 bits. */
const GAUGE_SUBJECTS = 65_536;
/** Keys of gauges lie below; from here on those of their parts, pool by pool. */
const GAUGE_PARTS = 256 * GAUGE_SUBJECTS;
export type TierTotals = ArraysOf<typeof TIER_SHAPE>;

/** Of gauges; "no value" is the same as itself. */
const isSame = (one: number, other: number): boolean =>
  one === other || (Number.isNaN(one) && Number.isNaN(other));

export class Recorder {
  readonly #rects = new Table(RECT_SHAPE);
  readonly #runs = new Table(RUN_SHAPE);
  readonly #waits = new Table(WAIT_SHAPE);
  readonly #decisions = new Table(DECISION_SHAPE);
  readonly #nodeSpans = new Table(NODE_SPAN_SHAPE, 16);
  readonly #series = new Table(SERIES_SHAPE);
  readonly #gauges = new Table(GAUGE_SHAPE, 16);
  /** Place of each gauge in the lists below: its value as written last, and now (NaN = none yet); and those that changed in the instant under way. */
  readonly #gaugeRow = new Map<number, number>();
  readonly #gaugeKeys: number[] = [];
  readonly #lastGauges: number[] = [];
  readonly #nowGauges: number[] = [];
  readonly #isNewGauge: boolean[] = [];
  readonly #newGauges: number[] = [];
  /** What each pool adds to a gauge of several. */
  readonly #parts = new Map<number, number>();
  readonly #tiers: TierTotals;
  readonly #tierCount: number;
  #seriesDirty = false;

  constructor(tierCount: number) {
    this.#tierCount = tierCount;
    this.#tiers = allocate(TIER_SHAPE, tierCount);
  }

  rect(
    startMs: number,
    endMs: number,
    jobIdx: number,
    device: number,
    deviceCount: number,
    bits: number,
  ): void {
    const table = this.#rects;
    table.reserve(1);
    const row = table.length++;
    const at = table.at;
    at.startMs[row] = startMs;
    at.endMs[row] = endMs;
    at.jobIdx[row] = jobIdx;
    at.device[row] = device;
    at.deviceCount[row] = deviceCount;
    at.bits[row] = bits;
  }

  run(
    startMs: number,
    endMs: number,
    jobIdx: number,
    run: number,
    devices: number,
    endState: number,
    startReason: number,
    stopReason: number,
  ): void {
    const table = this.#runs;
    table.reserve(1);
    const row = table.length++;
    const at = table.at;
    at.startMs[row] = startMs;
    at.endMs[row] = endMs;
    at.jobIdx[row] = jobIdx;
    at.run[row] = run;
    at.devices[row] = devices;
    at.endState[row] = endState;
    at.startReason[row] = startReason;
    at.stopReason[row] = stopReason;
  }

  wait(fromMs: number, toMs: number, jobIdx: number): void {
    const table = this.#waits;
    table.reserve(1);
    const row = table.length++;
    table.at.fromMs[row] = fromMs;
    table.at.toMs[row] = toMs;
    table.at.jobIdx[row] = jobIdx;
  }

  decision(atMs: number, kind: number, reason: number, jobIdx: number, value: number): void {
    const table = this.#decisions;
    table.reserve(1);
    const row = table.length++;
    table.at.atMs[row] = atMs;
    table.at.kind[row] = kind;
    table.at.reason[row] = reason;
    table.at.jobIdx[row] = jobIdx;
    table.at.value[row] = value;
  }

  nodeSpan(startMs: number, endMs: number, node: number, state: number): void {
    const table = this.#nodeSpans;
    table.reserve(1);
    const row = table.length++;
    table.at.startMs[row] = startMs;
    table.at.endMs[row] = endMs;
    table.at.node[row] = node;
    table.at.state[row] = state;
  }

  /** The devices that a tier holds change, in 1/7,000 (`DEVICE_PARTS`). */
  held(tier: number, parts: number): void {
    this.#tiers.heldParts[tier] = this.#tiers.heldParts[tier]! + parts;
    this.#seriesDirty = true;
  }

  /** So many more jobs of a tier wait, for so many devices, in 1/7,000 (`DEVICE_PARTS`). */
  waiting(tier: number, jobs: number, parts: number): void {
    this.#tiers.jobsWaiting[tier] = this.#tiers.jobsWaiting[tier]! + jobs;
    this.#tiers.waitedParts[tier] = this.#tiers.waitedParts[tier]! + parts;
    this.#seriesDirty = true;
  }

  /** A gauge (`GaugeCode`) has this value now (NaN: none any more); written at the end of the instant, where it differs. Whether it does as of now. */
  gauge(kind: number, subject: number, value: number): boolean {
    const row = this.#rowOfGauge(kind * GAUGE_SUBJECTS + subject);
    this.#setGauge(row, value);
    return !isSame(this.#lastGauges[row]!, value);
  }

  /** A gauge that is the sum of what all pools say: this one now says so much. As `gauge`. O(pools). */
  gaugeOfPool(pool: number, pools: number, kind: number, subject: number, value: number): boolean {
    const key = kind * GAUGE_SUBJECTS + subject;
    this.#parts.set(GAUGE_PARTS * (pool + 1) + key, value);
    let sum = 0;
    for (let of = 1; of <= pools; of++) sum += this.#parts.get(GAUGE_PARTS * of + key) ?? 0;
    return this.gauge(kind, subject, sum);
  }

  /** The gauge goes up by one. */
  count(kind: number, subject: number): void {
    const row = this.#rowOfGauge(kind * GAUGE_SUBJECTS + subject);
    const before = this.#nowGauges[row]!;
    this.#setGauge(row, Number.isNaN(before) ? 1 : before + 1);
  }

  #rowOfGauge(key: number): number {
    let row = this.#gaugeRow.get(key);
    if (row === undefined) {
      row = this.#gaugeKeys.length;
      this.#gaugeRow.set(key, row);
      this.#gaugeKeys.push(key);
      this.#lastGauges.push(Number.NaN);
      this.#nowGauges.push(Number.NaN);
      this.#isNewGauge.push(false);
    }
    return row;
  }

  #setGauge(row: number, value: number): void {
    // Most have not changed: those are not looked at again at the end of the instant.
    if (isSame(this.#nowGauges[row]!, value)) return;
    this.#nowGauges[row] = value;
    if (this.#isNewGauge[row]) return;
    this.#isNewGauge[row] = true;
    this.#newGauges.push(row);
  }

  /** At the end of an instant. O(tiers + gauges that changed), nothing when nothing changed. */
  endInstant(atMs: number): void {
    if (this.#newGauges.length > 0) this.#writeGauges(atMs);
    if (!this.#seriesDirty) return;
    this.#seriesDirty = false;
    const tiers = this.#tiers;
    for (let tier = 0; tier < this.#tierCount; tier++) {
      const held = tiers.heldParts[tier]!;
      const jobs = tiers.jobsWaiting[tier]!;
      const waited = tiers.waitedParts[tier]!;
      if (
        held === tiers.lastHeld[tier] &&
        jobs === tiers.lastWaiting[tier] &&
        waited === tiers.lastWaited[tier]
      )
        continue;
      tiers.lastHeld[tier] = held;
      tiers.lastWaiting[tier] = jobs;
      tiers.lastWaited[tier] = waited;
      this.#seriesRow(atMs, tier, held, jobs, waited);
    }
  }

  /** Everything written since the last call. O(rows). */
  takeChunk(fromMs: number, toMs: number): Chunk {
    return {
      fromMs,
      toMs,
      rects: this.#rects.take(),
      runs: this.#runs.take(),
      waits: this.#waits.take(),
      decisions: this.#decisions.take(),
      nodeSpans: this.#nodeSpans.take(),
      series: this.#series.take(),
      gauges: this.#gauges.take(),
    };
  }

  copyTiers(): TierTotals {
    const copy = allocate(TIER_SHAPE, this.#tierCount);
    copyTotals(this.#tiers, copy);
    return copy;
  }

  /** Gauges as written last, and their parts by pool. */
  copyGauges(): Map<number, number> {
    const values = new Map(this.#parts);
    for (let row = 0; row < this.#gaugeKeys.length; row++) {
      if (!Number.isNaN(this.#lastGauges[row]))
        values.set(this.#gaugeKeys[row]!, this.#lastGauges[row]!);
    }
    return values;
  }

  restoreGauges(values: ReadonlyMap<number, number>): void {
    this.#gaugeRow.clear();
    for (const list of [this.#gaugeKeys, this.#lastGauges, this.#nowGauges, this.#newGauges])
      list.length = 0;
    this.#isNewGauge.length = 0;
    this.#parts.clear();
    for (const [key, value] of values) {
      if (key >= GAUGE_PARTS) {
        this.#parts.set(key, value);
        continue;
      }
      const row = this.#rowOfGauge(key);
      this.#lastGauges[row] = value;
      this.#nowGauges[row] = value;
    }
  }

  restoreTiers(totals: TierTotals): void {
    copyTotals(totals, this.#tiers);
    this.#seriesDirty = false;
  }

  #writeGauges(atMs: number): void {
    const table = this.#gauges;
    for (let at = 0; at < this.#newGauges.length; at++) {
      const gauge = this.#newGauges[at]!;
      const value = this.#nowGauges[gauge]!;
      this.#isNewGauge[gauge] = false;
      if (isSame(this.#lastGauges[gauge]!, value)) continue;
      this.#lastGauges[gauge] = value;
      table.reserve(1);
      const row = table.length++;
      const key = this.#gaugeKeys[gauge]!;
      table.at.atMs[row] = atMs;
      table.at.kind[row] = Math.floor(key / GAUGE_SUBJECTS);
      table.at.subject[row] = key % GAUGE_SUBJECTS;
      table.at.value[row] = value;
    }
    this.#newGauges.length = 0;
  }

  #seriesRow(atMs: number, tier: number, held: number, jobs: number, waited: number): void {
    const table = this.#series;
    table.reserve(1);
    const row = table.length++;
    table.at.atMs[row] = atMs;
    table.at.tier[row] = tier;
    table.at.heldParts[row] = held;
    table.at.jobsWaiting[row] = jobs;
    table.at.waitedParts[row] = waited;
  }
}

function copyTotals(from: TierTotals, to: TierTotals): void {
  for (const name of Object.keys(TIER_SHAPE) as (keyof typeof TIER_SHAPE)[])
    to[name].set(from[name]);
}
