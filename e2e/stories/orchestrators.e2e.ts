/** Somebody asks which orchestrator does what: reads the comparison by keyboard, runs a cell, comes back, and takes the preset that a platform's card names. */
import { expect, test } from "../base.ts";

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
  await expect(cell("latency kube-scheduler").locator("b")).toHaveText(/^\d+\sms$/);
  await expect(cell("latency volcano").locator("b")).toHaveText(/^1\.\d\ss$/);
  await bench.idle();
  expect(await bench.digest()).toBe(before);
  await bench.page.getByRole("button", { name: "See it: Kueue backfills by default." }).click();
  await expect(told).toContainText("Skip ahead");
  await bench.idle();
  expect((await bench.scenario()).pools).toMatchObject([{ policy: { preset: "kueue" } }]);
  await bench.page.goBack();
  await expect(table).toBeVisible();
  await bench.press("Escape");
  await expect(table).toHaveCount(0);
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
