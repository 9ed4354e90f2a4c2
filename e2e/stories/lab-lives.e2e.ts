/** What becomes of jobs by themselves: gangs that hang, elastic sizes, sessions, stages, deadlines. Each from its form to the run. */
import { expect, test } from "../base.ts";
import { GANG, TURNS } from "../support/lab.ts";
import {
  card,
  changePolicy,
  decision,
  ganttTable,
  inject,
  legend,
  tipAt,
  walked,
} from "../support/labForms.ts";
import { libraryScenarios } from "../support/library.ts";
import { BLOCKED, HOUR, MINUTE } from "../support/scenarios.ts";

test("a gang that loses one GPU to somebody more urgent hangs, then fails, and what it did is lost", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(GANG);
  await bench.seek(0);
  await changePolicy(bench, {
    Preemption: { choose: "Requeue" },
    "What is taken": { choose: "Single devices" },
  });
  await bench.seek(65 * MINUTE);
  await expect(legend(bench).getByText("hangs", { exact: true })).toBeVisible();
  await bench.select("gang");
  await expect(card(bench)).toContainText("It hangs now: it has lost members");
  await expect(await decision(bench, /Gave up 1\smember/)).toBeVisible();
  await bench.seek(80 * MINUTE);
  await expect(card(bench)).toContainText("Ended at 01:15: hung: a collective timed out.");
  await expect(legend(bench).getByText("lost work")).toBeVisible();
  await expect(bench.page.getByRole("row", { name: /^GPU-h lost/ })).toContainText("8.0");
  await bench.seek(0);
  expect(await walked(bench, ["ArrowRight", "ArrowRight"])).toMatch(/hangs/);
  const table = await ganttTable(bench, "Runs");
  await expect(
    table.getByRole("row", { name: /gang.*hung: a collective timed out, 1 h .*lost/ }),
  ).toBeVisible();
});

test("an elastic job gives a node and gets it back: bar, card and log show its size", async ({
  bench,
}) => {
  const { scenario } = libraryScenarios().find(({ id }) => id === "lab-elastic")!;
  await bench.visit();
  await bench.open(scenario);
  await bench.seek(110 * MINUTE);
  await changePolicy(bench, { "Shrink elastic jobs first": { tick: true } });
  await bench.select("foundation");
  const members = bench.region("Facts of the job").locator("dt", { hasText: "Members now" });
  const now = members.locator("xpath=following-sibling::dd[1]");
  await expect(now).toHaveText("8");
  await bench.seek(130 * MINUTE);
  await expect(now).toHaveText("7");
  await expect(card(bench)).toContainText("56 GPUs on 7 nodes");
  await expect(card(bench)).toContainText(/% of its full speed: it has fewer or more members/);
  await expect(await decision(bench, /Gave up 1\smember/)).toBeVisible();
  expect(await tipAt(bench, "56 of 64 GPUs", 125 * MINUTE)).toContain("foundation");
  // When the urgent jobs are through, it grows to its old size.
  await bench.seek(235 * MINUTE);
  await expect(now).toHaveText("8");
  await expect(await decision(bench, /Got more members while it runs/)).toBeVisible();
  const runs = (await bench.schedule()).filter(({ id }) => id === "foundation");
  expect(runs).toHaveLength(1);
});

test("an interactive session is ended when it has stood idle, and says so", async ({ bench }) => {
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.seek(0);
  await inject(bench, { name: "notebook", gpus: "1", runTime: "6 h" }, async (form) => {
    await form.getByText("Elastic, interactive, communicating").click();
    await form.getByLabel("Interactive session").check();
    await form.getByLabel("Used for").fill("1 h");
    await form.getByLabel("Idle time-out").fill("30 m");
  });
  const [run] = (await bench.schedule()).filter(({ id }) => id === "notebook");
  expect(run).toMatchObject({ startMs: 0, endMs: 90 * MINUTE });
  await bench.seek(70 * MINUTE);
  await expect(bench.region("Facts of the job")).toContainText(
    /Session\s*active for 1.h, ended after 30.m idle/,
  );
  await bench.seek(2 * HOUR);
  await expect(card(bench)).toContainText("Ended at 01:30: ended: idle too long.");
  const table = await ganttTable(bench, "Runs");
  await expect(table.getByRole("row", { name: /notebook.*idle too long/ })).toBeVisible();
});

test("a long job in stages: each waits for the one before, and says for which", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.seek(0);
  await inject(bench, { name: "saga", gpus: "1", runTime: "3 h" }, async (form) => {
    await form.getByText("Limits and ends").click();
    await form.getByLabel("Stages").fill("3");
  });
  const stages = (await bench.schedule()).filter(({ id }) => id.startsWith("saga"));
  expect(stages).toHaveLength(3);
  const bySubmit = [...stages].sort((a, b) => a.startMs! - b.startMs!);
  expect(bySubmit[1]!.startMs).toBeGreaterThanOrEqual(bySubmit[0]!.endMs!);
  expect(bySubmit[2]!.startMs).toBeGreaterThanOrEqual(bySubmit[1]!.endMs!);
  for (const { startMs, endMs } of stages) expect(endMs! - startMs!).toBe(HOUR);
  await bench.seek(30 * MINUTE);
  await bench.select(bySubmit[1]!.id);
  await expect(card(bench)).toContainText("a job that it depends on has not ended");
  await expect(
    card(bench).getByRole("button", { name: new RegExp(bySubmit[0]!.id) }),
  ).toBeVisible();
});

test("least slack first: a deadline lets a job pass, and the card says how much there is to spare", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(TURNS);
  await bench.seek(25 * MINUTE);
  await inject(bench, { name: "paper", gpus: "4", runTime: "30 m" }, async (form) => {
    await form.getByText("Whose, and how urgent").click();
    await form.getByLabel("Deadline").fill("5 h");
  });
  const late = await bench.startMs("paper");
  expect(await bench.startMs("gamma")).toBeLessThan(late);
  await bench.seek(0);
  await changePolicy(bench, { Order: { choose: "Least slack" } });
  expect(await bench.startMs("paper")).toBeLessThan(await bench.startMs("gamma"));
  await bench.select("paper");
  await bench.seek((await bench.startMs("paper")) + MINUTE);
  await expect(bench.region("Facts of the job")).toContainText(/Deadline.*to spare/);
});
