/** Somebody tries preemption in the policy form: finds its settings, writes times as people do, and sees who gave way. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";
import { libraryScenarios } from "../support/library.ts";
import type { Workbench } from "../support/workbench.ts";

const MINUTE = 60_000;
const preemption = libraryScenarios().find(({ id }) => id === "lab-preemption")!.scenario;

async function openPolicy(bench: Workbench): Promise<void> {
  await bench.visit();
  await bench.open(preemption);
  await bench.seek(105 * MINUTE);
  await bench.editor("Policy");
}

test("preemption chosen in the form lets urgent work start at once, and the victim says who stopped it", async ({
  bench,
}) => {
  await openPolicy(bench);
  const before = await bench.startMs("incident-eval");
  const form = bench.page.locator("form.editor");
  await expect(form.getByLabel("Grace", { exact: true })).toHaveCount(0);
  await form.getByLabel("Preemption", { exact: true }).selectOption("graceful");
  await expect(form).toContainText("Victims are told, have a grace period to save");
  await form.getByRole("button", { name: /settings of preemption/ }).click();
  const grace = form.getByLabel("Grace", { exact: true });
  await grace.fill("2");
  await expect(form.getByRole("alert")).toContainText("with its unit");
  await form.locator("button[type=submit]").click();
  await expect(grace).toBeFocused();
  await grace.fill("2m");
  await expect(form.locator('[data-group="Preemption"] summary')).toContainText(
    "1 not at the default",
  );
  await expect(form.getByRole("region", { name: "What will change" })).toContainText("Graceful");
  await bench.apply();
  const { interventions } = await bench.scenario();
  expect(interventions).toMatchObject([
    { policy: { settings: { preemption: "graceful", graceMs: 2 * MINUTE } } },
  ]);
  expect(await bench.startMs("incident-eval")).toBeLessThan(before);
  const runs = await bench.schedule();
  const victim = runs.find(
    (one) => one.endMs !== null && runs.filter(({ id }) => id === one.id).length > 1,
  );
  expect(victim).toBeDefined();
  await bench.seek((victim?.endMs ?? 0) + MINUTE);
  await bench.select(victim?.id ?? "");
  await expect(bench.page.locator("[data-panel=inspector]")).toContainText(
    /preempted|gave way|evicted/i,
  );
  await bench.undo();
  expect(await bench.startMs("incident-eval")).toBe(before);
});

test("by keyboard alone: find a setting, change it, take it back, start from a policy with a name, apply", async ({
  bench,
}) => {
  await openPolicy(bench);
  const form = bench.page.locator("form.editor");
  const tabTo = async (name: string): Promise<void> => {
    for (let step = 0; step < 60; step++) {
      const at = await bench.page.evaluate(() => {
        const element = document.activeElement;
        const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
        return label ?? element?.getAttribute("aria-label") ?? element?.textContent ?? "";
      });
      if (at.startsWith(name)) return;
      await bench.page.keyboard.press("Tab");
    }
    throw new Error(`Tab never comes to ${name}`);
  };
  await expect(form.getByLabel("Find a setting")).toBeVisible();
  await tabTo("Find a setting");
  await bench.page.keyboard.type("planning depth");
  await tabTo("Planning depth");
  await bench.page.keyboard.press("Control+a");
  await bench.page.keyboard.type("5");
  await expect(form.getByRole("region", { name: "What will change" })).toContainText(
    "Planning depth",
  );
  await tabTo("Reset Planning depth");
  await bench.page.keyboard.press("Enter");
  await expect(form).toContainText("Nothing differs yet");
  await form.getByLabel("Find a setting").fill("");
  await form.getByLabel("Scheduler").focus();
  await tabTo("Start from a policy with a name");
  await bench.page.keyboard.press("Enter");
  await tabTo("Conservative backfill");
  await bench.page.keyboard.press("Enter");
  await tabTo("Apply from");
  await bench.press("Enter");
  const { interventions } = await bench.scenario();
  expect(interventions).toMatchObject([{ policy: { settings: { backfill: "conservative" } } }]);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`policy and inject with everything open have no accessibility violation, ${colorScheme}`, async ({
    bench,
  }) => {
    test.slow();
    await bench.page.emulateMedia({ colorScheme });
    await openPolicy(bench);
    const found = async (): Promise<string[]> => {
      const axe = new AxeBuilder({ page: bench.page }).include("[data-panel=inspector]");
      const { violations } = await axe.analyze();
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    };
    await bench.page.getByLabel("Preemption", { exact: true }).selectOption("requeue");
    for (const summary of await bench.page.locator("form.editor summary").all())
      await summary.click();
    expect(await found()).toEqual([]);
    await bench.page.locator("form.editor").press("Escape");
    await bench.editor("Inject");
    await bench.page.getByText("Where it runs").waitFor();
    for (const summary of await bench.page.locator("form.editor summary").all())
      await summary.click();
    for (const part of ["Saves its state", "Elastic", "Communicates"])
      await bench.page.getByLabel(part, { exact: true }).check();
    expect(await found()).toEqual([]);
  });
}

test("a job with checkpoints is injected, and what is wrong is told at its field", async ({
  bench,
}) => {
  await openPolicy(bench);
  await bench.page.locator("form.editor").press("Escape");
  await bench.editor("Inject");
  const form = bench.page.locator("form.editor");
  await form.getByLabel("Run time").fill("3 h");
  await form.getByText("Start and checkpoints").click();
  await form.getByLabel("Saves its state").check();
  await form.getByText("Elastic, interactive, communicating").click();
  await form.getByLabel("Elastic", { exact: true }).check();
  await form.getByLabel("Most", { exact: true }).fill("0");
  await expect(form.getByRole("alert")).toContainText("The least is 1");
  await form.getByLabel("Most", { exact: true }).fill("8");
  await expect(form.getByRole("alert")).toHaveCount(0);
  await bench.apply();
  const { interventions } = await bench.scenario();
  expect(interventions).toMatchObject([
    {
      kind: "inject",
      job: { workMs: 180 * MINUTE, checkpoint: { every: 30 * MINUTE }, elastic: { maxMembers: 8 } },
    },
  ]);
});

test("the time limit of a running job is changed in its card: it ends then", async ({ bench }) => {
  await bench.visit();
  await bench.open(preemption);
  await bench.seek(105 * MINUTE);
  await bench.select("vision");
  const card = bench.page.locator("[data-panel=inspector]");
  await card.getByText("Time limit and queue").click();
  await card.getByLabel("Time limit from the cursor on").fill("2 h");
  await bench.click("Set the limit");
  expect((await bench.scenario()).interventions).toMatchObject([
    { kind: "update", job: "vision", limitMs: 120 * MINUTE },
  ]);
  const [run] = (await bench.schedule()).filter(({ id }) => id === "vision");
  expect((run?.endMs ?? 0) - (run?.startMs ?? 0)).toBeLessThanOrEqual(123 * MINUTE);
});
