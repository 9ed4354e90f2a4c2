import { expect, test } from "vitest";
import { cacheName, outdated, pageLock } from "../../src/offline/pageCache.ts";

const HERE = "https://example.org/queuescope/";
const own = { folder: HERE, build: "new" };
const names = [
  cacheName(HERE, "older"),
  cacheName(HERE, "old"),
  cacheName(HERE, "new"),
  cacheName("https://example.org/", "older"),
  "somebody-elses",
  "queuescope-pages",
];

test("a former build goes when no page of it is open; its own, other folders' and other programs' caches stay", () => {
  expect(outdated(names, own, [])).toEqual([cacheName(HERE, "older"), cacheName(HERE, "old")]);
});

test("a build stays as long as a page of it is open in this folder", () => {
  const locks = [pageLock(HERE, "old"), pageLock("https://example.org/", "older"), "else"];
  expect(outdated(names, own, locks)).toEqual([cacheName(HERE, "older")]);
});
