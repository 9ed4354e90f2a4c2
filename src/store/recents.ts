/**
 * Scenarios that were open on this device, newest first. One entry a line of work: as long as a tab stays with one title and one library scenario, its
 * changes renew the same entry; what is opened and equals an entry takes that entry up. A library scenario without a change is in the library and
 * needs no entry.
 */
import { sameJson } from "../base/json.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { Recent } from "./database.ts";
import { allRecents, dropRecents, putRecent } from "./database.ts";
import { JOBS_MANY } from "./largeDocuments.ts";
import { fetchLinkCode, libraryBase } from "./linkCode.ts";
import type { View } from "./viewCode.ts";

export const RECENTS_MOST = 24;
/** Larger documents stay in the autosave and in files: a list of them would fill the device. */
const RECENT_ENTRIES_MOST = 20_000;
const QUIET_MS = 1_500;

interface Line {
  readonly id: string;
  readonly title: string;
  readonly baseId: string | null;
}

let line: Line | null = null;
/** What stands in the entry of the line. */
let written: Scenario | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps the document after a quiet moment. Called at each change of document and view. */
export function noteRecent(scenario: Scenario, baseId: string | null, view: View): void {
  clearTimeout(timer);
  timer = setTimeout(() => void keep(scenario, baseId, view), QUIET_MS);
}

async function keep(scenario: Scenario, baseId: string | null, view: View): Promise<void> {
  // Without the library nobody knows what differs from it.
  if (baseId !== null) await fetchLinkCode().catch(() => null);
  const base = libraryBase(baseId);
  const entries = scenario.workload.jobs.length + scenario.interventions.length;
  if (entries > RECENT_ENTRIES_MOST || (base && sameJson(base.scenario, scenario))) {
    line = null;
    return;
  }
  // Another view alone is not worth the copy of so many jobs.
  if (written === scenario && entries > JOBS_MANY) return;
  if (line?.title !== scenario.title || line.baseId !== baseId)
    line = await begin(scenario, baseId);
  written = scenario;
  await putRecent({ id: line.id, openedAtMs: Date.now(), scenario, baseId, view });
}

/** Takes up the entry that equals the document, or makes room for another one. */
async function begin(scenario: Scenario, baseId: string | null): Promise<Line> {
  const known = await recentScenarios();
  const same = known.find((recent) => sameJson(recent.scenario, scenario));
  const spare = known.slice(RECENTS_MOST - 1).map(({ id }) => id);
  if (!same && spare.length > 0) await dropRecents(spare);
  return { id: same?.id ?? crypto.randomUUID(), title: scenario.title, baseId };
}

/** Newest first. */
export async function recentScenarios(): Promise<readonly Recent[]> {
  return [...(await allRecents())].sort((a, b) => b.openedAtMs - a.openedAtMs);
}

/** Forgets entries; the document that is open begins a new one with its next change. False where the device refused. */
export async function forgetRecents(ids: readonly string[]): Promise<boolean> {
  clearTimeout(timer);
  if (line && ids.includes(line.id)) {
    line = null;
    written = null;
  }
  return (await dropRecents(ids)).ok;
}
