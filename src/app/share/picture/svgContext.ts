/**
 * The part of `CanvasRenderingContext2D` that our painters use, drawn as SVG: one set of painters makes the page and the picture. Rectangles of one look that
 * follow each other are one path. Transforms are scale and shift only. What no painter uses does nothing; a painter that begins to use more is found by
 * the story that compares pictures.
 */
import { escapeXml } from "./escapeXml.ts";
import type { Raster } from "./rasterPath.ts";
import { rasterPaths } from "./rasterPath.ts";
import { ANCHORS, type Box, boxPath, DROPS, imageOf, NEAR, opacity, round } from "./svgText.ts";

interface Look {
  fillStyle: string;
  strokeStyle: string;
  lineWidth: number;
  lineCap: string;
  lineJoin: string;
  globalAlpha: number;
  font: string;
  textAlign: string;
  textBaseline: string;
  dash: readonly number[];
  scaleX: number;
  scaleY: number;
  shiftX: number;
  shiftY: number;
  clip: string | null;
}

const FIRST: Look = {
  fillStyle: "#000000",
  strokeStyle: "#000000",
  lineWidth: 1,
  lineCap: "butt",
  lineJoin: "miter",
  globalAlpha: 1,
  font: "10px sans-serif",
  textAlign: "start",
  textBaseline: "alphabetic",
  dash: [],
  scaleX: 1,
  scaleY: 1,
  shiftX: 0,
  shiftY: 0,
  clip: null,
};

/** Names of clips are unique in the document. */
let clips = 0;

