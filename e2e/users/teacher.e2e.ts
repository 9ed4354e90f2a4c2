/** The workshop leader: a projector of 1280 × 720, a room without network, a gang that loses one GPU, and a link for everybody. */
import { expect, test } from "../base.ts";
import { tabTo } from "../support/hands.ts";
import { GANG } from "../support/lab.ts";
import { HOUR } from "../support/scenarios.ts";
import type { Workbench } from "../support/workbench.ts";

// Without network only what this page itself has fetched is there.
test.use({ fresh: true, viewport: { width: 1280, height: 720 } });

const TALK = {
  ...GANG,
  interventions: [
    {
      kind: "policy",
      atMs: HOUR / 2,
      policy: {
        preset: "lab",
        settings: {
          order: "tiers",
          backfill: "easy",
          preemption: "requeue",
          preemptUnit: "device",
        },
      },
    },
    { kind: "drain", atMs: 2 * HOUR, nodes: ["n-001"] },
  ],
};

/** The gang fills the window. */
async function seesTheGang(bench: Workbench): Promise<void> {
  const { fromMs, toMs } = bench.view().window;
  const [gang] = await bench.schedule();
  expect(fromMs).toBeLessThanOrEqual(gang?.startMs ?? 0);
  expect(toMs).toBeGreaterThanOrEqual(gang?.endMs ?? 0);
}

/** The code and the link lead somebody with network to the same run. */
async function handsOut(bench: Workbench, stranger: () => Promise<Workbench>): Promise<void> {
  const dialog = bench.dialog("Share");
  await expect(dialog.getByRole("img", { name: "QR code of the link" })).toBeVisible();
  const guest = await stranger();
  await guest.visit(bench.link());
  expect(await guest.digest()).toBe(await bench.digest());
}

test("by keyboard alone, offline: present, step, zoom to the gang, spotlight, blank, theme, link", async ({
  bench,
  context,
  stranger,
}) => {
  await bench.visit();
  await bench.open(TALK as never);
  await context.setOffline(true);
  await bench.press("Home", "Shift+P");
  const foot = bench.page.locator(".presenter-foot");
  await expect(foot).toContainText("1 of 3");
  await bench.press("PageDown");
  await expect(foot).toContainText("2 of 3");
  await bench.press("PageDown", "PageUp");
  expect(bench.view().cursorMs).toBe(HOUR / 2);
  const rows = bench.page.getByRole("application", { name: /who held/i });
  await tabTo(bench, rows);
  await bench.press("Home", "ArrowRight", "Enter", "f");
  await seesTheGang(bench);
  await bench.press("l");
  await expect(bench.page.locator(".gantt-dark")).toHaveCount(2);
  await bench.press("Escape", "Escape", "Escape", "Escape");
  await expect(foot).toHaveCount(0);
  await bench.press("u");
  await handsOut(bench, stranger);
});

test("by mouse, offline: play, stop, a bar, the whole of it, the link", async ({
  bench,
  context,
  stranger,
}) => {
  await bench.visit("/");
  await bench.open(TALK as never);
  await context.setOffline(true);
  await bench.seek(0);
  const clock = await bench.clock();
  await bench.button("Play").click();
  await expect.poll(() => bench.clock()).not.toBe(clock);
  await bench.button("Pause").click();
  await bench.idle();
  const box = (await bench.page.getByRole("application", { name: /who held/i }).boundingBox())!;
  await bench.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await bench.idle();
  await bench.click("Share");
  await handsOut(bench, stranger);
});
