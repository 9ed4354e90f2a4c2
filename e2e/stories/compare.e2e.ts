/** A manager asks what a change would bring: before and after side by side, in a sentence, in numbers, job by job; a third future beside them. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";

test("a change says what it did; both futures stand under one clock, and a third beside them", async ({
  bench,
}) => {
  await bench.visit();
  await bench.click(/^Turn backfill on/);
  const numbers = bench.region(/^Before/);
  await expect(numbers).toContainText("7 jobs start earlier");
  await bench.click("Compare with before");
  const sheet = bench.page.locator(".compare-sheet");
  await expect(sheet.getByRole("region", { name: /^Future A/ })).toBeVisible();
  await expect(sheet.getByRole("region", { name: "Future B: backfill: EASY" })).toBeVisible();
  const column = bench.page.locator(".compare-column");
  await expect(column.getByRole("row", { name: /^backfill/ })).toContainText("EASY");
  await column.getByRole("button", { name: /clip-probe/ }).click();
  await bench.idle();
  expect(bench.view().selection).not.toBeNull();
  const { violations } = await new AxeBuilder({ page: bench.page })
    .include(".compare-sheet")
    .include(".compare-column")
    .analyze();
  expect(violations).toEqual([]);

  await column.getByRole("button", { name: /^Keep this future/ }).click();
  await column.getByRole("button", { name: /^Policy/ }).click();
  await bench.chooseBackfill("Conservative");
  await bench.apply();
  await expect(sheet.getByRole("region", { name: /^Future C/ })).toContainText("Conservative");
  await sheet.getByRole("button", { name: "Go on from A" }).click();
  await bench.idle();
  expect((await bench.scenario()).interventions).toEqual([]);
  await bench.press("Escape");
  await expect(sheet).toHaveCount(0);
});

test("by keyboard alone: keep this future, change something, compare, go back", async ({
  bench,
}) => {
  await bench.visit();
  await bench.press("k");
  await expect(bench.page.locator(".toast").first()).toContainText("Kept as A");
  await bench.press("c");
  await expect(bench.page.locator(".compare-column")).toContainText("Only one future is here");
  await bench.press("p");
  await bench.chooseBackfill("EASY");
  await bench.apply();
  await expect(bench.page.locator(".compare-column")).toContainText("7 jobs start earlier");
  await bench.press("c");
  await expect(bench.page.locator(".compare-sheet")).toHaveCount(0);
});
