/** Tables: a user sorts by two columns, filters, groups, chooses columns for good, and takes the rows along; all by keyboard as well. */

import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";
import type { Workbench } from "../support/workbench.ts";

async function openRuns(bench: Workbench) {
  await bench.press("Shift+t");
  const table = bench.page.getByRole("grid", { name: "Runs in the window" });
  await expect(table.getByRole("row").nth(3)).toBeVisible();
  return table;
}

test("runs sort by two columns, are held back by a bound, and are saved with units in the head", async ({
  bench,
}) => {
  await bench.visit();
  const table = await openRuns(bench);
  const head = (name: RegExp) => table.getByRole("button", { name });
  await head(/^GPUs/).focus();
  await bench.page.keyboard.press("Enter");
  await head(/^length/).focus();
  await bench.page.keyboard.press("Shift+Enter");
  await expect(table.getByRole("columnheader").filter({ hasText: "↓1" })).toHaveText(/^GPUs/);
  await expect(table.getByRole("columnheader").filter({ hasText: "↓2" })).toHaveText(/^length/);
  await bench.button("Filter columns").click();
  await table.getByRole("textbox", { name: "Filter GPUs" }).fill(">=16");
  await expect(bench.page.getByRole("button", { name: /of .* · clear$/ })).toBeVisible();
  const download = bench.page.waitForEvent("download");
  await bench.button("Save runs as CSV").click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("runs-in-the-window.csv");
  const [heads = "", ...lines] = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  expect(heads.split(",")).toContain("length [s]");
  const at = heads.split(",").indexOf("GPUs");
  const gpus = lines.map((line) => Number(line.split(",")[at]));
  expect(gpus.length).toBeGreaterThan(1);
  expect(Math.min(...gpus)).toBeGreaterThanOrEqual(16);
  expect(gpus).toEqual([...gpus].sort((a, b) => b - a));
});

test("runs are put together by tier with sums; a group opens and closes by keys", async ({
  bench,
}) => {
  await bench.visit();
  await openRuns(bench);
  await bench.page.getByRole("combobox", { name: "Group rows" }).selectOption("tier");
  const table = bench.page.getByRole("treegrid", { name: "Runs in the window" });
  await expect(table.getByRole("row").nth(1)).toContainText(/\d\sruns?/);
  const groups = await table.getByRole("row").count();
  await table.focus();
  await bench.page.keyboard.press("ArrowRight");
  await expect(table.getByRole("row").nth(1)).toHaveAttribute("aria-expanded", "true");
  expect(await table.getByRole("row").count()).toBeGreaterThan(groups);
  await bench.page.keyboard.press("ArrowDown");
  await bench.page.keyboard.press("Enter");
  await bench.idle();
  expect(bench.view().selection).not.toBeNull();
  const { violations } = await new AxeBuilder({ page: bench.page })
    .include(".table-drawer")
    .analyze();
  expect(violations).toEqual([]);
});

test("the chosen columns are there again when the table is opened again", async ({ bench }) => {
  await bench.visit();
  await openRuns(bench);
  await bench.button("Columns").click();
  await bench.page.getByRole("checkbox", { name: "team · user" }).uncheck();
  await bench.page.getByRole("checkbox", { name: "GPU-hours" }).check();
  await bench.page.keyboard.press("Escape");
  await bench.button("Close table").click();
  await expect(bench.page.locator(".table-drawer")).toHaveCount(0);
  const table = await openRuns(bench);
  await expect(table.getByRole("columnheader", { name: "GPU-hours" })).toBeVisible();
  await expect(table.getByRole("columnheader", { name: "team · user" })).toHaveCount(0);
});
