import fc from "fast-check";
import { expect, test } from "vitest";
import {
  BOOKMARK_LETTERS,
  BOOKMARKS_MOST,
  bookmarkText,
  decodeBookmark,
  encodeBookmark,
  withBookmarks,
} from "../../src/store/bookmarks.ts";

test("a bookmark survives its link, whatever its text", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 40 }),
      fc.option(fc.integer({ min: 1, max: 2 ** 30 }), { nil: undefined }),
      fc.string({ unit: "grapheme", maxLength: 200 }),
      (atMs, lengthMs, typed) => {
        const text = bookmarkText(typed);
        const bookmark = { atMs, ...(lengthMs !== undefined && { toMs: atMs + lengthMs }), text };
        const code = encodeBookmark(bookmark);
        expect(code).toMatch(/^[\w-]+$/);
        expect(decodeBookmark(code)).toEqual(bookmark);
      },
    ),
    { endOnFailure: true },
  );
});

test("what is no bookmark is none, and never throws", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const read = decodeBookmark(text);
      if (read) expect([...read.text].length).toBeLessThanOrEqual(BOOKMARK_LETTERS);
    }),
  );
  for (const code of ["", "ZZ", "1Z1Z", "2Z1Z", "1ZZ%%", "zzzzzzzzzzzZZ"])
    expect(decodeBookmark(code)).toBeNull();
});

test("a text is one short line: no controls, no marks that turn the reading direction", () => {
  expect(bookmarkText("  a\n\tb\u0000c  ")).toBe("a b c");
  expect(bookmarkText("safe\u202egnp.exe")).toBe("safegnp.exe");
  expect([...bookmarkText("😀".repeat(90))].length).toBe(BOOKMARK_LETTERS);
  expect(bookmarkText("<img onerror=x>")).toBe("<img onerror=x>");
});

test("bookmarks are in order of time, and too many are left out", () => {
  const many = Array.from({ length: 30 }, (_, i) => ({ atMs: 100 - i, text: `${i}` }));
  const kept = withBookmarks([], many);
  expect(kept.length).toBe(BOOKMARKS_MOST);
  expect(kept.map(({ atMs }) => atMs)).toEqual(
    [...kept.map(({ atMs }) => atMs)].sort((a, b) => a - b),
  );
});
