/**
 * The record: what happened, in columns. It grows in chunks; a chunk covers one stretch of time between two snapshots, is
 * immutable once complete and is shared between futures: a change at t keeps every chunk that ends at or before t.
 *
 * A rectangle is written when it closes. What is still open at the end of the newest chunk is in `OpenSet`.
 */
import { codesOf } from "../base/codes.ts";
import type { ArraysOf, Shape } from "../base/columns.ts";
import { EndStateCode } from "../model/states.ts";

/** A run of a job on consecutive devices of one node, in one member state: 28 bytes. */
export const RECT_SHAPE = {
  startMs: "f64",
  endMs: "f64",
  jobIdx: "u32",
  /** Global index of the first device (`Cluster.deviceBase`). */
  device: "u32",
  deviceCount: "u16",
  /** Bits 0–2 member state, 3–5 end state of the rectangle's run (0 = the run went on; read it with `endStateOf`), 6–15 part (0 = whole device). */
  bits: "u16",
} as const satisfies Shape;

/** A closed run: from its first device to its last. Rows are in order of closing; the digest covers exactly these. */
export const RUN_SHAPE = {
  startMs: "f64",
  endMs: "f64",
  jobIdx: "u32",
  /** 1 for the first run of the job; 0 = the job left without a run (refused, cancelled while waiting): no devices, end = start. */
  run: "u16",
  /** The most that it held at once; the largest cluster has one more than 16 bits count to. */
  devices: "u32",
  endState: "u8",
  startReason: "u8",
  stopReason: "u8",
} as const satisfies Shape;

/** A stretch of waiting of one job, from queueing to its start (or to its cancellation). */
export const WAIT_SHAPE = {
  fromMs: "f64",
  toMs: "f64",
  jobIdx: "u32",
} as const satisfies Shape;

/** The decision log: changes of a waiting job's reason, promises, and everything a scheduler did. */
export const DECISION_SHAPE = {
  atMs: "f64",
  kind: "u8",
  reason: "u8",
  jobIdx: "u32",
  /** Kind `plan`: the promised start (ms); `evict` and `suspend`: the job it was for (−1 = none); `resize`: −members taken; `move`: the node left and the job it was for (`moveValue`), its `reason` is a stop reason; `checkpoint`: how long it takes
   * (ms); `openNode`: how long it boots (ms); `handNode`: the pool; `repartition`: how long it takes (ms); else 0. Kinds of nodes carry
   * the node in `jobIdx`, `repartition`, `failDevice` and `resumeDevice` the device. `start`: 1 + the queue it started from (0 = its own). Kind `pass` is a
   * pass of a scheduler that has several kinds: its `PassKind` in `reason`, jobs looked at in `jobIdx`, jobs started in `value`. Kind
   * `saved` is written when a checkpoint is complete: all work of the job before it is kept. `unsaved`: what was saved is lost. `restart`: an elastic
   * job formed its group anew within a run, or, with a reason, lost members without which it cannot go on; the work lost by it (ms of reference work). `speed`: what communication leaves of a
   * job's speed from now on (1 = as packed; a run begins with 1). `evict` has its `StopReasonCode` in `reason`. `round`: jobs gave their devices to those that
   * stand before them now; the pool in `jobIdx`, how many gave way in `value`; their evictions follow. */
  value: "f64",
} as const satisfies Shape;

export const DECISION_KINDS = [
  "wait",
  "admit",
  "plan",
  "place",
  "start",
  "evict",
  "suspend",
  "resume",
  "resize",
  "move",
  "repartition",
  "openNode",
  "closeNode",
  "hold",
  "refuse",
  "cancel",
  "checkpoint",
  "saved",
  "handNode",
  "pass",
  "unsaved",
  "restart",
  "failDevice",
  "resumeDevice",
  "speed",
  "round",
] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];
export const DecisionKindCode = codesOf(DECISION_KINDS);

const MOST_NODES = 2 ** 24;

