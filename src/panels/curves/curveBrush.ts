/**
 * Marks a stretch of time by dragging over the curves, and zooms into it. A press that hardly moves stays a click, which seeks; Escape lets go. By keyboard the
 * same is done with the keys of the window (`W`, `S`, `[`, `]`).
 */
import { run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import { timeMsAt } from "../../timeline/viewport.ts";

const LEAST_CSS = 5;

/** Listens on a strip; returns what stops it. */
export function brushOver(strip: HTMLElement): () => void {
  const band = document.createElement("div");
  band.className = "curve-band";
  band.hidden = true;
  let plot: HTMLElement | null = null;
  let startCss = 0;
  let atCss = 0;
  let dragged = false;

  const place = (event: PointerEvent): number => {
    const { left, width } = plot!.getBoundingClientRect();
    return Math.min(width, Math.max(0, event.clientX - left));
  };
  const letGo = (): void => {
    plot = null;
    band.hidden = true;
    band.remove();
  };
  const down = (event: PointerEvent): void => {
    const on = (event.target as Element).closest<HTMLElement>(".strip-canvas");
    dragged = false;
    // A second finger: together they zoom.
    if (plot) {
      letGo();
      return;
    }
    if (!on || event.button !== 0) return;
    plot = on;
    startCss = atCss = place(event);
    on.parentElement!.append(band);
  };
  const move = (event: PointerEvent): void => {
    if (!plot) return;
    atCss = place(event);
    if (!dragged && Math.abs(atCss - startCss) < LEAST_CSS) return;
    if (!dragged) strip.setPointerCapture(event.pointerId);
    dragged = true;
    band.hidden = false;
    band.style.left = `${Math.min(startCss, atCss)}px`;
    band.style.width = `${Math.abs(atCss - startCss)}px`;
  };
  const up = (): void => {
    if (!plot) return;
    const { window } = useApp.getState();
    const times = [startCss, atCss].map((css) => timeMsAt(css, window, plot!.clientWidth));
    const isStretch = dragged && Math.abs(atCss - startCss) >= LEAST_CSS;
    letGo();
    if (isStretch) run("setWindow", { fromMs: Math.min(...times), toMs: Math.max(...times) });
  };
  const click = (event: MouseEvent): void => {
    // The click at the end of a drag is no seek.
    if (!dragged) return;
    dragged = false;
    event.stopPropagation();
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !plot) return;
    event.stopPropagation();
    letGo();
  };
  strip.addEventListener("pointerdown", down);
  strip.addEventListener("pointermove", move);
  strip.addEventListener("pointerup", up);
  strip.addEventListener("pointercancel", letGo);
  strip.addEventListener("click", click, true);
  window.addEventListener("keydown", key, true);
  return () => {
    letGo();
    strip.removeEventListener("pointerdown", down);
    strip.removeEventListener("pointermove", move);
    strip.removeEventListener("pointerup", up);
    strip.removeEventListener("pointercancel", letGo);
    strip.removeEventListener("click", click, true);
    window.removeEventListener("keydown", key, true);
  };
}
