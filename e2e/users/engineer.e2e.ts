/** The platform engineer: last week's `sacct` on their own `slurm.conf`, one setting changed, the difference by tier and team, and the lines to take home. */
import { expect, test } from "../base.ts";
import { dropFile } from "../support/files.ts";
import { command, openByKeys, tabTo } from "../support/hands.ts";
import {
  accountingText,
  gresConf,
  sacctOutput,
  slurmConf,
  topologyConf,
} from "../support/slurmFiles.ts";
import type { Workbench } from "../support/workbench.ts";

const FILES = [slurmConf, gresConf, topologyConf];

const openCluster = (bench: Workbench) =>
  bench.dialog(/slurm\.conf/).getByRole("button", { name: "Open as a new scenario" });
const openTrace = (bench: Workbench) =>
  bench.dialog("sacct.txt").getByRole("button", { name: "Open trace" });
const sheetOf = (bench: Workbench) => bench.dialog("Slurm’s settings");

/** After the change: numbers before and now, by tier. */
async function readsTheNumbers(bench: Workbench): Promise<void> {
  const numbers = bench.region(/^Before/);
  await expect(numbers.getByRole("columnheader", { name: "before" })).toBeVisible();
  await expect(numbers.getByRole("row", { name: /^mean wait/ }).first()).toBeVisible();
}

/** Both futures, by team. */
async function readsTheTeams(bench: Workbench): Promise<void> {
  const column = bench.page.locator(".compare-column");
  await expect(column.getByRole("region", { name: "Mean wait by team" })).toContainText("reef");
}

const linesOf = (bench: Workbench) =>
  bench.page.getByRole("button", { name: /^Copy the lines of slurm.conf that change 1 touches/ });

/** What stands on the clipboard is the line with the new value, and not the whole of slurm.conf. */
async function tookHome(bench: Workbench): Promise<void> {
  await expect(bench.page.locator(".toast")).toContainText("Lines of change 1 copied");
  const text = await bench.page.evaluate(() => navigator.clipboard.readText());
  expect(text).toMatch(/^\+.*bf_max_job_test=1\b/m);
  expect(text).not.toContain("ClusterName=harbour");
}

test("by mouse: drop the files, see the jobs replayed, change bf_max_job_test, read, copy the lines", async ({
  bench,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await bench.visit();
  await dropFile(bench, ...FILES);
  await openCluster(bench).click();
  await bench.idle();
  await dropFile(bench, accountingText);
  await bench.idle();
  await dropFile(bench, sacctOutput);
  await openTrace(bench).click();
  await expect(bench.dialog()).toHaveCount(0);
  await bench.idle();
  expect(await bench.schedule()).toHaveLength(40);
  await bench.click("Go to time");
  await bench.page.getByRole("textbox", { name: "Time to go to" }).fill("06:30");
  await bench.press("Enter");
  await bench.editor("Policy");
  await bench.click("Form and text side by side");
  await sheetOf(bench).getByLabel("Find a setting").fill("bf_max_job_test");
  await sheetOf(bench).getByLabel("bf_max_job_test", { exact: true }).fill("1");
  await expect(sheetOf(bench)).toContainText("bf_max_job_test 200 → 1");
  await sheetOf(bench)
    .getByRole("button", { name: /^Apply from/ })
    .click();
  await bench.idle();
  await readsTheNumbers(bench);
  await linesOf(bench).click();
  await tookHome(bench);
  await bench.click("Compare with before");
  await readsTheTeams(bench);
});

test("by keyboard alone: the same road", async ({ bench, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await bench.visit();
  await openByKeys(bench, ...FILES);
  await tabTo(bench, openCluster(bench));
  await bench.press("Enter");
  await expect(bench.dialog()).toHaveCount(0);
  await openByKeys(bench, accountingText);
  await expect(bench.page.locator(".toast")).toContainText("accounts.txt joined");
  await openByKeys(bench, sacctOutput);
  await tabTo(bench, openTrace(bench));
  await bench.press("Enter");
  await expect(bench.dialog()).toHaveCount(0);
  expect(await bench.schedule()).toHaveLength(40);
  await bench.press("Home", "p");
  await tabTo(bench, bench.button("Form and text side by side"));
  await bench.press("Enter");
  await tabTo(bench, sheetOf(bench).getByLabel("Find a setting"));
  await bench.page.keyboard.type("bf_max_job_test");
  await tabTo(bench, sheetOf(bench).getByLabel("bf_max_job_test", { exact: true }));
  await bench.page.keyboard.press("Control+a");
  await bench.page.keyboard.type("1");
  await tabTo(bench, sheetOf(bench).getByRole("button", { name: /^Apply from/ }));
  await bench.press("Enter");
  await expect(sheetOf(bench)).toHaveCount(0);
  await readsTheNumbers(bench);
  await tabTo(bench, linesOf(bench));
  await bench.press("Enter");
  await tookHome(bench);
  await command(bench, "compare with the future before");
  await readsTheTeams(bench);
});
