/** Somebody who never saw a scheduler opens the address: what is this, why does that job wait, what can I do, take it back. */
import { expect, test } from "../base.ts";

test("the first visit is paused, speaks no modal, and shows title and question", async ({
  bench,
}) => {
  await bench.visit();
  await expect(bench.dialog()).toHaveCount(0);
  await expect(bench.button("Play")).toBeVisible();
  const { title, question } = (await bench.scenario()) as { title: string; question: string };
  await expect(bench.page).toHaveTitle(/Queuescope/);
  await expect(bench.page.getByText(title).first()).toBeVisible();
  await expect(bench.page.getByText(question).first()).toBeVisible();
  const cursorMs = bench.view().cursorMs;
  await bench.idle();
  expect(bench.view().cursorMs).toBe(cursorMs);
});

test("a job waits while GPUs idle, and its reason is readable without a click", async ({
  bench,
}) => {
  await bench.visit();
  const { cursorMs, selection } = bench.view();
  const runs = await bench.schedule();
  const held = runs
    .filter((run) => (run.startMs ?? Infinity) <= cursorMs && (run.endMs ?? Infinity) > cursorMs)
    .reduce((sum, run) => sum + run.gpus, 0);
  const { cluster } = await bench.scenario();
  const gpus = (cluster.nodeGroups as { count: number; gpus: number }[]).reduce(
    (sum, group) => sum + group.count * group.gpus,
    0,
  );
  const waiting = runs.filter(
    (run) => run.submitMs <= cursorMs && (run.startMs ?? Infinity) > cursorMs,
  );
  const idle = gpus - held;
  expect(waiting.some((run) => run.gpus <= idle)).toBe(true);
  expect(selection?.kind).toBe("job");
  const why = bench.page.getByLabel("Inspector", { exact: true });
  await expect(why).toContainText(/wait/i);
  await expect(why).toBeInViewport();
});

test("the one marked action moves the waiting job earlier; undo brings the same digest back", async ({
  bench,
}) => {
  await bench.visit();
  const digest = await bench.digest();
  const { cursorMs } = bench.view();
  const before = await bench.schedule();
  const action = bench.page.getByRole("button", { name: /backfill/i });
  await expect(action).toHaveCount(1);
  await action.click();
  await bench.idle();
  const after = await bench.schedule();
  const earlier = after.filter((run, row) => {
    const old = before[row];
    return old !== undefined && (run.startMs ?? Infinity) < (old.startMs ?? Infinity);
  });
  expect(earlier.length).toBeGreaterThan(0);
  for (const run of earlier) expect(run.startMs).toBeGreaterThanOrEqual(cursorMs);
  expect(await bench.digest()).not.toBe(digest);
  await expect(bench.page.getByText(/^before.*now$/i).first()).toBeVisible();
  await bench.undo();
  expect(await bench.digest()).toBe(digest);
  expect(await bench.schedule()).toEqual(before);
});

test("play moves the pen, and a second press stops it", async ({ bench }) => {
  await bench.visit();
  const { cursorMs } = bench.view();
  const clock = await bench.clock();
  await bench.button("Play").click();
  await expect(bench.button("Pause")).toBeVisible();
  await expect.poll(() => bench.clock()).not.toBe(clock);
  await bench.button("Pause").click();
  await expect(bench.button("Play")).toBeVisible();
  await bench.idle();
  const stopped = bench.view().cursorMs;
  expect(stopped).toBeGreaterThan(cursorMs);
  await bench.idle();
  expect(bench.view().cursorMs).toBe(stopped);
});
