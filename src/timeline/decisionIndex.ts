/**
 * The decision log of a run as one numbered list, and what of it a filter lets through. Numbers are places in the record, so a number names the same
 * decision in every run of a document. Nothing is copied: a place is found by bisection over chunks. A filter is a scan in steps of a few
 * milliseconds whose result is a column of numbers, or nothing where everything passes.
 */
import { lowerBound, upperBound } from "../base/bisect.ts";
import { type Chunk, DECISION_KINDS, DecisionKindCode, isAboutJob } from "../record/shapes.ts";
import type { LogEntry } from "./decisionWords.ts";

/** Which list of reasons the reason of a kind is in. */
export type ReasonFamily = "wait" | "start" | "stop";

const FAMILIES: ReadonlyMap<number, ReasonFamily> = new Map<number, ReasonFamily>([
  [DecisionKindCode.wait, "wait"],
  [DecisionKindCode.refuse, "wait"],
  [DecisionKindCode.start, "start"],
  [DecisionKindCode.place, "start"],
  [DecisionKindCode.evict, "stop"],
  [DecisionKindCode.move, "stop"],
]);

function reasonFamilyOf(kind: number): ReasonFamily | null {
  return FAMILIES.get(kind) ?? null;
}

export interface LogReason {
  readonly family: ReasonFamily;
  readonly code: number;
}

export interface DecisionFilter {
  /** 1 per kind (`DecisionKindCode`) that is wanted; null = all. */
  readonly kinds: Uint8Array | null;
  readonly reason: LogReason | null;
  /** 1 per job that is wanted; null = decisions about anything. */
  readonly jobs: Uint8Array | null;
  /** 1 per node and per device whose own decisions are wanted beside those about `jobs`; null = none. */
  readonly nodes: Uint8Array | null;
  readonly devices: Uint8Array | null;
  /** Tier of a job at a time, and the one that is wanted. */
  readonly tier: {
    readonly wanted: number;
    readonly at: (jobIdx: number, atMs: number) => number;
  } | null;
  /** `fromMs` ≤ time ≤ `toMs`. */
  readonly fromMs: number;
  readonly toMs: number;
}

export const EVERY_DECISION: DecisionFilter = {
  kinds: null,
  reason: null,
  jobs: null,
  nodes: null,
  devices: null,
  tier: null,
  fromMs: Number.NEGATIVE_INFINITY,
  toMs: Number.POSITIVE_INFINITY,
};

/** All decisions of a record by number. O(chunks) to make. */
export class DecisionPlaces {
  readonly chunks: readonly Chunk[];
  /** Number of the first decision of each chunk; one more entry holds the count. */
  readonly #starts: Float64Array;

  constructor(chunks: readonly Chunk[]) {
    this.chunks = chunks;
    this.#starts = new Float64Array(chunks.length + 1);
    for (let at = 0; at < chunks.length; at++)
      this.#starts[at + 1] = this.#starts[at]! + chunks[at]!.decisions.atMs.length;
  }

  get count(): number {
    return this.#starts[this.chunks.length]!;
  }

  startOf(chunkIdx: number): number {
    return this.#starts[chunkIdx]!;
  }

  /** The decision with a number; null where there is none. O(log chunks). */
  entry(decision: number): LogEntry | null {
    if (decision < 0 || decision >= this.count) return null;
    const chunkIdx = upperBound(this.#starts, decision) - 1;
    const row = decision - this.#starts[chunkIdx]!;
    const { atMs, kind, reason, value, jobIdx } = this.chunks[chunkIdx]!.decisions;
    return {
      atMs: atMs[row]!,
      kind: kind[row]!,
      reason: reason[row]!,
      value: value[row]!,
      jobIdx: jobIdx[row]!,
      place: String(decision),
    };
  }

  /** Decisions at or before a time. O(log decisions). */
  upTo(atMs: number): number {
    let low = 0;
    let high = this.chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.chunks[middle]!.decisions.atMs[0] ?? this.chunks[middle]!.fromMs) <= atMs)
        low = middle + 1;
      else high = middle;
    }
    if (low === 0) return 0;
    return this.#starts[low - 1]! + upperBound(this.chunks[low - 1]!.decisions.atMs, atMs);
  }
}

/** Reasons that occur, and how often. */
export interface ReasonCount extends LogReason {
  readonly count: number;
}

/** What a filter lets through, in order of time. */
export class DecisionMatches {
  readonly places: DecisionPlaces;
  /** Numbers, ascending; null = all. */
  readonly #rows: Float64Array | null;
  /** Reasons of what passes when any reason will do, most frequent first. */
  readonly reasons: readonly ReasonCount[];

