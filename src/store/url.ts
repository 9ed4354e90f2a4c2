/**
 * The address bar is always the link: `#s=<scenario>&d=<digest>&w=<view>`. A change of the document pushes a step of the browser's
 * history, at once; cursor, window and selection replace it, 250 ms after the last change. Everything is in the fragment, so
 * nothing reaches a server.
 */
import { LIMITS } from "../model/limits.ts";
import { encodeScenario } from "../scenario/codec.ts";
import type { UrlStep } from "./documents.ts";
import { currentView } from "./documents.ts";
import { libraryBase } from "./library.ts";
import { runData } from "./runData.ts";
import { useApp } from "./store.ts";
import { encodeView } from "./viewCode.ts";

const QUIET_MS = 250;
const PLAYING_MS = 1_000;
/** So many entries never fit into a link; packing them at each edit would only cost time. */
const ENTRIES_MOST = 8_000;

export interface LinkParts {
  readonly s: string | null;
  readonly d: string | null;
  readonly w: string | null;
}

/** Splits a fragment (or a whole address). Total. */
export function linkParts(address: string): LinkParts {
  const hash = address.includes("#") ? address.slice(address.indexOf("#") + 1) : address;
  const find = (key: string): string | null => {
    const part = hash.split("&").find((piece) => piece.startsWith(`${key}=`));
    return part === undefined ? null : part.slice(key.length + 1);
  };
  return { s: find("s"), d: find("d"), w: find("w") };
}

/** First eight characters of a digest: what the page shows and the link carries. */
export function shortDigest(digest: string): string {
  return digest.slice(0, 8);
}

const codes = new WeakMap<object, string>();

/** The fragment of the present state, without `#`; `null` when the document is too long for a link. */
export function currentFragment(): string | null {
  const { scenario, baseId } = useApp.getState();
  if (!scenario) return "";
  if (scenario.workload.jobs.length + scenario.interventions.length > ENTRIES_MOST) return null;
  let code = codes.get(scenario);
  if (code === undefined) {
    code = encodeScenario(scenario, libraryBase(baseId));
    codes.set(scenario, code);
  }
  if (code.length > LIMITS.linkBytes) return null;
  const { current } = runData.get();
  const digest = current.done ? `&d=${shortDigest(current.digest)}` : "";
  return `s=${code}${digest}&w=${encodeView(currentView())}`;
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

/** Writes the link. Pushing is immediate. */
export function writeUrl(step: UrlStep): void {
  if (step === "none") return;
  if (tooOften()) writeUrlSoon();
  else write(step);
}

function write(step: "push" | "replace"): void {
  clearTimeout(timer);
  timer = undefined;
  const fragment = currentFragment();
  const address = `${location.pathname}${location.search}#${fragment ?? "kept"}`;
  if (step === "push" && `#${fragment}` !== location.hash) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

let steppingBack = false;

/** Takes a pushed step back: what it stood for was refused. */
export function unpushUrl(): void {
  steppingBack = true;
  history.back();
}

/** True once for the browser's answer to `unpushUrl`, which leads to a document that is there already. */
export function isOwnStepBack(): boolean {
  const own = steppingBack;
  steppingBack = false;
  return own;
}

/** Writes the link after a quiet moment; while playing there is none, then once a second. */
export function writeUrlSoon(): void {
  const { playing } = useApp.getState();
  if (playing && timer !== undefined) return;
  clearTimeout(timer);
  timer = setTimeout(() => writeUrl("replace"), playing ? PLAYING_MS : QUIET_MS);
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
