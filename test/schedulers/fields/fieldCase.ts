/**
 * Fields of the document, each proved by a pair of runs: a base scenario and one that differs from it in a single cell. A case says which cell, what to look at in
 * the run, what the base gives, and what each other value of the cell gives. Times in results are seconds.
 */
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { setAt } from "./pointer.ts";
import { type Ran, ran, refusalOf } from "./ran.ts";

export interface FieldCase {
  /** JSON pointer of the cell. */
  readonly at: string;
  readonly base: ScenarioInput;
  readonly see: (run: Ran) => unknown;
  readonly gives: unknown;
  /** Other values of the cell (`undefined`: left out), each with what it gives. */
  readonly to: readonly (readonly [value: unknown, gives: unknown])[];
}

/** Where the cell stands in the schema: the pointer without places in lists. Jobs of the workload are called by their own name. */
export function fieldOf({ at }: Pick<FieldCase, "at">): string {
  return at
    .split("/")
    .filter((word) => word !== "" && word !== "workload" && !/^\d+$/.test(word))
    .join(".");
}

/** What the base and each variant gave, in the order of the case; of a document that is not accepted the places of its problems. */
export function resultsOf({ at, base, see, to }: FieldCase): unknown[] {
  const documents = [base, ...to.map(([value]) => setAt(base, at, value))];
  return documents.map((document) => refusalOf(document) ?? see(ran(document)));
}
