/**
 * The jobs that the search finds: written by the search box, drawn by the Gantt, which makes the others pale. A small holder
 * outside zustand, because it is derived and in no link. It stands in the store because panels meet only there.
 */
let current: Uint32Array | null = null;
const listeners = new Set<() => void>();

/** Job numbers, ascending; `null` while nothing is searched for. */
export function searchHits(): Uint32Array | null {
  return current;
}

export function showSearchHits(hits: Uint32Array | null): void {
  if (hits === current) return;
  current = hits;
  for (const listener of listeners) listener();
}

export function onSearchHits(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
