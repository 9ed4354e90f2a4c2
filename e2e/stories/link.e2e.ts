/** The address bar is the link: it carries everything, back and forward walk it, and a damaged one costs nothing. */

import { expect, test } from "../base.ts";
import { BLOCKED, drawn, HOUR } from "../support/scenarios.ts";
import type { Workbench } from "../support/workbench.ts";

async function editTwice(bench: Workbench): Promise<void> {
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.seek(1 * HOUR);
  await bench.select("short");
  const edited = { ...BLOCKED, title: "Edited once" };
  await bench.open({
    ...edited,
    interventions: [
      {
        kind: "policy",
        atMs: 1 * HOUR,
        policy: { preset: "lab", settings: { backfill: "easy" } },
      },
    ],
  });
  await bench.seek(1 * HOUR + 1);
  await bench.select("short");
}

test("the address bar is the link: elsewhere it opens the same digest, cursor and selection", async ({
  bench,
  stranger,
}) => {
  await editTwice(bench);
  const other = await stranger();
  await other.visit(bench.link());
  expect(await other.digest()).toBe(await bench.digest());
  expect(other.view()).toEqual(bench.view());
  expect(other.view().cursorMs).toBe(1 * HOUR + 1);
  expect(other.view().selection?.kind).toBe("job");
  expect(await other.scenario()).toEqual(await bench.scenario());
});

test("copying the link is one click and gives the address bar's text", async ({
  bench,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.click("Copy link");
  const copied = await bench.page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(bench.link());
});

test("back and forward walk the documents and never do nothing", async ({ bench }) => {
  await bench.visit();
  const first = await bench.digest();
  await bench.open(BLOCKED);
  const second = await bench.digest();
  await bench.open(drawn(3));
  const third = await bench.digest();
  expect(new Set([first, second, third]).size).toBe(3);
  const walk = async (step: "goBack" | "goForward", digest: string) => {
    await bench.page[step]();
    await expect.poll(() => bench.digest()).toBe(digest);
    await bench.idle();
  };
  await walk("goBack", second);
  await walk("goBack", first);
  await walk("goForward", second);
  await walk("goForward", third);
});

test("the link is what a reload and a second tab open", async ({ bench, secondTab }) => {
  await editTwice(bench);
  const digest = await bench.digest();
  const view = bench.view();
  const link = bench.link();
  await bench.page.reload();
  await bench.idle();
  expect(await bench.digest()).toBe(digest);
  expect(bench.view()).toEqual(view);
  const tab = await secondTab();
  await tab.goto(link);
  await tab.waitForFunction(() => window.queuescope !== undefined);
  await tab.evaluate(() => window.queuescope.idle());
  expect(await tab.evaluate(() => window.queuescope.digest())).toBe(digest);
});

/** Changes one letter in the middle of the scenario's code, to another letter of its alphabet. */
function flipped(link: string): string {
  const [head = "", tail = ""] = link.split("s=", 2);
  const end = tail.indexOf("&") < 0 ? tail.length : tail.indexOf("&");
  const middle = Math.floor(end * 0.6);
  const letter = tail[middle] === "A" ? "B" : "A";
  return `${head}s=${tail.slice(0, middle)}${letter}${tail.slice(middle + 1)}`;
}

const broken: readonly (readonly [string, (link: string) => string])[] = [
  ["with one letter changed", flipped],
  ["cut in the middle", (link) => link.slice(0, link.indexOf("s=") + 30)],
  ["of a version to come", (link) => link.replace(/#.*/, "#s=9.AAAA")],
  ["of version 0", (link) => link.replace(/#.*/, "#s=0.AAAA")],
  ["of nonsense", (link) => link.replace(/#.*/, "#s=%F0%9F%92%A9&d=zz&w=%00")],
];

for (const [what, damage] of broken) {
  test(`a link ${what} says so in words, and the page stays of use`, async ({
    bench,
    stranger,
  }) => {
    await bench.visit();
    await bench.open(BLOCKED);
    const other = await stranger();
    await other.visit(damage(bench.link()));
    await expect(other.alerts().first()).toContainText(/link/i);
    await expect(other.alerts().first()).not.toContainText(/undefined|\[object|NaN|Error:/);
    await other.open(BLOCKED);
    expect(await other.digest()).toBe(await bench.digest());
  });
}

test("pasting a damaged link over open work keeps the work", async ({ bench }) => {
  await bench.visit();
  await bench.open(BLOCKED);
  const digest = await bench.digest();
  const damaged = flipped(bench.link());
  await bench.page.evaluate((address) => {
    location.hash = new URL(address).hash;
  }, damaged);
  await expect(bench.alerts().first()).toContainText(/link/i);
  await bench.idle();
  expect(await bench.digest()).toBe(digest);
});

test("a view that cannot be read is ignored: the scenario opens all the same", async ({
  bench,
  stranger,
}) => {
  await bench.visit();
  await bench.open(BLOCKED);
  const other = await stranger();
  await other.visit(bench.link().replace(/w=[^&]*/, "w=7.cZZ.%E2%98%83"));
  expect(await other.digest()).toBe(await bench.digest());
});

test("a digest of another engine is told, not hidden", async ({ bench, stranger }) => {
  await bench.visit();
  await bench.open(BLOCKED);
  const other = await stranger();
  await other.visit(bench.link().replace(/d=[^&]*/, "d=00000000"));
  await expect(
    other.page
      .getByText(/digest|result/i)
      .filter({ hasText: "00000000" })
      .first(),
  ).toBeVisible();
});
