/** The built-in scenarios as the page opens them. */
import type { EntryFacts } from "../protocol/messages.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { Doc } from "./documents.ts";

/** Opened on a first visit. */
export const FIRST_ENTRY = "why-waiting";

/** An entry of the library as a document, at the time and with the job that it opens with. */
export function libraryDoc(scenario: Scenario, { id, openAt }: EntryFacts): Doc {
  const { cursorMs = 0, select } = openAt ?? {};
  return {
    scenario,
    baseId: id,
    view: null,
    first: { cursorMs, ...(select === undefined ? {} : { select }) },
  };
}
