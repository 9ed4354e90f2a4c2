/** The words that follow the pointer over the Gantt: of a bar, a strip of load, a row of the gutter, a mark. One element, moved and filled without React. */
import { useApp } from "../../store/store.ts";
import { heldDevices } from "../../timeline/heldDevices.ts";
import type { Hit } from "../../timeline/hitTest.ts";
import { tipOf } from "./barWords.ts";
import type { GanttView } from "./basePainter.ts";
import type { GanttPainter } from "./ganttPainter.ts";
import type { GutterWords } from "./gutterWords.ts";
import { loadTip } from "./loadWords.ts";

export interface TipPlace {
  readonly clientX: number;
  readonly clientY: number;
}

export class GanttTips {
  readonly #painter: GanttPainter;
  readonly #tip: HTMLElement;
  readonly #scroller: HTMLElement;
  /** What it tells is of the cluster at the cursor. */
  #ofCursor = false;

  constructor(painter: GanttPainter, tip: HTMLElement, scroller: HTMLElement) {
    this.#painter = painter;
    this.#tip = tip;
    this.#scroller = scroller;
  }

  /** What it told of is no longer under the pointer. */
  hide(): void {
    this.#tip.style.visibility = "hidden";
  }

  showBar(place: TipPlace, hit: Hit): void {
    const { cursorMs, scenario } = useApp.getState();
    const { stage, lost, history, future } = this.#painter.scene;
    if (!stage) return;
    this.#show(
      place,
      tipOf(
        stage,
        hit,
        hit.barCount,
        cursorMs,
        scenario?.calendarStart,
        lost,
        history?.endWords(hit.jobIdx, hit.endMs),
        heldDevices(future, hit.jobIdx, hit.startMs, hit.endMs),
      ),
    );
  }

  showLoad(place: TipPlace, block: number, xDev: number): void {
    const { scene, view } = this.#painter;
    const calendar = useApp.getState().scenario?.calendarStart;
    this.#show(place, view && loadTip(scene, view, block, xDev, calendar));
  }

  showGutter(place: TipPlace, unit: number, block: number): void {
    this.#show(place, this.#painter.gutterWords(unit, block));
    this.#ofCursor = true;
  }

  /** What was told of the cluster is no longer so. */
  cursorMoved(): void {
    if (this.#ofCursor) this.hide();
  }

  /** The first of the marks over the bars that has something to say there. */
  showExtra(place: TipPlace, view: GanttView, xDev: number, yDev: number): void {
    let words: GutterWords | null = null;
    for (const extra of this.#painter.overlay.extras)
      if (!view.layout.units.groups || extra.onLanes) words ??= extra.tipAt(view, xDev, yDev);
    this.#show(place, words);
  }

  #show(place: TipPlace, words: GutterWords | null): void {
    this.#ofCursor = false;
    if (!words) {
      this.hide();
      return;
    }
    const tip = this.#tip;
    const bold = document.createElement("b");
    bold.textContent = words.title;
    tip.replaceChildren(
      bold,
      ...words.lines.map((text) =>
        Object.assign(document.createElement("span"), { textContent: text }),
      ),
    );
    const box = this.#scroller.getBoundingClientRect();
    const x = Math.min(place.clientX - box.left + 14, box.width - tip.offsetWidth - 4);
    const below = place.clientY - box.top + 18;
    const y =
      below + tip.offsetHeight > box.height
        ? place.clientY - box.top - tip.offsetHeight - 10
        : below;
    tip.style.transform = `translate(${Math.round(Math.max(0, x))}px, ${Math.round(Math.max(0, y))}px)`;
    tip.style.visibility = "visible";
  }
}
