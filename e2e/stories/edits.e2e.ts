/** Changes at the cursor: the future redraws, the past keeps every bar, undo and redo walk them, the list numbers them. */

import { expect, test } from "../base.ts";
import { BLOCKED, drawn, HOUR } from "../support/scenarios.ts";
import type { JobRun, Workbench } from "../support/workbench.ts";
import { pastOf } from "../support/workbench.ts";

async function openAt(bench: Workbench, scenario = BLOCKED, atMs = HOUR): Promise<JobRun[]> {
  await bench.visit();
  await bench.open(scenario);
  await bench.seek(atMs);
  return bench.schedule();
}

/** The change took hold, kept what was before `atMs`, and undo and redo lead there and back. */
async function holds(
  bench: Workbench,
  before: JobRun[],
  digest: string,
  atMs: number,
): Promise<void> {
  const after = await bench.schedule();
  const changed = await bench.digest();
  expect(changed).not.toBe(digest);
  expect(pastOf(after, atMs)).toEqual(pastOf(before, atMs));
  await bench.undo();
  expect(await bench.digest()).toBe(digest);
  expect(await bench.schedule()).toEqual(before);
  await bench.redo();
  expect(await bench.digest()).toBe(changed);
  expect(await bench.schedule()).toEqual(after);
}

test("a policy changed at the cursor starts the short job at once, and the past stays", async ({
  bench,
}) => {
  const before = await openAt(bench);
  const digest = await bench.digest();
  expect(await bench.startMs("short")).toBe(5 * HOUR);
  await bench.editor("Policy");
  await bench.chooseBackfill("EASY");
  await bench.apply();
  expect(await bench.startMs("short")).toBe(1 * HOUR);
  expect(await bench.startMs("wide")).toBe(4 * HOUR);
  await holds(bench, before, digest, HOUR);
});

test("an injected job appears, waits or runs, and is listed", async ({ bench }) => {
  const before = await openAt(bench);
  const digest = await bench.digest();
  await bench.editor("Inject");
  await bench.page.getByRole("textbox", { name: "GPUs", exact: true }).fill("1");
  await bench.apply();
  expect(await bench.schedule()).toHaveLength(before.length + 1);
  await holds(bench, before, digest, HOUR);
});

test("a drained node takes no new job; resumed it does again", async ({ bench }) => {
  const before = await openAt(bench);
  const digest = await bench.digest();
  await bench.editor("Drain");
  await bench.page.getByRole("checkbox", { name: /^n-001/ }).check();
  await bench.apply();
  const drained = (await bench.schedule()).find((run) => run.id === "wide");
  expect(drained?.startMs).toBeNull();
  await holds(bench, before, digest, HOUR);
});

test("a failed node ends its jobs at once and starts none; resumed it starts them again", async ({
  bench,
}) => {
  const before = await openAt(bench);
  const digest = await bench.digest();
  await bench.editor("Drain");
  await bench.page.getByRole("checkbox", { name: /^n-001/ }).check();
  await bench.page.getByRole("radio", { name: /^Fail/ }).check();
  await bench.apply();
  const failed = await bench.schedule();
  expect(failed.find((run) => run.id === "long")?.endMs).toBe(HOUR);
  expect(failed.find((run) => run.id === "wide")?.startMs ?? null).toBeNull();
  await holds(bench, before, digest, HOUR);
  await bench.seek(2 * HOUR);
  await bench.editor("Drain");
  await bench.page.getByRole("checkbox", { name: /^n-001/ }).check();
  await bench.page.getByRole("radio", { name: /^Resume/ }).check();
  await bench.apply();
  const resumed = await bench.schedule();
  expect(resumed.find((run) => run.id === "wide")?.startMs).toBeGreaterThanOrEqual(2 * HOUR);
  expect(pastOf(resumed, 2 * HOUR)).toEqual(pastOf(failed, 2 * HOUR));
});

test("a cancelled job leaves the queue, and those behind it move up", async ({ bench }) => {
  const before = await openAt(bench);
  const digest = await bench.digest();
  await bench.select("wide");
  await bench.click("Cancel job");
  expect((await bench.schedule()).find((run) => run.id === "wide")?.startMs ?? null).toBeNull();
  expect(await bench.startMs("short")).toBe(HOUR);
  await holds(bench, before, digest, HOUR);
});

test("a job moved to another tier is ordered by it from the cursor on", async ({ bench }) => {
  const settings = { order: "tiers", backfill: "none" };
  const byTier = { ...BLOCKED, pools: [{ id: "all", policy: { preset: "lab", settings } }] };
  const before = await openAt(bench, byTier);
  const digest = await bench.digest();
  expect(await bench.startMs("short")).toBe(5 * HOUR);
  await bench.select("short");
  await expect(bench.page.getByText(/GPUs needed/).first()).toBeVisible();
  await bench.page.getByLabel("Tier from the cursor on").selectOption({ label: "Critical" });
  await bench.idle();
  expect(await bench.startMs("short")).toBe(HOUR);
  await holds(bench, before, digest, HOUR);
});

