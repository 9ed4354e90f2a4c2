/**
 * Scenarios as text for the address bar:
 *
 *     1:<payload>.<check>                    the whole document
 *     preset:<id>@<hash8>                    a library scenario as it is
 *     preset:<id>@<hash8>:<payload>.<check>  what differs from a library scenario
 *
 * A payload is canonical JSON, its lists of objects as tables (`tables.ts`) → deflate-raw with the words of `linkWords.ts` → base64url. `check` opens the
 * SHA-256 of all before it, because a changed letter of a payload may well unpack, to another scenario. `hash8` opens the digest of the library scenario, so
 * that a link never means something else after the library has changed. Older links have a dot before a payload without tables and words, some no check;
 * they are read for ever. All that is decoded is hostile until `readScenario` has passed it.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { deflateSync, Inflate, strFromU8, strToU8 } from "fflate";
import type { Json } from "../base/json.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { err, ok } from "../base/result.ts";
import { LIMITS } from "../model/limits.ts";
import { canonicalJson, documentDigest, stableText } from "./canonical.ts";
import { diff, EDITS_MOST, patch } from "./jsonDiff.ts";
import { LINK_WORDS } from "./linkWords.ts";
import { readScenario } from "./read.ts";
import type { Scenario } from "./schema.ts";
import { SCENARIO_VERSION } from "./schema.ts";
import { fromTables, toTables } from "./tables.ts";

const HASH_DIGITS = 8;
const CHECK_DIGITS = 6;
const VARIANTS_VERSION = "1";
/** Deflate expands at most about 1,032 times: one slice cannot run far past the cap before it is noticed. */
const SLICE_BYTES = 2_048;

/** A scenario of the library that a link may start from. */
export interface LinkBase {
  readonly id: string;
  readonly scenario: Scenario;
}

/** The shorter of the two forms. O(document). Called on each change of the document and by "copy link". */
export function encodeScenario(scenario: Scenario, base: LinkBase | null = null): string {
  const document = canonicalJson(scenario);
  const whole = checked(`${SCENARIO_VERSION}${pack(document)}`);
  if (base === null) return whole;
  const edits = diff(canonicalJson(base.scenario), document);
  if (edits.length > EDITS_MOST) return whole;
  const name = `preset:${base.id}@${documentDigest(base.scenario).slice(0, HASH_DIGITS)}`;
  const short = edits.length === 0 ? name : checked(`${name}${pack(edits as Json)}`);
  return short.length < whole.length ? short : whole;
}

export interface Decoded {
  readonly scenario: Scenario;
  /** The library scenario it started from. */
  readonly baseId: string | null;
}

/** Finds a library scenario; undefined where there is none of this id and hash. */
export type FindBase = (id: string) => Scenario | undefined;

/** The scenario that a text stands for. Never throws; size-capped before and after unpacking. */
export function decodeScenario(text: string, findBase: FindBase): Result<Decoded, Problem[]> {
  if (text.length > LIMITS.linkBytes)
    return err([linkProblem("The link is too long.", "Send the scenario as a file.")]);
  const whole = /^(\d{1,6})([.:][\w-]+)(?:\.([0-9a-f]{6}))?$/.exec(text);
  if (whole !== null && Number(whole[1]) > SCENARIO_VERSION) return err([fromLater(whole[1]!)]);
  const preset = /^preset:([\w-]{1,100})@([0-9a-f]{8})(?:([.:][\w-]+)(?:\.([0-9a-f]{6}))?)?$/.exec(
    text,
  );
  const payload = whole?.[2] ?? preset?.[3];
  const check = whole?.[3] ?? preset?.[4];
  if (check === undefined && payload?.startsWith(":")) return err([damaged()]);
  if (check !== undefined && checkOf(text.slice(0, -1 - CHECK_DIGITS)) !== check)
    return err([damaged()]);
  if (whole !== null) return decodeWhole(whole[2]!);
  if (preset !== null) return decodePreset(preset[1]!, preset[2]!, preset[3], findBase);
  return err([damaged()]);
}

/** More futures than these stand nowhere side by side. */
const VARIANTS_MOST = 3;

/** Other futures of a scenario, each as what differs from it: `1:<payload>.<check>`. Null where one differs in more than a diff takes. O(documents). */
export function encodeVariants(variants: readonly Scenario[], shown: Scenario): string | null {
  const from = canonicalJson(shown);
  const edits = variants.map((variant) => diff(from, canonicalJson(variant)));
  if (edits.some((one) => one.length > EDITS_MOST)) return null;
  return checked(`${VARIANTS_VERSION}${pack(edits as Json)}`);
}

