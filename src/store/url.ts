/**
 * The address bar is always the link: `#s=<scenario>&d=<run it was made from>&w=<view>`, `&y=<layout>` on wish, `&k=<kept futures>` where some are kept. A change of the document pushes a step of the browser's
 * history, at once, and so does a step of the view (`viewSteps.ts`) or an editor that opens; cursor, window and marks replace it, 250 ms after the last change. Everything
 * is in the fragment, so nothing reaches a server.
 */
import { LIMITS } from "../model/limits.ts";
import type { Doc, UrlStep } from "./documents.ts";
import { currentView, viewOf } from "./documents.ts";
import { keptInLink, keptText } from "./keptFutures.ts";
import { onMetrics } from "./knownMetrics.ts";
import { currentLayout, encodeLayout, useLayout } from "./layout.ts";
import { libraryBase, linkCode } from "./linkCode.ts";
import { encodeMade, madeFrom } from "./madeWith.ts";
import { type PageName, pageIn, withPage } from "./pageInLink.ts";
import { runData } from "./runData.ts";
import type { AppState } from "./state.ts";
import { useApp } from "./store.ts";
import { decodeView, encodeView, type View } from "./viewCode.ts";
import { joins, makesSteps, pressNow, stepKind, type ViewStep } from "./viewSteps.ts";

const QUIET_MS = 250;
const PLAYING_MS = 1_000;
/** So many entries never fit into a link; packing them at each edit would only cost time. */
const ENTRIES_MOST = 8_000;

export interface LinkParts {
  readonly s: string | null;
  readonly d: string | null;
  readonly w: string | null;
  readonly y: string | null;
  readonly k: string | null;
}

/** Some programs write colons and at signs of an address as %3A and %40. */
function plain(text: string): string {
  return text.replaceAll(/%3a/gi, ":").replaceAll("%40", "@");
}

/** Splits a fragment (or a whole address). Total. */
export function linkParts(address: string): LinkParts {
  const hash = address.includes("#") ? address.slice(address.indexOf("#") + 1) : address;
  const find = (key: string): string | null => {
    const part = hash.split("&").find((piece) => piece.startsWith(`${key}=`));
    return part === undefined ? null : plain(part.slice(key.length + 1));
  };
  return { s: find("s"), d: find("d"), w: find("w"), y: find("y"), k: find("k") };
}

const codes = new WeakMap<object, string>();

/** The fragment of the present state, without `#`; `null` when the document is too long for a link. */
export function currentFragment(view = currentView()): string | null {
  const { scenario, baseId } = useApp.getState();
  if (!scenario) return "";
  if (scenario.workload.jobs.length + scenario.interventions.length > ENTRIES_MOST) return null;
  let code = codes.get(scenario);
  if (code === undefined) {
    const codec = linkCode()?.codec;
    if (!codec) return "";
    code = codec.encodeScenario(scenario, libraryBase(baseId));
    codes.set(scenario, code);
  }
  if (code.length > LIMITS.linkBytes) return null;
  const kept = keptText(scenario, LIMITS.linkBytes - code.length);
  const { current } = runData.get();
  // While a run comes in, the one before it is shown.
  const digest =
    current.done && current.scenario === scenario ? `&d=${encodeMade(madeFrom(current))}` : "";
  const layout = useLayout.getState().inLink ? `&y=${encodeLayout(currentLayout())}` : "";
  const over = page === null ? "" : `&p=${page}`;
  return `s=${code}${digest}&w=${encodeView(view)}${layout}${kept ? `&k=${kept}` : ""}${over}`;
}

/** How many futures are kept, and whether the link has room for them. */
export function futuresInLink(): { readonly count: number; readonly fits: boolean } {
  const { scenario } = useApp.getState();
  return keptInLink(scenario ? (codes.get(scenario) ?? null) : null);
}

/** The whole link, or `null` when the document is too long for one. */
export function currentLink(): string | null {
  const fragment = currentFragment();
  return fragment === null
    ? null
    : `${location.origin}${location.pathname}${location.search}#${fragment}`;
}

const CHANGES_A_SECOND = 20;

let timer: ReturnType<typeof setTimeout> | undefined;
let changesThisSecond = 0;
let second = 0;

/** What an entry of the browser's history knows of itself. */
interface Mark {
  /** Counts entries from the first one of this tab. */
  readonly step: number;
  /** The step was refused: the entry shows the same document as the one before it, and the next step takes it over. */
  readonly spare: boolean;
  /** An editor or a dialog is open: the entry before it shows the same without it. */
  readonly layer: boolean;
}

