/** About: versions, what lies on this device and its deletion, the policy that is enforced, the licences of the page. */
import { expect, test } from "../base.ts";

// Also what the browser keeps of the program would count as network here.
test.use({ fresh: true });

test("About says what is kept, deletes it when asked twice, names the policy and the licences, and asks no network", async ({
  bench,
}) => {
  await bench.visit();
  await bench.page.evaluate(() => localStorage.setItem("queuescope.theme", "light"));
  const requests: string[] = [];
  bench.page.on("request", (request) => requests.push(request.url()));
  await bench.click("Help");
  await bench.click("About Queuescope");
  const about = bench.dialog("About Queuescope");
  await expect(about).toContainText(/Version \d+\.\d+\.\d+ · engine \d+/);
  await expect(about).toContainText("connect-src 'self'");
  await expect(about.getByRole("row").filter({ hasText: "Preferences" })).toBeVisible();
  await about.getByRole("button", { name: "Delete: Preferences" }).click();
  await about.getByRole("button", { name: "Delete for good: Preferences" }).click();
  await expect(about.getByRole("row").filter({ hasText: "Preferences" })).toHaveCount(0);
  expect(await bench.page.evaluate(() => localStorage.getItem("queuescope.theme"))).toBeNull();
  const licence = about.locator("details").filter({ hasText: "MIT react 19" });
  await licence.locator("summary").click();
  await expect(licence.locator("pre")).toContainText("Permission is hereby granted");
  expect(requests).toEqual([]);
});
