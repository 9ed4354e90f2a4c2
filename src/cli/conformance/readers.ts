/** The readers of truth by schema, and what is known but comes with later work. */
import { fieldCase } from "./fieldCase.ts";
import type { CaseOutcome, TruthFile, TruthReader } from "./outcome.ts";
import { schedVectors } from "./schedVectors.ts";
import { slurmTruth } from "./slurmTruth.ts";
import { swfSchedule } from "./swfSchedule.ts";

/** A schema whose scheduler is not built yet: every case is named and skipped, none is passed over in silence. */
function later(what: string, idsOf: (content: Json) => readonly string[]): TruthReader {
  return function* skip(file: TruthFile): Iterable<CaseOutcome> {
    const ids = idsOf(file.content as Json);
    for (const id of ids.length > 0 ? ids : [file.stem]) {
      yield { kind: "skip", id, why: `${what} is not built yet` };
    }
  };
}

interface Json {
  readonly [key: string]: unknown;
}

export const TRUTH_READERS: Readonly<Record<string, TruthReader>> = {
  "swf-schedule/1": swfSchedule,
  "slurm-truth/1": slurmTruth,
  "sched-vectors/1": schedVectors,
  "field-case/1": fieldCase,
  "golden-queueing/1": later("the theory reader", () => []),
};
