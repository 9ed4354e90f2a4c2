/**
 * The keyboard on the Gantt: a cursor that stands on one bar. Arrows step, Home and End go to the ends of the row, Page Up and Page
 * Down go on by a screen, Enter selects, Shift+Enter measures the gap to the bar picked before, Escape leaves. Where it stands is outlined, brought into view and spoken.
 */
import { Dirty } from "../../render/frameLoop.ts";
import { setWindow } from "../../store/camera.ts";
import { run } from "../../store/commands.ts";
import { notify } from "../../store/notices.ts";
import { useApp } from "../../store/store.ts";
import { type BarCursor, barInRow, barNear, nextBar } from "../../timeline/barCursor.ts";
import { heldDevices } from "../../timeline/heldDevices.ts";
import { xDevOf } from "../../timeline/pixelScale.ts";
import { rowTop, unitAt } from "../../timeline/rows.ts";
import { spokenBar } from "./barWords.ts";
import type { GanttParts, GanttTarget } from "./ganttInput.ts";
import type { GanttPainter } from "./ganttPainter.ts";
import { setLeafUnderPointer } from "./leafLevels.ts";

/** What of a screen stays in sight on the next, CSS pixels. */
const PAGE_OVERLAP = 48;

export class GanttKeys {
  readonly #painter: GanttPainter;
  readonly #parts: GanttParts;
  readonly #onTarget: (target: GanttTarget) => void;
  #spokenAt = 0;
  #spokenTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(painter: GanttPainter, parts: GanttParts, onTarget: (target: GanttTarget) => void) {
    this.#painter = painter;
    this.#parts = parts;
    this.#onTarget = onTarget;
  }

  stop(): void {
    if (this.#spokenTimer !== null) clearTimeout(this.#spokenTimer);
  }

  /** True where the key was ours. */
  handle(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const bar = this.#painter.overlay.bar;
    if (event.shiftKey) return this.#measure(event, bar);
    if (event.key === "Enter" && bar) {
      this.#painter.pick(bar);
      this.#painter.keepingRows(() => run("selectJob", { jobIdx: bar.jobIdx }));
    } else if (event.key === "Escape" && bar) {
      this.#stand(null);
    } else if (event.key === "PageDown" || event.key === "PageUp") {
      this.#turnPage(event.key === "PageDown" ? 1 : -1, bar);
    } else {
      const next = this.#step(event.key, bar);
      if (next === undefined) return false;
      if (next) this.#stand(next);
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  /** Shift+Enter measures the bar of the cursor against the one picked last. */
  #measure(event: KeyboardEvent, bar: BarCursor | null): boolean {
    if (event.key !== "Enter" || !bar || !this.#painter.overlay.picked) return false;
    const words = this.#painter.pick(bar, true);
    if (words === "") return false;
    notify(words);
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  /** Bar that a key leads to; null = none there, undefined = not our key. */
  #step(key: string, bar: BarCursor | null): BarCursor | null | undefined {
    if (!["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(key))
      return undefined;
    const { scene, view } = this.#painter;
    if (!scene.index || !view) return null;
    const { parts, units } = scene.index;
    if (!bar) return this.#firstBar();
    const { window, cursorMs } = useApp.getState();
    const aroundMs = Math.min(
      Math.max(cursorMs, bar.startMs),
      Math.min(bar.endMs - 1, window.toMs),
    );
    if (key === "ArrowRight") return nextBar(parts, units, bar, 1);
    if (key === "ArrowLeft") return nextBar(parts, units, bar, -1);
    if (key === "ArrowDown") return barInRow(parts, units, bar, 1, aroundMs);
    if (key === "ArrowUp") return barInRow(parts, units, bar, -1, aroundMs);
    return barNear(
      parts,
      units,
      bar.device,
      key === "Home" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
    );
  }

  /** A screen up or down. The cursor goes along: to the nearest row with bars as far below or above, near the same time. */
  #turnPage(step: 1 | -1, bar: BarCursor | null): void {
    const { scene, view } = this.#painter;
    const { scroller } = this.#parts;
    const byCss = step * Math.max(40, scroller.clientHeight - PAGE_OVERLAP);
    scroller.scrollTop += byCss;
    if (!bar || !scene.index || !view) return;
    const { layout, ratio } = view;
    const { parts, units } = scene.index;
    const own = layout.units.unitOfDevice[bar.device]!;
    const top = rowTop(layout, own, bar.device - layout.units.unitFirst[own]!);
    const last = units.unitFirst.length - 1;
    const found = unitAt(layout, top + byCss * ratio);
    const unit = found >= 0 ? found : step > 0 ? Math.min(last, layout.units.unitCount - 1) : 0;
    const device = units.unitFirst[unit]!;
    const atMs = Math.max(bar.startMs, Math.min(useApp.getState().cursorMs, bar.endMs - 1));
    const next =
      barNear(parts, units, device, atMs) ??
      barInRow(parts, units, { ...bar, device }, step, atMs) ??
      barInRow(parts, units, { ...bar, device }, step === 1 ? -1 : 1, atMs);
    if (next) this.#stand(next);
  }

  #firstBar(): BarCursor | null {
    const { scene, view } = this.#painter;
    if (!scene.index || !view) return null;
    const { cursorMs } = useApp.getState();
    const { units } = scene.index;
    const top = Math.max(0, unitAt(view.layout, view.scrollDev + view.layout.gap));
    for (let device = units.unitFirst[top]!; device < units.unitOfDevice.length; device++) {
      const bar = barNear(scene.index.parts, units, device, cursorMs);
      if (bar) return bar;
    }
    return null;
  }

  #stand(bar: BarCursor | null): void {
    const { overlay, scene, view } = this.#painter;
    overlay.bar = bar;
    this.#painter.mark(Dirty.overlay);
    useApp.setState({ hover: bar ? { kind: "job", jobIdx: bar.jobIdx } : null });
    if (!bar || !view || !scene.stage) return;
    const unit = view.layout.units.unitOfDevice[bar.device]!;
    const node = view.layout.units.unitNode[unit]!;
    this.#onTarget({ jobIdx: bar.jobIdx, node });
    setLeafUnderPointer(view.layout.units.blockOfUnit[unit]!);
    this.#bringIntoView(bar, unit);
    const { scenario } = useApp.getState();
    const calendar = scenario?.calendarStart;
    this.#say(
      spokenBar(
        scene.stage,
        bar,
        this.#painter.rowName(unit),
        calendar,
        scene.lost,
        scene.history?.endWords(bar.jobIdx, bar.endMs),
        heldDevices(scene.future, bar.jobIdx, bar.startMs, bar.endMs),
      ),
    );
  }

  #bringIntoView(bar: BarCursor, unit: number): void {
    const { view, scene } = this.#painter;
    if (!view) return;
    const { scroller } = this.#parts;
    const y0 =
      rowTop(view.layout, unit, bar.device - view.layout.units.unitFirst[unit]!) / view.ratio;
    if (y0 < scroller.scrollTop) scroller.scrollTop = y0 - 8;
    else if (y0 + 16 > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTop = y0 + 24 - scroller.clientHeight;
    const { window } = useApp.getState();
    const endMs = Math.min(bar.endMs, scene.future.knownMs);
    const x0 = xDevOf(bar.startMs, view.scale);
    const x1 = xDevOf(endMs, view.scale);
    if (x1 > 0 && x0 < view.width) return;
    const span = window.toMs - window.fromMs;
    const fromMs = bar.startMs - span / 4;
    setWindow({ fromMs, toMs: fromMs + span });
  }

  /** At most one sentence a second, the last one always. */
  #say(text: string): void {
    const { live } = this.#parts;
    if (this.#spokenTimer !== null) clearTimeout(this.#spokenTimer);
    const wait = Math.max(0, this.#spokenAt + 1_000 - performance.now());
    this.#spokenTimer = setTimeout(() => {
      this.#spokenAt = performance.now();
      live.textContent = text;
    }, wait);
  }
}
