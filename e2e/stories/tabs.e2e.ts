/** Work is never lost: crash of worker or tab, two tabs, no network, no room on the device. */

import { expect, test } from "../base.ts";
import { BLOCKED, drawn, HOUR } from "../support/scenarios.ts";
import { Workbench } from "../support/workbench.ts";

test.use({ fresh: true });

test("what was open when the tab closed is open on the next visit", async ({
  bench,
  secondTab,
}) => {
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.seek(HOUR);
  await bench.select("short");
  const digest = await bench.digest();
  const view = bench.view();
  const tab = new Workbench(await secondTab());
  await bench.page.close({ runBeforeUnload: true });
  await tab.visit("/");
  expect(await tab.digest()).toBe(digest);
  expect(tab.view()).toEqual(view);
});

test("two tabs keep to their own work", async ({ bench, secondTab }) => {
  await bench.visit();
  await bench.open(BLOCKED);
  const first = await bench.digest();
  const other = new Workbench(await secondTab());
  await other.visit("/");
  await other.open(drawn(2));
  const second = await other.digest();
  expect(second).not.toBe(first);
  await bench.seek(HOUR);
  await other.seek(2 * HOUR);
  // The fragment would restore it alone; without it only the saved slot can.
  for (const [tab, digest] of [
    [bench, first],
    [other, second],
  ] as const) {
    await tab.page.evaluate(() => history.replaceState(null, "", "/"));
    await tab.page.reload();
    await tab.idle();
    expect(await tab.digest()).toBe(digest);
  }
  // So many jobs lie apart from the rest of the document, which a change writes alone.
  const jobs = Array.from({ length: 1_200 }, (_, i) => ({
    id: `many-${i}`,
    submitMs: i * 1_000,
    gpus: 1,
    workMs: 60_000,
  }));
  await bench.open({ ...BLOCKED, workload: { jobs } });
  const before = await bench.digest();
  const drain = { kind: "drain" as const, atMs: HOUR / 10, nodes: ["n-000"] };
  await bench.open({ ...BLOCKED, workload: { jobs }, interventions: [drain] });
  const after = await bench.digest();
  expect(after).not.toBe(before);
  await bench.page.evaluate(() => history.replaceState(null, "", "/"));
  await bench.page.reload();
  await bench.idle();
  expect(await bench.digest()).toBe(after);
});

test("a reload in the middle of a run comes back to the same run", async ({ bench }) => {
  await bench.visit();
  const scenario = drawn(9, 200);
  await bench.page.evaluate((given) => void window.queuescope.open(given), scenario);
  await bench.page.waitForURL(/s=/);
  await bench.page.reload();
  await bench.idle();
  const digest = await bench.digest();
  await bench.open(scenario);
  expect(await bench.digest()).toBe(digest);
});

test("a worker that crashes is started again and computes the same digest", async ({
  bench,
  watch,
}) => {
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.seek(HOUR);
  const digest = await bench.digest();
  const worker = bench.page.workers()[0];
  if (!worker) throw new Error("the page runs no worker");
  const closed = worker.waitForEvent("close");
  await worker.evaluate(() => {
    setTimeout(() => {
      throw new Error("crash on purpose");
    });
  });
  await closed;
  await bench.idle();
  expect(await bench.digest()).toBe(digest);
  expect(bench.view().cursorMs).toBe(HOUR);
  await bench.open(drawn(2));
  expect(await bench.digest()).not.toBe(digest);
  watch.forgive(/crash on purpose/);
});

test("a worker that is ended in silence is noticed, and the change that waited for it is computed", async ({
  bench,
}) => {
  await bench.page.addInitScript(() => {
    const Plain = window.Worker;
    Object.assign(window, {
      workers: [],
      Worker: class extends Plain {
        constructor(address: string | URL, options?: WorkerOptions) {
          super(address, options);
          (window as unknown as { workers: Worker[] }).workers.push(this);
        }
      },
    });
  });
  await bench.page.clock.install();
  await bench.visit();
  await bench.open(drawn(2));
  const digest = await bench.digest();
  await bench.open(BLOCKED);
  await bench.page.evaluate((scenario) => {
    for (const worker of (window as unknown as { workers: Worker[] }).workers) worker.terminate();
    void window.queuescope.open(scenario);
  }, drawn(2));
  // Silence is taken for death after a minute: let the page's clock run on.
  const count = () =>
    bench.page.evaluate(() => (window as unknown as { workers: Worker[] }).workers.length);
  const dead = await count();
  for (let step = 0; step < 20 && (await count()) === dead; step++)
    await bench.page.clock.runFor(5_000);
  expect(await count()).toBe(dead + 1);
  await bench.idle();
  expect(await bench.digest()).toBe(digest);
});

test("without network everything goes on: edits, dialogs, playing", async ({ bench, context }) => {
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.seek(HOUR);
  const digest = await bench.digest();
  await context.setOffline(true);
  for (const name of ["Library", "Help"]) {
    await bench.click(name);
    await expect(bench.dialog()).toBeVisible();
    await bench.press("Escape");
    await expect(bench.dialog()).toHaveCount(0);
  }
  for (const name of ["Inject", "Drain", "Policy"] as const) {
    await bench.editor(name);
    await expect(bench.page.locator("form button[type=submit]")).toBeVisible();
    if (name !== "Policy") await bench.click("Cancel");
  }
  await bench.chooseBackfill("EASY");
  await bench.apply();
  expect(await bench.digest()).not.toBe(digest);
  await bench.undo();
  expect(await bench.digest()).toBe(digest);
});

test("a full device is told once, and the link still holds the work", async ({
  bench,
  stranger,
}) => {
  await bench.page.addInitScript(() => {
    const full = () => {
      throw new DOMException("no room", "QuotaExceededError");
    };
    Object.assign(IDBObjectStore.prototype, { put: full, add: full });
  });
  await bench.visit();
  await bench.open(BLOCKED);
  await expect(bench.page.getByText(/storage on this device is full/i).first()).toBeVisible();
  const other = await stranger();
  await other.visit(bench.link());
  expect(await other.digest()).toBe(await bench.digest());
});

test("a device that keeps nothing still runs everything", async ({ bench }) => {
  await bench.page.addInitScript(() => {
    Object.defineProperty(window, "indexedDB", { value: undefined });
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    });
  });
  await bench.visit();
  await bench.open(BLOCKED);
  expect(await bench.startMs("short")).toBe(5 * HOUR);
});
