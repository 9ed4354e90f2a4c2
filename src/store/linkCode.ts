/**
 * The code of links, documents and the library, a chunk of its own: packing, hashes and schema walks are no part of what a first picture needs, because the worker reads
 * the document that opens first. It is fetched once that is drawn, and from then on links are written and read at once.
 */

import type { EntryFacts } from "../protocol/messages.ts";
import type { LinkBase } from "../scenario/codec.ts";

export interface LinkCode {
  readonly codec: typeof import("../scenario/codec.ts");
  readonly library: typeof import("../scenario/library/index.ts");
  readonly reader: typeof import("../scenario/read.ts");
  readonly changes: typeof import("../scenario/completeIntervention.ts");
}

let code: LinkCode | null = null;

/** Rejects where it cannot be fetched; the next call tries again. */
export async function fetchLinkCode(): Promise<LinkCode> {
  if (code) return code;
  const [codec, library, reader, changes] = await Promise.all([
    import("../scenario/codec.ts"),
    import("../scenario/library/index.ts"),
    import("../scenario/read.ts"),
    import("../scenario/completeIntervention.ts"),
  ]);
  code ??= { codec, library, reader, changes };
  return code;
}

/** Null until it has been fetched, or where it could not be. */
export function linkCode(): LinkCode | null {
  return code;
}

const known = new Map<string, EntryFacts>();

/** Keeps what the worker said of an entry of the library. */
export function noteEntry(entry: EntryFacts): void {
  known.set(entry.id, entry);
}

/** What the library says of an entry, as far as it is here. */
export function entryFacts(id: string | null): EntryFacts | null {
  if (id === null) return null;
  return known.get(id) ?? code?.library.libraryEntry(id) ?? null;
}

/** What a link of this document starts from; null also while the code is on its way. */
export function libraryBase(baseId: string | null): LinkBase | null {
  const scenario = baseId === null ? undefined : code?.library.libraryScenario(baseId);
  return scenario && baseId !== null ? { id: baseId, scenario } : null;
}