  constructor(
    places: DecisionPlaces,
    rows: Float64Array | null,
    reasons: readonly ReasonCount[] = [],
  ) {
    this.places = places;
    this.#rows = rows;
    this.reasons = reasons;
  }

  get count(): number {
    return this.#rows?.length ?? this.places.count;
  }

  /** The number of the decision in a row. O(1). */
  decision(row: number): number {
    return this.#rows ? this.#rows[row]! : row;
  }

  /** The row of a decision; −1 = it does not pass. O(log rows). */
  rowOf(decision: number): number {
    if (this.#rows === null) return decision < this.places.count ? decision : -1;
    const row = lowerBound(this.#rows, decision);
    return this.#rows[row] === decision ? row : -1;
  }

  /** The last row at or before a time; −1 = none. O(log decisions). */
  lastRow(atMs: number): number {
    const upTo = this.places.upTo(atMs);
    return (this.#rows ? lowerBound(this.#rows, upTo) : upTo) - 1;
  }
}

const ROWS_A_STEP = 16_384;
const CODES = 256;
const FAMILY_LIST: readonly ReasonFamily[] = ["wait", "start", "stop"];

/** Runs a filter over a record, some thousand rows a step. O(decisions). */
export function* matchDecisionsSteps(
  places: DecisionPlaces,
  filter: DecisionFilter,
): Generator<void, DecisionMatches> {
  const found: Float64Array[] = [];
  const counts = new Float64Array(FAMILY_LIST.length * CODES);
  const buffer = new Float64Array(ROWS_A_STEP);
  const all = isAll(filter);
  for (let at = 0; at < places.chunks.length; at++) {
    const chunk = places.chunks[at]!;
    const { atMs, kind, reason, jobIdx } = chunk.decisions;
    const start = places.startOf(at);
    const end = upperBound(atMs, filter.toMs);
    let row = lowerBound(atMs, filter.fromMs);
    while (row < end) {
      const stop = Math.min(end, row + ROWS_A_STEP);
      let length = 0;
      for (; row < stop; row++) {
        if (!passes(filter, kind[row]!, jobIdx[row]!, atMs[row]!)) continue;
        const family = reasonFamilyOf(kind[row]!);
        if (family !== null) counts[FAMILY_LIST.indexOf(family) * CODES + reason[row]!]! += 1;
        if (
          filter.reason !== null &&
          (family !== filter.reason.family || reason[row] !== filter.reason.code)
        )
          continue;
        buffer[length++] = start + row;
      }
      if (!all && length > 0) found.push(buffer.slice(0, length));
      yield;
    }
  }
  return new DecisionMatches(places, all ? null : joined(found), reasonsOf(counts));
}

function isAll({ kinds, reason, jobs, nodes, tier, fromMs, toMs }: DecisionFilter): boolean {
  return (
    kinds === null &&
    reason === null &&
    jobs === null &&
    nodes === null &&
    tier === null &&
    fromMs === Number.NEGATIVE_INFINITY &&
    toMs === Number.POSITIVE_INFINITY
  );
}

function passes(filter: DecisionFilter, kind: number, subject: number, atMs: number): boolean {
  if (filter.kinds !== null && filter.kinds[kind] !== 1) return false;
  if (isAboutJob(kind)) {
    if (filter.jobs !== null && filter.jobs[subject] !== 1) return false;
    return filter.tier === null || filter.tier.at(subject, atMs) === filter.tier.wanted;
  }
  if (filter.tier !== null) return false;
  if (filter.jobs === null) return true;
  const about = subjectOf(kind);
  if (about === "device") return filter.devices?.[subject] === 1;
  return about === "node" && filter.nodes?.[subject] === 1;
}

/** What the number in `jobIdx` of a kind that is not about a job is. */
export function subjectOf(kind: number): "job" | "node" | "device" | "nothing" {
  if (isAboutJob(kind)) return "job";
  switch (DECISION_KINDS[kind]) {
    case "repartition":
    case "failDevice":
    case "resumeDevice":
      return "device";
    case "openNode":
    case "closeNode":
    case "handNode":
      return "node";
    default:
      return "nothing";
  }
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let length = 0;
  for (const part of parts) {
    all.set(part, length);
    length += part.length;
  }
  return all;
}

function reasonsOf(counts: Float64Array): ReasonCount[] {
  const reasons: ReasonCount[] = [];
  counts.forEach((count, at) => {
    if (count > 0)
      reasons.push({ family: FAMILY_LIST[Math.floor(at / CODES)]!, code: at % CODES, count });
  });
  return reasons.sort((a, b) => b.count - a.count);
}
