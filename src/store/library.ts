/** The built-in scenarios as the page uses them: the base of a link, and how an entry opens. */

import type { LinkBase } from "../scenario/codec.ts";
import { libraryEntry, libraryScenario } from "../scenario/library/index.ts";
import type { Doc } from "./documents.ts";

/** Opened on a first visit. */
export const FIRST_ENTRY = "why-waiting";

export function libraryBase(baseId: string | null): LinkBase | null {
  const scenario = baseId === null ? undefined : libraryScenario(baseId);
  return scenario && baseId !== null ? { id: baseId, scenario } : null;
}

/** An entry of the library as a document, at the time and with the job that it opens with. `null` for an unknown id. */
export function libraryDoc(id: string): Doc | null {
  const scenario = libraryScenario(id);
  const entry = libraryEntry(id);
  if (!scenario || !entry) return null;
  const { cursorMs = 0, select } = entry.openAt ?? {};
  return {
    scenario,
    baseId: id,
    view: null,
    first: { cursorMs, ...(select === undefined ? {} : { select }) },
  };
}
