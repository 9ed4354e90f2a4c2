/** A platform engineer asks where waiting comes from: in short, over time, by tier, and which jobs are behind a cause. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";

test("the run says where its waiting comes from; a cause leads to its jobs, by keyboard", async ({
  bench,
}) => {
  await bench.visit();
  await bench.press("Escape");
  const short = bench.page.getByRole("region", { name: "Where waiting comes from" });
  await expect(short).toContainText("behind others");
  await bench.press("q");
  const drawer = bench.page.locator(".waiting.table-drawer");
  const order = drawer.getByRole("button", { name: /^behind others/ });
  await expect(order).toContainText("326");
  await order.focus();
  await bench.page.keyboard.press("Enter");
  const jobs = drawer.getByRole("grid", { name: "Jobs that waited: behind others" });
  await expect(jobs.getByRole("row").nth(1)).toBeVisible();
  await jobs.focus();
  await bench.page.keyboard.press("Enter");
  await bench.idle();
  expect(bench.view().selection).not.toBeNull();
  await drawer.getByRole("button", { name: "By tier" }).click();
  await expect(drawer.getByRole("row", { name: /^all/ })).toContainText("552");
  const { violations } = await new AxeBuilder({ page: bench.page })
    .include(".waiting.table-drawer")
    .analyze();
  expect(violations).toEqual([]);
  await bench.press("q");
  await expect(drawer).toHaveCount(0);
});
