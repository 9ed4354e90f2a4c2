/**
 * What the page keeps on this device, in kinds that people know, with sizes, each to be deleted. Sizes of documents are those of their JSON: what the
 * browser's database takes for them is its own affair.
 */
import {
  allRecents,
  allSlots,
  allTraces,
  dropRecents,
  dropSlot,
  dropTrace,
} from "../../store/database.ts";

export type KeptKind = "documents" | "recents" | "traces" | "settings" | "pages";

export interface KeptPart {
  readonly kind: KeptKind;
  readonly count: number;
  readonly bytes: number;
}

const PREFIX = "queuescope.";

const sizeOf = (value: unknown): number => new Blob([JSON.stringify(value)]).size;
const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

/** Keys of the small settings; empty where the browser refuses storage. */
function settingKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    return [];
  }
}

/** The page itself, where it is kept to open without network. */
async function keptPages(): Promise<{ readonly count: number; readonly bytes: number }> {
  if (typeof caches === "undefined") return { count: 0, bytes: 0 };
  const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const answers = (
    await Promise.all(
      stores.map(async (store) => {
        const requests = await store.keys();
        return Promise.all(requests.map((request) => store.match(request)));
      }),
    )
  ).flat();
  const sizes = await Promise.all(
    answers.map(async (answer) => (answer ? (await answer.blob()).size : 0)),
  );
  return { count: answers.length, bytes: sum(sizes) };
}

/** What is kept, kinds without anything left out. */
export async function whatIsKept(): Promise<readonly KeptPart[]> {
  const [slots, recents, traces, pages] = await Promise.all([
    allSlots(),
    allRecents(),
    allTraces(),
    keptPages().catch(() => ({ count: 0, bytes: 0 })),
  ]);
  const settings = settingKeys();
  const parts: readonly KeptPart[] = [
    { kind: "documents", count: slots.length, bytes: sum(slots.map(sizeOf)) },
    { kind: "recents", count: recents.length, bytes: sum(recents.map(sizeOf)) },
    { kind: "traces", count: traces.length, bytes: sum(traces.map(({ bytes }) => bytes)) },
    {
      kind: "settings",
      count: settings.length,
      bytes: sum(settings.map((key) => key.length + (localStorage.getItem(key)?.length ?? 0))),
    },
    { kind: "pages", ...pages },
  ];
  return parts.filter(({ count }) => count > 0);
}

/** Deletes all of a kind. False where the browser refused a part of it. */
export async function deleteKept(kind: KeptKind): Promise<boolean> {
  switch (kind) {
    case "documents": {
      const done = await Promise.all((await allSlots()).map(({ id }) => dropSlot(id)));
      return done.every(({ ok }) => ok);
    }
    case "recents":
      return (await dropRecents((await allRecents()).map(({ id }) => id))).ok;
    case "traces": {
      const done = await Promise.all((await allTraces()).map(({ sha256 }) => dropTrace(sha256)));
      return done.every(({ ok }) => ok);
    }
    case "settings":
      for (const key of settingKeys()) localStorage.removeItem(key);
      return true;
    case "pages":
      // Without its files the worker would only stand in the way; the next visit stores them again.
      await (await navigator.serviceWorker?.getRegistration())?.unregister();
      return (await Promise.all((await caches.keys()).map((name) => caches.delete(name)))).every(
        (gone) => gone,
      );
  }
}
