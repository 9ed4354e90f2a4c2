/** Time: steps, seeks, fits, zooms and pans by key, wheel and button; what that costs React (nothing) and the main thread. */
import { expect, test } from "../base.ts";
import { BLOCKED, drawn, HOUR, MINUTE } from "../support/scenarios.ts";
import type { Workbench } from "../support/workbench.ts";

test("steps lead from event to event, there and back", async ({ bench }) => {
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.seek(0);
  const seen: number[] = [];
  for (let step = 0; step < 4; step++) {
    await bench.click("Next event");
    seen.push(bench.view().cursorMs);
  }
  expect(seen).toEqual([10 * MINUTE, 20 * MINUTE, 3 * HOUR, 4 * HOUR]);
  await bench.click("Previous event");
  expect(bench.view().cursorMs).toBe(3 * HOUR);
  await bench.press("Comma");
  expect(bench.view().cursorMs).toBe(20 * MINUTE);
  await bench.press("Period");
  expect(bench.view().cursorMs).toBe(3 * HOUR);
});

test("shift and step follow the decisions about the selected job", async ({ bench }) => {
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.seek(0);
  await bench.select("short");
  await bench.press("Shift+Period");
  expect(bench.view().cursorMs).toBe(20 * MINUTE);
  await bench.press("Shift+Period");
  expect(bench.view().cursorMs).toBeGreaterThan(20 * MINUTE);
  await bench.press("Shift+Comma");
  expect(bench.view().cursorMs).toBe(20 * MINUTE);
});

test("0 fits the whole run, F the selected job, and both keep the selection", async ({ bench }) => {
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.select("late");
  await bench.press("f");
  const near = bench.view().window;
  expect(near.toMs - near.fromMs).toBeLessThan(6 * HOUR);
  await bench.press("0");
  const all = bench.view().window;
  expect(all.fromMs).toBeLessThanOrEqual(0);
  expect(all.toMs).toBeGreaterThanOrEqual(6 * HOUR);
  expect(bench.view().selection?.kind).toBe("job");
});

const span = (bench: Workbench) => bench.view().window.toMs - bench.view().window.fromMs;

test("W and S zoom, A and D pan, by the place of the key", async ({ bench }) => {
  await bench.visit();
  await bench.open(drawn(5));
  await bench.press("0");
  const all = span(bench);
  // Zoom goes to the cursor: in the middle of the run there is room to pan both ways.
  await bench.seek(bench.view().window.fromMs + all / 2);
  await bench.press("w", "w");
  expect(span(bench)).toBeLessThan(all);
  const zoomed = bench.view().window;
  await bench.press("d");
  expect(bench.view().window.fromMs).toBeGreaterThan(zoomed.fromMs);
  expect(span(bench)).toBeCloseTo(zoomed.toMs - zoomed.fromMs, -2);
  await bench.press("a");
  expect(Math.abs(bench.view().window.fromMs - zoomed.fromMs)).toBeLessThan(MINUTE);
  await bench.press("s", "s");
  expect(span(bench)).toBeGreaterThan(zoomed.toMs - zoomed.fromMs);
});

test("control and wheel zoom time at the pointer, shift and wheel pan it, the plain wheel does neither", async ({
  bench,
}) => {
  const { page } = bench;
  await bench.visit();
  await bench.open(drawn(5));
  await bench.press("0");
  const at = await bench.overGantt();
  await page.mouse.move(at.x, at.y);
  const all = bench.view().window;
  const wheel = async (dy: number, key?: "Control" | "Shift") => {
    if (key) await page.keyboard.down(key);
    await page.mouse.wheel(0, dy);
    if (key) await page.keyboard.up(key);
    await bench.idle();
  };
  await wheel(40);
  expect(bench.view().window).toEqual(all);
  await wheel(-240, "Control");
  const zoomed = bench.view().window;
  expect(zoomed.toMs - zoomed.fromMs).toBeLessThan(all.toMs - all.fromMs);
  await wheel(120, "Shift");
  expect(bench.view().window.fromMs).not.toBe(zoomed.fromMs);
  expect(span(bench)).toBeCloseTo(zoomed.toMs - zoomed.fromMs, -2);
});

test("a scripted pan and zoom costs React no commit", async ({ bench }) => {
  const { page } = bench;
  await bench.visit();
  await bench.open(drawn(5));
  await bench.press("0");
  const at = await bench.overGantt();
  await page.mouse.move(at.x, at.y);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -300);
  await page.keyboard.up("Control");
  await bench.idle();
  // The numbers of the run are counted after it; their arrival is a commit of its own.
  await expect(page.getByRole("rowheader", { name: /mean wait/ }).first()).toBeVisible();
  const before = await bench.commits();
  await page.keyboard.down("Shift");
  for (let step = 0; step < 20; step++) await page.mouse.wheel(0, step < 10 ? 60 : -60);
  await page.keyboard.up("Shift");
  await page.keyboard.down("Control");
  for (let step = 0; step < 10; step++) await page.mouse.wheel(0, step < 5 ? -60 : 60);
  await page.keyboard.up("Control");
  await bench.idle();
  expect((await bench.commits()) - before).toBe(0);
});

test("a seek while playing goes on from there, and the end of the run stops the play", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.button("Play").click();
  await bench.page.evaluate((ms) => window.queuescope.seek(ms), 5.9 * HOUR);
  await expect(bench.button("Play")).toBeVisible({ timeout: 30_000 });
  await bench.idle();
  expect(bench.view().cursorMs).toBeGreaterThanOrEqual(5.9 * HOUR);
});
