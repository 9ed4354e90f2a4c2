/** Somebody opens the scenario of Kueue and gives its queues other names: what is told before and after it is applied is of the YAML that holds. */
import { expect, test } from "../base.ts";

test("under the title of a scenario that opens no bar of the one before is to be seen", async ({
  bench,
}) => {
  const { page } = bench;
  await bench.visit();
  // What stands in the Gantt when the title becomes another: the worker cannot have answered by then.
  await page.evaluate(() => {
    const title = document.querySelector("h1")!;
    const before = title.textContent;
    const seen = globalThis as unknown as { opacityAtTitle?: string };
    new MutationObserver(() => {
      const gantt = document.querySelector(".slot-gantt");
      if (document.querySelector("h1")?.textContent === before || !gantt) return;
      seen.opacityAtTitle ??= getComputedStyle(gantt).opacity;
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await page.keyboard.press("Control+k");
  await bench.dialog().getByRole("combobox").fill("kueue-bin-packing");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Kueue with bin packing");
  await bench.idle();
  expect(
    await page.evaluate(() => (globalThis as { opacityAtTitle?: string }).opacityAtTitle),
  ).toBe("0");
  await expect(page.locator(".slot-gantt")).toHaveCSS("opacity", "1");
});

test("a queue that a new YAML takes away is warned of, told by object, and leaves no text behind", async ({
  bench,
}) => {
  const { page } = bench;
  await bench.visit();
  await page.keyboard.press("Control+k");
  await bench.dialog().getByRole("combobox").fill("kueue-bin-packing");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Kueue with bin packing");
  await bench.idle();
  const proposal = page.getByRole("button", { name: /^Nobody passes the head at/ });
  await expect(proposal).toBeVisible();
  await bench.editor("Policy");
  const text = page.getByLabel("YAML of the policy");
  const yaml = (await text.inputValue())
    .replaceAll("name: research", "name: team-b")
    .replaceAll("clusterQueue: research", "clusterQueue: team-b");
  await text.fill(yaml);
  const form = page.locator("form.editor");
  await expect(form).toContainText("1 job names a queue that this YAML does not have: research.");
  await expect(form).toContainText("ClusterQueue research: there → removed");
  await expect(form).toContainText("LocalQueue team-b: none → added");
  await bench.apply();
  const card = page.getByRole("article", { name: "Job large" });
  await expect(card).toContainText("its queue does not exist");
  await expect(card.getByRole("meter")).toHaveCount(0);
  await expect(proposal).toHaveCount(0);
  await expect(page.locator(".head-note")).toHaveCount(0);
  await expect(page.locator(".effect-sentence")).toContainText(/^1.job no longer starts, /);
  await expect(page.locator(".effect-sentence")).toContainText("27 before, 26 now");
  await expect(page.locator(".changes")).toContainText("ClusterQueue research: there → removed");
  const charts = page.getByLabel("Which numbers are drawn");
  await expect(charts.getByRole("option").last()).toContainText(
    "research: nvidia.com/gpu of h100: quota, until Mon 2 Mar 10:30",
  );
});

test("a notice is told whole beside the legend, and on a phone the title is", async ({ bench }) => {
  const { page } = bench;
  await page.setViewportSize({ width: 1440, height: 900 });
  await bench.visit();
  await page.keyboard.press("Control+k");
  await bench.dialog().getByRole("combobox").fill("kueue-bin-packing");
  await page.keyboard.press("Enter");
  const notice = page.getByRole("region", { name: "Notice" }).locator("span").first();
  await expect(notice).toHaveText("“Kueue with bin packing on 64 GPUs” opened.");
  const isCut = (element: HTMLElement | SVGElement) => element.scrollWidth > element.clientWidth;
  // A line of text has no width of its own: its box is that of the line.
  expect(await notice.evaluate(isCut)).toBe(false);
  await bench.idle();
  await page.setViewportSize({ width: 390, height: 844 });
  await bench.idle();
  const title = page.getByRole("heading", { level: 1 });
  expect(await title.evaluate(isCut)).toBe(false);
  expect((await title.boundingBox())?.width).toBeGreaterThan(250);
});
