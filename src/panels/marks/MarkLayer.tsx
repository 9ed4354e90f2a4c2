/**
 * What is marked, over all strips of the sheet: the marked stretch as a band with an edge at either side (the Gantt draws its own part of it, as the
 * hand does), bookmarks as flags on the axis and as ticks on the map of the whole run. Elements are moved by the frame loop, React renders the list.
 */
import { useEffect, useRef } from "react";
import { Dirty, frameLoop } from "../../render/frameLoop.ts";
import { timeBounds } from "../../store/camera.ts";
import { onRecord } from "../../store/runData.ts";
import { useApp } from "../../store/store.ts";
import { type TimeWindow, xCssOf } from "../../timeline/viewport.ts";
import { bookmarkTime, goToBookmark } from "./bookmarkTime.ts";
import "./marks.css";

interface Strip {
  readonly top: number;
  readonly height: number;
}

/** Where the strips stand; measured when the sheet changes its size, since asking each frame would lay the page out again. */
interface Places {
  readonly width: number;
  readonly map: Strip;
  readonly axis: Strip;
  /** Below the Gantt, down to the end or to a drawer. */
  readonly below: Strip;
}

export function MarkLayer() {
  const layer = useRef<HTMLDivElement>(null);
  const bookmarks = useApp((state) => state.bookmarks);
  const calendar = useApp((state) => state.scenario?.calendarStart);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other bookmarks are other elements to place.
  useEffect(() => {
    const sheet = layer.current?.parentElement;
    return layer.current && sheet ? follow(layer.current, sheet) : undefined;
  }, [bookmarks]);
  return (
    <div ref={layer} className="marks">
      <div className="marks-band" data-strip="axis" />
      <div className="marks-band" data-strip="below" />
      {bookmarks.map((bookmark, index) => {
        const time = bookmarkTime(bookmark, calendar);
        const said = bookmark.text === "" ? time : `${bookmark.text}, ${time}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two bookmarks may be alike.
          <span key={index}>
            <i className="marks-dot" data-index={index} />
            <i className="marks-stretch" data-index={index} />
            <button
              type="button"
              className="marks-flag"
              data-index={index}
              aria-label={`Bookmark ${index + 1}: ${said}. Go there`}
              title={said}
              onClick={() => goToBookmark(bookmark)}
            >
              <span>{bookmark.text}</span>
            </button>
          </span>
        );
      })}
    </div>
  );
}

function follow(layer: HTMLElement, sheet: HTMLElement): () => void {
  let places: Places | null = null;
  const handle = frameLoop.register({
    name: "marks",
    paint: (dirty) => {
      if (dirty & Dirty.size || !places) places = measure(layer, sheet);
      place(layer, places);
      return 0;
    },
  });
  const sized = new ResizeObserver(() => handle.mark(Dirty.size));
  sized.observe(sheet);
  const mark = () => handle.mark(Dirty.camera);
  const offs = [
    useApp.subscribe((state) => state.window, mark),
    useApp.subscribe((state) => state.cursorMs, mark),
    useApp.subscribe((state) => state.range, mark),
    useApp.subscribe(
      (state) => state.drawer,
      () => handle.mark(Dirty.size),
    ),
    onRecord(mark),
  ];
  handle.mark(Dirty.size);
  return () => {
    sized.disconnect();
    for (const off of offs) off();
    handle.remove();
  };
}

function measure(layer: HTMLElement, sheet: HTMLElement): Places {
  const origin = layer.getBoundingClientRect();
  const strip = (name: string): Strip => {
    const box = sheet.querySelector(`[data-panel="${name}"]`)?.getBoundingClientRect();
    return { top: (box?.top ?? 0) - origin.top, height: box?.height ?? 0 };
  };
  const gantt = strip("gantt");
  const top = gantt.top + gantt.height;
  const drawer = sheet.querySelector('[data-panel="drawer"]')?.getBoundingClientRect();
  const foot = drawer ? drawer.top - origin.top : origin.height;
  return {
    width: origin.width,
    map: strip("minimap"),
    axis: strip("axis"),
    below: { top, height: gantt.height > 0 ? Math.max(0, foot - top) : 0 },
  };
}

function place(layer: HTMLElement, { width, map, axis, below }: Places): void {
  const { window, range, bookmarks } = useApp.getState();
  for (const band of layer.querySelectorAll<HTMLElement>(".marks-band"))
    stretch(band, range, window, width, band.dataset.strip === "axis" ? axis : below);
  const bounds = timeBounds();
  const nth = (name: string, index: number) =>
    layer.querySelector<HTMLElement>(`.${name}[data-index="${index}"]`);
  bookmarks.forEach((bookmark, index) => {
    const flag = nth("marks-flag", index);
    const dot = nth("marks-dot", index);
    const line = nth("marks-stretch", index);
    if (!flag || !dot || !line) return;
    const x = Math.round(xCssOf(bookmark.atMs, window, width));
    const seen = x >= 0 && x <= width && axis.height > 0;
    flag.style.visibility = seen ? "visible" : "hidden";
    flag.style.transform = `translate(${x - 1}px, ${axis.top}px)`;
    const next = bookmarks[index + 1];
    const room = Math.min(
      width - x,
      besideCursor(x, width),
      next ? xCssOf(next.atMs, window, width) - x - 4 : Number.POSITIVE_INFINITY,
    );
    // Without room for a pennant there is a pole.
    flag.style.maxWidth = `${room < 9 ? 2 : Math.min(160, Math.round(room))}px`;
    flag.toggleAttribute("data-pole", room < 9);
    dot.style.visibility = map.height > 0 ? "visible" : "hidden";
    dot.style.transform = `translate(${Math.round(xCssOf(bookmark.atMs, bounds, width)) - 1}px, ${map.top}px)`;
    const { atMs, toMs } = bookmark;
    stretch(line, toMs === undefined ? null : { fromMs: atMs, toMs }, window, width, {
      top: axis.top + axis.height - 2,
      height: axis.height > 0 ? 2 : 0,
    });
  });
}

/** The time of the cursor is read from its own flag: no text may stand over it. */
function besideCursor(x: number, width: number): number {
  const { cursorMs, window } = useApp.getState();
  const flag = document.querySelector<HTMLElement>(".axis-cursor");
  const half = (Number.parseFloat(flag?.style.width ?? "") || 0) / 2;
  const at = Math.min(Math.max(xCssOf(cursorMs, window, width), half), width - half);
  if (x > at + half || half === 0) return Number.POSITIVE_INFINITY;
  return at - half - x - 3;
}

function stretch(
  element: HTMLElement,
  range: TimeWindow | null,
  window: TimeWindow,
  width: number,
  strip: Strip,
): void {
  const x0 = range ? Math.max(-2, xCssOf(range.fromMs, window, width)) : 0;
  const x1 = range ? Math.min(width + 2, xCssOf(range.toMs, window, width)) : 0;
  const seen = range !== null && x1 > x0 && strip.height > 0;
  element.style.visibility = seen ? "visible" : "hidden";
  element.style.transform = `translate(${Math.round(x0)}px, ${strip.top}px)`;
  element.style.width = `${Math.max(1, Math.round(x1) - Math.round(x0))}px`;
  element.style.height = `${strip.height}px`;
}
