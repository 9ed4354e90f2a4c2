/**
 * `field-case/1`: problems that people reported, each as the smallest scenario that shows the effect, with the schedules that a policy gives.
 * Every run is built as a scenario and run by the product.
 */
import type { FieldCase, FieldRun } from "./fieldCaseFile.ts";
import { handComputed } from "./fieldCaseHand.ts";
import { compareRun } from "./fieldCaseRun.ts";
import { NotOurs } from "./fieldCaseScenario.ts";
import type { CaseOutcome, TruthFile } from "./outcome.ts";

export function* fieldCase(file: TruthFile): Iterable<CaseOutcome> {
  const one = file.content as FieldCase;
  for (const [index, run] of (one.runs ?? []).entries()) {
    yield outcomeOf(one, run, `${one.id}/${index + 1}`);
  }
  if (one.hand_computed !== undefined || one.runs === undefined) yield* handComputed(one);
}

function outcomeOf(one: FieldCase, run: FieldRun, id: string): CaseOutcome {
  try {
    const message = compareRun(one, run);
    return message === null ? { kind: "pass", id } : { kind: "fail", id, message };
  } catch (error) {
    const message = (error as Error).message;
    return error instanceof NotOurs
      ? { kind: "skip", id, why: message }
      : { kind: "fail", id, message };
  }
}
