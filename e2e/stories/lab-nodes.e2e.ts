/** Nodes that come and go, change pools, or lose a device: set up in the rules of the scenario, seen in a real run. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";
import { CLOUD, TURNS, WAVE } from "../support/lab.ts";
import {
  card,
  changePolicy,
  changeRules,
  decision,
  ganttTable,
  gauge,
  legend,
  tipAt,
  walked,
} from "../support/labForms.ts";
import { libraryScenarios } from "../support/library.ts";
import { MINUTE } from "../support/scenarios.ts";
import type { Workbench } from "../support/workbench.ts";

/** The nodes of the cloud are rented, if work has waited five minutes; more fields of the rule by label. */
async function rent(bench: Workbench, more: Readonly<Record<string, string>> = {}): Promise<void> {
  await changeRules(bench, "Prices and rented nodes", async (dialog) => {
    const cloud = dialog.locator(".rules-card").filter({ hasText: /^cloud/ });
    await cloud.getByLabel("Price").fill("3");
    await cloud.getByLabel("Rented when needed").check();
    const times = { "Rent after": "5 m", "Start-up": "15 m", "Give back after": "20 m", ...more };
    for (const [label, text] of Object.entries(times)) await cloud.getByLabel(label).fill(text);
  });
}

test("nodes are rented when work waits, boot, cost money and go back when they stand idle", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(CLOUD);
  await rent(bench);
  // Rented five minutes after peak-a came, there a quarter of an hour later.
  expect(await bench.startMs("peak-a")).toBe(50 * MINUTE);
  await bench.seek(40 * MINUTE);
  for (const text of ["node boots", "node not there"])
    await expect(legend(bench).getByText(text, { exact: true })).toBeVisible();
  await bench.select("peak-a");
  await expect(card(bench)).toContainText("a node for it is on its way");
  await bench.press("Escape");
  await expect(await decision(bench, /Node cloud-000 rented: it boots for 15/)).toBeVisible();
  expect(await tipAt(bench, "cloud-000", 40 * MINUTE)).toContain("rented, and boots");
  expect(await tipAt(bench, "cloud-001", 10 * MINUTE)).toContain("not there");
  await expect(bench.page.getByRole("row", { name: /^cost/ })).toContainText(/\d/);
  const table = await ganttTable(bench, "Nodes and rounds");
  await expect(table.getByRole("row", { name: /cloud-000.*boots.*15/ })).toBeVisible();
  // peak-a ends at 01:50; twenty idle minutes later nobody has come, and the node goes.
  await expect(table.getByRole("row", { name: /cloud-001 not there.*00:00/ })).toBeVisible();
  const { violations } = await new AxeBuilder({ page: bench.page }).analyze();
  expect(violations).toEqual([]);
});

test("the cloud takes a spot node back: who ran there is told, stops and waits again", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(CLOUD);
  await rent(bench, { "Spot: taken after": "2 h", Notice: "2 m" });
  const table = await ganttTable(bench, "Runs");
  const taken = table.getByRole("row", { name: /the cloud took its node back/ });
  await expect(taken.first()).toBeVisible();
  const runs = await bench.schedule();
  const cut = runs.find(({ id }) => runs.filter((one) => one.id === id).length > 1)!;
  await bench.seek(cut.endMs! + MINUTE);
  await bench.select(cut.id);
  await expect(
    await decision(bench, /Stopped, to wait again: the cloud took its node back/),
  ).toBeVisible();
  await bench.click("Nodes and rounds");
  const nodes = bench.page.getByRole("grid", { name: "Nodes and rounds" });
  await expect(
    nodes.getByRole("row", { name: /given back as soon as it is empty/ }).first(),
  ).toBeVisible();
});

