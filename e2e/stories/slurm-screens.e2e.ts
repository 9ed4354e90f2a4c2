/** What the page shows of a run under Slurm: tables as the commands print them, the card of a job, the lane of passes, reservations. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";
import { BLOCKED, HOUR, MINUTE } from "../support/scenarios.ts";
import { SLURM } from "../support/slurm.ts";
import type { Workbench } from "../support/workbench.ts";

async function open(bench: Workbench, atMs: number): Promise<void> {
  await bench.visit();
  await bench.open(SLURM);
  await bench.seek(atMs);
}

test("the queue table is squeue, with sprio, sshare and reservations beside it", async ({
  bench,
}) => {
  await open(bench, 45 * MINUTE);
  await bench.press("t");
  const squeue = bench.page.getByRole("grid", { name: "squeue" });
  for (const column of ["JOBID", "PRIORITY", "NODELIST(REASON)", "START_TIME", "SCHEDNODES"])
    await expect(squeue.getByRole("columnheader", { name: column, exact: true })).toBeVisible();
  const rows = squeue.getByRole("row");
  const priorities = await rows.evaluateAll((list) =>
    list.slice(1).map((row) => Number(row.children[5]?.textContent)),
  );
  expect(priorities.length).toBeGreaterThan(4);
  expect(priorities).toEqual([...priorities].sort((a, b) => b - a));
  await expect(squeue.getByText("(Dependency)")).toBeVisible();

  await squeue.focus();
  await bench.press("ArrowDown", "Enter");
  await expect(rows.nth(2)).toHaveAttribute("aria-selected", "true");

  await bench.click("sprio -l");
  const sprio = bench.page.getByRole("grid", { name: "sprio" });
  await expect(sprio.getByRole("columnheader", { name: "FAIRSHARE" })).toBeVisible();
  await bench.click("sshare -l");
  const sshare = bench.page.getByRole("grid", { name: "sshare" });
  await expect(sshare.getByRole("columnheader", { name: "LevelFS" })).toBeVisible();
  await expect(sshare.getByText("inf")).toBeVisible();
  await bench.click("scontrol show reservation");
  await expect(bench.page.getByText("maint-n4").first()).toBeVisible();
  await bench.click("passes");
  const passes = bench.page.getByRole("grid", { name: "Passes" });
  await expect(passes.getByText("backfill").first()).toBeVisible();
});

test("the card of a waiting job takes its priority apart and walks the Fair Tree", async ({
  bench,
}) => {
  await open(bench, 45 * MINUTE);
  await bench.select("105");
  const card = bench.page.getByRole("article", { name: /^Job 105/ });
  await expect(card.getByText("PENDING (Resources)")).toBeVisible();
  await expect(card.locator("p", { hasText: "It is next in its partition" })).toBeVisible();
  const priority = card.getByRole("region", { name: "Priority" });
  await expect(priority.getByRole("rowheader", { name: "Fair share" })).toBeVisible();
  const points = await priority
    .locator("tbody tr td:last-child")
    .evaluateAll((cells) => cells.map((cell) => Number(cell.textContent)));
  const sum = Number(await priority.locator("tfoot td").textContent());
  expect(Math.abs(points.reduce((a, b) => a + b, 0) - sum)).toBeLessThanOrEqual(points.length);
  const tree = card.getByRole("region", { name: "Fair Tree" });
  await expect(tree.locator("[aria-current]")).toHaveText([/language/, /cleo/]);
  await card.getByText("Which nodes were considered").click();
  await expect(card.getByRole("table", { name: "What removed nodes" })).toContainText(
    "Nodes of its pool",
  );
  await bench.select("107");
  await expect(
    bench.page.getByRole("region", { name: "Depends on" }).getByText("afterok:103"),
  ).toBeVisible();
  await bench.select("101");
  await expect(bench.page.getByText("n1:0-7 n2:0-7")).toBeVisible();
});

test("the lane of passes is stepped through by keys, and tells each pass", async ({ bench }) => {
  await open(bench, 30 * MINUTE);
  const lane = bench.region("Passes of the schedulers");
  await expect(lane).toBeVisible();
  await lane.getByRole("group").focus();
  await bench.press("ArrowRight");
  await expect(lane.getByRole("status")).toContainText("backfill pass at Day 1 00:30:30");
  await bench.press("Alt+.");
  expect(bench.view().cursorMs).toBe(31 * MINUTE);
  await bench.press("Alt+,", "Alt+,");
  expect(bench.view().cursorMs).toBe(30 * MINUTE);
});

test("a node in its maintenance window is MAINT, and a run without Slurm has no lane", async ({
  bench,
}) => {
  await open(bench, 6 * HOUR + 10 * MINUTE);
  const gantt = await bench.page.locator(".gantt-scroll").boundingBox();
  await bench.page.mouse.click(gantt!.x + 190, gantt!.y + gantt!.height - 60);
  await bench.idle();
  await expect(bench.page.getByText("In Slurm: MAINT, reservation maint-n4")).toBeVisible();
  await bench.open(BLOCKED);
  await expect(bench.region("Gantt")).toBeVisible();
  await expect(bench.region("Passes of the schedulers")).toHaveCount(0);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`no accessibility violation on Slurm’s screens, ${colorScheme}`, async ({ bench }) => {
    test.slow();
    await bench.page.emulateMedia({ colorScheme });
    await open(bench, 45 * MINUTE);
    await bench.select("107");
    await bench.press("t");
    for (const tab of ["squeue", "sprio -l", "sshare -l", "scontrol show reservation", "passes"]) {
      await bench.click(tab);
      const { violations } = await new AxeBuilder({ page: bench.page }).analyze();
      expect
        .soft(
          violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`),
          tab,
        )
        .toEqual([]);
    }
  });
}
