/** What an administrator does to a run under Slurm: submits with sbatch's options, holds, releases, updates, sets nodes down, reserves. */
import { expect, test } from "../base.ts";
import { MINUTE } from "../support/scenarios.ts";
import { SLURM } from "../support/slurm.ts";
import type { Workbench } from "../support/workbench.ts";

async function open(bench: Workbench): Promise<void> {
  await bench.visit();
  await bench.open(SLURM);
  await bench.seek(45 * MINUTE);
}

test("a job with options of sbatch is injected, released and updated; undo takes each back", async ({
  bench,
}) => {
  await open(bench);
  const before = await bench.digest();
  await bench.press("j");
  const form = bench.page.locator("form.editor");
  await form.getByLabel("--job-name").fill("held");
  await form.getByLabel("--partition").selectOption("debug");
  await form.getByLabel("--nodes", { exact: true }).fill("1");
  await form.getByLabel("--gpus-per-node").fill("2");
  await form.getByLabel("--time", { exact: true }).fill("30");
  await form.getByText("More options").click();
  await form.getByLabel("--dependency").fill("afterok:nobody");
  await expect(form.getByText("There is no job nobody.").first()).toBeVisible();
  await form.getByLabel("--dependency").fill("");
  await form.getByLabel("--hold").check();
  await expect(form.getByRole("status")).toContainText("sbatch -J held");
  await form.getByRole("button", { name: /^Submit at/ }).click();
  await bench.idle();
  const card = bench.page.getByRole("article", { name: /^Job held/ });
  await expect(card.getByText("PENDING (JobHeldUser)")).toBeVisible();

  await card.getByRole("button", { name: "release held" }).click();
  await bench.idle();
  await expect(card.getByText(/JobHeldUser\)/)).toHaveCount(0);
  const line = card.getByLabel(/scontrol update/);
  await line.fill("TimeLimit=45:00");
  await line.press("Enter");
  await bench.idle();
  await expect(card.locator(".slurm-facts")).toContainText("45:00");
  await expect(card.locator(".who")).toContainText(/limit 45.m/);
  expect((await bench.scenario()).interventions?.map((change) => change.kind).slice(-3)).toEqual([
    "inject",
    "release",
    "update",
  ]);
  for (let step = 0; step < 3; step++) await bench.undo();
  expect(await bench.digest()).toBe(before);
});

test("nodes are set down and reserved in the words of scontrol", async ({ bench }) => {
  await open(bench);
  await bench.press("x");
  const form = bench.page.locator("form.editor");
  await form.getByRole("checkbox", { name: /^n2/ }).check();
  await form.getByRole("radio", { name: /^Down/ }).check();
  await form.getByRole("button", { name: /^Down n2/ }).click();
  await bench.idle();
  expect((await bench.scenario()).interventions?.at(-1)).toMatchObject({
    kind: "fail",
    nodes: ["n2"],
    noticed: true,
  });
  await bench.press("x");
  await form.getByRole("button", { name: "Create a reservation instead" }).click();
  await form.getByLabel("ReservationName").fill("window");
  await form.getByLabel("Nodes", { exact: true }).fill("n[1,3]");
  await form.getByRole("button", { name: /^Create at/ }).click();
  await bench.idle();
  expect((await bench.scenario()).interventions?.at(-1)).toMatchObject({
    kind: "reserve",
    name: "window",
    nodes: "n[1,3]",
  });
});

test("a job that Slurm would not take says why, on its card and on the card of the run", async ({
  bench,
}) => {
  await open(bench);
  await bench.press("j");
  const form = bench.page.locator("form.editor");
  await form.getByLabel("User").fill("stranger");
  await form.getByRole("button", { name: /^Submit at/ }).click();
  await bench.idle();
  const card = bench.page.getByRole("article", { name: /^Job my-job/ });
  await expect(card).toContainText(/Refused at .*: InvalidAccount\./);
  await bench.press("Escape");
  await expect(bench.page.getByRole("article", { name: "This run" })).toContainText(
    /1 of \d+\sjobs was refused when submitted: InvalidAccount \(1\)/,
  );
});
