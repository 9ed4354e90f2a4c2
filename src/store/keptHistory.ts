/**
 * Undo over a reload: the steps next to the present one, as text in the tab's own memory, as many as fit. Written when the page goes away (a reload, also into a newer version), taken up where the
 * same document opens again. What is taken up comes from outside, perhaps from another version: each document passes the one door before it is shown.
 */
import { sameJson } from "../base/json.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { Doc } from "./documents.ts";
import type { History, Step } from "./history.ts";

const KEY = "queuescope.history";
/** Characters; tabs have 5 million for all. */
const ROOM = 1_500_000;
/** A document with more entries is not even written out: closing a page must not take long. */
const ENTRIES_MOST = 4_000;

type Text = { readonly present: string; readonly past: string[]; readonly future: string[] };

/** The newest steps that fit, those to undo before those to redo; null where not even the present one does. */
export function packHistory({ past, present, future }: History<Doc>, room = ROOM): string | null {
  if (!present) return null;
  let left = room;
  const packed = (steps: readonly Step<Doc>[]): string[] => {
    const texts: string[] = [];
    for (const step of steps) {
      const text = stepText(step);
      if (text === null || text.length > left) break;
      left -= text.length;
      texts.push(text);
    }
    return texts;
  };
  const [own] = packed([present]);
  if (own === undefined) return null;
  const before = packed([...past].reverse()).reverse();
  const kept: Text = { present: own, past: before, future: packed(future) };
  return kept.past.length + kept.future.length === 0 ? null : JSON.stringify(kept);
}

function stepText({ document, label }: Step<Doc>): string | null {
  const { workload, interventions } = document.scenario;
  if (workload.jobs.length + interventions.length > ENTRIES_MOST) return null;
  return JSON.stringify({ document, label });
}

/** The steps around the document that is open; null where the text is of another one, or no history. Total. */
export function unpackHistory(text: string | null, open: Scenario): History<Doc> | null {
  try {
    const kept = JSON.parse(text ?? "null") as Text | null;
    if (kept === null) return null;
    const step = (json: string) => JSON.parse(json) as Step<Doc>;
    const present = step(kept.present);
    if (!sameJson(present.document.scenario, open)) return null;
    return { past: kept.past.map(step), present, future: kept.future.map(step) };
  } catch {
    return null;
  }
}

export function writeKept(text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, text);
  } catch {
    // Without it Undo begins anew after a reload; Back still leads to the documents before.
  }
}

export function readKept(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