let here: Mark = { step: 0, spare: false, layer: false };
/** The entry that was made for the layer that is open, while it has not become that of something else. */
let layerStep: number | null = null;
/** The page over the sheet that the entry which is shown names. */
let page: PageName | null = null;
/** What is open stays where it is in the history when it closes. */
let keepsLayer = false;
/** The entry that the last push made, if it made one. */
let pushedStep: number | null = null;

/** Documents that no address can hold, or not yet, by the entry they belong to: Back and Forward find them here until a reload. */
const tooLong = new Map<number, Kept>();
const TOO_LONG_KEPT = 20;

export type Arrival =
  | "passed"
  | "layer"
  | { readonly view: View; readonly layer: boolean }
  | { readonly document: Kept }
  | null;

interface Kept extends Pick<Doc, "scenario" | "baseId"> {
  readonly view: View;
}

/** The step of the view that the entry which is shown was pushed for. */
let lastStep: (ViewStep & { readonly step: number }) | null = null;

/** Takes up the numbering where the entry that is shown has one: after a reload. */
export function readMark(): void {
  const mark = markOf(history.state) ?? { step: 0, spare: false, layer: false };
  // The layer that it was made for has gone with the page.
  here = { ...mark, spare: mark.spare || mark.layer, layer: false };
}

function markOf(state: unknown): Mark | null {
  const { step, spare, layer } = (state ?? {}) as Record<keyof Mark, unknown>;
  return typeof step === "number" && Number.isSafeInteger(step) && step >= 0
    ? { step, spare: spare === true, layer: layer === true }
    : null;
}

/** Writes the link. Pushing is immediate. */
export function writeUrl(step: UrlStep): void {
  if (step === "none") return;
  if (step === "push") pushedStep = null;
  if (tooOften()) writeUrlSoon();
  else put(step, currentView(), true);
}

/** Follows the view from one state to the next: a step of the reader's is pushed, all else replaces what stands. */
export function followView(now: AppState, before: AppState): void {
  const kind = now.scenario === before.scenario && makesSteps() ? stepKind(before, now) : null;
  if (kind === null || linkCode() === null || isFramed() || tooOften()) {
    writeUrlSoon();
    return;
  }
  const atMs = Date.now();
  const press = pressNow();
  const last = lastStep?.step === here.step && joins(lastStep, kind, atMs, press) ? lastStep : null;
  if (last) {
    // Opened and closed at once: Back would do nothing here.
    here = { ...here, spare: stepKind(last.from, now) === null };
    write("replace");
  } else {
    // The entry that is left shows what stood until now, and not what stood at its last quiet moment.
    if (timer !== undefined) put("replace", viewOf(before));
    write("push");
  }
  lastStep = { kind, atMs, press, from: last?.from ?? before, step: here.step };
}

/**
 * An editor or a dialog has opened or closed. Opened it is a step, so that Back closes it and nothing else; closed its entry is spare, unless what was
 * applied in it has taken the entry over. `name`: the page that it is, if the address can name it.
 */
export function followLayer(open: boolean, name: PageName | null = null): void {
  if (!open) {
    page = null;
    if (keepsLayer) {
      keepsLayer = false;
      layerStep = null;
      here = { ...here, layer: false };
      return;
    }
    const own = layerStep === here.step;
    layerStep = null;
    here = { ...here, spare: here.spare || own, layer: false };
    history.replaceState(here, "", withPage(location.href, null));
    return;
  }
  // Back has brought its entry already.
  if (layerStep === here.step && pageIn(location.href) === name && name !== null) {
    page = name;
    return;
  }
  if (linkCode() === null || isFramed() || tooOften()) return;
  if (timer !== undefined) write("replace");
  page = name;
  const { step, spare } = here;
  here = { step: spare ? step : step + 1, spare: false, layer: true };
  layerStep = here.step;
  lastStep = null;
  const address = withPage(location.href, page);
  if (spare) history.replaceState(here, "", address);
  else history.pushState(here, "", address);
}

/** Another page, or none, is shown in the layer that is open, as the comparison over an editor: the layer's entry names it, so that Back leads to it. */
export function nameLayer(name: PageName | null): void {
  if (keepsLayer || layerStep !== here.step || name === page) return;
  page = name;
  history.replaceState(here, "", withPage(location.href, page));
}

/** The page that is open is about to close for a scenario of its own: Back from that leads to the page again. */
export function keepLayer(): void {
  keepsLayer = layerStep === here.step;
}

