/** What holds for the built page on every host: its policy, its paths, its silence. */
import { expect, test } from "./base.ts";

test.use({ fresh: true });

test("the page opens without console error, policy report or foreign request", async ({ page }) => {
  await page.goto("/");
  await expect(page.locator("#root > *").first()).toBeVisible();
  await expect(page).toHaveTitle(/Queuescope/);
});

test("the watch over every test sees a planted error, a planted script and a planted request", async ({
  page,
  watch,
}) => {
  await page.goto("/");
  await page.evaluate(() => {
    console.error("planted error");
    const script = document.createElement("script");
    script.textContent = "window.planted = true";
    document.head.append(script);
    void fetch("https://elsewhere.invalid/").catch(() => undefined);
  });
  await expect
    .poll(() => watch.complaints.join("\n"))
    .toMatch(/planted error.*policy violation: script-src.*policy violation: connect-src/s);
  expect(await page.evaluate(() => "planted" in window)).toBe(false);
  watch.forgive(/planted error|policy|elsewhere|Content Security/i);
});

test("the policy in the page itself allows no inline script and no evaluation", async ({
  page,
}) => {
  await page.goto("/");
  const policy = await page
    .locator('meta[http-equiv="Content-Security-Policy"]')
    .getAttribute("content");
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
});

test("a path that names no file leads to the page and keeps the fragment", async ({ page }) => {
  await page.goto("/some/screen#w=1");
  await expect(page.locator("#root > *").first()).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/");
});
