/** A reader gives the strips other heights and keeps a future: both are in the link that somebody else opens. */
import { expect, test } from "../base.ts";
import { BLOCKED } from "../support/scenarios.ts";
import type { Workbench } from "../support/workbench.ts";

const handle = (bench: Workbench) =>
  bench.page.getByRole("separator", { name: "Height of the queues" });
const height = async (bench: Workbench) =>
  Number(await handle(bench).getAttribute("aria-valuenow"));

test("strips are resized with keys, remembered, sent with the link on wish, and reset; a kept future comes along", async ({
  bench,
  stranger,
}) => {
  await bench.visit();
  await bench.open(BLOCKED);
  const usual = await height(bench);
  await handle(bench).focus();
  for (let step = 0; step < 3; step++) await bench.press("ArrowUp");
  expect(await height(bench)).toBe(usual + 48);
  await bench.page.reload();
  await bench.idle();
  expect(await height(bench)).toBe(usual + 48);
  await bench.press("k");
  await bench.editor("Policy");
  await bench.chooseBackfill("EASY");
  await bench.apply();
  await bench.press("u");
  await bench.dialog().getByLabel("With my layout").check();
  const field = bench.dialog().getByLabel(/Link to this moment/);
  await expect(field).toHaveValue(/&y=1\.q.*&k=1:/);
  const link = await field.inputValue();
  const other = await stranger();
  await other.visit(link);
  expect(await height(other)).toBe(usual + 48);
  await expect.poll(() => other.page.url()).toBe(link);
  expect(await other.digest()).toBe(await bench.digest());
  await other.press("c");
  const futures = other.page.getByRole("main", { name: "Futures side by side" });
  await expect(futures.getByText("B", { exact: true }).first()).toBeVisible();
  await other.press("c");
  await expect(handle(other)).toBeVisible();
  await other.press("Control+k");
  await other.page.keyboard.type("reset the layout");
  await other.press("Enter");
  await expect(handle(other)).toHaveAttribute("aria-valuenow", String(usual));
  await expect.poll(() => other.page.url()).not.toContain("&y=");
});
