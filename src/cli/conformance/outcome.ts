/** What a case of recorded truth came to, and the line that says so. */
export type CaseOutcome =
  | { readonly kind: "pass"; readonly id: string; readonly details?: Details }
  | {
      readonly kind: "fail";
      readonly id: string;
      readonly message: string;
      readonly details?: Details;
    }
  | { readonly kind: "skip"; readonly id: string; readonly why: string };

/** Lines for people who look for a cause: what was recorded beside what came. */
type Details = () => readonly string[];

/** A reader of one schema. `place` names the file in ids and messages, `folder` is where paths inside it start. */
export type TruthReader = (file: TruthFile) => Iterable<CaseOutcome>;

export interface TruthFile {
  readonly path: string;
  readonly folder: string;
  /** File name without its extension, the stem of ids where a recording has none of its own. */
  readonly stem: string;
  readonly content: unknown;
}

export function lineOf(outcome: CaseOutcome): string {
  switch (outcome.kind) {
    case "pass":
      return `PASS ${outcome.id}`;
    case "fail":
      return `FAIL ${outcome.id}: ${oneLine(outcome.message)}`;
    case "skip":
      return `SKIP ${outcome.id}: ${oneLine(outcome.why)}`;
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
