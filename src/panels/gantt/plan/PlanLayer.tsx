/** Shows the scheduler's plan at the cursor as long as it is mounted; asks for its nodes once the cursor rests. Renders nothing. */
import { useEffect } from "react";
import { Dirty } from "../../../render/frameLoop.ts";
import { plannedStarts } from "../../../store/explain.ts";
import { onRecord } from "../../../store/runData.ts";
import { useApp } from "../../../store/store.ts";
import { beginWork } from "../../../store/underway.ts";
import type { GanttPainter } from "../ganttPainter.ts";
import { PlanPainter } from "./planPainter.ts";

const REST_MS = 180;

export function PlanLayer({ painter }: { readonly painter: () => GanttPainter | null }) {
  useEffect(() => {
    const target = painter();
    return target ? follow(target) : undefined;
  }, [painter]);
  return null;
}

function follow(target: GanttPainter): () => void {
  const marks = new PlanPainter(target.scene);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  let arrived: (() => void) | null = null;
  const ask = async (): Promise<void> => {
    const { cursorMs, playing } = useApp.getState();
    const plans = playing ? [] : marks.plansAt(cursorMs);
    const number = ++asked;
    if (plans.length > 0 && !target.scene.stage?.cluster.flat) {
      const told = await plannedStarts(
        plans.map(({ jobIdx }) => jobIdx),
        cursorMs,
      ).catch(() => []);
      if (number === asked) {
        marks.tell(cursorMs, told);
        target.mark(Dirty.overlay);
      }
    }
    if (number !== asked) return;
    arrived?.();
    arrived = null;
  };
  const soon = (): void => {
    clearTimeout(timer);
    arrived ??= beginWork();
    timer = setTimeout(() => void ask(), REST_MS);
  };
  const offs = [
    useApp.subscribe((state) => state.cursorMs, soon),
    useApp.subscribe((state) => state.playing, soon),
    onRecord(soon),
  ];
  target.overlay.extras.add(marks);
  target.mark(Dirty.overlay);
  soon();
  return () => {
    for (const off of offs) off();
    clearTimeout(timer);
    asked += 1;
    arrived?.();
    target.overlay.extras.delete(marks);
    target.mark(Dirty.overlay);
  };
}
