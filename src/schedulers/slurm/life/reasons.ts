/** Reasons of pending jobs, as numbers: the scheduler keeps an index into `SLURM_REASONS`, the record its `WaitReasonCode`. */
import type { Actions } from "../../../engine/view.ts";
import { slurmReasonCode } from "../../../model/reasons.ts";
import type { SlurmReason } from "../../../model/slurm/reasons.ts";
import { SLURM_REASONS } from "../../../model/slurm/reasons.ts";
import type { SlurmJob, SlurmState } from "../state.ts";

const indexes = new Map(SLURM_REASONS.map((word, index) => [word, index]));

/** Index of a word in `SLURM_REASONS`. O(1). */
export function reasonIdx(word: SlurmReason): number {
  return indexes.get(word)!;
}

export const NONE = reasonIdx("None");
export const PRIORITY = reasonIdx("Priority");
export const RESOURCES = reasonIdx("Resources");
/** Nodes asked for by name are not up. */
export const NOT_AVAILABLE = reasonIdx("ReqNodeNotAvail");
/** What squeue shows where higher partitions have taken all nodes of a job's partition. */
export const NODES_RESERVED = reasonIdx(
  "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions",
);

const LIMITS = SLURM_REASONS.map((word) => /^(?:QOS(?!NotAllowed)|Assoc|Max(?!BF))/.test(word));

/** Whether a reason is a limit of a QOS or an association. O(1). */
export function isLimit(reason: number): boolean {
  return LIMITS[reason]!;
}

/** Sets what squeue shows of a pending job. O(1). */
export function setReason(job: SlurmJob, reason: number): void {
  if (job.reason === reason) return;
  job.reason = reason;
  changed.push(job);
}

/** Jobs whose reason changed at this moment: what stays of it is recorded once all passes are over. */
let changed: SlurmJob[] = [];

/** Records the reasons that changed. O(changes). */
export function showReasons(state: SlurmState, act: Actions): void {
  if (changed.length === 0) return;
  for (const job of changed) {
    if (job.choice !== null || job.shownReason === job.reason) continue;
    if (state.jobs.get(job.jobIdx) !== job) continue;
    job.shownReason = job.reason;
    act.wait(job.jobIdx, codes[job.reason]!);
  }
  changed = [];
}

const codes = SLURM_REASONS.map((word) => slurmReasonCode(word));
