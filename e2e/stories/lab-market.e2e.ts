/** Who gets devices when: auctions, rounds of time slices, windows. Each chosen in its form, seen in a real run. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";
import { BIDS, TURNS } from "../support/lab.ts";
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
import { BLOCKED, HOUR, MINUTE } from "../support/scenarios.ts";

test("unused quota is auctioned: price and credits as curves, and the outbid job says so", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(BIDS);
  await changeRules(bench, "Teams and quotas", async (dialog) => {
    await dialog.getByLabel("Budget (credits) of red").fill("500");
  });
  await bench.seek(0);
  await changePolicy(bench, {
    Quotas: { choose: "Hard quota, auctioned rest" },
    Clearing: { type: "15m" },
  });
  // cheap wins alone, for nothing; dear wins at 00:30, and pays what cheap has bid.
  await bench.seek(20 * MINUTE);
  const price = await gauge(bench, "Price of the auction");
  await expect(price).toHaveText(/^0/);
  await bench.select("cheap");
  await expect(card(bench)).toContainText("Started on capacity won in the auction.");
  await expect(card(bench)).toContainText("1.00 credits a GPU-hour");
  await bench.seek(40 * MINUTE);
  await expect(price).toHaveText(/^1/);
  await expect(card(bench)).toContainText("it has not won in the auction");
  await expect(await decision(bench, /Stopped, to wait again: outbid/)).toBeVisible();
  const credits = await gauge(bench, "Credits");
  await bench.seek(80 * MINUTE);
  await expect.poll(async () => Number(await credits.textContent())).toBeLessThan(500);
  // Blue comes for what is its own: whoever has bought it gives it back.
  const table = await ganttTable(bench, "Runs");
  await expect(table.getByRole("row", { name: /cheap.*outbid/ })).toBeVisible();
  await expect(table.getByRole("row", { name: /cheap.*its quota was reclaimed/ })).toBeVisible();
});

test("with rounds, jobs take turns: bars are cut, rounds have teeth, and table, ear and log say so", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(TURNS);
  await bench.seek(0);
  await changePolicy(bench, { Order: { choose: "Tiresias" }, Round: { type: "20m" } });
  const runs = await bench.schedule();
  const cut = runs.find(({ id }) => runs.filter((one) => one.id === id).length > 1)!;
  expect(cut.endMs! % (20 * MINUTE)).toBe(0);
  await bench.seek(cut.endMs! + MINUTE);
  await expect(legend(bench).getByText("gave way at a round")).toBeVisible();
  await expect(await decision(bench, /Round: \d\sjobs? gave way/)).toBeVisible();
  expect(await tipAt(bench, "Round at", cut.endMs!)).toContain("gave way");
  await bench.seek(0);
  expect(await walked(bench, ["ArrowRight", "ArrowDown", "ArrowUp"])).toContain(
    "gave way at a round",
  );
  const table = await ganttTable(bench, "Runs");
  await expect(table.getByRole("row", { name: /gave way at a round/ }).first()).toBeVisible();
  await bench.click("Nodes and rounds");
  const nodes = bench.page.getByRole("grid", { name: "Nodes and rounds" });
  await expect(
    nodes.getByRole("row", { name: /pool all round: \d\sjobs? gave way/ }).first(),
  ).toBeVisible();
});

test("a maintenance window: who might reach into it waits and says so, who is through in time passes", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(TURNS);
  await changeRules(bench, "Windows", async (dialog) => {
    await dialog.getByRole("button", { name: "Add a window" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("firmware");
    await dialog.getByLabel("Begins").fill("4 h");
    await dialog.getByLabel("Lasts").fill("1 h");
    await dialog.getByLabel("Nodes by name").fill("n-001");
  });
  await bench.press("0");
  await bench.seek(3 * HOUR);
  await expect(legend(bench).getByText("reserved", { exact: true })).toBeVisible();
  expect(await tipAt(bench, "Maintenance: firmware", 4.5 * HOUR)).toContain("1 node");
  // beta may take five hours, and n-000 is held: gamma, which will be through in time, passes it.
  expect(await bench.startMs("gamma")).toBe(20 * MINUTE);
  expect(await bench.startMs("beta")).toBe(3 * HOUR);
  await bench.seek(10 * MINUTE);
  await bench.select("beta");
  await expect(card(bench)).toContainText("its limit reaches into a window");
});

test("nodes are reserved at the cursor for maintenance: who would be in the way waits until it is over", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(BLOCKED);
  expect(await bench.startMs("wide")).toBe(4 * HOUR);
  await bench.seek(HOUR);
  await bench.editor("Drain");
  await bench.click("Create a reservation instead");
  const form = bench.page.locator("form.editor");
  await form.getByLabel("Name", { exact: true }).fill("rack work");
  await form.getByLabel("Kept", { exact: true }).selectOption({ label: "for maintenance" });
  await form.getByLabel("Begins in").fill("3 h 30 m");
  await form.getByLabel("Lasts").fill("1 h");
  await form.getByLabel("Nodes", { exact: true }).fill("n-009");
  await expect(form.getByRole("alert")).toContainText("n-009");
  const { violations } = await new AxeBuilder({ page: bench.page })
    .include("[data-panel=inspector]")
    .analyze();
  expect(violations).toEqual([]);
  await form.getByLabel("Nodes", { exact: true }).fill("n-001");
  await expect(form.getByRole("alert")).toHaveCount(0);
  await bench.apply();
  await expect
    .poll(async () => (await bench.scenario()).interventions)
    .toMatchObject([{ kind: "reserve", nodes: "n-001", flags: ["MAINT"] }]);
  await bench.idle();
  expect(await bench.startMs("wide")).toBe(5.5 * HOUR);
  await bench.press("0");
  await bench.seek(4.2 * HOUR);
  await bench.select("wide");
  await expect(card(bench)).toContainText("its limit reaches into a window");
  await expect(legend(bench).getByText("reserved", { exact: true })).toBeVisible();
  expect(await tipAt(bench, "Maintenance: rack work", 5 * HOUR)).toContain("04:30 to 05:30");
  await bench.undo();
  expect(await bench.startMs("wide")).toBe(4 * HOUR);
});
