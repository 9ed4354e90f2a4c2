/** WCAG 2.2 AA as far as a machine can tell, on every screen in both themes; zoom, narrow windows, forced colours, less motion. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../base.ts";
import { libraryScenarios } from "../support/library.ts";
import { BLOCKED, HOUR } from "../support/scenarios.ts";
import { walkScreens } from "../support/screens.ts";
import type { Workbench } from "../support/workbench.ts";

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Every finding in a part of the page, whatever its weight. `rules`: only these, where the rest was checked already. */
async function found(
  bench: Workbench,
  part = "html",
  rules?: readonly string[],
): Promise<string[]> {
  const axe = new AxeBuilder({ page: bench.page }).include(part);
  const { violations } = await (rules
    ? axe.withRules([...rules])
    : axe.withTags(standards)
  ).analyze();
  return violations.map(
    ({ id, impact, nodes }) =>
      `${impact} ${id}: ${nodes
        .slice(0, 3)
        .map((node) => node.html)
        .join(" | ")}`,
  );
}

for (const [colorScheme, rules] of [
  ["light", undefined],
  ["dark", ["color-contrast"]],
] as const) {
  test(`no accessibility violation on any screen, ${colorScheme}`, async ({ bench }) => {
    // Axe reads seventeen screens.
    test.slow();
    await bench.page.emulateMedia({ colorScheme });
    await bench.visit();
    await walkScreens(bench, async (name, part) => {
      expect.soft(await found(bench, part, rules), name).toEqual([]);
    });
  });
}

async function overflow(bench: Workbench): Promise<number> {
  return bench.page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

/** Parts of the sheet that begin before the one above them ends. */
async function overlapping(bench: Workbench): Promise<string[]> {
  return bench.page.locator(".sheet > *").evaluateAll((slots) => {
    let bottom = Number.NEGATIVE_INFINITY;
    return slots.flatMap((slot) => {
      const { top } = slot.getBoundingClientRect();
      const own = (slot.firstElementChild ?? slot).getBoundingClientRect();
      const covered = own.height > 0 && top < bottom - 1;
      if (own.height > 0) bottom = own.bottom;
      return covered ? [slot.className] : [];
    });
  });
}

for (const [what, viewport] of [
  ["200 % zoom of 1440 × 900", { width: 720, height: 450 }],
  ["a window 1024 wide", { width: 1024, height: 768 }],
  ["a window 300 wide", { width: 300, height: 650 }],
] as const) {
  test(`${what}: nothing scrolls sideways, play and why stay within reach`, async ({ bench }) => {
    await bench.page.setViewportSize(viewport);
    await bench.visit();
    expect(await overflow(bench)).toBeLessThanOrEqual(0);
    const play = bench.button("Play");
    await play.scrollIntoViewIfNeeded();
    await expect(play).toBeInViewport({ ratio: 1 });
    await play.click();
    await bench.button("Pause").click();
    await expect(bench.page.getByText(/waits/i).first()).toBeAttached();
    const services = libraryScenarios().find(({ id }) => id === "lab-services")!;
    await bench.open(services.scenario);
    await expect(bench.region("Numbers over time")).toBeAttached();
    expect(await overlapping(bench)).toEqual([]);
    // Curves are scrolled to, and a table has room for rows.
    const curves = bench.page.locator('[data-panel="curves"]');
    await curves.scrollIntoViewIfNeeded();
    await expect(curves).toBeInViewport({ ratio: 0.5 });
    await bench.press("t");
    const rows = bench.page.locator(".table-drawer .row-grid");
    await expect(rows).toBeVisible();
    expect((await rows.boundingBox())?.height).toBeGreaterThan(70);
  });
}

test("forced colours and less motion: same page, no error, no easing", async ({ bench }) => {
  await bench.page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.seek(HOUR);
  await bench.press("0");
  const clock = await bench.clock();
  await bench.button("Play").click();
  await expect.poll(() => bench.clock()).not.toBe(clock);
  await bench.button("Pause").click();
  await bench.idle();
  expect(await found(bench)).toEqual([]);
});

test("targets are at least 24 px high and wide", async ({ bench }) => {
  await bench.visit();
  const small = await bench.page.getByRole("button").evaluateAll((buttons) =>
    buttons
      .filter((button) => button.checkVisibility())
      // In a line of text a target may be as high as the line (WCAG 2.5.8).
      .filter((button) => !button.matches(".who .link, .queue-caption button"))
      .map((button) => ({
        name: button.ariaLabel ?? button.textContent,
        box: button.getBoundingClientRect(),
      }))
      .filter(({ box }) => box.width > 0 && (box.width < 23.5 || box.height < 23.5))
      .map(({ name, box }) => `${name} ${Math.round(box.width)}×${Math.round(box.height)}`),
  );
  expect(small).toEqual([]);
});

test("the theme button walks light, dark and system, and the device remembers", async ({
  bench,
}) => {
  await bench.page.emulateMedia({ colorScheme: "light" });
  await bench.visit();
  const theme = () => bench.page.evaluate(() => document.documentElement.dataset.theme);
  const seen = new Set<string | undefined>();
  for (let step = 0; step < 3 && (await theme()) !== "dark"; step++) {
    seen.add(await theme());
    await bench
      .button(/^Theme/)
      .first()
      .click();
    const item = bench.page.getByRole("menuitemcheckbox", { name: /dark/i });
    if (await item.isVisible()) await item.click();
    await bench.idle();
  }
  expect(await theme()).toBe("dark");
  expect(seen.has("light")).toBe(true);
  await bench.page.reload();
  await bench.idle();
  expect(await theme()).toBe("dark");
});
