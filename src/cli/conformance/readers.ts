/** The readers of truth by schema. */
import { fieldCase } from "./fieldCase.ts";
import { goldenQueueing } from "./goldenQueueing.ts";
import type { TruthReader } from "./outcome.ts";
import { schedVectors } from "./schedVectors.ts";
import { slurmTruth } from "./slurmTruth.ts";
import { swfSchedule } from "./swfSchedule.ts";

export const TRUTH_READERS: Readonly<Record<string, TruthReader>> = {
  "swf-schedule/1": swfSchedule,
  "slurm-truth/1": slurmTruth,
  "sched-vectors/1": schedVectors,
  "field-case/1": fieldCase,
  "golden-queueing/1": goldenQueueing,
};