export class SvgContext {
  /** Rasters that had too many colours or bars for shapes. */
  rasters = 0;
  readonly canvas: HTMLCanvasElement;
  readonly #measure: CanvasRenderingContext2D | null;
  readonly #out: string[] = [];
  readonly #saved: Look[] = [];
  #look: Look = { ...FIRST };
  #path = "";
  #rects: { readonly head: string; path: string; last: Box } | null = null;

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.#measure = document.createElement("canvas").getContext("2d");
  }

  /** Everything drawn so far, in device pixels of the canvas. */
  text(): string {
    this.#flushRects();
    return this.#out.join("");
  }

  get fillStyle(): string {
    return this.#look.fillStyle;
  }
  set fillStyle(value: string) {
    this.#look.fillStyle = value;
  }
  get strokeStyle(): string {
    return this.#look.strokeStyle;
  }
  set strokeStyle(value: string) {
    this.#look.strokeStyle = value;
  }
  get lineWidth(): number {
    return this.#look.lineWidth;
  }
  set lineWidth(value: number) {
    this.#look.lineWidth = value;
  }
  get lineCap(): string {
    return this.#look.lineCap;
  }
  set lineCap(value: string) {
    this.#look.lineCap = value;
  }
  get lineJoin(): string {
    return this.#look.lineJoin;
  }
  set lineJoin(value: string) {
    this.#look.lineJoin = value;
  }
  get globalAlpha(): number {
    return this.#look.globalAlpha;
  }
  set globalAlpha(value: number) {
    this.#look.globalAlpha = value;
  }
  get font(): string {
    return this.#look.font;
  }
  set font(value: string) {
    this.#look.font = value;
  }
  get textAlign(): string {
    return this.#look.textAlign;
  }
  set textAlign(value: string) {
    this.#look.textAlign = value;
  }
  get textBaseline(): string {
    return this.#look.textBaseline;
  }
  set textBaseline(value: string) {
    this.#look.textBaseline = value;
  }
  globalCompositeOperation = "source-over";
  imageSmoothingEnabled = false;

  save(): void {
    this.#saved.push({ ...this.#look });
  }
  restore(): void {
    this.#look = this.#saved.pop() ?? { ...FIRST };
  }
  setLineDash(dash: readonly number[]): void {
    this.#look.dash = dash;
  }

  setTransform(
    scaleX: number,
    _b: number,
    _c: number,
    scaleY: number,
    shiftX: number,
    shiftY: number,
  ): void {
    Object.assign(this.#look, { scaleX, scaleY, shiftX, shiftY });
  }

  translate(x: number, y: number): void {
    this.#look.shiftX += x * this.#look.scaleX;
    this.#look.shiftY += y * this.#look.scaleY;
  }

  scale(x: number, y: number): void {
    this.#look.scaleX *= x;
    this.#look.scaleY *= y;
  }

  /** Painters clear all of their canvas before they draw anew; parts of it they draw over. */
  clearRect(x: number, y: number, width: number, height: number): void {
    const all =
      this.#x(x) <= 0 &&
      this.#y(y) <= 0 &&
      this.#x(x + width) >= this.canvas.width &&
      this.#y(y + height) >= this.canvas.height;
    if (!all) return;
    this.#out.length = 0;
    this.#rects = null;
  }

  beginPath(): void {
    this.#path = "";
  }
  closePath(): void {
    this.#path += "z";
  }
  moveTo(x: number, y: number): void {
    this.#path += `M${this.#point(x, y)}`;
  }
  lineTo(x: number, y: number): void {
    this.#path += `${this.#path === "" ? "M" : "L"}${this.#point(x, y)}`;
  }
  rect(x: number, y: number, width: number, height: number): void {
    this.#path += this.#box(x, y, width, height);
  }

  arc(x: number, y: number, radius: number, from: number, until: number): void {
    const end = Math.min(until, from + 2 * Math.PI - 1e-4);
    const at = (angle: number) =>
      this.#point(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
    const large = end - from > Math.PI ? 1 : 0;
    const rx = round(radius * this.#look.scaleX);
    const ry = round(radius * this.#look.scaleY);
    this.#path += `${this.#path === "" ? "M" : "L"}${at(from)}A${rx} ${ry} 0 ${large} 1 ${at(end)}`;
  }

  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void {
    this.#path += `Q${this.#point(cx, cy)} ${this.#point(x, y)}`;
  }

  bezierCurveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void {
    this.#path += `C${this.#point(ax, ay)} ${this.#point(bx, by)} ${this.#point(x, y)}`;
  }

  clip(): void {
    this.#flushRects();
    const id = `clip${++clips}`;
    const within = this.#look.clip === null ? "" : ` clip-path="url(#${this.#look.clip})"`;
    this.#out.push(`<clipPath id="${id}"${within}><path d="${this.#path}"/></clipPath>`);
    this.#look.clip = id;
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    if (width === 0 || height === 0) return;
    const head = `<path${this.#fill()}${this.#clipped()}`;
    if (this.#rects?.head !== head) {
      this.#flushRects();
      this.#rects = { head, path: "", last: { x: 0, y: 0, width: 0, height: 0 } };
    }
    this.#join({
      x: this.#x(x),
      y: this.#y(y),
      width: width * this.#look.scaleX,
      height: height * this.#look.scaleY,
    });
  }

  /** Columns of one height beside each other are one rectangle. */
  #join(box: Box): void {
    const rects = this.#rects;
    if (!rects) return;
    const { last } = rects;
    const goesOn =
      last.y === box.y &&
      last.height === box.height &&
      Math.abs(last.x + last.width - box.x) < NEAR;
    if (goesOn) last.width += box.width;
    else {
      rects.path += boxPath(last);
      rects.last = box;
    }
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.#draw(`<path${this.#stroke()}${this.#clipped()} d="${this.#box(x, y, width, height)}"/>`);
  }

  fill(): void {
    if (this.#path !== "") this.#draw(`<path${this.#fill()}${this.#clipped()} d="${this.#path}"/>`);
  }

  stroke(): void {
    if (this.#path !== "")
      this.#draw(`<path${this.#stroke()}${this.#clipped()} d="${this.#path}"/>`);
  }

  /** A path as SVG writes it, in the units of the present transform. */
  shape(path: string, fills: boolean, strokes: boolean): void {
    const { scaleX, scaleY, shiftX, shiftY } = this.#look;
    this.#flushRects();
    const place = `transform="translate(${round(shiftX)} ${round(shiftY)}) scale(${round(scaleX)} ${round(scaleY)})"`;
    this.#look.scaleX = 1;
    const paint = `${fills ? this.#fill() : ' fill="none"'}${strokes ? this.#stroke().replace(' fill="none"', "") : ""}`;
    this.#look.scaleX = scaleX;
    // A clip is in the units of its element: a group without a transform carries it.
    this.#draw(`<g${this.#clipped()}><path ${place}${paint} d="${path}"/></g>`);
  }

  fillText(text: string, x: number, y: number): void {
    const { font, fillStyle, globalAlpha, textAlign, textBaseline, scaleY } = this.#look;
    const parsed = /(?:(bold|\d{3})\s+)?([\d.]+)px\s+(.*)$/.exec(font);
    const size = Number(parsed?.[2] ?? 10) * scaleY;
    const weight = parsed?.[1] === undefined ? "" : ` font-weight="${parsed[1]}"`;
    const anchor = ANCHORS[textAlign];
    const drop = this.#drop(text, textBaseline) * scaleY || (DROPS[textBaseline] ?? 0) * size;
    this.#draw(
      `<text x="${round(this.#x(x))}" y="${round(this.#y(y) + drop)}" font-family="${escapeXml(parsed?.[3] ?? "sans-serif")}" font-size="${round(size)}"${weight}${anchor ? ` text-anchor="${anchor}"` : ""} fill="${fillStyle}"${opacity("fill", globalAlpha)}${this.#clipped()}>${escapeXml(text)}</text>`,
    );
  }

  /** From where canvas text hangs to its baseline, as the browser has it; 0 where it does not tell. */
  #drop(text: string, textBaseline: string): number {
    const context = this.#measure;
    if (!context || textBaseline === "alphabetic") return 0;
    context.font = this.#look.font;
    context.textBaseline = textBaseline as CanvasTextBaseline;
    const { alphabeticBaseline } = context.measureText(text);
    return Number.isFinite(alphabeticBaseline) ? -alphabeticBaseline : 0;
  }

  measureText(text: string): { readonly width: number } {
    if (!this.#measure) return { width: 0 };
    this.#measure.font = this.#look.font;
    return this.#measure.measureText(text);
  }

  putImageData(image: Raster, x: number, y: number): void {
    this.raster(image, x, y);
  }

  /** A stretched copy while a zoom goes on is no picture to keep. */
  drawImage(): void {
    this.rasters += 1;
  }

  /** Shapes that were drawn elsewhere, at a place and size. */
  group(content: string, x: number, y: number, scale: number): void {
    if (content === "") return;
    const size = scale === 1 ? "" : ` scale(${Math.round(scale * 1e6) / 1e6})`;
    this.#draw(
      `<g${this.#clipped()}><g transform="translate(${round(x)} ${round(y)})${size}">${content}</g></g>`,
    );
  }

  /** Pixels, as shapes where they are few enough. */
  raster(image: Raster, x: number, y: number): void {
    this.#flushRects();
    const paths = rasterPaths(image);
    const shapes = paths?.map(
      ({ fill, opacity: share, path }) =>
        `<path fill="${fill}"${opacity("fill", share)} d="${path}"/>`,
    );
    if (!shapes) this.rasters += 1;
    const content = shapes ? shapes.join("") : imageOf(image);
    this.#out.push(
      `<g shape-rendering="crispEdges" transform="translate(${x} ${y})">${content}</g>`,
    );
  }

  #draw(element: string): void {
    this.#flushRects();
    this.#out.push(element);
  }

  #flushRects(): void {
    if (this.#rects) {
      const { head, path, last } = this.#rects;
      this.#out.push(`${head} shape-rendering="crispEdges" d="${path}${boxPath(last)}"/>`);
    }
    this.#rects = null;
  }

  #x(x: number): number {
    return x * this.#look.scaleX + this.#look.shiftX;
  }
  #y(y: number): number {
    return y * this.#look.scaleY + this.#look.shiftY;
  }
  #point(x: number, y: number): string {
    return `${round(this.#x(x))} ${round(this.#y(y))}`;
  }

  #box(x: number, y: number, width: number, height: number): string {
    const { scaleX, scaleY } = this.#look;
    return boxPath({
      x: this.#x(x),
      y: this.#y(y),
      width: width * scaleX,
      height: height * scaleY,
    });
  }

  #fill(): string {
    return ` fill="${this.#look.fillStyle}"${opacity("fill", this.#look.globalAlpha)}`;
  }

  #stroke(): string {
    const { strokeStyle, lineWidth, lineCap, dash, globalAlpha, scaleX } = this.#look;
    const cap = lineCap === "butt" ? "" : ` stroke-linecap="${lineCap}"`;
    const dashes =
      dash.length === 0
        ? ""
        : ` stroke-dasharray="${dash.map((part) => round(part * scaleX)).join(" ")}"`;
    return ` fill="none" stroke="${strokeStyle}" stroke-width="${round(lineWidth * scaleX)}"${cap}${dashes}${opacity("stroke", globalAlpha)}`;
  }

  #clipped(): string {
    return this.#look.clip === null ? "" : ` clip-path="url(#${this.#look.clip})"`;
  }
}
