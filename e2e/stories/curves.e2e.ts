/** The curves below the lanes: what is drawn can be chosen, the device remembers, a drag zooms, and a table says the same numbers. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";
import { libraryScenarios } from "../support/library.ts";
import { HOUR } from "../support/scenarios.ts";
import type { Workbench } from "../support/workbench.ts";

const why = libraryScenarios().find(({ id }) => id === "why-waiting")!.scenario;
const priced = {
  ...why,
  cluster: {
    ...why.cluster,
    nodeGroups: why.cluster.nodeGroups.map((group) => ({ ...group, pricePerGpuHour: 2 })),
  },
};

const upper = (bench: Workbench) =>
  bench.page.getByRole("combobox", { name: "Which curve is drawn above" });
const lower = (bench: Workbench) =>
  bench.page.getByRole("combobox", { name: "Which curve is drawn below" });

test("what GPUs did, and what they cost, stand at the cursor, and another visit finds them as they were chosen", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(priced);
  await bench.seek(HOUR);
  await upper(bench).selectOption({ label: "What GPUs did" });
  const use = bench.region("What GPUs did");
  await expect(use.getByRole("listitem").filter({ hasText: "useful" })).toContainText("44");
  await expect(use.getByRole("listitem").filter({ hasText: "idle" })).toContainText("20");
  await lower(bench).selectOption({ label: "Cost so far" });
  const cost = bench.region("Cost so far");
  await expect(cost.locator("b")).toHaveText("128.00");
  await bench.seek(2 * HOUR);
  await expect(cost.locator("b")).toHaveText("256.00");
  await expect(use.getByRole("listitem").filter({ hasText: "useful" })).toContainText("36");
  const { violations } = await new AxeBuilder({ page: bench.page }).analyze();
  expect(violations).toEqual([]);
  await bench.visit();
  await bench.open(priced);
  await expect(bench.region("Cost so far")).toBeVisible();
  // What a run does not have gives way to the strip's own picture, and comes back with one that has it.
  await bench.open(why);
  await expect(bench.region("Cost so far")).toHaveCount(0);
  await expect(bench.region("GPUs held and waited for")).toBeVisible();
});

test("after a change the former future is dashed, and its value and the difference stand beside", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(why);
  await bench.seek(HOUR);
  await lower(bench).selectOption({ label: "Jobs waiting, by tier" });
  await bench.editor("Policy");
  await bench.chooseBackfill("EASY");
  await bench.apply();
  await bench.seek(3 * HOUR);
  const waiting = bench.region("Jobs waiting, by tier");
  const now = Number(await waiting.locator("b").textContent());
  const before = waiting.locator('[data-part="ghost"]');
  await expect(before).toHaveText(/^\d+$/);
  const change = Number(await before.textContent()) - now;
  expect(change).toBeGreaterThan(0);
  await expect(waiting.locator('[data-part="change"]')).toHaveText(`−${change}`);
});

test("a drag over the curves zooms into the stretch, a click seeks, and panning renders nothing anew", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(why);
  await upper(bench).selectOption({ label: "Demand over capacity" });
  const canvas = bench.page.locator(".curve-slot[data-slot=held] .strip-canvas");
  await expect(canvas).toBeVisible();
  const box = (await canvas.boundingBox())!;
  const before = bench.view().window;
  const y = box.y + box.height / 2;
  await bench.page.mouse.move(box.x + box.width * 0.25, y);
  await bench.page.mouse.down();
  await bench.page.mouse.move(box.x + box.width * 0.5, y, { steps: 5 });
  await expect(bench.page.locator(".curve-band")).toBeVisible();
  await bench.page.mouse.up();
  await bench.idle();
  const span = before.toMs - before.fromMs;
  await expect
    .poll(() => (bench.view().window.toMs - bench.view().window.fromMs) / span)
    .toBeCloseTo(0.25, 1);
  const clock = await bench.clock();
  await bench.page.mouse.click(box.x + box.width * 0.7, y);
  await bench.idle();
  expect(await bench.clock()).not.toBe(clock);
  const commits = await bench.commits();
  await bench.press("a", "a", "d");
  expect(await bench.commits()).toBe(commits);
});

test("the table of curves has every line at the cursor and over the window", async ({ bench }) => {
  await bench.visit();
  await bench.open(priced);
  await bench.seek(2 * HOUR);
  await bench.press("Shift+U");
  const table = bench.page.getByRole("grid", { name: "Curves" });
  await expect(table.getByRole("row", { name: /^What.*useful\s*36/ })).toBeVisible();
  await expect(table.getByRole("row", { name: /idle while work waits/ })).toContainText(
    "GPU-hours",
  );
  const { violations } = await new AxeBuilder({ page: bench.page }).analyze();
  expect(violations).toEqual([]);
  await bench.press("Shift+U");
  await expect(table).toHaveCount(0);
});