test("changes are numbered in the order of their time, and each can be taken back alone", async ({
  bench,
}) => {
  await openAt(bench, {
    ...BLOCKED,
    interventions: [
      { kind: "policy", atMs: HOUR, policy: { preset: "lab", settings: { backfill: "easy" } } },
      { kind: "drain", atMs: 2 * HOUR, nodes: ["n-000"] },
    ],
  });
  const list = bench.page.getByRole("region", { name: "Changes to this run" }).getByRole("list");
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await expect(list.getByRole("listitem").nth(0)).toContainText("1");
  await expect(list.getByRole("listitem").nth(0)).toContainText(/policy|backfill/i);
  await expect(list.getByRole("listitem").nth(1)).toContainText("2");
  await expect(list.getByRole("listitem").nth(1)).toContainText("n-000");
  await list.getByRole("listitem").nth(1).getByRole("button").last().click();
  await bench.idle();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  expect((await bench.scenario()).interventions).toHaveLength(1);
});

test("a change in the middle of a loaded cluster keeps every start and end before it", async ({
  bench,
}) => {
  const atMs = 30 * HOUR;
  const before = await openAt(bench, drawn(11, 30), atMs);
  const digest = await bench.digest();
  await bench.editor("Policy");
  await bench.chooseBackfill("None");
  await bench.apply();
  await holds(bench, before, digest, atMs);
});

test("Undo goes on after a reload, and so does Redo", async ({ bench }) => {
  const before = await openAt(bench);
  const digest = await bench.digest();
  await bench.editor("Policy");
  await bench.chooseBackfill("EASY");
  await bench.apply();
  await bench.page.reload();
  await bench.idle();
  const changed = await bench.digest();
  expect(changed).not.toBe(digest);
  await bench.undo();
  expect(await bench.digest()).toBe(digest);
  expect(await bench.schedule()).toEqual(before);
  await bench.page.reload();
  await bench.idle();
  await bench.redo();
  expect(await bench.digest()).toBe(changed);
});

test("a scenario without jobs says so and offers one; a document too long for a link says so until Undo", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open({ ...BLOCKED, workload: {} });
  const gantt = bench.region("Gantt");
  await expect(gantt).toContainText("the cluster stands idle");
  await gantt.getByRole("button", { name: "Add a job" }).click();
  await bench.apply();
  await expect(gantt).not.toContainText("the cluster stands idle");
  expect(await bench.schedule()).toHaveLength(1);

  const jobs = Array.from({ length: 8_001 }, (_, i) => ({
    id: `job-${i}`,
    submitMs: i * 1_000,
    gpus: 1,
    workMs: 1_000,
  }));
  await bench.open({ ...BLOCKED, workload: { jobs } });
  const note = bench.page.getByRole("status", { name: "Message" });
  await expect(note).toContainText("too long for a link");
  await bench.undo();
  await expect(note).toBeHidden();
});

test("one node is labelled at the cursor: a job that asks for the label goes there, the past stays, and Undo takes it back", async ({
  bench,
}) => {
  const job = { nodes: 1, gpusPerNode: 1, workMs: HOUR };
  const jobs = [
    { ...job, id: "first", submitMs: 0 },
    { ...job, id: "asks", submitMs: 2 * HOUR, labels: { zone: "b" } },
  ];
  const before = await openAt(bench, { ...BLOCKED, workload: { jobs } }, HOUR);
  const digest = await bench.digest();
  expect(before.find(({ id }) => id === "asks")?.startMs).toBeNull();
  await bench.press("Control+k");
  await bench.page.keyboard.type("label nodes");
  await bench.dialog().getByRole("option", { name: "Label nodes", selected: true }).waitFor();
  await bench.press("Enter");
  const field = (name: string) => bench.page.getByLabel(name, { exact: true });
  await field("Nodes").fill("n-001");
  await field("Labels").fill("zone");
  await expect(bench.page.getByText("Write label=value").first()).toBeVisible();
  await field("Labels").fill("zone=b");
  await bench.apply();
  expect(await bench.startMs("asks")).toBe(2 * HOUR);
  await holds(bench, before, digest, HOUR);
  const changes = bench.region("Changes to this run");
  await expect(changes).toContainText("Label node n-001");
  await expect(changes).toContainText("zone=b");
  await changes.getByRole("button", { name: /^Edit change 1/ }).click();
  await expect(field("Nodes")).toHaveValue("n-001");
  await expect(field("Labels")).toHaveValue("zone=b");
});
