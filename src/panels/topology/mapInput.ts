/**
 * Hands on the map: wheel and pinch zoom at the pointer, a drag moves the view, a click selects the node, a second click the job on the device under it, or the device where it is free; a click on a leaf or
 * its links selects those; on the free ground it clears. A finger that rests sees what a hover shows, then the menu. Arrows go from node to node and up to the switches, Enter selects, `+` and `−` zoom, `0` shows all. Nothing here renders React.
 */
import { Dirty } from "../../render/frameLoop.ts";
import { run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import {
  type Direction,
  deviceAt,
  type MapPlace,
  nextPlace,
  placeAt,
} from "../../timeline/topologyMap/mapPlaces.ts";
import type { MapPainter } from "./mapPainter.ts";
import { holderOf, type PlaceWords, placeWords, spokenPlace } from "./mapWords.ts";

export interface MapParts {
  /** The element that has the focus and the pointer. */
  readonly ground: HTMLElement;
  readonly tip: HTMLElement;
  readonly live: HTMLElement;
}

interface Drag {
  readonly startX: number;
  readonly startY: number;
  readonly leftCss: number;
  readonly topCss: number;
  moved: boolean;
}

const CLICK_SLACK = 4;
/** A finger is never quite still. */
const TOUCH_SLACK = 8;
/** A finger that rests so long sees what it rests on, ms; then what can be done with it. */
const REST_MS = 450;
const MENU_MS = 1_100;
const KEY_ZOOM = 1.5;
const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

export class MapInput {
  /** What a menu is about: the place under the pointer or of the keyboard, and the device pointed at. */
  target: { readonly place: MapPlace | null; readonly device: number } = {
    place: null,
    device: -1,
  };
  readonly #painter: MapPainter;
  readonly #parts: MapParts;
  readonly #stopList = new AbortController();
  readonly #pointers = new Map<number, { x: number; y: number }>();
  #drag: Drag | null = null;
  /** The finger that is down has rested: it neither selects nor drags. */
  #rested = false;
  #timers: readonly ReturnType<typeof setTimeout>[] = [];

  constructor(painter: MapPainter, parts: MapParts) {
    this.#painter = painter;
    this.#parts = parts;
    const { ground } = parts;
    const { signal } = this.#stopList;
    ground.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
    ground.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    ground.addEventListener("pointermove", (event) => this.#move(event), { signal });
    ground.addEventListener("pointerup", (event) => this.#up(event), { signal });
    ground.addEventListener("pointercancel", (event) => this.#cancel(event), { signal });
    ground.addEventListener("pointerleave", (event) => this.#leave(event), { signal });
    ground.addEventListener("dblclick", (event) => this.#double(event), { signal });
    ground.addEventListener("keydown", (event) => this.#key(event), { signal });
  }

  stop(): void {
    this.#stir();
    this.#stopList.abort();
  }

  #at(event: { clientX: number; clientY: number }) {
    const box = this.#parts.ground.getBoundingClientRect();
    const xCss = event.clientX - box.left;
    const yCss = event.clientY - box.top;
    return { xCss, yCss, x: xCss + this.#painter.leftCss, y: yCss + this.#painter.topCss };
  }

  #hit(event: { clientX: number; clientY: number }): { place: MapPlace | null; device: number } {
    const { layout } = this.#painter;
    if (!layout) return { place: null, device: -1 };
    const { x, y } = this.#at(event);
    const place = placeAt(layout, x, y);
    return { place, device: place?.kind === "unit" ? deviceAt(layout, place.unit, x, y) : -1 };
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    const { xCss, yCss } = this.#at(event);
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const sideways = (event.deltaX || event.deltaY) * unit;
      this.#painter.panTo(this.#painter.leftCss + sideways, this.#painter.topCss);
      return;
    }
    this.hideTip();
    this.#painter.zoomBy(2 ** (-event.deltaY * unit * 0.003), xCss, yCss);
  }

  #down(event: PointerEvent): void {
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.#stir();
    if (event.button !== 0 || this.#pointers.size > 1) return;
    if (event.pointerType === "touch") {
      this.hideTip();
      this.#awaitRest(event);
    }
    const { leftCss, topCss } = this.#painter;
    this.#drag = { startX: event.clientX, startY: event.clientY, leftCss, topCss, moved: false };
  }

  #move(event: PointerEvent): void {
    const before = this.#pointers.get(event.pointerId);
    if (before && this.#pointers.size === 2) this.#pinch(event, before);
    else if (this.#drag) this.#dragTo(event, this.#drag);
    else this.#point(event);
  }

  #pinch(event: PointerEvent, before: { readonly x: number; readonly y: number }): void {
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#drag = null;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (!other) return;
    const was = Math.abs(before.x - other.x) + Math.abs(before.y - other.y);
    const is = Math.abs(event.clientX - other.x) + Math.abs(event.clientY - other.y);
    if (was < 4 || is < 4) return;
    const middle = {
      clientX: (event.clientX + other.x) / 2,
      clientY: (event.clientY + other.y) / 2,
    };
    const { xCss, yCss } = this.#at(middle);
    this.#painter.zoomBy(is / was, xCss, yCss);
  }

  #dragTo(event: PointerEvent, drag: Drag): void {
    const dx = event.clientX - drag.startX;
    const dy = event.clientY - drag.startY;
    if (!drag.moved) {
      const slack = event.pointerType === "touch" ? TOUCH_SLACK : CLICK_SLACK;
      if (this.#rested || (Math.abs(dx) < slack && Math.abs(dy) < slack)) return;
      drag.moved = true;
      this.#stir();
      this.#parts.ground.setPointerCapture(event.pointerId);
      this.#parts.ground.dataset["drag"] = "pan";
      this.hideTip();
    }
    this.#painter.panTo(drag.leftCss - dx, drag.topCss - dy);
  }

  #up(event: PointerEvent): void {
    this.#pointers.delete(event.pointerId);
    const drag = this.#drag;
    this.#drag = null;
    delete this.#parts.ground.dataset["drag"];
    const rested = this.#rested;
    this.#stir();
    if (drag && !drag.moved && !rested) this.#click(this.#hit(event));
  }

  /** What a resting finger asks for is read after it has lifted; it selects nothing. */
  #awaitRest(event: PointerEvent): void {
    const { clientX, clientY } = event;
    this.#timers = [
      setTimeout(() => {
        this.#rested = true;
        this.#point(event);
      }, REST_MS),
      setTimeout(() => {
        const init = { bubbles: true, cancelable: true, clientX, clientY };
        this.#parts.ground.dispatchEvent(new MouseEvent("contextmenu", init));
      }, MENU_MS),
    ];
  }

  /** Nobody rests. */
  #stir(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
    this.#rested = false;
  }

  #cancel(event: PointerEvent): void {
    this.#pointers.delete(event.pointerId);
    this.#drag = null;
    this.#stir();
    delete this.#parts.ground.dataset["drag"];
  }

  #leave(event: PointerEvent): void {
    if (event.pointerType === "touch") return;
    this.hideTip();
    if (this.#drag || !this.#painter.hover) return;
    this.#painter.hover = null;
    this.#painter.mark(Dirty.overlay);
  }

  #click({ place, device }: { readonly place: MapPlace | null; readonly device: number }): void {
    const { state } = this.#painter;
    if (!state || !place) {
      run("clearSelection");
      return;
    }
    if (place.kind === "block") {
      if (state.tree.units.leaves) run("selectLeaf", { leaf: place.block });
      return;
    }
    const node = state.tree.units.unitNode[place.unit]!;
    const jobIdx = device >= 0 ? holderOf(state, device) : -1;
    const { selection } = useApp.getState();
    const again = selection?.kind === "node" && selection.node === node;
    if (again && jobIdx >= 0) run("selectJob", { jobIdx });
    else if (again && device >= 0) run("selectGpu", { device });
    else if (!state.tree.cluster.flat) run("selectNode", { node });
    else if (jobIdx >= 0) run("selectJob", { jobIdx });
  }

  /** Twice on a leaf: so close that it fills the view; and back. */
  #double(event: MouseEvent): void {
    const { place } = this.#hit(event);
    if (place?.kind !== "block") return;
    if (this.#painter.zoom > 1) this.#painter.fit();
    else this.#painter.zoomTo(place.block);
  }

  #point(event: PointerEvent): void {
    const { state } = this.#painter;
    const hit = this.#hit(event);
    this.target = hit;
    if (!samePlace(hit.place, this.#painter.hover)) {
      this.#painter.hover = hit.place;
      this.#painter.mark(Dirty.overlay);
    }
    if (!state || !hit.place) this.hideTip();
    else this.#showTip(event, placeWords(state, hit.place, this.#painter.contention, hit.device));
  }

  #showTip(event: PointerEvent, { title, lines }: PlaceWords): void {
    const { tip, ground } = this.#parts;
    const bold = document.createElement("b");
    bold.textContent = title;
    tip.replaceChildren(
      bold,
      ...lines.map((text) => Object.assign(document.createElement("span"), { textContent: text })),
    );
    const box = ground.getBoundingClientRect();
    const x = Math.min(event.clientX - box.left + 14, box.width - tip.offsetWidth - 4);
    const below = event.clientY - box.top + 18;
    const y =
      below + tip.offsetHeight > box.height
        ? event.clientY - box.top - tip.offsetHeight - 10
        : below;
    tip.style.transform = `translate(${Math.round(Math.max(0, x))}px, ${Math.round(Math.max(0, y))}px)`;
    tip.style.visibility = "visible";
  }

  hideTip(): void {
    this.#parts.tip.style.visibility = "hidden";
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const painter = this.#painter;
    const direction = DIRECTIONS[event.key];
    if (direction) this.#step(direction);
    else if (event.key === "Enter" && painter.focus) this.#enter(painter.focus);
    else if (event.key === "+" || event.key === "=") painter.zoomBy(KEY_ZOOM);
    else if (event.key === "-") painter.zoomBy(1 / KEY_ZOOM);
    else if (event.key === "0") painter.fit();
    else if (event.key === "Escape" && painter.focus) this.#stand(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #step(direction: Direction): void {
    const { layout, focus } = this.#painter;
    if (!layout || layout.tree.units.unitCount === 0) return;
    this.#stand(focus ? nextPlace(layout, focus, direction) : this.#firstPlace());
  }

  /** The selected node, else the first. */
  #firstPlace(): MapPlace {
    const { selection } = useApp.getState();
    const node = selection?.kind === "node" ? selection.node : 0;
    const unit = this.#painter.state?.tree.units.unitNode.indexOf(node) ?? 0;
    return { kind: "unit", unit: Math.max(0, unit) };
  }

  #stand(place: MapPlace | null): void {
    const { state } = this.#painter;
    if (!place && !this.#painter.focus) return;
    this.#painter.focus = place;
    this.target = { place, device: -1 };
    this.#painter.mark(Dirty.overlay);
    if (!place || !state) return;
    this.#painter.show(place);
    this.#parts.live.textContent = spokenPlace(placeWords(state, place, this.#painter.contention));
  }

  /** A node is selected, then the first job on it; a leaf is selected, then it comes closer. */
  #enter(place: MapPlace): void {
    const { state } = this.#painter;
    if (!state) return;
    if (place.kind === "block") {
      const { selection } = useApp.getState();
      const again = selection?.kind === "leaf" && selection.leaf === place.block;
      if (again || !state.tree.units.leaves) this.#painter.zoomTo(place.block);
      else this.#click({ place, device: -1 });
      return;
    }
    const { unitFirst } = state.tree.units;
    let device = -1;
    for (let d = unitFirst[place.unit]!; d < unitFirst[place.unit + 1]! && device < 0; d++)
      if (holderOf(state, d) >= 0) device = d;
    this.#click({ place, device });
  }
}

function samePlace(a: MapPlace | null, b: MapPlace | null): boolean {
  if (!a || !b) return a === b;
  return a.kind === "unit"
    ? b.kind === "unit" && a.unit === b.unit
    : b.kind === "block" && a.block === b.block;
}
