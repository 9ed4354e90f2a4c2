/** Somebody asks which orchestrator does what: reads the comparison by keyboard, runs a cell, comes back, and takes the preset that a platform's card names. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";
import { libraryScenarios } from "../support/library.ts";

test("a link to the comparison in a new tab: Back from a cell leads to the comparison, Back from there to the scenario", async ({
  bench,
}) => {
  await bench.visit("/#p=orchestrators");
  const table = bench.dialog("Orchestrators side by side").getByRole("table");
  await table.locator('[data-cell="autoscaling slurm"]').click();
  await expect(bench.page.getByRole("status", { name: "Message" })).toContainText("by hand");
  await bench.idle();
  await bench.page.goBack();
  await expect(table).toBeVisible();
  await bench.page.goBack();
  await expect(table).toBeHidden();
});

test("a link leads to the comparison; a cell runs, Back returns to it, and what is often said can be seen", async ({
  bench,
}) => {
  await bench.visit();
  const before = await bench.digest();
  await bench.page.goto(`${bench.page.url().split("#")[0]}#p=orchestrators`);
  const table = bench.dialog("Orchestrators side by side").getByRole("table");
  await expect(table.getByRole("columnheader", { name: /Kueue/ })).toBeVisible();
  const cell = (name: string) => table.locator(`[data-cell="${name}"]`);
  await cell("gang easy").focus();
  for (const key of ["ArrowRight", "ArrowRight"]) await bench.press(key);
  await expect(cell("gang kube-scheduler")).toBeFocused();
  await bench.press("End");
  await expect(cell("gang ray")).toBeFocused();
  await bench.press("Home");
  for (const key of ["ArrowRight", "ArrowRight"]) await bench.press(key);
  await bench.press("Enter");
  const told = bench.page.getByRole("status", { name: "Message" });
  await expect(told).toContainText("Gang scheduling, kube-scheduler: Pod by pod");
  await bench.idle();
  const digest = await bench.digest();
  expect(digest).not.toBe(before);
  expect((await bench.scenario()).pools).toMatchObject([{ policy: { preset: "kube-scheduler" } }]);
  await bench.page.goBack();
  await expect(cell("latency kube-scheduler").locator("b")).toHaveText(/^54\sms$/);
  await expect(cell("latency ray").locator("b")).toHaveText(/^2\sms$/);
  await expect(cell("latency volcano").locator("b")).toHaveText(/^1\.\d\ss$/);
  for (const column of ["easy", "slurm", "kueue", "kai"])
    await expect(cell(`latency ${column}`).locator("b")).toHaveText(/^[\d.]+\s(ms|s)$/);
  await bench.idle();
  expect(await bench.digest()).toBe(before);
  await expect(cell("gang kube-scheduler")).toBeFocused();
  await table.getByText("Part by part").nth(2).click();
  await expect(
    table.getByRole("listitem").filter({ hasText: /^3\.7\sms Scheduling cycle/ }),
  ).toBeVisible();
  await bench.page.getByRole("button", { name: "See it: Kueue backfills by default." }).click();
  await expect(told).toContainText("Skip ahead");
  await bench.idle();
  expect((await bench.scenario()).pools).toMatchObject([{ policy: { preset: "kueue" } }]);
  await bench.page.goBack();
  await expect(table).toBeVisible();
  await expect(
    bench.page.getByRole("button", { name: "See it: Kueue backfills by default." }),
  ).toBeFocused();
  const unshown = bench.page.getByRole("listitem").filter({ hasText: "Without a scenario:" });
  await expect(unshown).toHaveCount(3);
  const packs = bench.page.getByRole("button", { name: "See it: Ray packs tasks." });
  await packs.click();
  await expect(told).toContainText("each goes to a node of its own");
  await bench.idle();
  expect((await bench.scenario()).pools).toMatchObject([{ policy: { preset: "ray" } }]);
  await bench.page.goBack();
  await expect(packs).toBeFocused();
  await bench.press("Escape");
  await expect(table).toHaveCount(0);
});

test("opened from the policy editor the comparison is where Back from a cell leads to", async ({
  bench,
}) => {
  await bench.visit();
  const before = await bench.digest();
  await bench.editor("Policy");
  await bench.page.getByText("Other platforms, and how all compare").click();
  await bench.page
    .getByRole("button", { name: /side by side/ })
    .first()
    .click();
  const table = bench.dialog("Orchestrators side by side").getByRole("table");
  await table.locator('[data-cell="gang kube-scheduler"]').click();
  await bench.idle();
  await expect(table).toHaveCount(0);
  await expect.poll(() => bench.digest()).not.toBe(before);
  await bench.page.goBack();
  await expect(table).toBeVisible();
  await bench.idle();
  expect(await bench.digest()).toBe(before);
  await bench.press("Escape");
  await expect(table).toHaveCount(0);
  expect(bench.page.url()).not.toContain("p=orchestrators");
});

test("the card of a platform says what is known of it and chooses the preset that comes closest", async ({
  bench,
}) => {
  await bench.visit();
  await bench.editor("Policy");
  const form = bench.page.locator("form.editor");
  await form.getByText("Other platforms, and how all compare").click();
  await form.getByText("Nutanix (Karbon, NKE, NKP)").click();
  await expect(form).toContainText("Karbon is no scheduler");
  await form.getByRole("button", { name: "Choose kube-scheduler" }).click();
  await expect(form.getByLabel("Scheduler", { exact: true })).toHaveValue("kube-scheduler");
  await bench.apply();
  expect((await bench.scenario()).interventions).toMatchObject([
    { kind: "policy", policy: { preset: "kube-scheduler" } },
  ]);
});

test("a quota changed in the form of a policy’s objects stands in the text, comments and all, and is applied", async ({
  bench,
}) => {
  const { scenario } = libraryScenarios().find(({ id }) => id === "kueue-bin-packing")!;
  await bench.visit();
  await bench.open(scenario);
  await bench.editor("Policy");
  await bench.page.getByRole("button", { name: "Form and text side by side" }).click();
  const sheet = bench.dialog("Objects of the policy");
  await sheet.getByText("ClusterQueue research").click();
  await sheet.getByLabel("Borrowing limit").fill("half");
  await expect(sheet.getByRole("alert")).toContainText("Type an amount");
  await sheet.getByLabel("Borrowing limit").fill("16");
  const text = sheet.getByLabel("YAML of the policy");
  await expect(text).toHaveValue(/nominalQuota: 32\n {14}borrowingLimit: 16\n/);
  await text.fill(
    (await text.inputValue()).replace("borrowingLimit: 16", "borrowingLimit: 8 # a node"),
  );
  await expect(sheet.getByLabel("Borrowing limit")).toHaveValue("8");
  const { violations } = await new AxeBuilder({ page: bench.page })
    .include("[role=dialog]")
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  await sheet.getByRole("button", { name: /^Apply from/ }).click();
  await bench.idle();
  const [change] = (await bench.scenario()).interventions as { policy: { yaml: string } }[];
  expect(change?.policy.yaml).toContain("borrowingLimit: 8 # a node");
});
