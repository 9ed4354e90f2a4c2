/** Queues: who is first and who may pass, the bars of quotas, and what a search finds as a table. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";
import type { Workbench } from "../support/workbench.ts";

/** Opens an entry of the library by the palette. */
async function openEntry(bench: Workbench, title: string): Promise<void> {
  await bench.press("Control+k");
  const dialog = bench.dialog();
  await expect(dialog).toBeVisible();
  await bench.page.keyboard.type(title);
  await expect(dialog.getByRole("option").first()).toContainText(title);
  await bench.page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await bench.idle();
}

test("above the lanes the first of the queue is named, with who may pass; a press selects it", async ({
  bench,
}) => {
  await bench.visit();
  await bench.press("Escape");
  const note = bench.page.locator(".head-note");
  await expect(note).toContainText("nobody passes it");
  await note.getByRole("button").focus();
  await bench.page.keyboard.press("Enter");
  await bench.idle();
  expect(bench.view().selection).not.toBeNull();
  await bench.page
    .getByRole("button", { name: /^Turn backfill on/ })
    .first()
    .click();
  await bench.idle();
  await expect(note).toContainText(/behind it may pass who ends by \d\d:\d\d/);
});

test("a team that borrows and one that lends are told apart by words and letters", async ({
  bench,
}) => {
  await bench.visit();
  await openEntry(bench, "Whose GPUs are these?");
  await bench.press("2", "t");
  await bench.button("Shares").click();
  const shares = bench.page.getByRole("grid", { name: "Shares" });
  await expect(shares.getByRole("img", { name: /24 borrowed; quota 32/ })).toContainText("B");
  await expect(shares.getByRole("img", { name: /24 lent; quota 32/ })).toContainText("L");
  const { violations } = await new AxeBuilder({ page: bench.page })
    .include(".table-drawer")
    .analyze();
  expect(violations).toEqual([]);
});

test("ClusterQueues: who borrows, who lends, and the head that a row selects, by keyboard", async ({
  bench,
}) => {
  await bench.visit();
  await openEntry(bench, "Kueue with bin packing on 64 GPUs");
  const facts = bench.page.getByRole("region", { name: "In Kueue’s words" });
  await expect(facts).toContainText("waits for quota");
  await expect(facts).toContainText("ClusterQueue");
  await bench.press("2", "t");
  const tab = bench.button("ClusterQueues");
  await expect(tab).toBeVisible();
  await tab.focus();
  await bench.page.keyboard.press("Enter");
  const grid = bench.page.getByRole("grid", { name: "ClusterQueues" });
  await expect(grid.getByRole("img", { name: /borrowed; quota 32/ })).toBeVisible();
  await expect(grid.getByRole("img", { name: /lent; quota 32/ })).toBeVisible();
  await expect(grid).toContainText("no quota is free");
  await bench.select("p-1");
  await grid.getByText("large", { exact: true }).click();
  await expect.poll(() => bench.view().selection?.kind).toBe("job");
  await expect(facts).toContainText("research");
  const { violations } = await new AxeBuilder({ page: bench.page })
    .include(".table-drawer")
    .analyze();
  expect(violations).toEqual([]);
});

test("what a search finds stands in a table that selects", async ({ bench }) => {
  await bench.visit();
  await bench.press("Escape");
  await bench.press("/");
  await bench.page.keyboard.type("state:waiting");
  await expect(bench.button(/table of hits/)).toBeVisible();
  await bench.button(/table of hits/).click();
  const hits = bench.page.getByRole("grid", { name: "Search hits" });
  await expect(hits.getByRole("row").nth(1)).toContainText("waiting");
  await hits.focus();
  await bench.page.keyboard.press("ArrowDown");
  await bench.page.keyboard.press("Enter");
  await bench.idle();
  expect(bench.view().selection).not.toBeNull();
});
