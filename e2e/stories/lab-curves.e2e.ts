/** Numbers of the policy lab over time: the lane with its picker, the tables beside the queue, and the load of links on the map. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";
import { changePolicy } from "../support/labForms.ts";
import { libraryScenarios } from "../support/library.ts";
import { HOUR, MINUTE } from "../support/scenarios.ts";
import type { Workbench } from "../support/workbench.ts";

function library(id: string) {
  const found = libraryScenarios().find((one) => one.id === id);
  if (!found) throw new Error(`no ${id} in the library`);
  return found.scenario;
}

async function open(bench: Workbench, id: string, atMs: number): Promise<void> {
  await bench.visit();
  await bench.open(library(id));
  await bench.seek(atMs);
}
const lane = (bench: Workbench) => bench.region("Numbers over time");
const pick = (bench: Workbench, label: string) =>
  lane(bench).getByRole("combobox", { name: "Which numbers are drawn" }).selectOption({ label });

test("what a team has borrowed, and another has lent, stands in the lane and follows the cursor", async ({
  bench,
}) => {
  await open(bench, "lab-quota", 0);
  await pick(bench, "product: borrowed, lent");
  const borrowed = lane(bench).locator('[data-line="0"]');
  await expect(borrowed).toHaveText("0");
  await bench.seek(2.5 * HOUR);
  await expect(borrowed).toHaveText("24");
  await pick(bench, "research: borrowed, lent");
  await expect(lane(bench).locator('[data-line="1"]')).toHaveText("24");

  await bench.press("t");
  await bench.click("Shares");
  const shares = bench.page.getByRole("grid", { name: "Shares" });
  await expect(shares.getByRole("columnheader", { name: "borrowed" })).toBeVisible();
  const product = shares.getByRole("row", { name: /product/ }).first();
  await expect(product).toContainText("32");
  await expect(product).toContainText("24");
  await bench.click("Numbers");
  const numbers = bench.page.getByRole("grid", { name: "Numbers over time" });
  await expect(numbers.getByRole("row", { name: /GPUs lent.*team research/ })).toContainText("24");
  const { violations } = await new AxeBuilder({ page: bench.page }).analyze();
  expect(violations).toEqual([]);
});

test("a service has its latency against the target, its replicas and its demand", async ({
  bench,
}) => {
  await open(bench, "lab-services", 13 * HOUR);
  await expect(lane(bench).getByText("target 8 s")).toBeVisible();
  await expect(lane(bench).locator('[data-line="0"]')).toHaveText(/s$/);
  await pick(bench, "chat: replicas");
  const serving = lane(bench).locator('[data-line="0"]');
  const replicas = async () => Number(await serving.textContent());
  // The lane shows the run so far: at one in the afternoon many replicas serve once it is computed up to there.
  await expect.poll(replicas).toBeGreaterThan(4);
  const atNoon = await replicas();
  await bench.seek(3 * HOUR);
  await expect.poll(replicas).toBeLessThan(atNoon);
  const options = await lane(bench).getByRole("option").allTextContents();
  expect(options).toContain("chat: demand");
  expect(options).toContain("Nodes of the pools");
  expect(options.join()).not.toContain("auction");
});

test("gangs that share an uplink show it full, on the map in words and in the lane", async ({
  bench,
}) => {
  await open(bench, "lab-network", HOUR);
  await pick(bench, "Load of the uplinks");
  await expect(lane(bench).locator('[data-line="0"]')).toHaveText("100\u00a0%");
  const gutter = bench.page.locator(".gantt-gutter");
  const box = (await gutter.boundingBox())!;
  await bench.page.mouse.move(box.x + 40, box.y + 120);
  await expect(bench.page.locator(".gantt-tip")).toContainText("of its bandwidth is in use");
  await bench.select("moe-a");
  await expect(bench.region("Facts of the job").getByText("a full uplink of a leaf")).toBeVisible();
});

test("free GPUs that no job of the workload can use are a curve where jobs are placed by it", async ({
  bench,
}) => {
  await open(bench, "fragmentation", HOUR);
  const upper = bench.page.getByRole("combobox", { name: "Which curve is drawn above" });
  const label = "Fragmentation: free GPUs of no use";
  expect(await upper.getByRole("option").allTextContents()).not.toContain(label);
  await bench.seek(0);
  await changePolicy(bench, { Placement: { choose: "Least fragmentation" } });
  await bench.seek(HOUR);
  await upper.selectOption({ label });
  const value = bench.region(label).locator("b");
  const part = async () => Number.parseFloat((await value.textContent()) ?? "");
  await expect.poll(part).toBeGreaterThan(0);
  const full = await part();
  expect(full).toBeLessThanOrEqual(100);
  // In the end all is free again.
  await bench.seek(9 * HOUR);
  await expect.poll(part).not.toBe(full);
});

test("runs without such numbers have no lane", async ({ bench }) => {
  await open(bench, "why-waiting", 10 * MINUTE);
  await expect(lane(bench)).toHaveCount(0);
});
