/**
 * Bookmarks: times and stretches of the run with a short text, in order of time. They are part of the view, so a link shows them to whoever
 * opens it; what a link brings is a stranger's, so texts are cut to one short line and are only ever text. In a link a bookmark is
 * `<from>Z<to>Z<text>`, times in base 36 (which has no capitals), the text in base64url.
 */
import { LIMITS } from "../model/limits.ts";
import type { Bookmark } from "./state.ts";

export const BOOKMARKS_MOST = 20;
export const BOOKMARK_LETTERS = 60;

/** One line of at most so many letters; controls and marks that turn the direction of what follows are left out. */
export function bookmarkText(text: string): string {
  const line = text
    .replace(/[\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff](?![\udc00-\udfff])/gu, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return [...line].slice(0, BOOKMARK_LETTERS).join("").trim();
}

/** With more of them, in order of time; the first ones where they are too many. */
export function withBookmarks(
  bookmarks: readonly Bookmark[],
  more: readonly Bookmark[],
): readonly Bookmark[] {
  return [...bookmarks, ...more]
    .slice(0, BOOKMARKS_MOST)
    .sort((a, b) => a.atMs - b.atMs || (a.toMs ?? 0) - (b.toMs ?? 0));
}

export function encodeBookmark({ atMs, toMs, text }: Bookmark): string {
  const letters = String.fromCodePoint(...new TextEncoder().encode(text));
  const code = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${base36(atMs)}Z${toMs === undefined ? "" : base36(toMs)}Z${code}`;
}

/** Total: null where it is none. */
export function decodeBookmark(code: string): Bookmark | null {
  const found = /^([0-9a-z]{1,11})Z([0-9a-z]{0,11})Z([\w-]{0,400})$/.exec(code);
  if (!found) return null;
  const atMs = Number.parseInt(found[1]!, 36);
  const toMs = found[2] === "" ? undefined : Number.parseInt(found[2]!, 36);
  if (atMs > LIMITS.horizonMs || (toMs !== undefined && (toMs > LIMITS.horizonMs || toMs <= atMs)))
    return null;
  const letters = decodeBase64(found[3]!);
  if (letters === null) return null;
  return { atMs, ...(toMs !== undefined && { toMs }), text: bookmarkText(letters) };
}

function decodeBase64(code: string): string | null {
  try {
    const letters = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)));
  } catch {
    return null;
  }
}

const base36 = (value: number): string =>
  Math.min(LIMITS.horizonMs, Math.max(0, Math.round(value))).toString(36);
