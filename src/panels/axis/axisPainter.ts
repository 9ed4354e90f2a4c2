/**
 * Paints the axis and moves its elements: tick labels by day and hour of simulated time, numbered flags of changes, the cursor's
 * flag. Tick labels yield to both. Positions are written straight to the elements; React is not asked.
 */
import { calendarZeroMs } from "../../base/civilDate.ts";
import { clockParts, clockText, dateText } from "../../base/format.ts";
import { Dirty, frameLoop, type PainterHandle } from "../../render/frameLoop.ts";
import { textWidth } from "../../render/labels.ts";
import { PlotCanvas } from "../../render/plotCanvas.ts";
import { runData } from "../../store/runData.ts";
import { useApp } from "../../store/store.ts";
import { onPalette, palette } from "../../theme/palette.ts";
import { gridTicks, leastTickMs } from "../../timeline/gridTicks.ts";
import { pixelScaleOf } from "../../timeline/pixelScale.ts";
import { xCssOf } from "../../timeline/viewport.ts";
import { flagMs } from "./flagMove.ts";
import { labelCentre } from "./labelPlace.ts";

export interface AxisParts {
  readonly canvas: HTMLCanvasElement;
  readonly cursor: HTMLElement;
  readonly now: HTMLElement;
  /** The flag of each change, in order. */
  readonly flags: () => readonly HTMLElement[];
}

const DAY_MS = 86_400_000;
/** Width of a flag, which stands left of its time. */
const FLAG_CSS = 15;
/** Left of words in the gutter. */
const GUTTER_PAD_CSS = 10;

export class AxisPainter {
  readonly #parts: AxisParts;
  readonly #canvas: PlotCanvas;
  readonly #handle: PainterHandle;
  readonly #offs: (() => void)[];
  /** Measured when the size changes: asking for it each frame would lay the page out again. */
  #gutterCss = 0;
  readonly #room = new Map<string, boolean>();

