/**
 * Hands on the Gantt: wheel, drag, pinch, click and keys become changes of the store. The wheel scrolls rows (natively),
 * Ctrl/Cmd + wheel zooms time at the pointer, Shift + wheel pans; a drag on a bar pans, a drag on empty ground or with Shift marks
 * a stretch of time. Fingers: one pans, two zoom and pan, one that rests shows what a hover shows. Nothing here renders React.
 */
import { Dirty } from "../../render/frameLoop.ts";
import { headEndsCss } from "../../render/gutterPlaces.ts";
import { timeBounds, zoomBy } from "../../store/camera.ts";
import { run } from "../../store/commands.ts";
import { notify } from "../../store/notices.ts";
import { useApp } from "../../store/store.ts";
import { palette } from "../../theme/palette.ts";
import { type Hit, hitTest } from "../../timeline/hitTest.ts";
import { timeMsOfPixel } from "../../timeline/pixelScale.ts";
import { blockAt, drawsBars, unitAt } from "../../timeline/rows.ts";
import { panBy, type TimeWindow } from "../../timeline/viewport.ts";
import { Fingers } from "./fingers.ts";
import { GanttKeys } from "./ganttKeys.ts";
import type { GanttPainter } from "./ganttPainter.ts";
import { GanttTips } from "./ganttTips.ts";
import { foldLeaf, setLeafUnderPointer } from "./leafLevels.ts";

export interface GanttParts {
  readonly scroller: HTMLElement;
  readonly tip: HTMLElement;
  readonly live: HTMLElement;
  readonly gutterCss: () => number;
}

export interface GanttTarget {
  readonly jobIdx: number;
  readonly node: number;
}

interface Drag {
  readonly kind: "pan" | "brush";
  readonly startX: number;
  readonly startY: number;
  readonly startMs: number;
  readonly window: TimeWindow;
  readonly scrollTop: number;
  moved: boolean;
}

const CLICK_SLACK = 4;
const SNAP_CSS = 6;

export class GanttInput {
  /** What the context menu is about: bar and node under the pointer, or those of the bar cursor. */
  target: GanttTarget = { jobIdx: -1, node: -1 };
  readonly #painter: GanttPainter;
  readonly #parts: GanttParts;
  readonly #stopList: AbortController = new AbortController();
  readonly #fingers: Fingers;
  readonly #tips: GanttTips;
  readonly #keys: GanttKeys;
  readonly #offStore: readonly (() => void)[];
  #drag: Drag | null = null;

  constructor(painter: GanttPainter, parts: GanttParts) {
    this.#painter = painter;
    this.#parts = parts;
    this.#fingers = new Fingers(parts);
    this.#tips = new GanttTips(painter, parts.tip, parts.scroller);
    const { scroller } = parts;
    const { signal } = this.#stopList;
    scroller.addEventListener("scroll", () => painter.scrolled(scroller.scrollTop), {
      signal,
      passive: true,
    });
    scroller.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
    scroller.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    scroller.addEventListener("pointermove", (event) => this.#move(event), { signal });
    scroller.addEventListener("pointerup", (event) => this.#up(event), { signal });
    scroller.addEventListener("pointercancel", (event) => this.#cancel(event), { signal });
    scroller.addEventListener(
      "pointerleave",
      // What a resting finger asked for is read after it has lifted.
      ({ pointerType }) => pointerType !== "touch" && this.#leave(),
      { signal },
    );
    scroller.addEventListener("contextmenu", (event) => this.#ownMenuOnly(event), { signal });
    scroller.addEventListener("dblclick", (event) => this.#double(event), { signal });
    this.#keys = new GanttKeys(painter, parts, (target) => {
      this.target = target;
    });
    this.#showRange(useApp.getState().range);
    this.#offStore = [
      useApp.subscribe(
        (state) => state.range,
        (range) => this.#showRange(range),
      ),
      useApp.subscribe(
        (state) => state.cursorMs,
        () => this.#tips.cursorMoved(),
      ),
    ];
    scroller.addEventListener(
      "keydown",
      (event) => {
        if (this.#keys.handle(event)) return;
        if (event.key === "Escape" && useApp.getState().range) {
          useApp.setState({ range: null });
          event.stopPropagation();
        }
      },
      { signal },
    );
  }

  stop(): void {
    for (const off of this.#offStore) off();
    this.#fingers.stir();
    this.#stopList.abort();
    this.#keys.stop();
  }

  /** The range of the store is drawn, except while a hand draws another. */
  #showRange(range: TimeWindow | null): void {
    this.#painter.overlay.brush = range;
    this.#painter.mark(Dirty.overlay);
  }

  /** Plot coordinates in device pixels; x is negative in the gutter. */
  #place(event: { clientX: number; clientY: number }): { xDev: number; yDev: number } | null {
    const { view } = this.#painter;
    if (!view) return null;
    const box = this.#parts.scroller.getBoundingClientRect();
    return {
      xDev: (event.clientX - box.left - this.#parts.gutterCss()) * view.ratio,
      yDev: (event.clientY - box.top) * view.ratio + view.scrollDev,
    };
  }

  #hit(event: { clientX: number; clientY: number }): Hit | null {
    const { view, scene } = this.#painter;
    const at = this.#place(event);
    if (!at || !view || !scene.index || at.xDev < 0) return null;
    return hitTest(
      scene.barParts,
      view.layout,
      view.scale,
      at.xDev,
      at.yDev,
      scene.future.knownMs,
      scene.partPlaces,
    );
  }

  #timeAt(event: { clientX: number; clientY: number }): number {
    const { view } = this.#painter;
    const at = this.#place(event);
    return view && at ? timeMsOfPixel(at.xDev, view.scale) : 0;
  }

  #wheel(event: WheelEvent): void {
    const { view } = this.#painter;
    if (!view) return;
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.hideTip();
      zoomBy(Math.exp(-event.deltaY * unit * 0.0035), this.#timeAt(event));
      return;
    }
    const sideways = event.shiftKey
      ? event.deltaY || event.deltaX
      : Math.abs(event.deltaX) > Math.abs(event.deltaY)
        ? event.deltaX
        : 0;
    if (sideways === 0) return;
    event.preventDefault();
    const byMs = (sideways * unit * view.ratio) / view.scale.pxPerMs;
    useApp.setState({ window: panBy(useApp.getState().window, byMs, timeBounds()) });
  }

