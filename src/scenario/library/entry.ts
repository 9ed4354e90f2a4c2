/** What the library says of a scenario beside its document: how it opens and which one change it proposes. */
import type { InterventionInput } from "../interventions.ts";
import type { ScenarioInput } from "../schema.ts";

export interface Suggestion {
  readonly label: string;
  readonly intervention: InterventionInput;
  /** Of a change of policy: the preset that it is meant to follow; absent: the same as it sets. */
  readonly from?: string;
}

export interface LibraryEntry {
  readonly id: string;
  readonly title: string;
  /** One line. */
  readonly question: string;
  readonly document: ScenarioInput;
  /** Where the page opens, paused. Absent: at time 0 with nothing selected. */
  readonly openAt?: { readonly cursorMs: number /** Id of a job. */; readonly select?: string };
  /** The one marked action. */
  readonly suggest?: Suggestion;
}
