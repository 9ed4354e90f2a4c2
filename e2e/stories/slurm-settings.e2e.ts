/** An administrator chooses Slurm and changes its settings, in the form and in slurm.conf: the two are one. */
import { expect, test } from "../base.ts";
import type { Workbench } from "../support/workbench.ts";

async function chooseSlurm(bench: Workbench): Promise<void> {
  await bench.visit();
  await bench.editor("Policy");
  await bench.page.getByLabel("Scheduler").selectOption("slurm");
}

test("form and text stay in step, the preview names parameters, and applying changes the run", async ({
  bench,
}) => {
  await chooseSlurm(bench);
  const before = await bench.digest();
  await bench.button("Form and text side by side").click();
  const sheet = bench.dialog("Slurm’s settings");
  const text = sheet.getByLabel("Text of slurm.conf");
  await sheet.getByLabel("Find a setting").fill("bf_interval");
  const field = sheet.getByLabel("bf_interval", { exact: true });
  await expect(field).toHaveValue("30");
  await field.fill("120");
  await expect(text).toHaveValue(/bf_interval=120,/);
  await text.fill((await text.inputValue()).replace("bf_interval=120", "bf_interval=600"));
  await expect(field).toHaveValue("600");
  await text.press("Control+z");
  await expect(field).toHaveValue("120");
  await text.press("Control+Shift+z");
  await expect(field).toHaveValue("600");
  await expect(sheet).toContainText("bf_interval 30 → 600");
  await sheet.getByRole("button", { name: /^Apply from/ }).click();
  await bench.idle();
  expect(await bench.digest()).not.toBe(before);
  const { interventions } = await bench.scenario();
  expect(interventions).toMatchObject([
    { kind: "policy", policy: { preset: "slurm", slurm: { conf: /bf_interval=600/ } } },
  ]);
  await bench.undo();
  expect(await bench.digest()).toBe(before);
});

test("a wrong line is told with its number and cannot be applied; Escape loses nothing", async ({
  bench,
}) => {
  await chooseSlurm(bench);
  await bench.button("Form and text side by side").click();
  const sheet = bench.dialog("Slurm’s settings");
  const text = sheet.getByLabel("Text of slurm.conf");
  await text.fill("# mine\nKillWait=never\n");
  await expect(sheet.getByRole("button", { name: /line 2.*KillWait/ })).toBeVisible();
  await expect(sheet.getByRole("button", { name: /^Apply from/ })).toHaveAttribute("aria-disabled");
  await text.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(bench.page.locator("form.editor")).toContainText("KillWait");
  await bench.button("Form and text side by side").click();
  await expect(text).toHaveValue("# mine\nKillWait=never\n");
  await text.press("Escape");
  await bench.page.locator("form.editor").press("Escape");
  await bench.editor("Policy");
  await expect(bench.page.locator("form.editor")).toContainText("not applied are back");
});

test("what the preset models is a page, from the editor and among all commands", async ({
  bench,
}) => {
  await chooseSlurm(bench);
  await bench.button("What this preset models").click();
  const page = bench.dialog("What the preset Slurm models");
  await expect(page).toContainText("22.05.8");
  for (const title of ["Modelled", "Approximated", "Not modelled", "From the manual"])
    await expect(page.getByRole("heading", { name: title }).first()).toBeVisible();
  await page.press("Escape");
  await bench.page.keyboard.press("Control+k");
  await bench.page.keyboard.type("preset models");
  await bench.page.keyboard.press("Enter");
  await expect(page).toBeVisible();
});
