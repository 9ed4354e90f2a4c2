/** The cluster and the workload of a scenario are edited in forms, with what they come to beside them; each edit is one step for Undo. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";
import { libraryScenarios } from "../support/library.ts";
import type { Workbench } from "../support/workbench.ts";

const library = (id: string) => libraryScenarios().find((one) => one.id === id)!.scenario;

async function openEditor(bench: Workbench, words: string) {
  await bench.press("Control+k");
  await bench.page.keyboard.type(words);
  const option = { name: new RegExp(`^${words}`, "i"), selected: true };
  await bench.dialog().getByRole("option", option).waitFor();
  await bench.press("Enter");
}

test("a copied node group makes the cluster larger, what is wrong stands at its field, and Undo takes it back", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(library("why-waiting"));
  const before = await bench.digest();
  await openEditor(bench, "edit the cluster");
  const dialog = bench.dialog("Cluster");
  const meaning = dialog.getByRole("region", { name: "What it comes to" });
  await expect(meaning).toContainText("64");
  await dialog.getByRole("button", { name: /^Copy group/ }).click();
  const second = dialog.locator(".editor-card").nth(1);
  await expect(second.getByLabel("Name", { exact: true })).toBeFocused();
  await second.getByLabel("Nodes", { exact: true }).fill("four");
  await expect(second.getByText("Type a number.")).toBeVisible();
  const apply = dialog.getByRole("button", { name: "Apply from the start" });
  await expect(apply).toHaveAttribute("aria-disabled", "true");
  await second.getByLabel("Nodes", { exact: true }).fill("4");
  await second.getByLabel("Price", { exact: true }).fill("2");
  await expect(meaning).toContainText("96");
  await expect(meaning.getByText("price an hour").locator("..")).toContainText("64.00");
  const { violations } = await new AxeBuilder({ page: bench.page }).analyze();
  expect(violations).toEqual([]);
  await apply.click();
  await expect(dialog).toBeHidden();
  await bench.idle();
  expect(await bench.digest()).not.toBe(before);
  await bench.undo();
  expect(await bench.digest()).toBe(before);
});

test("a class of jobs shows what it will draw while its numbers are typed, and the run draws it", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(library("why-waiting"));
  await openEditor(bench, "edit the workload");
  const dialog = bench.dialog("Workload");
  const words = dialog.getByRole("status");
  await expect(words).toContainText("13\u00a0jobs");
  await expect(dialog.getByLabel("Nodes of llm-70b")).toHaveValue("4");
  await dialog.getByRole("button", { name: /^Classes of drawn jobs/ }).click();
  await dialog.getByRole("button", { name: "Add a class" }).click();
  await expect(dialog.getByLabel("Name", { exact: true })).toHaveValue("class");
  await dialog.getByLabel("GPUs: weight").fill("many");
  await expect(dialog.getByText(/^Write value: weight/)).toBeVisible();
  await dialog.getByLabel("GPUs: weight").fill("2: 3, 4: 1");
  await dialog.getByLabel("Until").fill("6 h");
  await dialog.getByLabel("Jobs an hour").fill("20");
  await expect(words).not.toContainText("13\u00a0jobs");
  await expect
    .poll(async () => Number(/^(\d+)/.exec((await words.textContent()) ?? "")?.[1]))
    .toBeGreaterThan(80);
  // The preview of the last number may still be on its way.
  await bench.idle();
  const jobs = Number(/^(\d+)/.exec((await words.textContent()) ?? "")?.[1]);
  const { violations } = await new AxeBuilder({ page: bench.page }).analyze();
  expect(violations).toEqual([]);
  await dialog.getByRole("button", { name: "Apply from the start" }).click();
  await expect(dialog).toBeHidden();
  await bench.idle();
  expect(await bench.schedule()).toHaveLength(jobs);
  await bench.undo();
  expect(await bench.schedule()).toHaveLength(13);
});

test("both are reached from the rules of the scenario", async ({ bench }) => {
  await bench.visit();
  await openEditor(bench, "rules of the scenario");
  await bench.dialog("Rules of the scenario").getByRole("button", { name: "Cluster …" }).click();
  await expect(bench.dialog("Cluster")).toBeVisible();
  await bench.press("Escape");
  await expect(bench.dialog()).toHaveCount(0);
});
