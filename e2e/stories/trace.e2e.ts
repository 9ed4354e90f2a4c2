/** A researcher brings a log: dropped, read, reported, run, kept on the device, changed at a chosen time, sent on. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "../base.ts";
import { chooseFile, dropFile } from "../support/files.ts";
import { swfGzip, swfText } from "../support/swf.ts";
import type { Workbench } from "../support/workbench.ts";

const plan = { jobs: 400, procs: 64, seed: 5, runUnknown: 7, noProcessors: 3 };
const log = { name: "small-machine.swf", buffer: Buffer.from(swfText(plan)) };
const sha256 = createHash("sha256").update(log.buffer).digest("hex");

/** Waits for the dialog that tells what was read, and runs what it suggests. */
async function runSuggested(bench: Workbench): Promise<void> {
  const dialog = bench.dialog();
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "Open trace", exact: true }).click();
  await expect(dialog).toBeHidden();
  await bench.idle();
}

test("a chosen log is read, its odd rows are counted by reason, and it runs", async ({ bench }) => {
  await bench.visit();
  const first = await bench.digest();
  await chooseFile(bench, log);
  const dialog = bench.dialog();
  await expect(dialog).toContainText(log.name);
  await expect(dialog).toContainText(/\b400\b/);
  await expect(dialog).toContainText(/\b7\b.*run time/);
  await expect(dialog).toContainText(/\b3\b.*processors/);
  await runSuggested(bench);
  const scenario = await bench.scenario();
  expect(scenario.workload?.trace?.sha256).toBe(sha256);
  expect((await bench.schedule()).length).toBe(400);
  const opened = await bench.digest();
  expect(opened).toMatch(/^[0-9a-f]{16,}$/);
  // With what it shows first it is one step: Back leads to what stood before, Forward to where the waiting comes from.
  const waiting = bench.page.locator(".table-drawer");
  await expect(waiting).toBeVisible();
  await bench.page.goBack();
  await expect.poll(() => bench.digest()).toBe(first);
  await expect(waiting).toBeHidden();
  await bench.page.goForward();
  await expect.poll(() => bench.digest()).toBe(opened);
  await expect(waiting).toBeVisible();
});

test("a dropped log survives a reload, and gzip makes no difference to the jobs", async ({
  bench,
}) => {
  await bench.visit();
  await dropFile(bench, { name: "small-machine.swf.gz", buffer: swfGzip(plan) });
  await runSuggested(bench);
  const digest = await bench.digest();
  expect((await bench.schedule()).length).toBe(400);
  await bench.page.reload();
  await bench.idle();
  expect(await bench.digest()).toBe(digest);
});

test("elsewhere the link asks for the file by name, size and hash; given the file it shows the same run", async ({
  bench,
  stranger,
}) => {
  await bench.visit();
  await chooseFile(bench, log);
  await runSuggested(bench);
  const digest = await bench.digest();
  const view = bench.view();

  const other = await stranger();
  await other.visit(bench.link());
  const page = other.page.locator("body");
  await expect(page).toContainText(log.name);
  await expect(page).toContainText(sha256.slice(0, 8));
  await expect(page).toContainText(/kB|KB|KiB|bytes/);

  await chooseFile(other, {
    name: log.name,
    buffer: Buffer.from(swfText({ ...plan, seed: 6 })),
  });
  await expect(page).toContainText(/another small-machine\.swf/);
  await expect(other.dialog()).toBeVisible();
  await other.press("Escape");
  await expect(other.dialog()).toBeHidden();
  await chooseFile(other, log);
  await expect.poll(() => other.digest()).toBe(digest);
  await other.idle();
  expect(other.view().cursorMs).toBe(view.cursorMs);

  const third = await stranger();
  await third.visit(other.link());
  await dropFile(third, log);
  await expect.poll(() => third.digest()).toBe(digest);
});

test("on a log single changes are tried for a waiting job; switching FCFS to EASY shows what it changed, and the past stays", async ({
  bench,
}) => {
  await bench.visit();
  await chooseFile(bench, log);
  await runSuggested(bench);
  const scenario = await bench.scenario();
  await bench.open({
    ...scenario,
    pools: [{ id: "all", policy: { preset: "lab", settings: { backfill: "none" } } }],
  });
  const before = await bench.schedule();
  const long = before.find(({ submitMs, startMs }) => (startMs ?? 0) - submitMs > 30 * 60_000);
  if (!long) throw new Error("nobody waits long");
  await bench.seek(long.submitMs + 60_000);
  await bench.select(long.id);
  await bench.click("What would start it now?");
  const answers = bench.region("What would start it now");
  // Each change is told, whether it helps or not: it was run.
  await expect(answers).toContainText(/EASY backfill/);
  await expect(answers.getByRole("status")).not.toContainText(/Trying/);
  const atMs = before[100]?.submitMs ?? 0;
  await bench.seek(atMs);
  await bench.editor("Policy");
  await bench.chooseBackfill("EASY");
  await bench.apply();
  const after = await bench.schedule();
  const startedBefore = (runs: typeof before) =>
    runs
      .filter((run) => run.startMs !== null && run.startMs < atMs)
      .map((run) => [run.id, run.startMs]);
  expect(startedBefore(after)).toEqual(startedBefore(before));
  const meanWait = (runs: typeof before) =>
    runs.reduce((sum, run) => sum + ((run.startMs ?? run.submitMs) - run.submitMs), 0) /
    runs.length;
  expect(meanWait(after)).toBeLessThan(meanWait(before));
  await expect(bench.page.getByText(/^before.*now$/i).first()).toBeVisible();
});

test("kept files are listed with their size and can be deleted", async ({ bench }) => {
  await bench.visit();
  await chooseFile(bench, log);
  await runSuggested(bench);
  const link = bench.link();
  await bench.click("Stored files");
  const dialog = bench.dialog();
  await expect(dialog).toContainText(log.name);
  await expect(dialog).toContainText(/kB|KB|KiB|bytes/);
  await dialog.getByRole("button", { name: /^Delete/ }).click();
  await expect(dialog.getByRole("button", { name: /^Delete/ })).toHaveCount(0);
  await bench.press("Escape");
  await bench.visit(link);
  await expect(bench.page.locator("body")).toContainText(sha256.slice(0, 8));
});

const traces = new URL("../../../shared/traces/", import.meta.url);
const real = [
  { path: "swf/SDSC-SP2-1998-4.2-cln.swf.gz", jobsAtLeast: 50_000 },
  { path: "ms-itp-2021/raw_cluster04.csv", jobsAtLeast: 1_000 },
];
for (const { path, jobsAtLeast } of real) {
  const file = fileURLToPath(new URL(path, traces));
  if (!existsSync(file)) {
    console.warn(`not run: ${path} is not beside this checkout (../shared/traces)`);
    continue;
  }
  test(`the real log ${path} opens, runs and comes back after a reload`, async ({ bench }) => {
    test.setTimeout(180_000);
    await bench.visit();
    const name = path.split("/").at(-1) ?? path;
    await chooseFile(bench, { name, buffer: readFileSync(file) });
    await runSuggested(bench);
    const runs = await bench.schedule();
    expect(runs.length).toBeGreaterThan(jobsAtLeast);
    expect(runs.filter((run) => run.startMs !== null).length).toBeGreaterThan(jobsAtLeast);
    const digest = await bench.digest();
    await bench.page.reload();
    await bench.idle();
    expect(await bench.digest()).toBe(digest);
  });
}
