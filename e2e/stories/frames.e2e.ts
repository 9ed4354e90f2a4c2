/**
 * What a frame costs, in exact counts: nothing while nothing moves, no React while people pan and zoom, bars only when they change; and the
 * long tasks of a pan and a play. These stories run after all others, alone, on pages that were loaded for them.
 */
import { expect, test } from "../base.ts";

test.use({ fresh: true });

interface Counted {
  readonly commits: number;
  readonly bench: {
    readonly frames: number;
    readonly painters: Readonly<Record<string, { readonly paints: number }>>;
    readonly script: {
      readonly movements: readonly string[];
      show(movement: string, index: number): Promise<void>;
    } | null;
    clear(): void;
  };
}

declare const queuescope: Counted;

test("a page at rest draws no frame", async ({ bench }) => {
  await bench.visit();
  const frames = await bench.page.evaluate(async () => {
    const before = queuescope.bench.frames;
    for (let i = 0; i < 20; i++) await new Promise(requestAnimationFrame);
    return queuescope.bench.frames - before;
  });
  expect(frames).toBe(0);
});

test("pan and zoom cost no React commit", async ({ bench }) => {
  await bench.visit("/?bench=page");
  await expect.poll(() => bench.page.evaluate(() => queuescope.bench.script !== null)).toBe(true);
  const pass = () =>
    bench.page.evaluate(async () => {
      const { script } = queuescope.bench;
      const moves = script?.movements.filter((name) => name !== "play") ?? [];
      const before = queuescope.commits;
      for (const name of moves) for (let i = 0; i < 8; i++) await script?.show(name, i);
      return moves.length > 0 ? queuescope.commits - before : -1;
    });
  // What opening left behind may still be told to React during the first pass.
  await expect.poll(pass).toBe(0);
});

test("a hover is drawn by the strips that outline the job, and by nobody else", async ({
  bench,
}) => {
  await bench.visit();
  const plot = bench.page.getByRole("application", { name: /Who held which/ });
  const box = (await plot.boundingBox())!;
  await bench.page.mouse.move(box.x + 400, box.y + box.height - 4);
  await bench.idle();
  await bench.page.evaluate(() => queuescope.bench.clear());
  await bench.page.mouse.move(box.x + 400, box.y + 30);
  await bench.idle();
  const painters = await bench.page.evaluate(() => Object.keys(queuescope.bench.painters));
  expect(painters.sort()).toEqual(["gantt", "queues"]);
});

test("pan and play of a library scenario keep the page's thread free", async ({ bench }, info) => {
  const { page } = bench;
  await bench.visit();
  await bench.press("0");
  const at = await bench.overGantt();
  await page.mouse.move(at.x, at.y);
  await page.evaluate(() => {
    const long: number[] = [];
    Object.assign(window, { longTasks: long });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) long.push(entry.duration);
    }).observe({ type: "longtask" });
  });
  await page.keyboard.down("Shift");
  for (let step = 0; step < 30; step++) await page.mouse.wheel(0, step < 15 ? 60 : -60);
  await page.keyboard.up("Shift");
  await bench.idle();
  const clock = await bench.clock();
  await bench.button("Play").click();
  await expect.poll(() => bench.clock()).not.toBe(clock);
  await bench.button("Pause").click();
  await bench.idle();
  const long = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks);
  info.annotations.push({ type: "long tasks (ms)", description: long.map(Math.round).join(" ") });
  console.info(`long tasks in pan and play: ${long.length} [${long.map(Math.round).join(" ")}] ms`);
  // A shared machine stalls any thread now and then; a page that blocks itself does it at each step.
  expect(long.filter((ms) => ms > 100).length).toBeLessThanOrEqual(3);
});
