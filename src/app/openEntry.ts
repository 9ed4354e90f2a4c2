/** Opens an entry of the library, with Undo back to what was there. */
import { openDocument } from "../store/documents.ts";
import { libraryDoc } from "../store/library.ts";
import { entryFacts, fetchLinkCode } from "../store/linkCode.ts";
import { notify } from "../store/notices.ts";
import { focusOpened } from "./layers.ts";

export async function openEntry(id: string): Promise<void> {
  const { library } = await fetchLinkCode();
  const scenario = library.libraryScenario(id);
  const entry = entryFacts(id);
  if (!scenario || !entry) return;
  if (!(await openDocument(libraryDoc(scenario, entry), `Open “${scenario.title}”`))) return;
  notify(`“${scenario.title}” opened.`, true);
  focusOpened();
}