  constructor(parts: AxisParts) {
    this.#parts = parts;
    this.#canvas = new PlotCanvas(parts.canvas, () => this.#handle.mark(Dirty.size));
    this.#handle = frameLoop.register({ name: "axis", paint: (dirty) => this.#paint(dirty) });
    const mark = (bits: number) => () => this.#handle.mark(bits);
    this.#offs = [
      useApp.subscribe((state) => state.window, mark(Dirty.camera)),
      useApp.subscribe((state) => state.cursorMs, mark(Dirty.overlay)),
      useApp.subscribe((state) => state.playing, mark(Dirty.overlay)),
      useApp.subscribe((state) => state.scenario, mark(Dirty.data)),
      onPalette(mark(Dirty.theme)),
    ];
  }

  get widthCss(): number {
    return this.#canvas.widthCss;
  }

  refresh(): void {
    this.#handle.mark(Dirty.data);
  }

  stop(): void {
    for (const off of this.#offs) off();
    this.#handle.remove();
    this.#canvas.stop();
  }

  #paint(dirty: number): number {
    if (dirty & Dirty.size) this.#gutterCss = this.#parts.now.clientWidth;
    const { window, cursorMs, scenario, playing } = useApp.getState();
    const { widthCss } = this.#canvas;
    const calendar = scenario?.calendarStart;
    const colours = palette();
    const cursorX = xCssOf(cursorMs, window, widthCss);
    const text = clockText(cursorMs, calendar);
    const half = this.#halfWidth(text);
    const busy: [number, number][] = [];
    const changes = scenario?.interventions ?? [];
    this.#parts.flags().forEach((flag, i) => {
      const x = changes[i] ? Math.round(xCssOf(flagMs(changes[i], i), window, widthCss)) : -1;
      const seen = x >= 0 && x <= widthCss;
      flag.style.visibility = seen ? "visible" : "hidden";
      // A flag at the left edge stands to the right of its time: what is beside the plot belongs to others.
      const right = Math.max(x, Math.ceil(FLAG_CSS * colours.u));
      flag.style.transform = `translateX(${right}px)`;
      if (seen) busy.push([right - 17 * colours.u, right + 1]);
    });
    // While time runs the label stays above the cursor: it would jump at each flag.
    const flagX = Math.round(labelCentre(cursorX, half, widthCss, playing ? [] : busy));
    busy.push([flagX - half - 2, flagX + half + 2]);
    this.#paintTicks(busy);
    this.#moveCursor(cursorX, flagX, half, text);
    return 0;
  }

  /** Half of the flag's width: room for the text in all its states, in steps, so that the flag does not jitter while playing. */
  #halfWidth(text: string): number {
    const { context } = this.#canvas;
    const colours = palette();
    if (!context) return 44 * colours.u;
    context.font = `600 ${11 * colours.u}px ${colours.font}`;
    return Math.ceil((textWidth(context, text.replace(/\d/g, "0")) + 20) / 8) * 4;
  }

  #paintTicks(busy: readonly (readonly [number, number])[]): void {
    const context = this.#canvas.begin();
    if (!context) return;
    const { window, scenario } = useApp.getState();
    const { widthCss, heightCss, widthDev, ratio } = this.#canvas;
    const colours = palette();
    const calendar = scenario?.calendarStart;
    const scale = pixelScaleOf(window, widthDev);
    const leastMs = leastTickMs(scale, ratio);
    const ticks = gridTicks(scale, 0, widthDev, leastMs, calendarZeroMs(calendar));
    const size = 11 * colours.u;
    context.textBaseline = "alphabetic";
    let freeFrom = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < ticks.x.length; i++) {
      const x = ticks.x[i]! / ratio;
      const day = ticks.day[i]!;
      context.fillStyle = day ? colours.rule : colours.line2;
      context.fillRect(Math.round(x), heightCss - 4, 1, 4);
      const { day: dayText, time, seconds } = clockParts(ticks.atMs[i]!, calendar);
      const longDay = ticks.stepMs > 7 * DAY_MS ? dateText(dayText) : dayText;
      const text = day ? longDay : ticks.stepMs < 60_000 ? `${time}:${seconds}` : time;
      context.font = `${day && ticks.stepMs < DAY_MS ? "600 " : ""}${size}px ${colours.font}`;
      const right = x + 4 + context.measureText(text).width;
      if (right > widthCss || x < -2 || x + 4 < freeFrom) continue;
      if (busy.some(([from, to]) => right > from && x + 4 < to)) continue;
      freeFrom = right + 6;
      context.fillStyle = day && ticks.stepMs < DAY_MS ? colours.ink : colours.ink3;
      context.fillText(text, Math.round(x) + 4, heightCss - 7);
    }
  }

  #moveCursor(x: number, flagX: number, half: number, text: string): void {
    const { cursor, now } = this.#parts;
    const { widthCss } = this.#canvas;
    const { cursorMs, scenario } = useApp.getState();
    const out = x < 0 || x > widthCss;
    cursor.style.width = `${2 * half}px`;
    cursor.style.transform = `translateX(${flagX - half}px)`;
    cursor.textContent = x < 0 ? `‹ ${text}` : x > widthCss ? `${text} ›` : text;
    if (out || Math.abs(x - flagX) > 1) cursor.dataset.out = "";
    else delete cursor.dataset.out;
    cursor.setAttribute("aria-valuenow", String(Math.round(cursorMs / 1_000)));
    cursor.setAttribute(
      "aria-valuemax",
      String(Math.round(Math.max(runData.get().current.endMs, cursorMs) / 1_000)),
    );
    cursor.setAttribute("aria-valuetext", text);
    const time = clockParts(cursorMs, scenario?.calendarStart).time;
    const long = `Cluster and queues at ${text}`;
    now.textContent = this.#hasRoom(long)
      ? long
      : this.#hasRoom(text)
        ? `at ${text}`
        : `at ${time}`;
  }

  /** Whether the words stand whole in the gutter; asked once for each length, as digits are equally wide. */
  #hasRoom(words: string): boolean {
    const key = `${words.length} ${this.#gutterCss}`;
    const known = this.#room.get(key);
    if (known !== undefined) return known;
    const context = this.#parts.canvas.getContext("2d");
    const { u, font } = palette();
    if (!context) return false;
    context.font = `${11 * u}px ${font}`;
    const fits = textWidth(context, words) + GUTTER_PAD_CSS <= this.#gutterCss;
    this.#room.set(key, fits);
    return fits;
  }
}
