/** The manager with a budget: a price, two futures in waits and money, a picture to take along. */
import { readFile } from "node:fs/promises";
import type { Locator } from "@playwright/test";
import { expect, test } from "../base.ts";
import { command, tabTo } from "../support/hands.ts";
import type { Workbench } from "../support/workbench.ts";

const priceOf = (bench: Workbench): Locator =>
  bench.dialog("Cluster").getByLabel("Price", { exact: true });

/** Both futures under one clock: what each tier and team waits, and what the change did. */
async function readsTheDifference(bench: Workbench): Promise<void> {
  const column = bench.page.locator(".compare-column");
  await expect(column).toContainText("7 jobs start earlier");
  await expect(column.getByRole("row", { name: /^mean wait.*better/ }).first()).toBeVisible();
  await expect(column.getByRole("region", { name: "Mean wait by team" })).toContainText("language");
}

async function isPicture(file: { path(): Promise<string> }): Promise<void> {
  const bytes = await readFile(await file.path());
  expect(bytes.subarray(1, 4).toString("latin1")).toBe("PNG");
}

test("by mouse: set a price, change the policy, compare, read the cost, save the picture", async ({
  bench,
}) => {
  await bench.visit();
  await bench.click("Rules of the scenario …");
  await bench.dialog("Rules of the scenario").getByRole("button", { name: "Cluster …" }).click();
  await priceOf(bench).fill("2");
  await bench.dialog("Cluster").getByRole("button", { name: "Apply from the start" }).click();
  await expect(bench.dialog()).toHaveCount(0);
  await bench.idle();
  await bench.page
    .getByRole("combobox", { name: "Which curve is drawn below" })
    .selectOption({ label: "Cost so far" });
  await expect(bench.region("Cost so far").locator("b")).toHaveText(/[1-9]/);
  await bench.click(/^Turn backfill on/);
  await bench.click("Compare with before");
  await readsTheDifference(bench);
  await bench.click("Back to the run");
  await bench.click("Share");
  await bench
    .dialog("Share")
    .getByRole("button", { name: /^Picture or data/ })
    .click();
  const save = bench.dialog("Picture or data").getByRole("button", { name: "Save picture" });
  await expect(save).not.toHaveAttribute("aria-disabled");
  const download = bench.page.waitForEvent("download");
  await save.click();
  await isPicture(await download);
});

test("by keyboard alone: the same road", async ({ bench }) => {
  await bench.visit();
  await command(bench, "edit the cluster");
  await tabTo(bench, priceOf(bench));
  await bench.page.keyboard.type("2");
  await tabTo(bench, bench.dialog("Cluster").getByRole("button", { name: "Apply from the start" }));
  await bench.press("Enter");
  await expect(bench.dialog()).toHaveCount(0);
  expect((await bench.scenario()).cluster.nodeGroups[0]?.pricePerGpuHour).toBe(2);
  await bench.press("p");
  await tabTo(bench, bench.page.getByLabel("Backfill", { exact: true }));
  await bench.page.keyboard.type("EASY");
  await bench.press("Control+Enter");
  await command(bench, "compare with the future before");
  await readsTheDifference(bench);
  await bench.press("c");
  await bench.press("Shift+U");
  const table = bench.page.getByRole("grid", { name: "Curves" });
  await tabTo(bench, table);
  // The rows come into being where they are looked at.
  await bench.press("End");
  await expect(table.getByRole("row", { name: /^Cost so far/ })).toContainText(/[1-9]/);
  await bench.press("Shift+U", "Control+e");
  const save = bench.dialog("Picture or data").getByRole("button", { name: "Save picture" });
  await expect(save).not.toHaveAttribute("aria-disabled");
  await tabTo(bench, save);
  const download = bench.page.waitForEvent("download");
  await bench.page.keyboard.press("Enter");
  await isPicture(await download);
});
