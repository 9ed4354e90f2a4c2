/**
 * A panel as a picture: a head with title, policy and stretch of time, the panel under its time axis, a foot with tiers, shapes and the link, which the file
 * also holds inside. The painters of the page draw it, in pixels (PNG) or in shapes (SVG), in the theme and at the size that is asked for; the page shows
 * nothing of that, because all happens in one task.
 */
import { clockText, durationText } from "../../../base/format.ts";
import { redrawFor } from "../../../render/plotCanvas.ts";
import { canonicalText } from "../../../scenario/canonical.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import { useApp } from "../../../store/store.ts";
import { currentLink } from "../../../store/url.ts";
import { applyTheme } from "../../../theme/applyTheme.ts";
import { palette, tierColours } from "../../../theme/palette.ts";
import { policySentence } from "../../policySentence.ts";
import { fileStem } from "../saveFile.ts";
import { paintDom } from "./paintDom.ts";
import { panelElements } from "./panels.ts";
import { canvasPen, type Pen, svgPen } from "./pen.ts";
import type { PictureText } from "./pictureText.ts";
import { svgMetadata, withPngText } from "./pictureText.ts";
import { SvgContext } from "./svgContext.ts";

export interface PictureWish {
  readonly panel: string;
  readonly format: "png" | "svg";
  /** Device pixels a CSS pixel; of a PNG. */
  readonly scale: 1 | 2;
  readonly theme: "light" | "dark";
}

export interface Picture {
  readonly content: Blob;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** What is not as one might expect, in a sentence. */
  readonly note: string | null;
}

const MARGIN = 16;
const HEAD = 64;
const LINE = 22;
/** Browsers refuse canvases with more; a sheet on a large screen at 2× has a third of it. */
const PIXELS_MOST = 64e6;
const LINK_SHOWN = 400;

interface Plan {
  readonly roots: readonly Element[];
  readonly scenario: Scenario;
  readonly width: number;
  readonly height: number;
  readonly legend: Element | null;
  readonly footLines: readonly string[];
}

/** Null where the panel is not on the page or there is no scenario. Rejects where the browser cannot make so large a picture. */
export async function makePicture(wish: PictureWish): Promise<Picture | null> {
  const { scenario, theme } = useApp.getState();
  const roots = panelElements(wish.panel);
  if (!scenario || roots.length === 0) return null;
  const plan = planOf(roots, scenario);
  const text = textOf(scenario);
  const shown = document.documentElement.dataset.theme;
  const name = `${fileStem(scenario.title)}-${wish.panel}.${wish.format}`;
  const { width, height } = plan;
  if (wish.theme !== shown) applyTheme(wish.theme);
  try {
    if (wish.format === "svg") {
      const { content, rasters } = svgOf(plan, text);
      const note =
        rasters === 0
          ? null
          : "Too many bars for shapes at this zoom: they are an image inside the SVG. Zoom in for shapes.";
      return { content, name, width, height, note };
    }
    const png = await pngOf(plan, wish.scale, text);
    return {
      content: png,
      name,
      width: width * wish.scale,
      height: height * wish.scale,
      note: null,
    };
  } finally {
    if (wish.theme !== shown) applyTheme(theme);
  }
}

function planOf(roots: readonly Element[], scenario: Scenario): Plan {
  const boxes = roots.map((root) => root.getBoundingClientRect());
  const width = Math.ceil(Math.max(...boxes.map((box) => box.width))) + 2 * MARGIN;
  const legend = document.querySelector(".legend");
  const legendBox = legend?.getBoundingClientRect();
  const fits = legendBox !== undefined && legendBox.width > 0;
  const footLines = wrapped(footText(), width - 2 * MARGIN);
  const panels = boxes.reduce((sum, box) => sum + Math.ceil(box.height), 0);
  const height = HEAD + panels + MARGIN + LINE * (1 + (fits ? 1 : 0) + footLines.length);
  return { roots, scenario, width, height, legend: fits ? legend : null, footLines };
}

function textOf(scenario: Scenario): PictureText {
  const link = currentLink();
  return link === null
    ? { kind: "scenario", text: canonicalText(scenario) }
    : { kind: "link", text: link };
}

function footText(): string {
  const link = currentLink();
  return link === null || link.length > LINK_SHOWN
    ? "Made with Queuescope: drop this picture on its page to open the scenario at this moment."
    : link;
}

