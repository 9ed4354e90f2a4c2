/** The ML engineer whose job waits: finds it by its id, reads why, sees who holds what it needs, asks what would start it, and when a smaller one would. */
import { expect, test } from "../base.ts";
import { tabTo } from "../support/hands.ts";
import type { Workbench } from "../support/workbench.ts";

async function search(bench: Workbench, id: string): Promise<void> {
  await bench.page.keyboard.type(`job:${id}`);
  await bench.press("Enter");
}

/** The card of the job as it stands at the cursor: the reason, and the jobs that must end first. */
async function readsWhy(bench: Workbench, id: string): Promise<void> {
  const card = bench.page.getByRole("article", { name: `Job ${id}` });
  await expect(card).toContainText(/waits/i);
  await expect(card).toContainText(/behind|needs|free/);
  const frees = card.getByRole("region", { name: "What frees the rest" });
  await expect(frees.getByRole("listitem").first()).toContainText(/\d\d:\d\d/);
}

test("by mouse: the search, the reason, who must end, what would start it, when one GPU less would", async ({
  bench,
}) => {
  await bench.visit();
  await bench.page.getByRole("textbox", { name: "Search jobs" }).click();
  await search(bench, "moe-6x8");
  await readsWhy(bench, "moe-6x8");
  await bench.click("What would start it now?");
  const answers = bench.region("What would start it now");
  await expect(answers.getByRole("status")).toContainText(/Each alone would|None of these alone/, {
    timeout: 30_000,
  });
  await bench.click(/^Inject/);
  const form = bench.page.locator("form.editor");
  await form.getByLabel("GPUs", { exact: true }).fill("4");
  await form.getByRole("button", { name: "When would it start?" }).click();
  await expect(form.locator(".when-start")).toContainText(/would start/, { timeout: 20_000 });
});

test("by keyboard alone: the same road", async ({ bench }) => {
  await bench.visit();
  const before = await bench.digest();
  await bench.press("/");
  await search(bench, "moe-6x8");
  await readsWhy(bench, "moe-6x8");
  await bench.press("Escape");
  await tabTo(bench, bench.button("What would start it now?"));
  await bench.press("Enter");
  const answers = bench.region("What would start it now");
  await expect(answers.getByRole("status")).toContainText(/Each alone would|None of these alone/, {
    timeout: 30_000,
  });
  await bench.press("j");
  const form = bench.page.locator("form.editor");
  await tabTo(bench, form.getByLabel("GPUs", { exact: true }));
  await bench.page.keyboard.press("Control+a");
  await bench.page.keyboard.type("4");
  await tabTo(bench, form.getByRole("button", { name: "When would it start?" }));
  await bench.press("Enter");
  await expect(form.locator(".when-start")).toContainText(/would start/, { timeout: 20_000 });
  expect(await bench.digest(), "asking changes nothing").toBe(before);
});
