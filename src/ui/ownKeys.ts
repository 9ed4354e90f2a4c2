/** Which key a button shows: components name the key that an action comes with, the user may have chosen another. */
import { useSyncExternalStore } from "react";

let shown: ReadonlyMap<string, string> = new Map();
const listeners = new Set<() => void>();

/** By delivered chord the one that counts, or an empty text where there is none. */
export function tellOwnKeys(keys: ReadonlyMap<string, string>): void {
  shown = keys;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The key that counts in the place of a delivered one. */
export function useOwnKey(delivered: string | undefined): string | undefined {
  const keys = useSyncExternalStore(subscribe, () => shown);
  return delivered === undefined ? undefined : (keys.get(delivered) ?? delivered) || undefined;
}
