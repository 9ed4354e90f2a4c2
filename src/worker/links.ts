/** Scenarios of links and of the library, a file of its own beside the worker: the page asks for one before it has that code itself. */
import type { EntryFacts, LinkOutcome, ReadEntry } from "../protocol/messages.ts";
import { decodeScenario } from "../scenario/codec.ts";
import { libraryEntry, libraryScenario } from "../scenario/library/index.ts";

/** Never throws on what came from outside. */
export function readLink(text: string): LinkOutcome {
  const decoded = decodeScenario(text, libraryScenario);
  if (!decoded.ok) return { kind: "problems", problems: decoded.error };
  const { scenario, baseId } = decoded.value;
  return { kind: "read", json: JSON.stringify(scenario), entry: factsOf(baseId) };
}

/** Null for an unknown id. */
export function readEntry(id: string): ReadEntry | null {
  const scenario = libraryScenario(id);
  const entry = factsOf(id);
  return scenario && entry ? { json: JSON.stringify(scenario), entry } : null;
}

function factsOf(id: string | null): EntryFacts | null {
  const entry = id === null ? undefined : libraryEntry(id);
  if (entry === undefined) return null;
  const { openAt, suggest } = entry;
  return { id: entry.id, ...(openAt && { openAt }), ...(suggest && { suggest }) };
}
