/**
 * Fingers on the Gantt: where each one is, two of them zooming and panning in one change of the window, and one that rests, which sees
 * first what a hover shows and then the menu. A finger that moves, lifts or is joined by another rests no more.
 */
import { timeBounds } from "../../store/camera.ts";
import { useApp } from "../../store/store.ts";
import { panBy, zoomAround } from "../../timeline/viewport.ts";
import type { GanttParts } from "./ganttInput.ts";

interface Finger {
  readonly x: number;
  readonly y: number;
}

/** A finger that rests so long asks what it rests on, ms; then what can be done with it. */
const REST_MS = 450;
const MENU_MS = 1_100;
/** A finger that rests is never quite still, CSS pixels. */
const SLACK = 8;
/** Nearer fingers say nothing about a zoom, CSS pixels. */
const LEAST_APART = 4;

export class Fingers {
  /** The finger that is down has rested: what it does now is no click and no drag. */
  rested = false;
  readonly #parts: GanttParts;
  readonly #down = new Map<number, Finger>();
  #timers: readonly ReturnType<typeof setTimeout>[] = [];

  constructor(parts: GanttParts) {
    this.#parts = parts;
  }

  /** A pointer is pressed: how many are down now. */
  press(event: PointerEvent): number {
    this.#down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.stir();
    return this.#down.size;
  }

  /** Waits whether a finger rests: calls `onRest` first, then opens the menu. */
  wait(event: PointerEvent, onRest: () => void, onMenu: () => void): void {
    const { clientX, clientY } = event;
    this.#timers = [
      setTimeout(() => {
        this.rested = true;
        onRest();
      }, REST_MS),
      setTimeout(() => {
        onMenu();
        this.#parts.scroller.dispatchEvent(
          new MouseEvent("contextmenu", { bubbles: true, cancelable: true, clientX, clientY }),
        );
      }, MENU_MS),
    ];
  }

  /** True where the move was one of two fingers, or of one that has rested: nothing else is to be done with it. */
  move(event: PointerEvent): boolean {
    const before = this.#down.get(event.pointerId);
    if (before === undefined) return false;
    if (this.#down.size === 2) {
      this.#pinch(event, before);
      return true;
    }
    if (Math.abs(event.clientX - before.x) >= SLACK || Math.abs(event.clientY - before.y) >= SLACK)
      this.stir();
    return this.rested;
  }

  /** A pointer lifts or is taken away: whether it had rested. */
  lift(event: PointerEvent): boolean {
    const { rested } = this;
    this.#down.delete(event.pointerId);
    this.stir();
    this.rested = false;
    return rested;
  }

  /** Nobody rests. */
  stir(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }

  /** The distance of two fingers zooms, their middle pans. */
  #pinch(event: PointerEvent, before: Finger): void {
    const other = [...this.#down].find(([id]) => id !== event.pointerId)?.[1] ?? before;
    this.#down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const { scroller, gutterCss } = this.#parts;
    const box = scroller.getBoundingClientRect();
    const width = box.width - gutterCss();
    const was = Math.abs(before.x - other.x);
    const now = Math.abs(event.clientX - other.x);
    const factor = was > LEAST_APART && now > LEAST_APART ? now / was : 1;
    const { window } = useApp.getState();
    const share = ((before.x + other.x) / 2 - box.left - gutterCss()) / width;
    const aroundMs = window.fromMs + share * (window.toMs - window.fromMs);
    const zoomed = zoomAround(window, aroundMs, factor, timeBounds());
    const byMs = (-(event.clientX - before.x) / 2 / width) * (zoomed.toMs - zoomed.fromMs);
    useApp.setState({ window: panBy(zoomed, byMs, timeBounds()) });
    scroller.scrollTop -= (event.clientY - before.y) / 2;
  }
}
