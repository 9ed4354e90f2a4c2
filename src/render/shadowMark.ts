/** The shadow time of a queue's head: a dashed hairline from top to bottom with a flag that says when. In CSS pixels. */
import type { Palette } from "../theme/palette.ts";
import { textWidth } from "./labels.ts";
import type { Box } from "./marks.ts";

export interface ShadowPlace {
  readonly x: number;
  readonly widthCss: number;
  readonly heightCss: number;
  /** Words that the line does not cross, from top to bottom. */
  readonly gaps?: readonly Box[];
}

/** Where the flag stands, beside the line; the font is set for it. */
export function flagBox(
  context: CanvasRenderingContext2D,
  palette: Palette,
  text: string,
  x: number,
  yCss: number,
  atLeft: boolean,
): Box {
  const size = 11 * palette.u;
  context.font = `600 ${size}px ${palette.font}`;
  const width = textWidth(context, text) + 8;
  const at = Math.round(x) + 0.5;
  const x0 = atLeft ? at - 3 - width : at + 3;
  return { x0, x1: x0 + width, y0: yCss - size * 0.72, y1: yCss + size * 0.72 };
}

/** The words of a flag on the ground. */
export function drawFlag(
  context: CanvasRenderingContext2D,
  palette: Palette,
  text: string,
  box: Box,
): void {
  context.font = `600 ${11 * palette.u}px ${palette.font}`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.fillStyle = palette.bg;
  context.fillRect(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
  context.fillStyle = palette.ink;
  context.fillText(text, box.x0 + 4, (box.y0 + box.y1) / 2 + 0.5);
}

/** The line. Draws nothing left or right of the plot. */
export function drawShadowLine(
  context: CanvasRenderingContext2D,
  palette: Palette,
  { x, widthCss, heightCss, gaps = [] }: ShadowPlace,
): void {
  if (x < 0 || x > widthCss) return;
  const at = Math.round(x) + 0.5;
  context.strokeStyle = palette.ink;
  context.lineWidth = 1;
  context.setLineDash([5, 3]);
  context.beginPath();
  let from = 0;
  for (const { y0, y1 } of gaps) {
    if (y0 > from) {
      context.moveTo(at, from);
      context.lineTo(at, y0);
    }
    from = Math.max(from, y1);
  }
  context.moveTo(at, from);
  context.lineTo(at, heightCss);
  context.stroke();
  context.setLineDash([]);
}