/** Steps of a page in a frame would be steps of the page around it. */
function isFramed(): boolean {
  return window.parent !== window;
}

function write(step: "push" | "replace"): void {
  put(step, currentView());
}

function put(step: "push" | "replace", view: View, ofDocument = false): void {
  clearTimeout(timer);
  timer = undefined;
  const ready = linkCode() !== null;
  // What stands in the address may be the link that is being opened.
  if (!ready && step === "replace") return;
  const fragment = ready ? currentFragment(view) : null;
  const differs = fragment === null || `#${fragment}` !== location.hash;
  // What is applied in a layer takes the place of its entry: Back leads to what stood before.
  const taken = here.spare || (ofDocument && layerStep === here.step);
  const push = step === "push" && differs && !taken;
  here = { ...here, step: here.step + (push ? 1 : 0), spare: here.spare && step !== "push" };
  if (step === "push" && differs) {
    pushedStep = here.step;
    if (taken) layerStep = null;
  }
  if (fragment === null) keepTooLong(view);
  else tooLong.delete(here.step);
  const address = `${location.pathname}${location.search}#${fragment ?? "kept"}`;
  if (push) history.pushState(here, "", address);
  else history.replaceState(here, "", address);
}

function keepTooLong(view: View): void {
  const { scenario, baseId } = useApp.getState();
  if (!scenario) return;
  tooLong.set(here.step, { scenario, baseId, view });
  const documents = new Set([...tooLong.values()].map((kept) => kept.scenario));
  const [oldest] = tooLong.keys();
  if (documents.size > TOO_LONG_KEPT && oldest !== undefined) tooLong.delete(oldest);
}

/**
 * What the last push stood for was refused. The entry stays, because an entry cannot be removed without leaving a dead one ahead: it
 * shows the document that stands, Back passes over it, and the next step takes it over.
 */
export function spareUrl(): void {
  if (pushedStep === here.step) here = { ...here, spare: true };
  pushedStep = null;
  writeUrl("replace");
}

/**
 * The browser has moved in its history. `"passed"`: it left a spare entry for its twin, and is sent one step further. `"layer"`: it left an editor or a
 * dialog, which closes, and the view stays. A view: the entry shows the document that stands in another way, and with `layer` an editor may stay open.
 * Else the document that only this tab's memory holds, or null: the address says what to open.
 */
export function arrivedAt(state: unknown): Arrival {
  const left = here;
  const mark = markOf(state);
  here = mark ?? { step: left.step + 1, spare: false, layer: false };
  lastStep = null;
  layerStep = here.layer ? here.step : null;
  page = null;
  // What waits for a quiet moment was of the entry that is left.
  clearTimeout(timer);
  timer = undefined;
  const oneBack = here.step === left.step - 1;
  if (left.spare && oneBack && here.step > 0) {
    history.back();
    return "passed";
  }
  if (left.layer && mark && !mark.layer && oneBack) return "layer";
  const { s, w } = linkParts(location.href);
  const { scenario } = useApp.getState();
  if (s === null) {
    const kept = tooLong.get(here.step);
    if (!kept) return null;
    return kept.scenario === scenario ? { view: kept.view, layer: here.layer } : { document: kept };
  }
  // An address that somebody has typed opens as a link does, with all that it brings.
  const stands = mark !== null && scenario !== null && codes.get(scenario) === s;
  const view = stands && w !== null ? decodeView(w) : null;
  return view && { view, layer: here.layer };
}

/** Writes the link after a quiet moment; while playing there is none, then once a second. */
export function writeUrlSoon(): void {
  const { playing } = useApp.getState();
  if (playing && timer !== undefined) return;
  clearTimeout(timer);
  timer = setTimeout(() => writeUrl("replace"), playing ? PLAYING_MS : QUIET_MS);
}

/**
 * The address says how long the jobs of its run waited, and that is known some time after the run: it follows then. Without this it
 * would stay without the number until something else changes. Returns the unsubscriber.
 */
export function followNumbers(): () => void {
  return onMetrics(({ chunks }) => {
    if (runData.get().current.chunks === chunks) writeUrlSoon();
  });
}

/** Writes at once what still waits for a quiet moment. */
export function flushUrl(): void {
  if (timer !== undefined) write("replace");
}

/** Browsers refuse an address that changes all the time (Undo held down, a script): it then follows after a quiet moment. */
function tooOften(): boolean {
  const now = Math.floor(Date.now() / 1_000);
  changesThisSecond = now === second ? changesThisSecond + 1 : 1;
  second = now;
  return changesThisSecond > CHANGES_A_SECOND;
}
