/** `?embed=` shows one panel and nothing else, for slides and notebooks. */

import { expect, test } from "../base.ts";
import { BLOCKED, HOUR } from "../support/scenarios.ts";

for (const panel of ["gantt", "topology", "map", "queues", "curves"] as const) {
  test(`?embed=${panel} shows the panel without chrome, from the same link`, async ({
    bench,
    stranger,
  }) => {
    await bench.visit();
    await bench.open(BLOCKED);
    await bench.seek(HOUR);
    const other = await stranger({ viewport: { width: 900, height: 400 } });
    await other.visit(`/?embed=${panel}${new URL(bench.link()).hash}`);
    expect(await other.digest()).toBe(await bench.digest());
    for (const name of ["Play", "Library", "Policy", "Undo"])
      await expect(other.button(name)).toHaveCount(0);
    await expect(other.page.getByText("There is no panel")).toHaveCount(0);
    await expect(other.page.locator("canvas").first()).toBeVisible();
    const painted = await other.page.locator("canvas").evaluateAll((canvases) =>
      canvases.some((canvas) => {
        const { width, height } = canvas as HTMLCanvasElement;
        if (width === 0 || height === 0) return false;
        const pixels = (canvas as HTMLCanvasElement)
          .getContext("2d")
          ?.getImageData(0, 0, width, height).data;
        return pixels !== undefined && new Set(new Uint32Array(pixels.buffer)).size > 2;
      }),
    );
    expect(painted).toBe(true);
    await other.seek(2 * HOUR);
    expect(other.view().cursorMs).toBe(2 * HOUR);
  });
}

test("in an embedded Gantt the menu offers nothing that has no place there", async ({ bench }) => {
  await bench.visit("/?embed=gantt");
  const at = await bench.overGantt();
  await bench.page.mouse.click(at.x, at.y, { button: "right" });
  const menu = bench.page.getByRole("menu", { name: "What can be done here" });
  for (const name of [/^Label /, /^Show runs as a table/, /^Edit the cluster/])
    await expect(menu.getByRole("menuitem", { name })).toContainText(
      "Open the whole page for this",
    );
  await expect(menu.getByRole("menuitem", { name: /^Drain / })).toBeEnabled();
});
