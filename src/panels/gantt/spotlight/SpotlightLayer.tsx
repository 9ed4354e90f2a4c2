/**
 * The presenter's light: half-dark ground over all rows but one whole leaf (never through a label), and corners around the
 * place that is meant. The leaf is the one of the selected job or node, else the one under the pointer. Two elements follow the
 * rows in each frame; React renders them once.
 */
import { useEffect, useRef } from "react";
import { Dirty } from "../../../render/frameLoop.ts";
import { strokeCorners } from "../../../render/marks.ts";
import { useApp } from "../../../store/store.ts";
import { boxesOf, mainBlock, rectsOfJob } from "../../../timeline/jobRects.ts";
import { blockAt } from "../../../timeline/rows.ts";
import type { GanttView } from "../basePainter.ts";
import type { GanttPainter } from "../ganttPainter.ts";
import { leafUnderPointer } from "../leafLevels.ts";
import { toCss } from "../nodeBoxes.ts";
import type { OverlayExtra } from "../overlayPainter.ts";
import type { GanttScene } from "../scene.ts";

export function SpotlightLayer({ painter }: { readonly painter: () => GanttPainter | null }) {
  const above = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const target = painter();
    if (!target) return;
    const { scene, overlay } = target;
    const pointed = leafUnderPointer();
    const light: OverlayExtra = {
      paint: (context, view, palette) => {
        const block = litBlock(scene, view, pointed);
        const { blockY, blockH } = view.layout;
        const top = block < 0 ? 0 : (blockY[block]! - view.scrollDev) / view.ratio;
        // Where nothing is meant nothing is dark.
        const height = (block < 0 ? view.height : blockH[block]!) / view.ratio;
        if (above.current) above.current.style.height = `${Math.max(0, top)}px`;
        if (below.current) below.current.style.top = `${Math.max(0, top + height)}px`;
        const dev = litPlace(scene, view, block);
        const box = dev && toCss(dev, view);
        if (box) strokeCorners(context, box, palette);
      },
      tipAt: () => null,
    };
    overlay.extras.add(light);
    target.mark(Dirty.overlay);
    return () => {
      overlay.extras.delete(light);
      target.mark(Dirty.overlay);
    };
  }, [painter]);
  return (
    <>
      <div ref={above} className="gantt-dark" style={{ top: 0 }} />
      <div ref={below} className="gantt-dark" style={{ bottom: 0 }} />
    </>
  );
}

function rectsOfSelected({ future }: GanttScene) {
  const { selection } = useApp.getState();
  return selection?.kind === "job" ? rectsOfJob(future.chunks, future.open, selection.jobIdx) : [];
}

/** The block that is lit, −1 for none: then nothing is dark. */
function litBlock(scene: GanttScene, view: GanttView, pointed: number): number {
  const { units } = view.layout;
  const { selection } = useApp.getState();
  if (selection?.kind === "node") {
    const unit = units.unitNode.indexOf(selection.node);
    return unit < 0 ? -1 : units.blockOfUnit[unit]!;
  }
  const rects = rectsOfSelected(scene);
  return rects.length > 0 ? mainBlock(rects, units, scene.future.knownMs) : pointed;
}

/** What the selected job holds in the lit block, all its runs together, in device pixels; `null` where that is nothing. */
function litPlace(scene: GanttScene, view: GanttView, block: number) {
  const { layout, scale } = view;
  const boxes = boxesOf(rectsOfSelected(scene), layout, scale, scene.future.knownMs).filter(
    ({ y0 }) => blockAt(layout, y0) === block,
  );
  if (boxes.length === 0) return null;
  return {
    x0: Math.min(...boxes.map(({ x0 }) => x0)),
    x1: Math.max(...boxes.map(({ x1 }) => x1)),
    y0: Math.min(...boxes.map(({ y0 }) => y0)),
    y1: Math.max(...boxes.map(({ y1 }) => y1)),
  };
}