/** Those futures; empty where the text holds none that can be read: they never block the scenario beside them. Never throws; size-capped as a link is. */
export function decodeVariants(text: string, shown: Scenario): readonly Scenario[] {
  const parts = /^(\d{1,6})([.:][\w-]+)\.([0-9a-f]{6})$/.exec(text);
  if (text.length > LIMITS.linkBytes || parts === null || parts[1] !== VARIANTS_VERSION) return [];
  if (checkOf(text.slice(0, -1 - CHECK_DIGITS)) !== parts[3]) return [];
  const edits = unpack(parts[2]!);
  if (!edits.ok || !Array.isArray(edits.value) || edits.value.length > VARIANTS_MOST) return [];
  const from = canonicalJson(shown);
  return (edits.value as Json[]).flatMap((one) => {
    const document = patch(from, one);
    const read = document.ok ? readScenario(document.value) : null;
    return read?.ok ? [read.value] : [];
  });
}

function checkOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text))).slice(0, CHECK_DIGITS);
}

function checked(text: string): string {
  return `${text}.${checkOf(text)}`;
}

function decodeWhole(payload: string): Result<Decoded, Problem[]> {
  const document = unpack(payload);
  if (!document.ok) return document;
  const read = readScenario(document.value);
  return read.ok ? ok({ scenario: read.value, baseId: null }) : read;
}

function decodePreset(
  id: string,
  hash: string,
  payload: string | undefined,
  findBase: FindBase,
): Result<Decoded, Problem[]> {
  const base = findBase(id);
  if (base === undefined) {
    return err([
      linkProblem(
        `The library has no scenario "${id}".`,
        "Ask the sender for the scenario as a file.",
      ),
    ]);
  }
  if (!documentDigest(base).startsWith(hash)) {
    return err([
      linkProblem(
        `The library scenario "${id}" has changed since this link was made.`,
        "Ask the sender for the scenario as a file.",
      ),
    ]);
  }
  if (payload === undefined) return ok({ scenario: base, baseId: id });
  const edits = unpack(payload);
  if (!edits.ok) return edits;
  const document = patch(canonicalJson(base), edits.value);
  if (!document.ok) return err([damaged()]);
  const read = readScenario(document.value);
  return read.ok ? ok({ scenario: read.value, baseId: id }) : read;
}

function linkProblem(message: string, remedy: string): Problem {
  return { place: "link", message, remedy };
}

function fromLater(version: string): Problem {
  return linkProblem(
    `The link has version ${version}; this Queuescope reads links up to version ${SCENARIO_VERSION}.`,
    "Reload the page, or install a newer Queuescope.",
  );
}

function damaged(): Problem {
  return linkProblem(
    "The link is damaged or incomplete.",
    "Copy the whole link again; some programs cut long links.",
  );
}

/** A colon and the value; a dot and its plain text where tables cannot hold it. */
function pack(value: Json): string {
  const tables = toTables(value);
  return tables === null
    ? `.${base64url(deflateSync(strToU8(stableText(value)), { level: 9 }))}`
    : `:${base64url(deflateSync(strToU8(stableText(tables)), { level: 9, dictionary: words() }))}`;
}

let linkWords: Uint8Array | undefined;

function words(): Uint8Array {
  linkWords ??= strToU8(LINK_WORDS);
  return linkWords;
}

function base64url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

class TooLarge extends Error {}

/** The value of a payload with the mark before it. */
function unpack(payload: string): Result<Json, Problem[]> {
  const plain = payload.startsWith(".");
  const value = inflate(payload.slice(1), plain ? undefined : words());
  if (plain || !value.ok) return value;
  const whole = fromTables(value.value);
  return whole.ok ? whole : err([damaged()]);
}

function inflate(payload: string, dictionary: Uint8Array | undefined): Result<Json, Problem[]> {
  const parts: Uint8Array[] = [];
  let total = 0;
  let finished = false;
  try {
    const binary = atob(payload.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const stream = new Inflate({ ...(dictionary && { dictionary }) }, (part, final) => {
      total += part.length;
      if (total > LIMITS.documentBytes) throw new TooLarge();
      parts.push(part);
      finished ||= final;
    });
    for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
      const end = Math.min(bytes.length, from + SLICE_BYTES);
      stream.push(bytes.subarray(from, end), end === bytes.length);
    }
    if (!finished) return err([damaged()]);
    return ok(JSON.parse(joinText(parts, total)) as Json);
  } catch (error) {
    if (error instanceof TooLarge)
      return err([
        linkProblem(
          "The link unpacks to more than a document may hold.",
          "Ask the sender for the scenario as a file.",
        ),
      ]);
    return err([damaged()]);
  }
}

function joinText(parts: readonly Uint8Array[], total: number): string {
  const whole = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return strFromU8(whole);
}
