/**
 * Statements that were worked out by hand. Starts under the policy of the case's own runs, and under a maximum run time, are checked on the product's
 * schedule; texts of known forms have their readers; what is said in other words is skipped by name.
 */
import type { FieldCase, FieldRun } from "./fieldCaseFile.ts";
import { compareRun } from "./fieldCaseRun.ts";
import { chunkedJobs } from "./hand/chunkedJobs.ts";
import { jobLives } from "./hand/jobLives.ts";
import { leafGroups } from "./hand/leafGroups.ts";
import { migLayouts } from "./hand/migLayouts.ts";
import { observedRuns } from "./hand/observedRuns.ts";
import { placementGroups } from "./hand/placementGroups.ts";
import { queuesAndQuotas } from "./hand/queuesAndQuotas.ts";
import { differs, type HandReader } from "./hand/statement.ts";
import type { CaseOutcome } from "./outcome.ts";

interface Expected {
  readonly policy?: string;
  readonly starts?: FieldRun["starts"];
}

const READERS: readonly HandReader[] = [
  chunkedJobs,
  jobLives,
  leafGroups,
  migLayouts,
  observedRuns,
  placementGroups,
  queuesAndQuotas,
];

export function* handComputed(one: FieldCase): Iterable<CaseOutcome> {
  const id = one.runs === undefined ? one.id : `${one.id}/hand`;
  try {
    yield outcomeOf(one, id);
  } catch (error) {
    yield { kind: "fail", id, message: (error as Error).message };
  }
}

function outcomeOf(one: FieldCase, id: string): CaseOutcome {
  // Files of the kind that say nothing yet.
  if (one.hand_computed === undefined || (one.scenario as unknown) === undefined)
    return { kind: "skip", id, why: "it has neither runs nor statements" };
  const expected = one.hand_computed?.["expected"] as Expected | undefined;
  const [run] = one.runs ?? [];
  if (run !== undefined && expected?.starts !== undefined && isSamePolicy(expected.policy)) {
    const { role, label, policy } = run;
    const message = compareRun(one, { role, label, policy, starts: expected.starts });
    return message === null ? { kind: "pass", id } : { kind: "fail", id, message };
  }
  const statements = READERS.flatMap((reader) => reader(one));
  const wrong = statements.find(differs);
  if (wrong !== undefined) {
    const message = `${wrong.name}: expected ${wrong.expected}, came ${wrong.came}`;
    return { kind: "fail", id, message };
  }
  if (statements.length > 0) return { kind: "pass", id };
  return { kind: "skip", id, why: "its statements are in words that no reader knows" };
}

/** Whether the words say that the policy of the run beside them holds. */
function isSamePolicy(words: string | undefined): boolean {
  return /same policy|not a bug/i.test(words ?? "");
}
