/** Schedules of Ray's page that are drawn under Kueue; the others are in `groupDocs.test.ts`. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { drawKueue, kueueIn } from "../kubernetes/kueueDocs.ts";

const text = readFileSync(new URL("../../../docs/policies/ray.md", import.meta.url), "utf8");

test.each(kueueIn(text))("$title", (one) => {
  expect(drawKueue(one)).toBe(one.drawing);
});
