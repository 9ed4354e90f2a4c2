/** Opens an entry of the library, with Undo back to what was there. */
import { openDocument } from "../store/documents.ts";
import { libraryDoc } from "../store/library.ts";
import { notify } from "../store/notices.ts";

export async function openEntry(id: string): Promise<void> {
  const doc = libraryDoc(id);
  if (doc && (await openDocument(doc, `Open “${doc.scenario.title}”`)))
    notify(`“${doc.scenario.title}” opened.`, true);
}
