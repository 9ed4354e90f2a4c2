/**
 * Why a job waits and why a run started or stopped: closed unions, stored as one byte. The sentence for each is made in
 * `sentences.ts` from the numbers that belong to it; no panel writes a reason of its own.
 */
import { codesOf } from "../base/codes.ts";

export const WAIT_REASONS = [
  "none",
  /** At the head of its queue: not enough free devices in all. */
  "resources",
  /** Enough devices are free in all, but not where or in the shape the job needs them. */
  "fragmentation",
  /** CPUs or memory are short on the nodes that have the GPUs. */
  "cpuOrMemory",
  /** Jobs before it wait, and the policy lets nobody pass. */
  "priority",
  /** It would fit now, but would delay a job that has a reservation. */
  "reservation",
  /** It would fit, but the policy did not look so deep into the queue. */
  "depth",
  /** Some members hold devices, the rest do not fit. */
  "gang",
  "dependency",
  "beginTime",
  "held",
  /** The nodes that could serve it are drained or down. */
  "nodesClosed",
  /** The next pass of the scheduler has not come yet. */
  "nextPass",
  /** Cannot run on this cluster whatever ends. */
  "never",
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];
export const WaitReasonCode = codesOf(WAIT_REASONS);

/** Why a run started. */
export const START_REASONS = ["inOrder", "backfilled", "reserved", "resumed", "replayed"] as const;
export type StartReason = (typeof START_REASONS)[number];
export const StartReasonCode = codesOf(START_REASONS);

/** Why a run stopped. */
export const STOP_REASONS = [
  "none",
  "workDone",
  "timeLimit",
  "cancelledByUser",
  "preempted",
  "nodeFailed",
  "nodeDrained",
  "dependencyNeverMet",
] as const;
export type StopReason = (typeof STOP_REASONS)[number];
export const StopReasonCode = codesOf(STOP_REASONS);
