/**
 * Pictures of the main screens for people to look at (`test-results/screens/`), and what a machine can tell of a layout: labelled
 * regions do not overlap, nothing stands outside the window, no label is cut off without a sign of it.
 */
import { expect, test } from "../base.ts";
import { walkScreens } from "../support/screens.ts";
import type { Workbench } from "../support/workbench.ts";

interface Box {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly bottom: number;
}

/** Landmarks and labelled regions, outermost first come first. */
function regions(bench: Workbench): Promise<Box[]> {
  return bench.page.evaluate(() => {
    const found = [
      ...document.querySelectorAll<HTMLElement>(
        "header, footer, aside, section[aria-label], [role=region]",
      ),
    ];
    const outer = found.filter(
      (one) =>
        one.checkVisibility() &&
        one.closest("[role=dialog]") === null &&
        !found.some((other) => other !== one && other.contains(one)),
    );
    return outer.map((one) => {
      const { x, y, right, bottom } = one.getBoundingClientRect();
      return { name: one.ariaLabel ?? one.tagName.toLowerCase(), x, y, right, bottom };
    });
  });
}

function overlaps(boxes: readonly Box[]): string[] {
  return boxes.flatMap((a, at) =>
    boxes
      .slice(at + 1)
      .filter(
        (b) => a.x < b.right - 1 && b.x < a.right - 1 && a.y < b.bottom - 1 && b.y < a.bottom - 1,
      )
      .map((b) => `${a.name} × ${b.name}`),
  );
}

/** Texts that are cut by their own box without an ellipsis. */
function clipped(bench: Workbench): Promise<string[]> {
  return bench.page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("#root *")]
      .filter(
        (one) =>
          one.childElementCount === 0 &&
          (one.textContent ?? "").trim() !== "" &&
          one.checkVisibility(),
      )
      .filter((one) => {
        const style = getComputedStyle(one);
        // One pixel is how a text is kept for screen readers alone.
        if (
          one.clientWidth <= 1 ||
          one.className === "sr-only" ||
          style.textOverflow === "ellipsis"
        )
          return false;
        if (style.overflowX === "visible" && style.overflowY === "visible") return false;
        if (style.overflowX === "auto" || style.overflowY === "auto") return false;
        return one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2;
      })
      .map((one) => `${one.className}: ${(one.textContent ?? "").slice(0, 60)}`),
  );
}

for (const [width, height] of [
  [1440, 900],
  [1024, 768],
] as const) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`every screen at ${width} × ${height}, ${colorScheme}: nothing overlaps, nothing leaves the window`, async ({
      bench,
    }) => {
      test.slow();
      await bench.page.setViewportSize({ width, height });
      await bench.page.emulateMedia({ colorScheme });
      await bench.visit();
      await walkScreens(bench, async (name) => {
        await bench.page.screenshot({
          path: `test-results/screens/${name}-${width}-${colorScheme}.png`,
        });
        const boxes = await regions(bench);
        expect.soft(boxes.length, name).toBeGreaterThan(2);
        expect.soft(overlaps(boxes), name).toEqual([]);
        const outside = boxes.filter(
          (box) => box.x < -1 || box.y < -1 || box.right > width + 1 || box.bottom > height + 1,
        );
        expect.soft(outside, name).toEqual([]);
        expect.soft(await clipped(bench), name).toEqual([]);
      });
    });
  }
}
