/** A platform engineer asks why: the decision log, the nodes that were considered, and cards of a team, a device and a decision. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";

test("the decision log by keyboard: it opens, its rows take the cursor, it closes; a link opens the same decision", async ({
  bench,
  stranger,
}) => {
  await bench.visit();
  await bench.press("y");
  const drawer = bench.page.getByRole("region", { name: "Decision log" });
  const grid = drawer.getByRole("grid", { name: "Decisions of the run" });
  await expect(grid.getByRole("row").nth(1)).toBeVisible();
  await grid.focus();
  await bench.page.keyboard.press("Home");
  await bench.page.keyboard.press("ArrowDown");
  await bench.page.keyboard.press("Enter");
  await bench.idle();
  expect(bench.view().selection).toMatchObject({ kind: "job", decision: 1 });
  const card = bench.page.getByRole("article", { name: "Decision", exact: true });
  await expect(card).toContainText("2 of ");
  await expect(grid.getByRole("row", { selected: true })).toHaveCount(1);
  const { violations } = await new AxeBuilder({ page: bench.page })
    .include(".decisions.table-drawer")
    .include(".decision-card")
    .analyze();
  expect(violations).toEqual([]);
  const other = await stranger();
  await other.visit(bench.page.url().slice(new URL(bench.page.url()).origin.length));
  await expect(other.page.getByRole("article", { name: "Decision", exact: true })).toContainText(
    "2 of ",
  );
  await grid.focus();
  await bench.press("Escape");
  await expect(drawer).toHaveCount(0);
  await expect(bench.page.getByRole("application", { name: /who held/i })).toBeFocused();
});

test("the decision log by mouse: a filter narrows it, steps go along what is left, and a job's own steps along its own", async ({
  bench,
}) => {
  await bench.visit();
  await bench.press("y");
  const drawer = bench.page.getByRole("region", { name: "Decision log" });
  await expect(drawer.locator(".grid-caption").getByRole("status")).toContainText("26 decisions");
  await drawer.getByRole("combobox", { name: "Kind" }).selectOption("starts");
  await expect(drawer.locator(".grid-caption").getByRole("status")).toContainText(
    "13 of 26 decisions",
  );
  await drawer.getByRole("button", { name: "Filter columns" }).click();
  await drawer.getByRole("textbox", { name: "Filter job" }).fill("llm");
  await expect(drawer.getByRole("button", { name: /1 of 13 decisions/ })).toBeVisible();
  await drawer.getByRole("button", { name: "Filter columns" }).click();
  await drawer.getByRole("button", { name: "Next decision of the list" }).click();
  await bench.idle();
  await expect(bench.page.getByRole("article", { name: "Decision", exact: true })).toContainText(
    "Started",
  );
  await drawer.getByRole("button", { name: "Only the selected job" }).click();
  await expect(drawer.locator(".grid-caption").getByRole("status")).toContainText(
    "1 of 26 decisions",
  );
  await drawer.getByRole("combobox", { name: "Kind" }).selectOption("any");
  await expect(drawer.locator(".grid-caption").getByRole("status")).toContainText(
    "2 of 26 decisions",
  );
  const before = bench.view().cursorMs;
  await drawer.getByRole("button", { name: "Previous decision about the selected job" }).click();
  await bench.idle();
  expect(bench.view().cursorMs).toBeLessThan(before);
});

test("a waiting job says which nodes were considered; its team, a node's device and what they hold have cards", async ({
  bench,
}) => {
  await bench.visit();
  const inspector = bench.page.locator('[data-panel="inspector"]').first();
  await inspector.getByText("Which nodes were considered").click();
  await expect(inspector.getByRole("table", { name: "What removed nodes" })).toContainText(
    "with no GPU free",
  );
  await expect(inspector.getByText("2 nodes are left with room for it.")).toBeVisible();
  await expect(inspector.getByRole("region", { name: "What it has cost so far" })).toContainText(
    "behind other jobs",
  );
  await inspector.getByRole("button", { name: "team language" }).press("Enter");
  await expect(bench.page.getByRole("article", { name: "Team language" })).toContainText(
    "Uses 32 GPUs",
  );
  await bench.page.getByRole("button", { name: "llm-70b" }).first().click();
  await inspector.getByRole("button", { name: "h100-000" }).click();
  await inspector.getByRole("button", { name: "GPU 3", exact: true }).press("Enter");
  const device = bench.page.getByRole("article", { name: "GPU 3 of h100-000" });
  await expect(device).toContainText("Held by job llm-70b");
  await device.getByRole("button", { name: "Next GPU of the node" }).press("Enter");
  await expect(bench.page.getByRole("article", { name: "GPU 4 of h100-000" })).toBeVisible();
  await bench.idle();
  expect(bench.view().selection).toEqual({ kind: "gpu", device: 4 });
});
