/**
 * What is kept on this device: the last documents (one slot a tab) and dropped traces, by content hash. IndexedDB through `idb`;
 * where it is closed to us (private windows, a full disk) every call answers "nothing kept" or says so, and the page goes on.
 */

import type { DBSchema, IDBPDatabase } from "idb";
import { openDB } from "idb";
import type { Scenario } from "../scenario/schema.ts";
import type { View } from "./viewCode.ts";

export interface Slot {
  readonly id: string;
  readonly savedAtMs: number;
  readonly scenario: Scenario;
  readonly baseId: string | null;
  readonly view: View;
}

/** A slot as it lies on the device: many jobs lie apart, as JSON, so that a change of anything else copies none of them. */
interface StoredSlot extends Slot {
  readonly jobsApart?: true;
}

/** A scenario that was open on this device. `id` is the digest of its document without the changes made to its run. */
export interface Recent {
  readonly id: string;
  readonly openedAtMs: number;
  readonly scenario: Scenario;
  readonly baseId: string | null;
  readonly view: View;
}

export interface KeptTrace {
  readonly sha256: string;
  readonly name: string;
  readonly bytes: number;
  readonly keptAtMs: number;
}

interface Schema extends DBSchema {
  slots: { key: string; value: StoredSlot };
  recents: { key: string; value: Recent };
  traces: { key: string; value: KeptTrace };
  /** The contents, apart from the lists, so that listing reads no megabytes: of traces by their hash, jobs of slots by `jobsKey`. */
  contents: { key: string; value: Blob };
}

export type Kept = { readonly ok: true } | { readonly ok: false; readonly full: boolean };

let opening: Promise<IDBPDatabase<Schema> | null> | null = null;

/** A browser that never answers (its database is locked or broken) must not keep the page from starting. */
const ANSWER_MS = 3_000;

function database(): Promise<IDBPDatabase<Schema> | null> {
  opening ??= connect().catch(() => null);
  const silence = new Promise<null>((resolve) => setTimeout(resolve, ANSWER_MS, null));
  return Promise.race([opening, silence]);
}

async function connect(): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>("queuescope", 3, {
    upgrade(db, from) {
      if (from < 1) {
        db.createObjectStore("slots", { keyPath: "id" });
        db.createObjectStore("traces", { keyPath: "sha256" });
        db.createObjectStore("contents");
      }
      if (from < 2) db.createObjectStore("recents", { keyPath: "id" });
      // From 3 on jobs may lie apart: an older page would take such a slot for a document without jobs, and cannot open the database any more.
    },
    // A newer page wants to change the tables: it must not wait for this tab.
    blocking(_current, _wanted, event) {
      (event.target as IDBDatabase).close();
      opening = null;
    },
    terminated() {
      opening = null;
    },
  });
}

async function attempt(write: (db: IDBPDatabase<Schema>) => Promise<unknown>): Promise<Kept> {
  const db = await database();
  if (!db) return { ok: false, full: false };
  try {
    await write(db);
    return { ok: true };
  } catch (error) {
    return {
      ok: false,
      full: error instanceof DOMException && error.name === "QuotaExceededError",
    };
  }
}

async function read<T>(query: (db: IDBPDatabase<Schema>) => Promise<T>, none: T): Promise<T> {
  const db = await database();
  if (!db) return none;
  return query(db).catch(() => none);
}

const jobsKey = (id: string): string => `jobs of ${id}`;

/** `jobs`: those of the document as JSON, to lie apart; `asBefore`: they lie there already; null: they stay in the slot. */
export function putSlot(slot: Slot, jobs: Blob | "asBefore" | null): Promise<Kept> {
  return attempt(async (db) => {
    const change = db.transaction(["slots", "contents"], "readwrite");
    const contents = change.objectStore("contents");
    const writes: Promise<unknown>[] = [
      change.objectStore("slots").put(jobs === null ? slot : withoutJobs(slot)),
    ];
    if (jobs === null) writes.push(contents.delete(jobsKey(slot.id)));
    else if (jobs !== "asBefore") writes.push(contents.put(jobs, jobsKey(slot.id)));
    await Promise.all([...writes, change.done]);
  });
}

function withoutJobs(slot: Slot): StoredSlot {
  const { scenario } = slot;
  const workload = { ...scenario.workload, jobs: [] };
  return { ...slot, scenario: { ...scenario, workload }, jobsApart: true };
}

/** As they lie there: `wholeSlot` puts one together. */
export function allSlots(): Promise<readonly StoredSlot[]> {
  return read<readonly StoredSlot[]>((db) => db.getAll("slots"), []);
}

/** A slot with its jobs; null where they are not there any more. O(jobs). */
export async function wholeSlot({ jobsApart, ...slot }: StoredSlot): Promise<Slot | null> {
  if (!jobsApart) return slot;
  return read(async (db) => {
    const content = await db.get("contents", jobsKey(slot.id));
    if (!content) return null;
    const jobs = JSON.parse(await content.text()) as Scenario["workload"]["jobs"];
    const { scenario } = slot;
    return { ...slot, scenario: { ...scenario, workload: { ...scenario.workload, jobs } } };
  }, null);
}

export function dropSlot(id: string): Promise<Kept> {
  return attempt(async (db) => {
    const change = db.transaction(["slots", "contents"], "readwrite");
    await Promise.all([
      change.objectStore("slots").delete(id),
      change.objectStore("contents").delete(jobsKey(id)),
      change.done,
    ]);
  });
}

export function putRecent(recent: Recent): Promise<Kept> {
  return attempt((db) => db.put("recents", recent));
}

export function allRecents(): Promise<readonly Recent[]> {
  return read<readonly Recent[]>((db) => db.getAll("recents"), []);
}

export function dropRecents(ids: readonly string[]): Promise<Kept> {
  return attempt(async (db) => {
    const change = db.transaction("recents", "readwrite");
    await Promise.all([...ids.map((id) => change.store.delete(id)), change.done]);
  });
}

export function putTrace(trace: KeptTrace, content: Blob): Promise<Kept> {
  return attempt(async (db) => {
    const change = db.transaction(["traces", "contents"], "readwrite");
    await Promise.all([
      change.objectStore("contents").put(content, trace.sha256),
      change.objectStore("traces").put(trace),
      change.done,
    ]);
  });
}

export function allTraces(): Promise<readonly KeptTrace[]> {
  return read<readonly KeptTrace[]>((db) => db.getAll("traces"), []);
}

export async function traceContent(
  sha256: string,
): Promise<{ name: string; content: Blob } | null> {
  return read(async (db) => {
    const [trace, content] = await Promise.all([
      db.get("traces", sha256),
      db.get("contents", sha256),
    ]);
    return trace && content ? { name: trace.name, content } : null;
  }, null);
}

export function dropTrace(sha256: string): Promise<Kept> {
  return attempt(async (db) => {
    const change = db.transaction(["traces", "contents"], "readwrite");
    await Promise.all([
      change.objectStore("traces").delete(sha256),
      change.objectStore("contents").delete(sha256),
      change.done,
    ]);
  });
}
