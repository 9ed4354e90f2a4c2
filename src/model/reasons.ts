/**
 * Why a job waits and why a run started or stopped: closed unions, stored as one byte. The sentence for each is made in
 * `sentences.ts` from the numbers that belong to it; no panel writes a reason of its own.
 */
import { codesOf } from "../base/codes.ts";
import { KUBE_REASONS, type KubeReason, type KubeWaitReason } from "./kubernetes/reasons.ts";
import { SLURM_REASONS, type SlurmReason } from "./slurm/reasons.ts";

export const GENERAL_REASONS = [
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
  /** Its team is at its quota and may not borrow, or nobody lends. */
  "quota",
  /** A ceiling on GPUs or jobs of its user, team or tier. */
  "limit",
  /** Its user, team or tier has used the GPU-hours of the period. */
  "gpuHours",
  /** Auctioned capacity: it has not won, or its team has no credits. */
  "auction",
  /** The nodes are kept for a window that its limit reaches into. */
  "window",
  /** Room has been made for it: it waits until the victims have ended. */
  "victims",
  /** A node has been rented or is handed over, and is on its way. */
  "booting",
  /** It could preempt, but its victims are protected (minimum run time, budgets, cooldown). */
  "protected",
  /** Its MIG device is being cut anew. */
  "cutting",
] as const;

/** A reason of Slurm, told apart from the general ones by its prefix. */
export type SlurmWaitReason = `slurm:${SlurmReason}`;
export type GeneralWaitReason = (typeof GENERAL_REASONS)[number];
export type WaitReason = GeneralWaitReason | SlurmWaitReason | KubeWaitReason;
const slurmReasons = SLURM_REASONS.map((word): SlurmWaitReason => `slurm:${word}`);
const kubeReasons = KUBE_REASONS.map((word): KubeWaitReason => `kube:${word}`);
export const WAIT_REASONS: readonly WaitReason[] = [
  ...GENERAL_REASONS,
  ...slurmReasons,
  ...kubeReasons,
];
export const WaitReasonCode = codesOf(WAIT_REASONS);

/** The code of one of Slurm's reasons. */
export function slurmReasonCode(reason: SlurmReason): number {
  return GENERAL_REASONS.length + SLURM_REASONS.indexOf(reason);
}

/** Slurm's word for a code; null for a general reason. */
export function slurmReasonOf(code: number): SlurmReason | null {
  return SLURM_REASONS[code - GENERAL_REASONS.length] ?? null;
}

const FIRST_KUBE = GENERAL_REASONS.length + SLURM_REASONS.length;

/** The code of a reason of the Kubernetes family. */
export function kubeReasonCode(reason: KubeReason): number {
  return FIRST_KUBE + KUBE_REASONS.indexOf(reason);
}

/** The family's word for a code; null for any other reason. */
export function kubeReasonOf(code: number): KubeReason | null {
  return KUBE_REASONS[code - FIRST_KUBE] ?? null;
}

/** Reasons of the lab that have to do with what somebody may use, not with what is free. */
const CEILINGS: ReadonlySet<number> = new Set(
  (["quota", "limit", "gpuHours", "auction"] as const).map((reason) => WaitReasonCode[reason]),
);

export const isCeiling = (code: number): boolean => CEILINGS.has(code);

/** Why a run started. */
export const START_REASONS = [
  "inOrder",
  "backfilled",
  "reserved",
  "resumed",
  "replayed",
  "skipped",
  "preempting",
  "borrowed",
  "won",
  /** Others have been moved together so that it fits (defragmentation). */
  "movedFor",
] as const;
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
  /** An interactive session stood idle too long. */
  "idle",
  /** Its team used quota of another that wants it back. */
  "reclaimed",
  /** Another bid more. */
  "outbid",
  /** The cloud took its node back. */
  "spotTaken",
  /** A collective of a gang that had lost members timed out. */
  "hung",
  /** No restarts were left. */
  "restartsUsed",
  /** Moved elsewhere to make room (defragmentation). */
  "migrated",
  /** Won capacity is held only so long. */
  "burstOver",
  /** A window or maintenance began. */
  "windowBegan",
  /** Its service wants fewer replicas. */
  "scaledDown",
  /** At its limit for good: no run of it can save anything new before it, or many have not. */
  "fruitless",
  /** A device that it held failed, and its node goes on. */
  "deviceFailed",
  /** Its pods were not ready in time (Kueue). */
  "podsNotReady",
  /** Its queue was stopped and drained (Kueue). */
  "queueStopped",
  /** The descheduler evicted it so that nodes are used more evenly, or come free. */
  "descheduled",
  /** The autoscaler took its node away. */
  "nodeRemoved",
] as const;
export type StopReason = (typeof STOP_REASONS)[number];
export const StopReasonCode = codesOf(STOP_REASONS);
