/** An administrator changes the rules of a scenario: from the start, as one step, with every fault told at its field. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";
import { libraryScenarios } from "../support/library.ts";
import type { Workbench } from "../support/workbench.ts";

const MINUTE = 60_000;
const quota = libraryScenarios().find(({ id }) => id === "lab-quota")!.scenario;
const hard = {
  ...quota,
  pools: [{ id: "all", policy: { preset: "lab", settings: { quota: "static" } } }],
};

async function openRules(bench: Workbench) {
  await bench.press("Control+k");
  await bench.page.keyboard.type("rules of the scenario");
  // Chosen, not only there: the list has it before the words are typed.
  const option = { name: /^Rules of the scenario/, selected: true };
  await bench.dialog().getByRole("option", option).waitFor();
  await bench.press("Enter");
  const dialog = bench.dialog("Rules of the scenario");
  await dialog.waitFor();
  return dialog;
}

test("a smaller quota makes the team's jobs wait for it, and one Undo brings the old run back", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(hard);
  const before = await bench.digest();
  const dialog = await openRules(bench);
  await dialog.getByRole("button", { name: /^Teams and quotas/ }).click();
  const field = dialog.getByLabel("Quota (GPUs) of product");
  await expect(field).toHaveValue("32");
  await field.fill("8");
  await dialog.getByRole("button", { name: "Apply from the start" }).click();
  await expect(dialog).toBeHidden();
  await bench.idle();
  expect(await bench.digest()).not.toBe(before);
  expect((await bench.scenario()).interventions ?? []).toEqual([]);
  await bench.seek(30 * MINUTE);
  await bench.select("product-2");
  await expect(bench.page.locator("[data-panel=inspector]")).toContainText(/quota/i);
  await bench.undo();
  expect(await bench.digest()).toBe(before);
});

test("a fault stands at its field, keeps what was typed, and is not applied; closing loses nothing", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(quota);
  const before = await bench.digest();
  const dialog = await openRules(bench);
  await dialog.getByRole("button", { name: /^Teams and quotas/ }).click();
  const lends = dialog.getByLabel("Lends (GPUs) of research");
  await lends.fill("many");
  await expect(lends).toHaveAttribute("aria-invalid", "true");
  await lends.fill("99");
  await expect(dialog.getByRole("alert")).toContainText("lends more than its quota");
  const apply = dialog.getByRole("button", { name: "Apply from the start" });
  await expect(apply).toHaveAttribute("aria-disabled", "true");
  await lends.press("Escape");
  await expect(dialog).toBeHidden();
  expect(await bench.digest()).toBe(before);
  await openRules(bench);
  await expect(lends).toHaveValue("99");
  await expect(dialog).toContainText("not applied are back");
  await dialog.getByRole("button", { name: "Discard edits" }).click();
  await expect(lends).toHaveValue("24");
});

test("by keyboard alone: an empty table says what it is for, begins with a row, and a limit is applied", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(quota);
  const dialog = await openRules(bench);
  const limits = dialog.getByRole("button", { name: /^Limits/ });
  for (let step = 0; step < 20; step++) {
    if (await limits.evaluate((element) => element === document.activeElement)) break;
    await bench.page.keyboard.press("Tab");
  }
  await bench.page.keyboard.press("Enter");
  await expect(dialog).toContainText("Ceilings for users, teams or tiers");
  const add = dialog.getByRole("button", { name: "Add a limit" });
  for (let step = 0; step < 20; step++) {
    if (await add.evaluate((element) => element === document.activeElement)) break;
    await bench.page.keyboard.press("Tab");
  }
  await bench.page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Limits of limit 1")).toBeFocused();
  await bench.page.keyboard.type("each tier");
  const apply = dialog.getByRole("button", { name: "Apply from the start" });
  for (let step = 0; step < 20; step++) {
    if (await apply.evaluate((element) => element === document.activeElement)) break;
    await bench.page.keyboard.press("Tab");
  }
  await bench.page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await bench.idle();
  expect((await bench.scenario()).limits).toMatchObject([{ per: "tier", gpus: 16 }]);
});

test("tiers: a mark taken away keeps one tier from preempting another; the matrix is in the document", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(quota);
  const dialog = await openRules(bench);
  await dialog.getByRole("button", { name: /^Tiers/ }).click();
  await dialog.getByLabel("Critical may preempt Low").uncheck();
  await dialog.getByLabel("Grace of Low").fill("90 s");
  await dialog.getByRole("button", { name: "Apply from the start" }).click();
  await expect(dialog).toBeHidden();
  await bench.idle();
  const { tiers } = await bench.scenario();
  expect(tiers?.[0]).toMatchObject({ mayPreempt: ["high", "normal"] });
  expect(tiers?.[3]).toMatchObject({ graceMs: 90_000 });
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`no table has an accessibility violation, ${colorScheme}`, async ({ bench }) => {
    test.slow();
    await bench.page.emulateMedia({ colorScheme });
    await bench.visit();
    await bench.open(libraryScenarios().find(({ id }) => id === "lab-services")!.scenario);
    const dialog = await openRules(bench);
    for (const table of await dialog.getByRole("navigation").getByRole("button").all()) {
      await table.click();
      const add = dialog.getByRole("button", { name: /^Add a / });
      if ((await add.count()) > 0) await add.click();
      const axe = new AxeBuilder({ page: bench.page }).include("[role=dialog]");
      const { violations } = await axe.analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
      expect.soft(found, (await table.textContent()) ?? "").toEqual([]);
    }
  });
}
