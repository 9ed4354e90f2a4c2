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
  // `T`: the table of the panel in focus, and back to the panel.
  const runs = bench.page.getByRole("grid", { name: "Runs in the window" });
  await bench.press("t");
  await expect(runs).toBeFocused();
  await bench.press("t");
  await expect(runs).toBeHidden();
  await expect(bench.page.getByRole("application", { name: /who held/i })).toBeFocused();
  await bench.press("n");
  const map = bench.page.getByRole("application", { name: /^Map of the cluster/ });
  await map.focus();
  await bench.press("t");
  await expect(bench.page.getByRole("grid", { name: /^Places/ })).toBeFocused();
  await bench.press("t");
  await expect(map).toBeFocused();
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
  await expect(
    bench.page.getByRole("heading", { level: 1, name: "Sixty-four minus eight" }),
  ).toBeVisible();
  expect((await bench.scenario()).title).toBe("Sixty-four minus eight");
  // The focus is not lost: the arrows go on in the Gantt.
  const gantt = bench.page.getByRole("application", { name: /^Who held which/ });
  await expect(gantt).toBeFocused();
  await bench.press("ArrowRight");
  await expect(bench.region("Gantt").getByRole("status")).toContainText("Job ");
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

test("R marks the time of the selected job, the brackets narrow and widen it, Escape clears it", async ({
  bench,
}) => {
  await open(bench);
  await bench.select("short");
  const chip = bench.region("Marked stretch of time");
  await bench.press("r");
  await expect(chip).toBeVisible();
  const { window } = bench.view();
  const whole = await chip.textContent();
  await bench.press("[");
  await expect(chip).not.toHaveText(whole ?? "");
  expect(bench.view().window).toEqual(window);
  await bench.press("Escape");
  await expect(chip).toHaveCount(0);
  await bench.press("Alt+ArrowLeft");
  const shorter = bench.view().window;
  expect(shorter.toMs - shorter.fromMs).toBeLessThan(window.toMs - window.fromMs);
});

test("Shift and a drag mark a stretch of time also where bars stand", async ({ bench }) => {
  await open(bench);
  await bench.press("0");
  const { window } = bench.view();
  const gantt = await bench.page.getByRole("application", { name: /who held/i }).boundingBox();
  if (!gantt) throw new Error("no Gantt");
  const y = gantt.y + 40;
  await bench.page.mouse.move(gantt.x + 300, y);
  await bench.page.keyboard.down("Shift");
  await bench.page.mouse.down();
  await bench.page.mouse.move(gantt.x + 500, y, { steps: 4 });
  await bench.page.mouse.up();
  await bench.page.keyboard.up("Shift");
  await expect(bench.region("Marked stretch of time")).toBeVisible();
  expect(bench.view().window).toEqual(window);
});

test("Shift and a digit give a panel the whole page, Escape gives the others their places back", async ({
  bench,
}) => {
  await open(bench);
  const inspector = bench.page.locator("[data-panel=inspector]");
  const gantt = bench.page.locator("[data-panel=gantt]");
  const queues = bench.page.locator("[data-panel=queues]");
  const before = await gantt.boundingBox();
  await bench.press("Shift+Digit1");
  await expect(inspector).toBeHidden();
  await expect(queues).toBeHidden();
  const whole = await gantt.boundingBox();
  expect(whole?.width).toBe(1440);
  await bench.press("Shift+Digit6");
  await expect(bench.page.getByRole("grid", { name: /waiting jobs/i })).toBeVisible();
  await expect(gantt).toBeHidden();
  await bench.press("Escape");
  await expect(inspector).toBeVisible();
  await bench.press("Escape");
  await expect(queues).toBeVisible();
  expect(await gantt.boundingBox()).toEqual(before);
  await bench.press("Digit5");
  const focused = bench.page.locator("[data-panel=minimap] :focus");
  await expect(focused).toHaveCount(1);
});

test("a page down moves the bar cursor by a screen of rows, a page up brings it back into sight", async ({
  bench,
}) => {
  await open(bench);
  await bench.open({ ...BLOCKED, cluster: { nodeGroups: [{ id: "n", count: 64, gpus: 4 }] } });
  await bench.page.setViewportSize({ width: 1440, height: 520 });
  await bench.press("Shift+v");
  const gantt = bench.page.getByRole("application", { name: /who held/i });
  await gantt.focus();
  const top = () => gantt.evaluate((element) => element.scrollTop);
  await bench.press("PageDown");
  const down = await top();
  expect(down).toBeGreaterThan(0);
  await bench.press("PageUp", "PageUp");
  expect(await top()).toBeLessThan(down);
});

test("a key is given to another action in the help sheet, told where it was, kept on the device and given back", async ({
  bench,
}) => {
  await open(bench);
  await bench.press("?");
  await bench.dialog().getByRole("searchbox").fill("inject");
  await expect(bench.dialog().getByText("Undo", { exact: true })).toHaveCount(0);
  await bench
    .dialog()
    .getByRole("button", { name: /^Inject a job: J\. Change/ })
    .click();
  await bench.press("g");
  await expect(bench.dialog()).toContainText(/future before the last change”. Press it again/);
  await bench.press("g");
  await expect(bench.dialog().getByRole("button", { name: /^Inject a job: G\./ })).toBeVisible();
  await bench.press("Escape");
  await bench.press("j");
  await expect(bench.page.locator("form button[type=submit]")).toHaveCount(0);
  await bench.page.reload();
  await bench.idle();
  await bench.press("g");
  await expect(bench.page.locator("form button[type=submit]")).toBeVisible();
  await bench.press("Escape");
  await bench.press("?");
  await bench.dialog().getByRole("button", { name: "All keys as they came" }).click();
  await expect(bench.dialog().getByRole("button", { name: /^Inject a job: J\./ })).toBeVisible();
  await bench
    .dialog()
    .getByRole("checkbox", { name: /^Single letters/ })
    .uncheck();
  await bench.press("Escape");
  await bench.press("j");
  await expect(bench.page.locator("form button[type=submit]")).toHaveCount(0);
  await bench.press("Control+k");
  await expect(bench.dialog()).toBeVisible();
});
