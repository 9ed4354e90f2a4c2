/** A tablet: fingers pan, pinch and rest; what can be pressed is as large as a finger. */
import type { CDPSession } from "@playwright/test";
import { expect, test } from "../base.ts";
import { BLOCKED, HOUR } from "../support/scenarios.ts";
import type { Workbench } from "../support/workbench.ts";

test.use({ viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: true });

type Point = readonly [x: number, y: number];

async function touch(cdp: CDPSession, type: string, points: readonly Point[]): Promise<void> {
  await cdp.send("Input.dispatchTouchEvent", {
    type: `touch${type}` as "touchStart",
    touchPoints: points.map(([x, y], id) => ({ x, y, id })),
  });
}

/** Opens the small scenario; the middle of its plot and a way to touch it. */
async function open(bench: Workbench) {
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.seek(HOUR);
  const gantt = bench.page.getByRole("application", { name: /who held/i });
  const box = await gantt.boundingBox();
  if (!box) throw new Error("no Gantt");
  const cdp = await bench.page.context().newCDPSession(bench.page);
  return { box, cdp };
}

test("two fingers zoom and pan at once: what was between them stays between them", async ({
  bench,
}) => {
  const { box, cdp } = await open(bench);
  const before = bench.view().window;
  const y = box.y + box.height / 2;
  const x = box.x + box.width * 0.6;
  await touch(cdp, "Start", [
    [x - 50, y],
    [x + 50, y],
  ]);
  for (let step = 1; step <= 5; step++) {
    await touch(cdp, "Move", [
      [x - 50 - 20 * step, y],
      [x + 50 + 4 * step, y],
    ]);
  }
  await touch(cdp, "End", []);
  await bench.idle();
  const { window } = bench.view();
  const gutter = 176;
  const plot = box.width - gutter;
  const timeAt = (at: { fromMs: number; toMs: number }, px: number) =>
    at.fromMs + ((px - box.x - gutter) / plot) * (at.toMs - at.fromMs);
  const span = before.toMs - before.fromMs;
  expect((window.toMs - window.fromMs) / span).toBeCloseTo(100 / 220, 1);
  // The middle went 40 px to the left, and the time that was under it with it.
  expect(Math.abs(timeAt(window, x - 40) - timeAt(before, x)) / span).toBeLessThan(0.02);
  // The lanes and the curves have the same hands.
  for (const panel of ["queues", "curves"]) {
    const seen = () => {
      const now = bench.view().window;
      return now.toMs - now.fromMs;
    };
    const was = seen();
    const strip = await bench.page.locator(`[data-panel="${panel}"] .strip-plot`).boundingBox();
    const middle = strip!.y + strip!.height * 0.7;
    await touch(cdp, "Start", [
      [x - 50, middle],
      [x + 50, middle],
    ]);
    await touch(cdp, "Move", [
      [x - 60, middle],
      [x + 60, middle],
    ]);
    await touch(cdp, "End", []);
    await bench.idle();
    expect(seen() / was).toBeCloseTo(100 / 120, 1);
  }
});

test("a finger that rests sees what it rests on, then what can be done with it; it selects nothing", async ({
  bench,
}) => {
  const { box, cdp } = await open(bench);
  const selection = bench.view().selection;
  const at: Point = [box.x + 190, box.y + 14];
  await touch(cdp, "Start", [at]);
  const tip = bench.page.locator(".gantt-tip");
  await expect(tip).toBeVisible();
  await expect(tip).toContainText("long");
  await touch(cdp, "End", []);
  await bench.idle();
  await expect(tip).toBeVisible();
  expect(bench.view().selection).toEqual(selection);
  await touch(cdp, "Start", [at]);
  await expect(bench.page.getByRole("menu")).toBeVisible();
  await touch(cdp, "End", []);
  await expect(bench.page.getByRole("menuitem").first()).toBeVisible();
  // On the map as well.
  await bench.press("Escape", "n");
  const map = await bench.page.getByRole("application", { name: /^Map of/ }).boundingBox();
  await touch(cdp, "Start", [[map!.x + map!.width / 2, map!.y + map!.height / 2]]);
  await expect(bench.page.locator(".map-tip")).toBeVisible();
  await expect(bench.page.getByRole("menu")).toBeVisible();
  await touch(cdp, "End", []);
  expect(bench.view().selection).toEqual(selection);
});

test("a tap selects", async ({ bench }) => {
  const { box } = await open(bench);
  await bench.page.touchscreen.tap(box.x + 190, box.y + 14);
  await bench.idle();
  expect(bench.view().selection?.kind).toBe("job");
});

test("buttons and fields are at least 44 px high", async ({ bench }) => {
  await open(bench);
  const small = await bench.page
    .locator(".topbar, .status, [data-panel=inspector]")
    .locator("button, input, select")
    .evaluateAll((controls) =>
      controls
        .filter((control) => control.checkVisibility() && control.getBoundingClientRect().width > 2)
        // In a line of text a target may be as high as the line (WCAG 2.5.8).
        .filter((control) => !control.matches(".who .link, .queue-caption *"))
        .map((control) => ({
          name: control.ariaLabel ?? control.textContent ?? control.className,
          height: control.getBoundingClientRect().height,
        }))
        .filter(({ height }) => height < 43.5)
        .map(({ name, height }) => `${name} ${Math.round(height)}`),
    );
  expect(small).toEqual([]);
  // Tables and choosers of the strips too: their rows are picked by fingers.
  await bench.press("t");
  const drawer = bench.page.locator(".table-drawer");
  await expect(drawer.getByRole("row").nth(1)).toBeVisible();
  const low = await bench.page
    .locator(".table-drawer [role=row], .table-drawer button, .table-drawer select, .curve-pick")
    .evaluateAll((parts) =>
      parts
        .filter((part) => part.checkVisibility())
        .map((part) => ({
          name: part.ariaLabel ?? part.className,
          height: part.getBoundingClientRect().height,
        }))
        .filter(({ height }) => height < 43.5)
        .map(({ name, height }) => `${name} ${Math.round(height)}`),
    );
  expect(low).toEqual([]);
});
