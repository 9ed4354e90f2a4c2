/**
 * Statements that were worked out by hand. Starts under the policy of the case's own runs are checked on the product's schedule; what is said in
 * words, or of a policy in words, is skipped by name.
 */
import type { FieldCase, FieldRun } from "./fieldCaseFile.ts";
import { compareRun } from "./fieldCaseRun.ts";
import type { CaseOutcome } from "./outcome.ts";

interface Expected {
  readonly policy?: string;
  readonly starts?: FieldRun["starts"];
}

export function* handComputed(one: FieldCase): Iterable<CaseOutcome> {
  const id = one.runs === undefined ? one.id : `${one.id}/hand`;
  const expected = one.hand_computed?.["expected"] as Expected | undefined;
  const [run] = one.runs ?? [];
  if (run === undefined || expected?.starts === undefined) {
    const why = "its statements are in words, and no run stands beside them";
    yield { kind: "skip", id, why };
    return;
  }
  if (!isSamePolicy(expected.policy ?? "")) {
    yield { kind: "skip", id, why: `its policy is said in words: ${expected.policy}` };
    return;
  }
  const { role, label, policy } = run;
  const message = compareRun(one, { role, label, policy, starts: expected.starts });
  yield message === null ? { kind: "pass", id } : { kind: "fail", id, message };
}

/** Whether the words say that the policy of the run beside them holds. */
function isSamePolicy(words: string): boolean {
  return /same policy|not a bug/i.test(words);
}
