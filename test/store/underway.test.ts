import { expect, test } from "vitest";
import { beginWork, workDone } from "../../src/store/underway.ts";

test("a page is at rest only when everything on its way is shown or no longer wanted", async () => {
  await workDone();
  const first = beginWork();
  const second = beginWork();
  let rested = false;
  const rest = workDone().then(() => {
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