test("the fleet controller moves a node to serving and back: log, gutter, table, lane", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(WAVE);
  await changeRules(bench, "Fleet", async (dialog) => {
    await dialog.getByRole("button", { name: "Add a fleet controller" }).click();
    await dialog.getByLabel("Hand-over").fill("4 m");
    await dialog.getByLabel("Spare").fill("0.8");
  });
  await bench.seek(25 * MINUTE);
  await expect(legend(bench).getByText("node changes pool")).toBeVisible();
  await expect(await decision(bench, /Node batch-001 handed to pool serving/)).toBeVisible();
  await expect(await gauge(bench, "Nodes of the pools", 0)).toHaveText("2");
  await expect(await gauge(bench, "Nodes of the pools", 1)).toHaveText("1");
  expect(await tipAt(bench, "batch-001", 25 * MINUTE, "gutter")).toContain("Pool serving");
  expect(await tipAt(bench, "batch-001", 14.5 * MINUTE)).toContain("on its way to pool serving");
  // From the first row down to the last: each row says whose node it is now.
  expect(await walked(bench, ["ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown"])).toContain(
    "Pool training",
  );
  const table = await ganttTable(bench, "Nodes and rounds");
  const rows = table.getByRole("row", { name: /batch-001 on its way to pool/ });
  await expect(rows).toHaveCount(2);
  await rows.first().click();
  const node = bench.page.getByRole("article", { name: "Node batch-001" });
  await expect(node).toContainText("Pool serving");
  await bench.seek(13.5 * MINUTE);
  await expect(node).toContainText("Pool training");
  await expect(node).toContainText("On its way to pool serving");
  await bench.seek(50 * MINUTE);
  await expect(node).toContainText("Pool training");
});

test("one GPU fails and its node goes on: the row, the node's card and the table say so", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(TURNS);
  await changeRules(bench, "Failures", async (dialog) => {
    await dialog.getByRole("button", { name: "Add a kind of failure" }).click();
    await dialog.getByLabel("What fails").selectOption({ label: "each GPU" });
    await dialog.getByLabel("Mean time between").fill("20 h");
    await dialog.getByLabel("Repair", { exact: true }).fill("40 m");
    await dialog.getByLabel("Spread of repair").fill("1");
  });
  const table = await ganttTable(bench, "Nodes and rounds");
  const failed = table.getByRole("row", { name: /^GPU \d of n-00\d failed; its node goes on/ });
  await expect(failed.first()).toBeVisible();
  // No node is down: every row of the table is about one GPU.
  await expect(table.getByRole("row")).toHaveCount((await failed.count()) + 1);
  const cells = await failed.first().getByRole("gridcell").allTextContents();
  const [, place, node] = /^GPU (\d) of (n-00\d)$/.exec(cells[0]!)!;
  await failed.first().click();
  const [hours, minutes] = /(\d\d):(\d\d)/.exec(cells[2]!)!.slice(1).map(Number);
  await bench.seek((hours! * 60 + minutes! + 5) * MINUTE);
  const article = bench.page.getByRole("article", { name: `Node ${node}` });
  await expect(article).toContainText("Open for work.");
  await expect(article).toContainText(`GPU ${place} failed at`);
  await bench.press("Shift+T");
  await expect(legend(bench).getByText("device failed, node goes on")).toBeVisible();
  const { cursorMs } = bench.view();
  expect(await tipAt(bench, `GPU ${place} of ${node}`, cursorMs - MINUTE)).toContain("has failed");
  expect(await tipAt(bench, node!, cursorMs, "gutter")).toContain(`GPU ${place} failed at`);
});

test("defragmentation moves running jobs together: the waiting one starts, and both sides say so", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(libraryScenarios().find(({ id }) => id === "fragmentation")!.scenario);
  const before = await bench.startMs("train-1x8");
  await bench.seek(60 * MINUTE);
  await changePolicy(bench, { Defragmentation: { tick: true } });
  const startMs = await bench.startMs("train-1x8");
  expect(startMs).toBe(60 * MINUTE);
  expect(startMs).toBeLessThan(before);
  await bench.seek(61 * MINUTE);
  await bench.select("train-1x8");
  await expect(card(bench)).toContainText("room made by moving other jobs together");
  const moved = bench.region("Moved out of its way").getByRole("button", { name: /-3gpu$/ });
  const name = (await moved.first().textContent()) ?? "";
  await moved.first().click();
  await bench.idle();
  await expect(bench.page.getByRole("article", { name: `Job ${name}` })).toBeVisible();
  await expect(bench.region("Moved for").getByRole("button", { name: "train-1x8" })).toBeVisible();
});
