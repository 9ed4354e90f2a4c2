/**
 * The hands that every strip over time has in common, as on the Gantt: Ctrl or Cmd with the wheel zooms time at the pointer, Shift with the wheel (or a wheel that
 * goes sideways) moves it, two fingers do both at once. What the mouse does is the strip's own, and what one finger does unless it is to move time. Nothing here renders React.
 */
import { panBy, timeMsAt, zoomAround } from "../timeline/viewport.ts";
import { timeBounds } from "./camera.ts";
import { useApp } from "./store.ts";

const ZOOM_PER_CSS = 0.0035;
/** Nearer fingers say nothing about a zoom, CSS pixels. */
const LEAST_APART_CSS = 4;

/** Listens on a strip, whose `plot` is as wide as the window; returns what stops it. */
export function handsOnTime(
  strip: HTMLElement,
  { plot = strip, onePans = false }: { plot?: HTMLElement; onePans?: boolean } = {},
): () => void {
  const hands = new AbortController();
  const { signal } = hands;
  /** Where the fingers that are down are, CSS pixels from the left of the page. */
  const fingers = new Map<number, number>();
  const change = (fromX: number, toX: number, factor: number): void => {
    const { left, width } = plot.getBoundingClientRect();
    const { window } = useApp.getState();
    const zoomed = zoomAround(window, timeMsAt(fromX - left, window, width), factor, timeBounds());
    const byMs = (-(toX - fromX) / Math.max(1, width)) * (zoomed.toMs - zoomed.fromMs);
    useApp.setState({ window: panBy(zoomed, byMs, timeBounds()) });
  };
  const wheel = (event: WheelEvent): void => {
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      change(event.clientX, event.clientX, Math.exp(-event.deltaY * unit * ZOOM_PER_CSS));
      return;
    }
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const byCss = event.shiftKey ? event.deltaY || event.deltaX : isSideways ? event.deltaX : 0;
    if (byCss === 0) return;
    event.preventDefault();
    change(event.clientX, event.clientX - byCss * unit, 1);
  };
  const down = (event: PointerEvent): void => {
    if (event.pointerType === "touch") fingers.set(event.pointerId, event.clientX);
  };
  const move = (event: PointerEvent): void => {
    const before = fingers.get(event.pointerId);
    if (before === undefined) return;
    fingers.set(event.pointerId, event.clientX);
    if (fingers.size === 1 && onePans) change(before, event.clientX, 1);
    if (fingers.size !== 2) return;
    const other = [...fingers].find(([id]) => id !== event.pointerId)![1];
    const [was, is] = [Math.abs(before - other), Math.abs(event.clientX - other)];
    const factor = was > LEAST_APART_CSS && is > LEAST_APART_CSS ? is / was : 1;
    change((before + other) / 2, (event.clientX + other) / 2, factor);
  };
  const lift = (event: PointerEvent): void => void fingers.delete(event.pointerId);
  strip.addEventListener("wheel", wheel, { signal, passive: false });
  strip.addEventListener("pointerdown", down, { signal });
  strip.addEventListener("pointermove", move, { signal });
  strip.addEventListener("pointerup", lift, { signal });
  strip.addEventListener("pointercancel", lift, { signal });
  strip.addEventListener("pointerleave", lift, { signal });
  return () => hands.abort();
}
