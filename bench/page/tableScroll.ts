/**
 * The queue table while it is scrolled by the wheel: script time of each frame on the thread's clock, and the time from one frame to the next, which shows whether
 * rows are late. A frame that is late by a whole turn of the screen counts as dropped.
 */
import type { CDPSession, Page } from "@playwright/test";

const STEPS = 120;
/** Ten rows. */
const STEP_CSS = 240;
const DROPPED_MS = 33.4;

/** What the queue table shows at the cursor, scrolled down half of the way and up again; prints a row. */
export async function tableScroll(page: Page, session: CDPSession): Promise<void> {
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+Q");
  const grid = page.locator(".table-drawer .row-grid");
  await grid.waitFor();
  const rows = Number(await grid.getAttribute("aria-rowcount")) - 1;
  const box = (await grid.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.evaluate(() => {
    const times: number[] = [];
    const next = (nowMs: number): void => {
      times.push(nowMs);
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    Object.assign(window, { frameTimes: times });
  });
  const scripts: number[] = [];
  for (let step = 0; step < STEPS; step++) {
    const before = await scriptMs(session);
    await page.mouse.wheel(0, step < STEPS / 2 ? STEP_CSS : -STEP_CSS);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    scripts.push((await scriptMs(session)) - before);
  }
  await page.keyboard.press("Escape");
  const times = await page.evaluate(
    () => (window as unknown as { frameTimes: number[] }).frameTimes,
  );
  const gaps = times.slice(1).map((atMs, i) => atMs - times[i]!);
  const dropped = gaps.filter((gap) => gap > DROPPED_MS).length;
  const cells = [rows, ...ranks(scripts), ...ranks(gaps), `${dropped} of ${gaps.length}`];
  console.log(
    "\n| rows of the queue table | script p50 | p95 | most | frame to frame p50 | p95 | most | late |",
  );
  console.log(`|---|---|---|---|---|---|---|---|\n| ${cells.join(" | ")} |`);
}

async function scriptMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return (metrics.find((metric) => metric.name === "ScriptDuration")?.value ?? 0) * 1_000;
}

function ranks(values: readonly number[]): string[] {
  const sorted = [...values].sort((a, b) => a - b);
  return [0.5, 0.95, 1].map((share) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1),
  );
}
