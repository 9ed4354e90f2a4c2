/** The researcher: a log in the Standard Workload Format, the digest that the command line prints, per-job CSV, the definition of each number. */
import { readFile } from "node:fs/promises";
import { expect, test } from "../base.ts";
import { chooseFile } from "../support/files.ts";
import { command, openByKeys, tabTo } from "../support/hands.ts";
import { runInNode } from "../support/headless.ts";
import { swfText } from "../support/swf.ts";
import type { Workbench } from "../support/workbench.ts";

const JOBS = 300;
const log = {
  name: "paper.swf",
  buffer: Buffer.from(swfText({ jobs: JOBS, procs: 64, seed: 11 })),
};

async function agreesWithTheCommandLine(bench: Workbench): Promise<void> {
  const { digest, jobs } = await runInNode(await bench.scenario(), log);
  expect(jobs).toBe(JOBS);
  expect(await bench.digest()).toBe(digest);
}

async function isJobTable(file: { path(): Promise<string> }): Promise<void> {
  const [head, ...rows] = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  expect(head).toContain("job_id");
  expect(head).toContain("wait_ms");
  expect(rows).toHaveLength(JOBS);
}

test("by mouse: open the log, compare the digest, read what p95 wait means, save the jobs", async ({
  bench,
}) => {
  await bench.visit();
  await chooseFile(bench, log);
  await bench.dialog(log.name).getByRole("button", { name: "Open trace", exact: true }).click();
  await expect(bench.dialog()).toHaveCount(0);
  await bench.idle();
  await agreesWithTheCommandLine(bench);
  const meanings = bench.page.locator("details").filter({ hasText: "What these numbers mean" });
  await meanings.locator("summary").click();
  await expect(meanings).toContainText("95 of 100 jobs waited at most so long");
  await bench.click("Share");
  await bench
    .dialog("Share")
    .getByRole("button", { name: /^Picture or data/ })
    .click();
  const data = bench.dialog("Picture or data");
  await data.getByLabel("Stretch of time").selectOption({ label: "Whole run" });
  const download = bench.page.waitForEvent("download");
  await data.getByRole("button", { name: "Save CSV" }).click();
  await isJobTable(await download);
});

test("by keyboard alone: the same road, under another policy", async ({ bench }) => {
  await bench.visit();
  await openByKeys(bench, log);
  const open = bench.dialog(log.name).getByRole("button", { name: "Open trace", exact: true });
  await tabTo(bench, open);
  await bench.press("Enter");
  await expect(bench.dialog()).toHaveCount(0);
  await bench.press("Home", "p");
  await tabTo(bench, bench.page.getByLabel("Backfill", { exact: true }));
  await bench.page.keyboard.type("Conservative");
  await bench.press("Control+Enter");
  await agreesWithTheCommandLine(bench);
  const summary = bench.page.locator("summary").filter({ hasText: "What these numbers mean" });
  await tabTo(bench, summary);
  await bench.press("Enter");
  await expect(bench.page.getByText("95 of 100 jobs waited at most so long")).toBeVisible();
  await command(bench, "export a picture or data");
  const data = bench.dialog("Picture or data");
  await tabTo(bench, data.getByLabel("Stretch of time"));
  await bench.page.keyboard.type("Whole");
  await tabTo(bench, data.getByRole("button", { name: "Save CSV" }));
  const download = bench.page.waitForEvent("download");
  await bench.page.keyboard.press("Enter");
  await isJobTable(await download);
});
