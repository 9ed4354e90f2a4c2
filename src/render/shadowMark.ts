/** The shadow time of a queue's head: a dashed hairline from top to bottom with a flag that says when. In CSS pixels. */
import type { Palette } from "../theme/palette.ts";
import { textWidth } from "./labels.ts";

export interface ShadowPlace {
  readonly x: number;
  readonly widthCss: number;
  readonly heightCss: number;
  /** Where the flag stands. */
  readonly flagCss: number;
  readonly text: string;
}

/** Draws nothing left or right of the plot. */
export function drawShadow(
  context: CanvasRenderingContext2D,
  palette: Palette,
  { x, widthCss, heightCss, flagCss, text }: ShadowPlace,
): void {
  if (x < 0 || x > widthCss) return;
  const at = Math.round(x) + 0.5;
  context.strokeStyle = palette.ink;
  context.lineWidth = 1;
  context.setLineDash([5, 3]);
  context.beginPath();
  context.moveTo(at, 0);
  context.lineTo(at, heightCss);
  context.stroke();
  context.setLineDash([]);
  if (text === "") return;
  const size = 11 * palette.u;
  context.font = `600 ${size}px ${palette.font}`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  const width = textWidth(context, text) + 8;
  const left = at + 3 + width > widthCss ? at - 3 - width : at + 3;
  context.fillStyle = palette.bg;
  context.fillRect(left, flagCss - size * 0.75, width, size * 1.5);
  context.fillStyle = palette.ink;
  context.fillText(text, left + 4, flagCss + 0.5);
}
