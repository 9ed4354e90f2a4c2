import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sameWithSnapshots } from "../../support/labRuns.ts";
import { drawKueue, kueueIn, kueueWorld } from "./kueueDocs.ts";

const text = readFileSync(new URL("../../../docs/policies/kueue.md", import.meta.url), "utf8");

describe("docs/policies/kueue.md", () => {
  const drawn = kueueIn(text);
  test("has a drawn schedule for each rule that it claims", () => {
    const claimed = new Set(text.match(/\bB\d+\.[a-z0-9-]+/g));
    const shown = new Set(drawn.flatMap(({ title }) => title.match(/\bB\d+\.[a-z0-9-]+/g) ?? []));
    expect([...claimed].filter((rule) => !shown.has(rule))).toEqual([]);
  });
  test.each(drawn)("$title", (one) => {
    expect(drawKueue(one)).toBe(one.drawing);
    sameWithSnapshots(kueueWorld(one));
  });
});
