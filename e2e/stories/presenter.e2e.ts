/** The presenter: a room, a projector of 1280 × 720 and a clicker. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";
import { BLOCKED, HOUR, MINUTE } from "../support/scenarios.ts";

test.use({ viewport: { width: 1280, height: 720 } });

const TALK = {
  ...BLOCKED,
  interventions: [
    { kind: "policy", atMs: HOUR, policy: { preset: "lab", settings: { backfill: "easy" } } },
    { kind: "drain", atMs: HOUR + 30 * MINUTE, nodes: ["n-001"] },
  ],
};

test("a clicker steps through the changes, blanks the screen, lights a leaf; Escape gives the desk back", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(TALK as never);
  await bench.seek(10 * MINUTE);
  await bench.select("short");
  await bench.press("Shift+P");
  const foot = bench.page.locator(".presenter-foot");
  await expect(foot).toContainText("1 of 3");
  await expect(bench.page.getByRole("banner")).toHaveCount(1);
  const why = bench.page.locator("[data-panel=inspector] .why");
  await expect(why).toBeVisible();
  await bench.press("PageDown");
  await expect(foot).toContainText("2 of 3");
  expect(bench.view().cursorMs).toBe(HOUR);
  await bench.press("ArrowRight");
  await expect(foot).toContainText(/3 of 3 · Drain/);
  await bench.press("PageUp");
  expect(bench.view().cursorMs).toBe(HOUR);
  const blank = bench.button(/screen is blank/);
  await bench.press("b");
  await expect(blank).toBeVisible();
  await bench.press(".");
  await expect(blank).toHaveCount(0);
  await bench.press("l");
  await expect(bench.page.locator(".gantt-dark")).toHaveCount(2);
  await bench.press("Escape");
  await expect(bench.page.locator(".gantt-dark")).toHaveCount(0);
  // A page that plays is not at rest.
  await bench.page.keyboard.press("Space");
  await expect(bench.button("Pause")).toBeVisible();
  await bench.press("Space");
  await bench.press("Escape");
  await expect(foot).toHaveCount(0);
  await expect(bench.button("Help")).toBeVisible();
});

test("without changes a clicker steps from event to event; the address opens the talk, leaving takes it out", async ({
  bench,
}) => {
  await bench.visit("/?present");
  await expect(bench.page.locator(".presenter-head")).toBeVisible();
  const before = await bench.clock();
  await bench.press("PageDown");
  await expect.poll(() => bench.clock()).not.toBe(before);
  await bench.press("Escape");
  await expect(bench.page.locator(".presenter-head")).toHaveCount(0);
  expect(new URL(bench.link()).search).toBe("");
});

test("on a projector no type is below 16 pixels, nothing is cut and axe finds nothing", async ({
  bench,
}) => {
  await bench.visit("/?present");
  await expect(bench.page.locator(".presenter-head")).toBeVisible();
  const small = await bench.page
    .locator(".app *")
    .evaluateAll((elements) =>
      elements
        .filter(
          (element) =>
            element.checkVisibility() &&
            element.getBoundingClientRect().width > 2 &&
            !element.closest(".sr-only, .gantt-live, [aria-hidden=true]") &&
            [...element.childNodes].some(
              (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
            ) &&
            Number.parseFloat(getComputedStyle(element).fontSize) < 15.9,
        )
        .map((element) => `${element.className}: ${element.textContent}`),
    );
  expect(small).toEqual([]);
  const { violations } = await new AxeBuilder({ page: bench.page }).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
});

test("the map has all room between axis and caption", async ({ bench }) => {
  await bench.visit("/?present");
  await bench.page.getByRole("button", { name: "map", exact: true }).click();
  const map = bench.page.locator(".slot-map");
  await expect(map).toBeVisible();
  const { height = 0 } = (await map.boundingBox()) ?? {};
  expect(height).toBeGreaterThan(bench.page.viewportSize()!.height / 2);
});
