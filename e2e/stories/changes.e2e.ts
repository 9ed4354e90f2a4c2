/** Somebody works on the changes of a run: moves one on the axis, edits it, tries the run without it; and says what the scenario is about. */
import type { Locator } from "@playwright/test";
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { expect, test } from "../base.ts";
import { BLOCKED, HOUR, MINUTE } from "../support/scenarios.ts";
import type { Workbench } from "../support/workbench.ts";

const CHANGED: ScenarioInput = {
  ...BLOCKED,
  interventions: [
    { kind: "policy", atMs: HOUR, policy: { preset: "lab", settings: { backfill: "easy" } } },
    {
      kind: "inject",
      atMs: 2 * HOUR,
      job: { id: "mine", gpus: 1, workMs: 30 * MINUTE, limitMs: HOUR, tier: "low" },
    },
    { kind: "cancel", atMs: 2 * HOUR + 10 * MINUTE, job: "mine" },
  ],
};

async function opened(bench: Workbench): Promise<void> {
  await bench.visit();
  await bench.open(CHANGED);
  await bench.seek(3 * HOUR);
}

const flag = (bench: Workbench, number: number): Locator =>
  bench.button(new RegExp(`^Change ${number}: .* Go there$`));

const row = (bench: Workbench, number: number): Locator =>
  bench
    .region("Changes to this run")
    .getByRole("listitem")
    .nth(number - 1);

async function timeOf(bench: Workbench, number: number): Promise<number> {
  const { interventions = [] } = await bench.scenario();
  return interventions[number - 1]?.atMs ?? -1;
}

test("a flag that is dragged moves its change to a whole minute, in one step of undo", async ({
  bench,
}) => {
  await opened(bench);
  expect(await bench.startMs("short")).toBe(HOUR);
  const box = await flag(bench, 1).boundingBox();
  if (!box) throw new Error("the flag is seen");
  await bench.page.mouse.move(box.x + 5, box.y + 5);
  await bench.page.mouse.down();
  await bench.page.mouse.move(box.x + 30, box.y + 5, { steps: 4 });
  await bench.page.mouse.move(box.x + 50, box.y + 5, { steps: 4 });
  await bench.page.mouse.up();
  await expect.poll(() => timeOf(bench, 1)).not.toBe(HOUR);
  await bench.idle();
  const atMs = await timeOf(bench, 1);
  expect(atMs).toBeGreaterThan(HOUR);
  expect(atMs % MINUTE).toBe(0);
  expect(await bench.startMs("short")).toBe(atMs);
  await bench.undo();
  expect(await timeOf(bench, 1)).toBe(HOUR);
  expect(await bench.startMs("short")).toBe(HOUR);
});

test("arrow keys push a flag by minutes and hours; Enter lets it be there, Escape where it was", async ({
  bench,
}) => {
  await opened(bench);
  await flag(bench, 1).focus();
  await bench.page.keyboard.press("Shift+ArrowLeft");
  await bench.page.keyboard.press("ArrowRight");
  await bench.page.keyboard.press("ArrowRight");
  await bench.page.keyboard.press("Enter");
  await bench.idle();
  await expect.poll(() => timeOf(bench, 1)).toBe(2 * MINUTE);
  await bench.idle();
  expect(await bench.startMs("short")).toBe(20 * MINUTE);
  await expect(flag(bench, 1)).toBeFocused();
  await bench.page.keyboard.press("ArrowRight");
  await bench.page.keyboard.press("Escape");
  await bench.undo();
  expect(await timeOf(bench, 1), "one step for all that was pressed").toBe(HOUR);
});

test("a change that is off stays in the list and in the link, and the run is the one without it", async ({
  bench,
  stranger,
}) => {
  await opened(bench);
  const digest = await bench.digest();
  await row(bench, 1).getByRole("checkbox").click();
  await expect(row(bench, 1).getByRole("checkbox")).not.toBeChecked();
  await bench.idle();
  expect(await bench.startMs("short")).toBe(5 * HOUR);
  await expect(row(bench, 1)).toContainText("off");
  await expect(flag(bench, 1)).toHaveAttribute("aria-label", /, off,/);
  const other = await stranger();
  await other.visit(bench.link());
  expect(await other.digest()).toBe(await bench.digest());
  await expect(row(other, 1).getByRole("checkbox")).not.toBeChecked();
  await row(bench, 1).getByRole("checkbox").press("Space");
  await expect(row(bench, 1).getByRole("checkbox")).toBeChecked();
  await bench.idle();
  expect(await bench.digest()).toBe(digest);
});

test("what is about a job that is not put in goes off with it", async ({ bench }) => {
  await opened(bench);
  await row(bench, 2).getByRole("checkbox").click();
  await expect(row(bench, 2).getByRole("checkbox")).not.toBeChecked();
  await bench.idle();
  expect((await bench.schedule()).some(({ id }) => id === "mine")).toBe(false);
  await expect(row(bench, 3).getByRole("checkbox")).not.toBeChecked();
  await expect(bench.alerts()).toHaveCount(0);
});

