import { expect, test } from "vitest";
import { beginExplanation, explained } from "../../src/store/explain.ts";

test("a page is at rest only when every explanation is shown or no longer wanted", async () => {
  await explained();
  const first = beginExplanation();
  const second = beginExplanation();
  let rested = false;
  const rest = explained().then(() => {
    rested = true;
  });
  first();
  first();
  await Promise.resolve();
  expect(rested).toBe(false);
  second();
  await rest;
  expect(rested).toBe(true);
});