/** Lines of at most so many pixels, by the width of a character in the mono font. */
function wrapped(text: string, width: number): string[] {
  const most = Math.max(20, Math.floor(width / 6.7));
  return text.match(new RegExp(`.{1,${most}}`, "gs")) ?? [text];
}

async function pngOf(plan: Plan, scale: number, text: PictureText): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = plan.width * scale;
  canvas.height = plan.height * scale;
  const context = canvas.getContext("2d");
  if (!context || canvas.width * canvas.height > PIXELS_MOST) throw new Error("too large");
  redrawFor(scale, null, () => {
    context.setTransform(scale, 0, 0, scale, 0, 0);
    paintAll(canvasPen(context), plan);
  });
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("no picture");
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return new Blob([withPngText(bytes, text)], { type: "image/png" });
}

function svgOf(plan: Plan, text: PictureText): { content: Blob; rasters: number } {
  const drawn = new Map<HTMLCanvasElement, SvgContext>();
  const record = (canvas: HTMLCanvasElement): CanvasRenderingContext2D => {
    let context = drawn.get(canvas);
    if (!context) {
      context = new SvgContext(canvas);
      drawn.set(canvas, context);
    }
    return context as unknown as CanvasRenderingContext2D;
  };
  const svg = new SvgContext(document.createElement("canvas"));
  redrawFor(null, record, () => paintAll(svgPen(svg, drawn), plan));
  const { width, height } = plan;
  const content = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${svgMetadata(text)}${svg.text()}</svg>\n`;
  return { content: new Blob([content], { type: "image/svg+xml" }), rasters: svg.rasters };
}

function paintAll(pen: Pen, plan: Plan): void {
  const { context } = pen;
  const { bg } = palette();
  context.fillStyle = bg;
  context.fillRect(0, 0, plan.width, plan.height);
  paintHead(context, plan.scenario);
  let y = HEAD;
  for (const root of plan.roots) {
    const box = root.getBoundingClientRect();
    paintDom(pen, root, { shiftX: MARGIN - box.left, shiftY: y - box.top });
    y += Math.ceil(box.height);
  }
  y += MARGIN;
  paintTiers(context, plan.scenario, y);
  y += LINE;
  if (plan.legend) {
    const box = plan.legend.getBoundingClientRect();
    paintDom(pen, plan.legend, {
      shiftX: MARGIN - box.left,
      shiftY: y + (LINE - box.height) / 2 - box.top,
    });
    y += LINE;
  }
  const { ink2, mono } = palette();
  for (const line of plan.footLines) {
    write(context, line, MARGIN, y + LINE / 2, `11px ${mono}`, ink2);
    y += LINE;
  }
}

function paintHead(context: CanvasRenderingContext2D, scenario: Scenario): void {
  const { cursorMs, window } = useApp.getState();
  const { ink, ink2, font } = palette();
  const { calendarStart } = scenario;
  const time = (atMs: number): string => clockText(atMs, calendarStart);
  const span = `${time(window.fromMs)} to ${time(window.toMs)} (${durationText(window.toMs - window.fromMs)}), cursor at ${time(cursorMs)}`;
  write(context, scenario.title, MARGIN, 22, `600 16px ${font}`, ink);
  write(
    context,
    `${policySentence(scenario, cursorMs)} · ${span}`,
    MARGIN,
    44,
    `12px ${font}`,
    ink2,
  );
}

function paintTiers(context: CanvasRenderingContext2D, scenario: Scenario, y: number): void {
  const colours = palette();
  const font = `12px ${colours.font}`;
  let x = MARGIN;
  scenario.tiers.forEach((tier, index) => {
    const { full, label } = tierColours(colours, index, scenario.tiers.length);
    context.fillStyle = full;
    context.fillRect(x, y + 4, 15, 14);
    context.textAlign = "center";
    put(context, tier.letter, x + 7.5, y + 11, `11px ${colours.font}`, label);
    write(context, tier.name, x + 21, y + LINE / 2, font, colours.ink2);
    x += 21 + context.measureText(tier.name).width + 20;
  });
}

function write(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  font: string,
  colour: string,
): void {
  context.textAlign = "left";
  put(context, text, x, y, font, colour);
}

function put(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  font: string,
  colour: string,
): void {
  context.font = font;
  context.fillStyle = colour;
  context.textBaseline = "middle";
  context.fillText(text, x, y);
}