test("by keyboard a change is edited in the editor that makes it, filled with what it says", async ({
  bench,
}) => {
  await opened(bench);
  await row(bench, 2).getByRole("button").first().focus();
  await bench.page.keyboard.press("Enter");
  const form = bench.page.getByRole("form", { name: "Edit change 2" });
  await expect(form.getByLabel("Name", { exact: true })).toHaveValue("mine");
  await expect(form.getByLabel("Run time")).toHaveValue("30 min");
  await form.getByLabel("Acts at").fill("+5m");
  await form.getByLabel("GPUs", { exact: true }).fill("2");
  await bench.page.keyboard.press("Control+Enter");
  await expect.poll(() => timeOf(bench, 2)).not.toBe(2 * HOUR);
  await bench.idle();
  const { interventions = [] } = await bench.scenario();
  expect(interventions).toHaveLength(3);
  expect(interventions[1]).toMatchObject({
    kind: "inject",
    atMs: 2 * HOUR + 5 * MINUTE,
    job: { id: "mine", gpus: 2, workMs: 30 * MINUTE, tier: "low" },
  });
  await bench.undo();
  expect(await timeOf(bench, 2)).toBe(2 * HOUR);
});

test("the editor of a policy shows the policy of the change, and replaces it", async ({
  bench,
}) => {
  await opened(bench);
  await row(bench, 1).getByRole("button", { name: /^Edit/ }).click();
  const backfill = bench.page.getByLabel("Backfill", { exact: true });
  await expect(backfill).toHaveValue("easy");
  await bench.chooseBackfill("Conservative");
  await bench.apply();
  await expect(row(bench, 1)).toContainText("Conservative");
  const { interventions = [] } = await bench.scenario();
  expect(interventions).toHaveLength(3);
  expect(interventions[0]).toMatchObject({
    atMs: HOUR,
    policy: { settings: { backfill: "conservative" } },
  });
});

test("a change without an editor of its own has its job and time edited; what is wrong is said beside", async ({
  bench,
}) => {
  await opened(bench);
  await row(bench, 3).getByRole("button", { name: /^Edit/ }).click();
  const form = bench.page.getByRole("form", { name: "Edit change 3" });
  await form.getByLabel("Job", { exact: true }).fill("nobody");
  await expect(form).toContainText("There is no job");
  await form.getByLabel("Job", { exact: true }).fill("late");
  await bench.apply();
  await expect(row(bench, 3)).toContainText("Cancel job late");
  expect((await bench.scenario()).interventions?.[2]).toMatchObject({
    kind: "cancel",
    job: "late",
  });
});

test("title and question are edited from the title, are in the tab and in the link, and undo takes them back", async ({
  bench,
  stranger,
}) => {
  await opened(bench);
  const digest = await bench.digest();
  await bench.page.getByRole("heading", { level: 1 }).getByRole("button").click();
  const dialog = bench.dialog("This scenario");
  await dialog.getByLabel("Title").fill("Who waits for whom?");
  await dialog.getByLabel("Question").fill("And for how long?");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(bench.page).toHaveTitle(/^Who waits for whom\?/);
  expect(await bench.digest()).toBe(digest);
  const other = await stranger();
  await other.visit(bench.link());
  await expect(other.page).toHaveTitle(/^Who waits for whom\?/);
  await expect(other.page.getByText("And for how long?")).toBeVisible();
  await bench.undo();
  await expect(bench.page).toHaveTitle(/^A short job behind a wide one/);
});

test("by keyboard the run gets an end and a calendar", async ({ bench }) => {
  await opened(bench);
  await bench.page.keyboard.press("e");
  const dialog = bench.dialog("This scenario");
  await expect(dialog.getByLabel("Title")).toBeFocused();
  await dialog.getByLabel("Ends at a time").focus();
  await bench.page.keyboard.press("Space");
  await dialog.getByLabel("End of the run").fill("2 h");
  await expect(dialog).toContainText("1 change would lie behind it");
  await dialog.getByLabel("End of the run").fill("3 h");
  // What is typed is there again after Escape.
  await bench.press("Escape");
  await expect(dialog).toHaveCount(0);
  await bench.page.keyboard.press("e");
  await expect(dialog.getByLabel("End of the run")).toHaveValue("3 h");
  await expect(dialog).toContainText("not applied is back");
  await dialog.getByLabel("Has a calendar").focus();
  await bench.page.keyboard.press("Space");
  await dialog.getByLabel("The run starts at").fill("2026-03-02 08:00");
  await bench.page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await bench.idle();
  expect(await bench.scenario()).toMatchObject({
    horizonMs: 3 * HOUR,
    calendarStart: "2026-03-02T08:00:00",
  });
  await expect(bench.button("Go to time")).toContainText("Mon");
});