  #down(event: PointerEvent): void {
    const down = this.#fingers.press(event);
    if (down > 1) this.#drag = null;
    if (event.button !== 0 || down > 1) return;
    if (event.pointerType === "touch") this.#awaitRest(event);
    const at = this.#place(event);
    if (!at || at.xDev < 0) return;
    const onBar = this.#hit(event) !== null || this.#folded(at.yDev);
    this.#drag = {
      kind: (onBar && !event.shiftKey) || event.pointerType === "touch" ? "pan" : "brush",
      startX: event.clientX,
      startY: event.clientY,
      startMs: this.#timeAt(event),
      window: useApp.getState().window,
      scrollTop: this.#parts.scroller.scrollTop,
      moved: false,
    };
  }

  #folded(yDev: number): boolean {
    const layout = this.#painter.view?.layout;
    const unit = layout ? unitAt(layout, yDev) : -1;
    return layout !== undefined && unit >= 0 && !drawsBars(layout, layout.units.blockOfUnit[unit]!);
  }

  #move(event: PointerEvent): void {
    if (this.#fingers.move(event)) return;
    if (this.#drag) this.#dragTo(event, this.#drag);
    else this.#hover(event);
  }

  #dragTo(event: PointerEvent, drag: Drag): void {
    const { view, overlay } = this.#painter;
    const { scroller } = this.#parts;
    if (!view) return;
    const dx = event.clientX - drag.startX;
    const dy = event.clientY - drag.startY;
    if (!drag.moved) {
      if (Math.abs(dx) < CLICK_SLACK && Math.abs(dy) < CLICK_SLACK) return;
      drag.moved = true;
      scroller.setPointerCapture(event.pointerId);
      scroller.dataset.drag = drag.kind;
      this.hideTip();
    }
    if (drag.kind === "pan") {
      const byMs = (-dx * view.ratio) / view.scale.pxPerMs;
      useApp.setState({ window: panBy(drag.window, byMs, timeBounds()) });
      if (event.pointerType !== "touch") scroller.scrollTop = drag.scrollTop - dy;
      return;
    }
    const endMs = event.altKey ? this.#timeAt(event) : this.#snapped(event);
    overlay.brush = { fromMs: Math.min(drag.startMs, endMs), toMs: Math.max(drag.startMs, endMs) };
    this.#painter.mark(Dirty.overlay);
  }

  /** The time under the pointer, or the bar edge within a few pixels of it. */
  #snapped(event: PointerEvent): number {
    const atMs = this.#timeAt(event);
    const hit = this.#hit(event);
    const { view } = this.#painter;
    if (!hit || !view) return atMs;
    const slackMs = (SNAP_CSS * view.ratio) / view.scale.pxPerMs;
    const edges = [hit.startMs, hit.endMs].filter((edge) => Math.abs(edge - atMs) <= slackMs);
    return edges.sort((a, b) => Math.abs(a - atMs) - Math.abs(b - atMs))[0] ?? atMs;
  }

  #up(event: PointerEvent): void {
    const rested = this.#fingers.lift(event);
    const drag = this.#drag;
    this.#drag = null;
    delete this.#parts.scroller.dataset.drag;
    if (rested) return;
    if (!drag) {
      this.#clickGutter(event);
      return;
    }
    if (!drag.moved) this.#click(event);
    else if (drag.kind === "brush") useApp.setState({ range: this.#painter.overlay.brush });
  }

  #cancel(event: PointerEvent): void {
    this.#fingers.lift(event);
    this.#drag = null;
    delete this.#parts.scroller.dataset.drag;
  }

  #click(event: PointerEvent): void {
    const hit = this.#hit(event);
    const words = this.#painter.pick(hit, event.shiftKey);
    if (words !== "") {
      notify(words);
      return;
    }
    if (useApp.getState().range) useApp.setState({ range: null });
    this.#painter.keepingRows(() =>
      hit ? run("selectJob", { jobIdx: hit.jobIdx }) : run("clearSelection"),
    );
  }

  /** The box of a block folds and opens it; a node in the gutter selects itself. */
  #clickGutter(event: PointerEvent): void {
    const at = this.#place(event);
    const { view } = this.#painter;
    if (event.button !== 0 || !at || !view || at.xDev >= 0) return;
    const gutterCss = this.#parts.gutterCss();
    const onHead = at.xDev / view.ratio + gutterCss < headEndsCss(gutterCss, palette().u);
    if (onHead || view.layout.units.groups) {
      foldLeaf(blockAt(view.layout, at.yDev));
      return;
    }
    const unit = unitAt(view.layout, at.yDev);
    if (unit < 0) return;
    this.#painter.keepingRows(() => run("selectNode", { node: view.layout.units.unitNode[unit]! }));
  }

  #double(event: MouseEvent): void {
    const hit = this.#hit(event);
    if (!hit) return;
    this.#painter.keepingRows(() => run("selectJob", { jobIdx: hit.jobIdx }));
    run("fitSelection");
  }

  /** Some browsers open the menu of a resting finger by themselves, before anybody has read what it rests on. */
  #ownMenuOnly(event: MouseEvent): void {
    if (!event.isTrusted || (event as PointerEvent).pointerType !== "touch") return;
    event.preventDefault();
    event.stopPropagation();
  }

  #hover(event: PointerEvent): void {
    const { view, scene } = this.#painter;
    const at = this.#place(event);
    if (!at || !view || !scene.stage) return;
    setLeafUnderPointer(blockAt(view.layout, at.yDev));
    const unit = unitAt(view.layout, at.yDev);
    const hit = this.#hit(event);
    this.target = {
      jobIdx: hit?.jobIdx ?? -1,
      node: unit < 0 ? -1 : view.layout.units.unitNode[unit]!,
    };
    const { hover } = useApp.getState();
    const jobIdx = hit?.jobIdx ?? -1;
    if ((hover?.kind === "job" ? hover.jobIdx : -1) !== jobIdx) {
      useApp.setState({ hover: jobIdx < 0 ? null : { kind: "job", jobIdx } });
    }
    if (hit) this.#tips.showBar(event, hit);
    else if (this.#folded(at.yDev) && at.xDev >= 0)
      this.#tips.showLoad(event, blockAt(view.layout, at.yDev), at.xDev);
    else if (at.xDev < 0) this.#tips.showGutter(event, unit, blockAt(view.layout, at.yDev));
    else this.#tips.showExtra(event, view, at.xDev, at.yDev);
  }

  /** A finger that rests sees what a hover shows; then comes the menu in its place. */
  #awaitRest(event: PointerEvent): void {
    this.hideTip();
    this.#fingers.wait(
      event,
      () => {
        this.#drag = null;
        this.#hover(event);
      },
      () => this.hideTip(),
    );
  }

  /** What the tooltip told of is no longer under the pointer. */
  hideTip(): void {
    this.#tips.hide();
  }

  #leave(): void {
    this.hideTip();
    if (this.#drag) return;
    setLeafUnderPointer(-1);
    if (useApp.getState().hover) useApp.setState({ hover: null });
  }
}
