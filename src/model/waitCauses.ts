/**
 * Wait reasons gathered into causes: few enough for a chart, and one vocabulary for the lab and for Slurm. Every reason belongs to one
 * cause; `docs/metrics.md` says what each stands for.
 */
import { KUBE_CAUSES, KUBE_REASONS } from "./kubernetes/reasons.ts";
import {
  GENERAL_REASONS,
  type GeneralWaitReason,
  WAIT_REASONS,
  type WaitReason,
} from "./reasons.ts";
import { SLURM_REASONS, type SlurmReason } from "./slurm/reasons.ts";

export const WAIT_CAUSES = [
  /** More devices are asked for than are free. */
  "size",
  /** Enough are free, but not where or in the shape that is asked for. */
  "fragmentation",
  /** Jobs before it wait, and nobody passes. */
  "order",
  /** What is free is held for a job with a reservation. */
  "reservation",
  /** A quota, a ceiling or used-up hours of its user, team or tier. */
  "quota",
  "auction",
  /** Kept for a window, a maintenance or a reservation by name. */
  "window",
  /** Drained, down or failed. */
  "closed",
  /** Drained or down, or kept for others: Slurm has one text for both. */
  "closedOrKept",
  /** The scheduler has not looked yet, or not so deep. */
  "scheduler",
  /** Room is on its way: victims end, a node boots. */
  "comingRoom",
  /** Those who would have to give way are protected. */
  "protected",
  /** Held, before its begin time, or it depends on others. */
  "notReady",
  /** Can never run as the rules are. */
  "never",
] as const;
export type WaitCause = (typeof WAIT_CAUSES)[number];

const OF_GENERAL: Readonly<Record<GeneralWaitReason, WaitCause>> = {
  none: "scheduler",
  resources: "size",
  fragmentation: "fragmentation",
  cpuOrMemory: "fragmentation",
  priority: "order",
  reservation: "reservation",
  depth: "scheduler",
  gang: "size",
  dependency: "notReady",
  beginTime: "notReady",
  held: "notReady",
  nodesClosed: "closed",
  nextPass: "scheduler",
  never: "never",
  quota: "quota",
  limit: "quota",
  gpuHours: "quota",
  auction: "auction",
  window: "window",
  victims: "comingRoom",
  booting: "comingRoom",
  protected: "protected",
  cutting: "comingRoom",
};

/** Slurm's reasons that are not about a limit of a QOS or an association. */
const OF_SLURM: Readonly<Partial<Record<SlurmReason, WaitCause>>> = {
  None: "scheduler",
  Priority: "order",
  Resources: "size",
  Dependency: "notReady",
  DependencyNeverSatisfied: "never",
  BeginTime: "notReady",
  JobHeldUser: "notReady",
  JobHeldAdmin: "notReady",
  "job requeued in held state": "notReady",
  JobHoldMaxRequeue: "notReady",
  PartitionDown: "closed",
  PartitionInactive: "closed",
  PartitionNodeLimit: "never",
  PartitionTimeLimit: "never",
  Reservation: "window",
  ReservationDeleted: "never",
  ReqNodeNotAvail: "closed",
  "ReqNodeNotAvail, Reserved for maintenance": "window",
  "ReqNodeNotAvail, May be reserved for other job": "reservation",
  "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions":
    "closedOrKept",
  NodeDown: "closed",
  BadConstraints: "never",
  InvalidAccount: "never",
  InvalidQOS: "never",
  QOSNotAllowed: "never",
  AccountNotAllowed: "never",
  BurstBufferResources: "notReady",
  Licenses: "notReady",
  MaxBFUserLimit: "scheduler",
};

/** Everything else that Slurm names is a limit. */
const slurmCause = (reason: SlurmReason): WaitCause => OF_SLURM[reason] ?? "quota";

const codeOf = (cause: WaitCause): number => WAIT_CAUSES.indexOf(cause);

const CAUSE_CODES = Uint8Array.from([
  ...GENERAL_REASONS.map((reason) => codeOf(OF_GENERAL[reason])),
  ...SLURM_REASONS.map((reason) => codeOf(slurmCause(reason))),
  ...KUBE_REASONS.map((reason) => codeOf(KUBE_CAUSES[reason])),
]);

/** Place in `WAIT_CAUSES` of the cause of a reason's code. O(1). */
export function causeCodeOf(reasonCode: number): number {
  return CAUSE_CODES[reasonCode]!;
}

/** The reasons that a cause gathers. */
export function reasonsOf(cause: WaitCause): readonly WaitReason[] {
  const code = codeOf(cause);
  return WAIT_REASONS.filter((_, reason) => CAUSE_CODES[reason] === code);
}
