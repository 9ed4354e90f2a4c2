/**
 * The digest in Firefox equals the digest in Node: its engine, SpiderMonkey, shares no code with V8, so equality here means that
 * nothing in a run depends on one engine's arithmetic. Driven by WebDriver BiDi through puppeteer-core; `run.mjs` finds the browser.
 */
import { expect, test } from "@playwright/test";
import type { Browser, Page } from "puppeteer-core";
import { launch } from "puppeteer-core";
import { runInNode } from "../support/headless.ts";
import { libraryScenarios } from "../support/library.ts";
import { drawn } from "../support/scenarios.ts";

let browser: Browser;
let page: Page;
const complaints: string[] = [];

test.beforeAll(async ({ baseURL }) => {
  browser = await launch({
    browser: "firefox",
    executablePath: process.env.QUEUESCOPE_FIREFOX ?? "firefox",
    headless: true,
  });
  page = await browser.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${baseURL}/`);
  // Not by `waitForFunction`, which builds a function from text: the page's Content-Security-Policy forbids that.
  await expect.poll(() => page.evaluate(() => window.queuescope !== undefined)).toBe(true);
  await page.evaluate(() => window.queuescope.idle());
});

test.afterAll(() => browser.close());

const cases: readonly (readonly [string, unknown])[] = [
  ...libraryScenarios().map(({ id, scenario }) => [`library: ${id}`, scenario] as const),
  ["drawn from a seed", drawn(20_261)],
];
for (const [name, scenario] of cases) {
  test(`Firefox and Node agree on the digest of ${name}`, async () => {
    const digest = await page.evaluate(async (given) => {
      await window.queuescope.open(given);
      await window.queuescope.idle();
      return window.queuescope.digest();
    }, scenario as object);
    expect(digest).toBe((await runInNode(scenario)).digest);
  });
}

test("Firefox's console stayed silent", () => expect(complaints).toEqual([]));