/** The value of a decision `move`: the node left, and for whose sake (−1 = nobody's). */
export const moveValue = (fromNode: number, forJobIdx: number): number =>
  (forJobIdx + 1) * MOST_NODES + fromNode;
export const nodeOfMove = (value: number): number => value % MOST_NODES;
export const jobOfMove = (value: number): number => Math.floor(value / MOST_NODES) - 1;

/** Passes of a scheduler with two loops (Slurm): the main scheduler, and backfill. */
export const PassKind = { main: 0, backfill: 1 } as const;

const NOT_ABOUT_JOBS: ReadonlySet<number> = new Set([
  DecisionKindCode.openNode,
  DecisionKindCode.closeNode,
  DecisionKindCode.handNode,
  DecisionKindCode.repartition,
  DecisionKindCode.failDevice,
  DecisionKindCode.resumeDevice,
  DecisionKindCode.pass,
  DecisionKindCode.round,
]);

/** Whether `jobIdx` of a decision of this kind is a job, and not a node or a device. */
export function isAboutJob(kind: number): boolean {
  return !NOT_ABOUT_JOBS.has(kind);
}

/** A state of a node over time other than open: drained, down, unborn. */
export const NODE_SPAN_SHAPE = {
  startMs: "f64",
  endMs: "f64",
  node: "u32",
  state: "u8",
} as const satisfies Shape;

/**
 * Step series: at `atMs` tier `tier` changed to these values, which hold until the tier's next row. One row at most a tier
 * and instant. `heldParts` are the devices held, in 1/7,000 of one (`DEVICE_PARTS`); `waitedParts` what
 * waiting jobs ask for, in the same: more than 32 bits of them.
 */
export const SERIES_SHAPE = {
  atMs: "f64",
  tier: "u8",
  heldParts: "i32",
  jobsWaiting: "i32",
  waitedParts: "f64",
} as const satisfies Shape;

/**
 * Other numbers over time, a step each: at `atMs` the gauge `kind` of its subject changed to `value`. One row at most a gauge and
 * instant.
 */
export const GAUGE_SHAPE = {
  atMs: "f64",
  kind: "u8",
  /** Team, pool, service, leaf or class, as the kind says. */
  subject: "u16",
  value: "f64",
} as const satisfies Shape;

export interface Chunk {
  readonly fromMs: number;
  /** Everything that happened before this time, and at it, is in this chunk or an earlier one. */
  readonly toMs: number;
  readonly rects: ArraysOf<typeof RECT_SHAPE>;
  readonly runs: ArraysOf<typeof RUN_SHAPE>;
  readonly waits: ArraysOf<typeof WAIT_SHAPE>;
  readonly decisions: ArraysOf<typeof DECISION_SHAPE>;
  readonly nodeSpans: ArraysOf<typeof NODE_SPAN_SHAPE>;
  readonly series: ArraysOf<typeof SERIES_SHAPE>;
  readonly gauges: ArraysOf<typeof GAUGE_SHAPE>;
}

/** What is open at the end of the newest chunk: rectangles, waits, node spans (their end is `Infinity`), and queue order. */
export interface OpenSet {
  readonly atMs: number;
  readonly rects: ArraysOf<typeof RECT_SHAPE>;
  readonly waits: ArraysOf<typeof WAIT_SHAPE>;
  readonly nodeSpans: ArraysOf<typeof NODE_SPAN_SHAPE>;
}

export const memberStateOf = (bits: number): number => bits & 7;
/** A refused job never has a rectangle, so its three bits stand for the end state that they have no room for: failed. */
export const endStateOf = (bits: number): number => {
  const stored = (bits >> 3) & 7;
  return stored === EndStateCode.refused ? EndStateCode.failed : stored;
};
export const partOf = (bits: number): number => bits >> 6;
export const rectBits = (memberState: number, endState: number, part: number): number =>
  memberState |
  ((endState === EndStateCode.failed ? EndStateCode.refused : endState) << 3) |
  (part << 6);
