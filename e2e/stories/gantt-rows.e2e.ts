/** Rows by team, tier and job, folding, marks of time with their numbers, bookmarks, the gap between bars, and the menu: by pointer and by keyboard. */

import { expect, test } from "../base.ts";
import { BLOCKED, HOUR, MINUTE } from "../support/scenarios.ts";
import type { Workbench } from "../support/workbench.ts";

async function open(bench: Workbench): Promise<void> {
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.seek(HOUR);
}

const plot = (bench: Workbench) => bench.page.getByRole("application", { name: /who held/i });

async function palette(bench: Workbench, command: string): Promise<void> {
  await bench.press("Control+k");
  await expect(bench.dialog()).toBeVisible();
  await bench.page.keyboard.type(command);
  await expect(bench.dialog().getByRole("option").first()).toContainText(command);
  await bench.press("Enter");
  await expect(bench.page.getByRole("dialog", { name: /command/i })).toHaveCount(0);
  await bench.idle();
}

test("rows are grouped by the palette; the link brings them back; bars are walked and named by their group", async ({
  bench,
}) => {
  await open(bench);
  await palette(bench, "Rows by tier");
  expect(bench.view().panels?.grouping).toBe("tier");
  const link = bench.link();
  const spoken = bench.page
    .getByRole("status")
    .filter({ hasText: /Job \w+.*, Tier (High|Normal|Low)/ });
  await plot(bench).focus();
  // Rows are those of devices until those of jobs are made.
  await expect(async () => {
    await bench.press("ArrowDown", "ArrowUp");
    await expect(spoken.first()).toBeAttached({ timeout: 1_500 });
  }).toPass();
  await palette(bench, "Rows by leaf switch");
  expect(bench.view().panels?.grouping).toBeUndefined();
  await bench.visit(link);
  expect(bench.view().panels?.grouping).toBe("tier");
});

test("a click in the gutter folds a group and opens it again", async ({ bench }) => {
  await open(bench);
  await palette(bench, "Rows by tier");
  const box = (await plot(bench).boundingBox())!;
  await bench.page.mouse.click(box.x + 20, box.y + 10);
  await expect.poll(() => bench.view().panels?.leafLevels).toEqual({ 0: 0 });
  await bench.page.mouse.click(box.x + 20, box.y + 10);
  await expect.poll(() => bench.view().panels?.leafLevels).toEqual({ 0: 2 });
});

test("a stretch that is marked tells what happened in it, and where waiting in it comes from", async ({
  bench,
}) => {
  await open(bench);
  await bench.select("short");
  await bench.press("r");
  const card = bench.region("Marked stretch of time");
  await expect(card).toContainText(/submitted/);
  await card.getByRole("button", { name: "By tier" }).click();
  await expect(card.getByRole("row").filter({ hasText: "Low" })).toContainText("1");
  expect(bench.view().panels?.range).toBeDefined();
  await card.getByRole("button", { name: "Where waiting comes from here" }).click();
  await bench.idle();
  expect(bench.view().panels?.drawer).toBe("waiting");
  await card.getByRole("button", { name: "Clear" }).click();
  await expect(card).toHaveCount(0);
});

test("bookmarks: M writes one at the cursor, a flag goes back there, the list edits and deletes, and the link has them", async ({
  bench,
}) => {
  await open(bench);
  await bench.press("m");
  await expect(bench.dialog("Bookmarks")).toBeVisible();
  await bench.page.keyboard.type("<b>Here</b> it stands");
  await bench.press("Enter");
  await expect(bench.dialog()).toHaveCount(0);
  await bench.seek(3 * HOUR);
  const flag = bench.page.getByRole("button", { name: /^Bookmark 1: <b>Here<\/b> it stands/ });
  await flag.click();
  await bench.idle();
  expect(bench.view().cursorMs).toBe(HOUR);
  const link = bench.link();
  await palette(bench, "Bookmarks");
  await expect(bench.dialog("Bookmarks")).toBeVisible();
  const text = bench.dialog("Bookmarks").getByRole("textbox");
  await text.fill("Changed");
  await text.press("Enter");
  await bench
    .dialog("Bookmarks")
    .getByRole("button", { name: /^Delete the bookmark/ })
    .click();
  await bench.press("Escape");
  await expect(bench.page.getByRole("button", { name: /^Bookmark 1/ })).toHaveCount(0);
  await bench.visit(link);
  await expect(flag).toBeAttached();
  expect(await bench.page.locator(".marks-flag b").count()).toBe(0);
});

test("Shift+Enter measures from the bar that was picked to the one of the cursor", async ({
  bench,
}) => {
  await open(bench);
  await palette(bench, "Rows by job");
  await plot(bench).focus();
  await bench.press("ArrowRight", "Enter", "ArrowDown", "Shift+Enter");
  const told = bench.page.getByRole("status").filter({ hasText: /^(Gap|Overlap) of .* between / });
  await expect(told.first()).toBeVisible();
});

test("the menu of a bar cancels its job, by keyboard alone", async ({ bench }) => {
  await open(bench);
  const digest = await bench.digest();
  await bench.seek(30 * MINUTE);
  await plot(bench).focus();
  await bench.press("ArrowRight");
  const box = (await plot(bench).boundingBox())!;
  await plot(bench).dispatchEvent("contextmenu", { clientX: box.x + 300, clientY: box.y + 40 });
  const item = bench.page.getByRole("menuitem", { name: /^Cancel job long/ });
  await expect(item).toBeVisible();
  await item.press("Enter");
  await bench.idle();
  expect(await bench.digest()).not.toBe(digest);
  expect((await bench.scenario()).interventions).toMatchObject([{ kind: "cancel", job: "long" }]);
});
