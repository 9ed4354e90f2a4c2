/**
 * Links that were made once open for ever, and mean what they meant: each line of `test/fixtures/links/` is a link and the
 * digest of its document. Lines are only ever added. A line that fails here means that a released document, default or
 * migration was changed.
 */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { documentDigest } from "../../src/scenario/canonical.ts";
import { decodeScenario } from "../../src/scenario/codec.ts";
import { libraryScenario } from "../../src/scenario/library/index.ts";
import { must } from "./scenarios.ts";

const folder = new URL("../fixtures/links/", import.meta.url);
const lines = readdirSync(folder)
  .filter((name) => name.endsWith(".txt"))
  .flatMap((name) => readFileSync(new URL(name, folder), "utf8").trim().split("\n"));

test("links of version 1 are among them", () => {
  expect(lines.some((line) => line.startsWith("1."))).toBe(true);
});

test.each(lines.map((line) => line.split(" ") as [string, string]))("%.60s…", (link, digest) => {
  expect(documentDigest(must(decodeScenario(link, libraryScenario)).scenario)).toBe(digest);
});
