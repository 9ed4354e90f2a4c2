/** What a run of the policy lab looks like: states of a job's life, lost work, slices, windows, and the card that tells of them. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";
import { SLICES } from "../support/lab.ts";
import { card, changePolicy, legend, tipAt, walked } from "../support/labForms.ts";
import { libraryScenarios } from "../support/library.ts";
import { HOUR, MINUTE } from "../support/scenarios.ts";

function library(id: string) {
  const found = libraryScenarios().find((one) => one.id === id);
  if (!found) throw new Error(`no ${id} in the library`);
  return found.scenario;
}

test("a checkpoint is a bar of its own, in the legend and for the ear", async ({ bench }) => {
  await bench.visit();
  await bench.open(library("lab-preemption"));
  await bench.seek(5 * MINUTE);
  const legend = bench.page.getByRole("list", { name: "Legend" });
  for (const name of ["saves", "starts up"])
    await expect(legend.getByText(name, { exact: true })).toBeVisible();
  await expect(legend.getByText("hangs")).toHaveCount(0);
  await bench.seek(0);
  expect(await walked(bench, ["ArrowRight", "ArrowRight", "ArrowRight"])).toContain(
    "saves its state",
  );
});

test("reading the state back after a preemption is a bar of its own, in the legend, the tip and for the ear", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(library("lab-preemption"));
  await bench.seek(105 * MINUTE);
  await expect(legend(bench).getByText("restores", { exact: true })).toHaveCount(0);
  await changePolicy(bench, { Preemption: { choose: "Graceful" } });
  const runs = await bench.schedule();
  const again = runs.find(
    ({ id, startMs }) =>
      (startMs ?? 0) > 105 * MINUTE &&
      runs.some((run) => run.id === id && run.endMs !== null && run.endMs <= (startMs ?? 0)),
  );
  const { id, startMs } = again!;
  // Two minutes to start up, then three to read back.
  const atMs = startMs! + 3.5 * MINUTE;
  await bench.seek(atMs);
  await expect(legend(bench).getByText("restores", { exact: true })).toBeVisible();
  await bench.select(id);
  await expect(card(bench)).toContainText("It reads its state back");
  expect(await tipAt(bench, "Reads its state back", atMs)).toContain(id);
  await bench.seek(startMs! - MINUTE);
  expect(await walked(bench, ["ArrowRight", "ArrowRight", "ArrowRight"])).toMatch(
    new RegExp(`Job ${id}.*restores its state`),
  );
});

test("the card tells when a job saved and what a stop would lose, and names who preempted it", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open({
    ...library("lab-quota"),
    interventions: [
      {
        kind: "policy",
        atMs: 185 * MINUTE,
        policy: {
          settings: {
            backfill: "easy",
            quota: "reclaim",
            preemption: "requeue",
            victims: "mostOverShare",
          },
        },
      },
    ],
  });
  await bench.seek(4 * HOUR);
  await expect(
    bench.page.getByRole("list", { name: "Legend" }).getByText("lost work"),
  ).toBeVisible();
  const stopped = (await bench.schedule())
    .filter((run) => run.id.startsWith("product-"))
    .map((run) => run.id);
  await bench.select("product-1");
  const facts = bench.region("Facts of the job");
  await expect(facts.getByText("Last saved")).toBeVisible();
  await expect(facts.getByText(/of work$/)).toBeVisible();
  const ties = bench.region("Preempted for");
  let named = 0;
  for (const id of new Set(stopped)) {
    await bench.select(id);
    await expect(bench.page.getByRole("article", { name: `Job ${id}` })).toBeVisible();
    named += await ties.getByRole("button", { name: /^research-/ }).count();
  }
  expect(named).toBeGreaterThan(0);
});

test("slices and shares are parts of a row; windows stand on the nodes that are kept", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(SLICES);
  await bench.seek(30 * MINUTE);
  const legend = bench.page.getByRole("list", { name: "Legend" });
  await expect(legend.getByText("part of a device")).toBeVisible();
  await expect(legend.getByText("reserved")).toBeVisible();
  const gantt = bench.page.getByRole("application", { name: /^Who held which/ });
  const box = (await gantt.boundingBox())!;
  const tip = bench.page.locator(".gantt-tip");
  const heard = new Set<string>();
  for (let y = 4; y < box.height; y += 4) {
    const gutter = await bench.page.locator(".gantt-gutter").evaluate((el) => el.clientWidth);
    await bench.page.mouse.move(box.x + gutter + 60, box.y + y);
    const text = (await tip.textContent()) ?? "";
    for (const part of text.match(/MIG \S+ from place \d|0\.\d+ of a GPU/g) ?? []) heard.add(part);
  }
  expect(heard).toContain("MIG 3g.40gb from place 0");
  expect([...heard].filter((part) => part.endsWith("of a GPU")).length).toBeGreaterThan(0);
  const { violations } = await new AxeBuilder({ page: bench.page }).analyze();
  expect(violations).toEqual([]);
});
