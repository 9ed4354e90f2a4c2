/**
 * The four spaces of the sheet, defined once: time (ms), row (global device index), CSS pixels, device pixels. All strips of
 * the sheet (minimap excepted) share one time window; x is measured from the left edge of the plot, right of the gutter.
 */
export interface TimeWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Time → CSS pixels from the left edge of a plot `widthCss` wide. */
export function xCssOf(timeMs: number, window: TimeWindow, widthCss: number): number {
  return ((timeMs - window.fromMs) / (window.toMs - window.fromMs)) * widthCss;
}

/** CSS pixels → time, not rounded. */
export function timeMsAt(xCss: number, window: TimeWindow, widthCss: number): number {
  return window.fromMs + (xCss / widthCss) * (window.toMs - window.fromMs);
}

/** Zooms by `factor` (> 1 = closer) around a time, kept inside `bounds` and no closer than `leastMs`. */
export function zoomAround(
  window: TimeWindow,
  aroundMs: number,
  factor: number,
  bounds: TimeWindow,
  leastMs = 1_000,
): TimeWindow {
  const span = Math.min(
    bounds.toMs - bounds.fromMs,
    Math.max(leastMs, (window.toMs - window.fromMs) / factor),
  );
  const share = (aroundMs - window.fromMs) / (window.toMs - window.fromMs);
  return clampWindow(
    { fromMs: aroundMs - share * span, toMs: aroundMs + (1 - share) * span },
    bounds,
  );
}

/** Moves a window by `byMs`, kept inside `bounds`. */
export function panBy(window: TimeWindow, byMs: number, bounds: TimeWindow): TimeWindow {
  return clampWindow({ fromMs: window.fromMs + byMs, toMs: window.toMs + byMs }, bounds);
}

/** The window, ms, moved inside `bounds` with its length kept; a longer one is cut to them. */
export function clampWindow(window: TimeWindow, bounds: TimeWindow): TimeWindow {
  const span = Math.min(window.toMs - window.fromMs, bounds.toMs - bounds.fromMs);
  const fromMs = Math.min(Math.max(window.fromMs, bounds.fromMs), bounds.toMs - span);
  return { fromMs, toMs: fromMs + span };
}
