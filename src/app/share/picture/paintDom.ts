/**
 * What a part of the page shows, drawn again: grounds, edges, text and small shapes of its elements, and its canvases, in the order of the document. Enough
 * for strips and legends, which are canvases with a few labels; controls are left out, since nobody can press them in a picture, but for
 * what they say of it: the chosen words of a choice (which curve this is) and a button that is a word of a sentence.
 */
import type { Pen } from "./pen.ts";

const LEFT_OUT =
  "button:not(.head-job), input, textarea, [hidden], .sr-only, .gantt-tip, .gantt-live, .gantt-chip";
/** What is only for assistive technology has a box of one pixel. */
const BOX_LEAST_PX = 2;

export interface Placed {
  /** Added to client coordinates. */
  readonly shiftX: number;
  readonly shiftY: number;
}

export function paintDom(pen: Pen, root: Element, placed: Placed): void {
  const box = root.getBoundingClientRect();
  const { context } = pen;
  context.save();
  context.beginPath();
  context.rect(box.left + placed.shiftX, box.top + placed.shiftY, box.width, box.height);
  context.clip();
  paintElement(pen, root, placed);
  context.restore();
}

function paintElement(pen: Pen, element: Element, placed: Placed): void {
  if (element.matches(LEFT_OUT)) return;
  const style = getComputedStyle(element);
  if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0") return;
  const box = element.getBoundingClientRect();
  const shown = style.display === "contents" || (box.width >= BOX_LEAST_PX && box.height >= 1);
  if (!shown) return;
  const x = box.left + placed.shiftX;
  const y = box.top + placed.shiftY;
  if (element instanceof HTMLCanvasElement) {
    pen.canvas(element, x, y, box.width, box.height);
    return;
  }
  if (element instanceof SVGSVGElement) {
    paintShapes(pen, element, x, y);
    return;
  }
  const area = { x, y, width: box.width, height: box.height };
  if (element instanceof HTMLSelectElement) {
    paintChoice(pen, element, style, area);
    return;
  }
  paintBox(pen, style, area);
  for (const child of element.childNodes) {
    if (child instanceof Element) paintElement(pen, child, placed);
    else if (child instanceof Text) paintText(pen, child, style, box.right, placed);
  }
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function paintBox({ context }: Pen, style: CSSStyleDeclaration, area: Area): void {
  const { x, y, width, height } = area;
  fill(context, style.backgroundColor, x, y, width, height);
  const side = (name: "Top" | "Right" | "Bottom" | "Left"): number =>
    style[`border${name}Style`] === "none" ? 0 : Number.parseFloat(style[`border${name}Width`]);
  fill(context, style.borderTopColor, x, y, width, side("Top"));
  fill(context, style.borderLeftColor, x, y, side("Left"), height);
  fill(context, style.borderBottomColor, x, y + height - side("Bottom"), width, side("Bottom"));
  fill(context, style.borderRightColor, x + width - side("Right"), y, side("Right"), height);
}

function fill(
  context: CanvasRenderingContext2D,
  colour: string,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  if (width <= 0 || height <= 0 || /^rgba\(.*,\s*0\)$|^transparent$/.test(colour)) return;
  context.fillStyle = colour;
  context.fillRect(x, y, width, height);
}

/** The chosen words of a choice, without its box and arrow. */
function paintChoice(
  { context }: Pen,
  element: HTMLSelectElement,
  style: CSSStyleDeclaration,
  { x, y, width, height }: Area,
): void {
  const words = element.selectedOptions[0]?.label ?? "";
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  putFont(context, style);
  const left = Number.parseFloat(style.paddingLeft) || 0;
  // Browsers put a few pixels before the words of a choice.
  context.fillText(words, x + left + 4, y + height / 2);
  context.restore();
}

function putFont(context: CanvasRenderingContext2D, style: CSSStyleDeclaration): void {
  context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  context.fillStyle = style.color;
  context.textAlign = "left";
  context.textBaseline = "middle";
}

/** A text by lines, each where the page has it; words that the page cuts off at the right are left out. */
function paintText(
  { context }: Pen,
  node: Text,
  style: CSSStyleDeclaration,
  right: number,
  placed: Placed,
): void {
  const words = [...node.data.matchAll(/\S+/g)];
  if (words.length === 0) return;
  putFont(context, style);
  const range = document.createRange();
  let line: { text: string; x: number; y: number } | null = null;
  const put = (): void => {
    if (line) context.fillText(line.text, line.x + placed.shiftX, line.y + placed.shiftY);
  };
  for (const word of words) {
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    const box = range.getBoundingClientRect();
    if (box.width === 0 || box.left >= right) continue;
    const y = (box.top + box.bottom) / 2;
    if (line && Math.abs(line.y - y) < 2) line.text += ` ${word[0]}`;
    else {
      put();
      line = { text: word[0], x: box.left, y };
    }
  }
  put();
}

/** Rectangles, circles and paths of a small drawing, in its own units, which are CSS pixels. */
function paintShapes(pen: Pen, svg: SVGSVGElement, x: number, y: number): void {
  const box = svg.getBoundingClientRect();
  pen.context.save();
  pen.context.beginPath();
  pen.context.rect(x, y, box.width, box.height);
  pen.context.clip();
  for (const shape of svg.querySelectorAll("rect, circle, path")) {
    const path = pathOf(shape);
    const style = getComputedStyle(shape);
    if (path === null || style.display === "none") continue;
    pen.shape(path, x, y, {
      fill: style.fill === "none" ? null : style.fill,
      stroke: style.stroke === "none" ? null : style.stroke,
      strokeWidth: Number.parseFloat(style.strokeWidth) || 1,
      dash:
        style.strokeDasharray === "none"
          ? []
          : style.strokeDasharray.split(/[\s,]+/).map(Number.parseFloat),
      cap: style.strokeLinecap as CanvasLineCap,
    });
  }
  pen.context.restore();
}

function pathOf(shape: Element): string | null {
  const number = (name: string): number => Number(shape.getAttribute(name) ?? "0");
  if (shape.tagName === "path") return shape.getAttribute("d");
  if (shape.tagName === "circle") {
    const r = number("r");
    return `M${number("cx") - r} ${number("cy")}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  }
  const width = number("width");
  return `M${number("x")} ${number("y")}h${width}v${number("height")}h${-width}z`;
}
