/** Reasons of pending jobs, as numbers: the scheduler keeps an index into `SLURM_REASONS`, the record its `WaitReasonCode`. */
import type { Actions } from "../../engine/view.ts";
import { slurmReasonCode } from "../../model/reasons.ts";
import type { SlurmReason } from "../../model/slurm/reasons.ts";
import { SLURM_REASONS } from "../../model/slurm/reasons.ts";
import type { SlurmJob } from "./state.ts";

const indexes = new Map(SLURM_REASONS.map((word, index) => [word, index]));

/** Index of a word in `SLURM_REASONS`. O(1). */
export function reasonIdx(word: SlurmReason): number {
  return indexes.get(word)!;
}

export const NONE = reasonIdx("None");
export const PRIORITY = reasonIdx("Priority");
export const RESOURCES = reasonIdx("Resources");
/** What squeue shows where higher partitions have taken all nodes of a job's partition. */
export const NODES_RESERVED = reasonIdx(
  "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions",
);

/** Sets what squeue shows of a pending job; recorded when it differs. O(1). */
export function setReason(job: SlurmJob, reason: number, act: Actions): void {
  if (job.reason === reason) return;
  job.reason = reason;
  act.wait(job.jobIdx, codes[reason]!);
}

const codes = SLURM_REASONS.map((word) => slurmReasonCode(word));
