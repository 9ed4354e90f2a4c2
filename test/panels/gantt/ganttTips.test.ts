/** What the tip over the Gantt says stays true while the pointer rests. */
import { expect, test } from "vitest";
import type { GanttPainter } from "../../../src/panels/gantt/ganttPainter.ts";
import { GanttTips } from "../../../src/panels/gantt/ganttTips.ts";

test("words about the cluster at the cursor go when the cursor moves; others stay", () => {
  const tip = document.createElement("div");
  const words = { title: "n-000: 4 of 4 GPUs held", lines: [] };
  const extras = [{ onLanes: true, tipAt: () => words }];
  const painter = { gutterWords: () => words, overlay: { extras } } as unknown as GanttPainter;
  const tips = new GanttTips(painter, tip, document.createElement("div"));
  const place = { clientX: 0, clientY: 0 };
  tips.showGutter(place, 0, 0);
  expect(tip.style.visibility).toBe("visible");
  tips.cursorMoved();
  expect(tip.style.visibility).toBe("hidden");
  tips.showExtra(place, { layout: { units: {} } } as never, 1, 1);
  tips.cursorMoved();
  expect(tip.style.visibility).toBe("visible");
});
