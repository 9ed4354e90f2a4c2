/**
 * Autosave: the last document and view of this tab, written at each change of the document and, debounced, of the view. Every
 * tab holds a Web Lock on its slot's name, so two tabs never write the same slot, not even when one was duplicated from the
 * other; a slot that nobody holds belongs to a tab that was closed or crashed, and a new visit takes up the newest.
 */

import type { Slot } from "./database.ts";
import { allSlots, dropSlot, putSlot, wholeSlot } from "./database.ts";
import { dropDevice, readDevice, writeDevice } from "./device.ts";
import { JOBS_MANY, textOfJobs } from "./largeDocuments.ts";
import type { View } from "./viewCode.ts";
import { decodeView, encodeView } from "./viewCode.ts";

const SESSION_KEY = "queuescope.slot";
const SLOTS_KEPT = 8;
const lockName = (id: string): string => `queuescope-slot-${id}`;

let slotId = "";

/** Holds a lock until the tab goes away; false when another tab has it. */
function hold(id: string): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    void navigator.locks
      .request(lockName(id), { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock === null ? undefined : new Promise<void>(() => undefined);
      })
      .catch(() => resolve(true));
  });
}

async function heldNames(): Promise<ReadonlySet<string>> {
  const state = await navigator.locks?.query().catch(() => null);
  return new Set((state?.held ?? []).map((lock) => lock.name ?? ""));
}

/**
 * Takes a slot for this tab. Returns what the tab (or, on a new visit, the newest tab that was closed) last had, or `null`.
 * Called once, before anything is saved.
 */
export async function claimSlot(): Promise<Slot | null> {
  const slots = await allSlots();
  const isReadable = slots.length === 0 ? () => false : await reader();
  const ofTab = readSession();
  const stored = slots.find((slot) => slot.id === ofTab);
  const own = (stored && (await wholeSlot(stored))) ?? undefined;
  // A slot that this version cannot read is left as it is, for the version that can.
  const mine = stored === undefined || (own !== undefined && isReadable(own));
  if (ofTab !== null && mine && (await hold(ofTab))) {
    slotId = ofTab;
    return withLastView(own);
  }
  slotId = crypto.randomUUID();
  writeSession(slotId);
  await hold(slotId);
  // A duplicated tab starts from the link, not from somebody's slot.
  if (ofTab !== null && mine) return null;
  const held = await heldNames();
  const free = slots
    .filter((slot) => !held.has(lockName(slot.id)))
    .sort((a, b) => b.savedAtMs - a.savedAtMs);
  for (const old of free.slice(SLOTS_KEPT)) {
    void dropSlot(old.id);
    dropDevice(viewKey(old.id));
  }
  for (const slot of free) {
    const whole = await wholeSlot(slot);
    if (whole && isReadable(whole)) return withLastView(whole);
  }
  return null;
}

/** What lies on the device may be from another version of the page. Without network and cache nothing can be told, and the slot is left alone. */
async function reader(): Promise<(slot: Slot) => boolean> {
  try {
    const { readScenario } = await import("../scenario/read.ts");
    return (slot) => readScenario(slot.scenario).ok;
  } catch {
    return () => false;
  }
}

const viewKey = (id: string): string => `queuescope.view.${id}`;

/** Saves the view at once. A page that is being closed has no time for a database; a document is saved long before. */
export function saveViewNow(view: View): void {
  if (slotId !== "") writeDevice(viewKey(slotId), `${Date.now()} ${encodeView(view)}`);
}

/** The slot with the view of its last moment, where that is newer. */
function withLastView(slot: Slot | undefined): Slot | null {
  if (!slot) return null;
  const [savedAt = "", code = ""] = (readDevice(viewKey(slot.id)) ?? "").split(" ");
  const view = decodeView(code);
  return view && Number(savedAt) >= slot.savedAtMs ? { ...slot, view } : slot;
}

/** The tab's own memory: it survives a reload and is copied when the tab is duplicated. */
function readSession(): string | null {
  try {
    return sessionStorage.getItem(SESSION_KEY);
  } catch {
    return null;
  }
}

function writeSession(id: string): void {
  try {
    sessionStorage.setItem(SESSION_KEY, id);
  } catch {
    // Without it a reload takes the newest free slot, which is this one.
  }
}

let failed = false;

let saved: Slot["scenario"] | null = null;
type Jobs = Slot["scenario"]["workload"]["jobs"];
/** Jobs that lie apart in this tab's slot. */
let savedJobs: Jobs | null = null;
/** Their text while it is made: the next save wants the same. */
let text: { readonly jobs: Jobs; readonly blob: Promise<Blob> } | null = null;
let saves = 0;

/** Saves; on the first failure after a success says why, once. Many jobs are written once, in turns, and not with each change of the document. */
export async function save(
  content: Omit<Slot, "id" | "savedAtMs">,
  complain: (text: string) => void,
): Promise<void> {
  if (slotId === "") return;
  const { scenario, view } = content;
  const { jobs } = scenario.workload;
  const many = jobs.length > JOBS_MANY;
  if (many && saved === scenario) {
    saveViewNow(view);
    return;
  }
  const serial = ++saves;
  const isThere = many && savedJobs === jobs;
  if (many && !isThere && text?.jobs !== jobs) text = { jobs, blob: textOfJobs(jobs) };
  const apart = many && !isThere ? ((await text?.blob) ?? null) : null;
  // What was saved meanwhile is newer.
  if (serial !== saves) return;
  const slot = { ...content, id: slotId, savedAtMs: Date.now() };
  savedJobs = null;
  const kept = await putSlot(slot, isThere ? "asBefore" : apart);
  if (!kept.ok && !failed) {
    complain(
      kept.full
        ? "Storage on this device is full: changes are no longer saved here. The link still holds them; delete some of the stored files to make room."
        : "This browser does not let the page save. The link still holds your changes.",
    );
  }
  failed = !kept.ok;
  if (serial !== saves) return;
  saved = kept.ok ? scenario : null;
  savedJobs = kept.ok && many ? jobs : null;
  text = null;
}
