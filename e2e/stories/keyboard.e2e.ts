/** The stories without a pointer: bars by arrow keys, the live text, the table twin, an edit, undo; focus never gets lost. */

import { expect, test } from "../base.ts";
import { BLOCKED, HOUR } from "../support/scenarios.ts";
import type { Workbench } from "../support/workbench.ts";

async function open(bench: Workbench): Promise<void> {
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.seek(HOUR);
}

/** Tabs until the element that has this role and name is focused. */
async function tabTo(
  bench: Workbench,
  role: "application" | "button" | "combobox" | "grid",
  name: RegExp,
): Promise<void> {
  const target = bench.page.getByRole(role, { name }).first();
  for (let step = 0; step < 80; step++) {
    await bench.page.keyboard.press("Tab");
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab does not reach ${role} ${name}`);
}

test("arrow keys walk the bars, the live region says each, Enter selects, Escape clears", async ({
  bench,
}) => {
  await open(bench);
  await bench.press("Escape");
  await tabTo(bench, "application", /who held/i);
  await bench.press("Home");
  await bench.press("ArrowRight");
  const spoken = bench.page.getByRole("status").filter({ hasText: /long|wide|short|late/ });
  await expect(spoken.first()).toBeAttached();
  await bench.press("Enter");
  expect(bench.view().selection?.kind).toBe("job");
  // The bar cursor is the top layer, the selection lies below it.
  await bench.press("Escape", "Escape");
  expect(bench.view().selection).toBeNull();
});

test("keyboard alone: find the waiting job in the table, change the policy, undo", async ({
  bench,
}) => {
  await open(bench);
  const digest = await bench.digest();
  await bench.press("t");
  const table = bench.page.getByRole("grid", { name: /waiting jobs/i });
  await expect(table).toBeVisible();
  await expect(table).toContainText("short");
  const short = table.getByRole("row").filter({ hasText: "short" });
  const shortId = await short.getAttribute("id");
  await tabTo(bench, "grid", /waiting jobs/i);
  for (let step = 0; step < 4; step++) {
    if ((await table.getAttribute("aria-activedescendant")) === shortId) break;
    await bench.press("ArrowDown");
  }
  await bench.press("Enter");
  const runs = await bench.schedule();
  expect(bench.view().selection).toEqual({
    kind: "job",
    jobIdx: runs.findIndex((run) => run.id === "short"),
  });
  await bench.press("p");
  await tabTo(bench, "combobox", /^Backfill/);
  await bench.page.keyboard.type("EASY");
  await expect(bench.page.getByRole("combobox", { name: /^Backfill/ })).toHaveValue("easy");
  await bench.press("Control+Enter");
  expect(await bench.digest()).not.toBe(digest);
  await bench.press("Control+z");
  expect(await bench.digest()).toBe(digest);
  await bench.press("Control+Shift+z");
  expect(await bench.digest()).not.toBe(digest);
});

test("the palette runs any command by its name, and says why one cannot", async ({ bench }) => {
  await open(bench);
  await bench.press("Control+k");
  await expect(bench.dialog()).toBeVisible();
  await bench.page.keyboard.type("whole run");
  await bench.press("Enter");
  await expect(bench.dialog()).toHaveCount(0);
  await bench.press("Control+k");
  await bench.page.keyboard.type("redo");
  await expect(bench.dialog().getByRole("option").first()).toContainText(/nothing/i);
  await bench.press("Escape");
  await expect(bench.dialog()).toHaveCount(0);
});

test("the palette opens a scenario of the library by its title", async ({ bench }) => {
  await open(bench);
  await bench.press("Control+k");
  await expect(bench.dialog()).toBeVisible();
  await bench.page.keyboard.type("sixty minus eight");
  await bench
    .dialog()
    .getByRole("option", { name: /Sixty-four minus eight/, selected: true })
    .waitFor();
  await bench.press("Enter");
  await expect(bench.page.getByRole("heading", { name: "Sixty-four minus eight" })).toBeVisible();
  expect((await bench.scenario()).title).toBe("Sixty-four minus eight");
});

test("a change that the library proposes, made by keyboard, leaves the focus in the inspector", async ({
  bench,
}) => {
  await bench.visit();
  const button = bench.page.locator("[data-panel=inspector] .suggest button");
  await expect(button).toBeVisible();
  await button.focus();
  await bench.press("Enter");
  await expect(button).toHaveCount(0);
  await expect(bench.page.locator("[data-panel=inspector]")).toBeFocused();
  await bench.press("Tab");
  const inside = () =>
    bench.page.evaluate(() => document.activeElement?.closest("[data-panel=inspector]") !== null);
  expect(await inside()).toBe(true);
});

test("help lists the keys from the registry; Escape closes it and gives the focus back", async ({
  bench,
}) => {
  await open(bench);
  await bench.button("Help").focus();
  await bench.press("?");
  await expect(bench.dialog()).toContainText(/Undo/);
  await expect(bench.dialog()).toContainText(/Space/);
  await bench.press("Escape");
  await expect(bench.dialog()).toHaveCount(0);
  await expect(bench.button("Help")).toBeFocused();
});

test("single keys rest while somebody types", async ({ bench }) => {
  await open(bench);
  const { cursorMs, window } = bench.view();
  await bench.press("/");
  await bench.page.keyboard.type("wasd0. short");
  await bench.idle();
  expect(bench.view().window).toEqual(window);
  expect(bench.view().cursorMs).toBe(cursorMs);
  await expect(bench.button("Play")).toBeVisible();
});
