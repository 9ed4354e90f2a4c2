/** Back and Forward over what is looked at: cards, tables, maps and comparisons come back; the change of a document keeps its place among them. */

import { expect, test } from "../base.ts";
import { BLOCKED, HOUR } from "../support/scenarios.ts";

test("Back walks table, card and change in order, Forward returns, twenty times Back ends at the first", async ({
  bench,
}) => {
  const { page } = bench;
  await bench.visit();
  const first = await bench.digest();
  await bench.open(BLOCKED);
  await bench.seek(HOUR);
  const second = await bench.digest();
  await bench.press("t");
  const table = page.getByRole("grid", { name: /waiting jobs/i });
  const wide = table.getByRole("row").filter({ hasText: "wide" });
  await wide.click();
  await expect(wide).toHaveAttribute("aria-selected", "true");
  await bench.idle();
  const card = bench.view();
  await bench.press("t");
  await expect(table).toBeHidden();
  // The row that was picked has the focus again.
  await page.goBack();
  await expect(table).toBeFocused();
  await expect(table.locator(".grid-focus")).toHaveText((await wide.textContent()) ?? "");
  expect(bench.view().selection).toEqual(card.selection);
  await page.goBack();
  await expect(table).toBeVisible();
  await expect(wide).toHaveAttribute("aria-selected", "false");
  await page.goForward();
  await expect(wide).toHaveAttribute("aria-selected", "true");
  await bench.idle();
  expect(bench.view()).toEqual(card);
  expect(await bench.digest()).toBe(second);
  // No step of Undo was made on the way.
  await bench.undo();
  await expect.poll(() => bench.digest()).toBe(first);
  await bench.redo();
  await expect.poll(() => bench.digest()).toBe(second);
  await bench.idle();
  for (let step = 0; step < 20; step++) {
    if ((await page.evaluate(() => history.state?.step)) === 0) break;
    const { step: at } = await page.evaluate(() => history.state);
    await page.evaluate(() => history.back());
    await expect.poll(() => page.evaluate(() => history.state?.step)).toBeLessThan(at);
    await bench.idle();
  }
  expect(await bench.digest()).toBe(first);
  await expect(table).toBeHidden();
});

test("Escape leads from the card of a row to the table, and from there out of it", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.seek(HOUR);
  await bench.press("t");
  const table = bench.page.getByRole("grid", { name: /waiting jobs/i });
  const short = table.getByRole("row").filter({ hasText: "short" });
  await short.click();
  const card = bench.page.locator('[data-panel="inspector"]');
  await card.getByRole("button").first().focus();
  await bench.press("Escape");
  await expect(table).toBeFocused();
  await expect(table.locator(".grid-focus")).toHaveText((await short.textContent()) ?? "");
  await bench.press("Escape");
  await expect(table).toBeHidden();
});

test("Back closes an editor or a dialog and nothing else; what was typed is there again, and what was applied takes its place", async ({
  bench,
}) => {
  const { page } = bench;
  await bench.visit();
  const first = await bench.digest();
  await bench.open(BLOCKED);
  await bench.seek(HOUR);
  const second = await bench.digest();
  const name = page.getByLabel("Name", { exact: true });
  await bench.press("j");
  await name.fill("probe");
  await page.goBack();
  await expect(name).toBeHidden();
  await bench.idle();
  expect(await bench.digest()).toBe(second);
  expect(bench.view().cursorMs).toBe(HOUR);
  await bench.press("j");
  await expect(name).toHaveValue("probe");
  await bench.apply();
  await expect(name).toBeHidden();
  expect((await bench.scenario()).interventions).toHaveLength(1);
  await page.goBack();
  await expect.poll(() => bench.digest()).toBe(second);
  await page.goForward();
  await expect.poll(() => bench.digest()).not.toBe(second);
  await page.goBack();
  await expect.poll(() => bench.digest()).toBe(second);

  // A dialog that was closed by hand is no step any more.
  await bench.press("e");
  await expect(bench.dialog()).toBeVisible();
  await page.goBack();
  await expect(bench.dialog()).toBeHidden();
  await bench.press("e");
  await expect(bench.dialog()).toBeVisible();
  await bench.press("Escape");
  await expect(bench.dialog()).toBeHidden();
  await page.goBack();
  await expect.poll(() => bench.digest()).toBe(first);
});
