/**
 * The gutter beside lanes: of each group the letter of its tier, its name, and what it holds at the cursor as a number and as a bar of the cluster's
 * devices. By job a row has the letter and the name of its job, where rows are tall enough. What is out of sight costs nothing.
 */
import { numberText } from "../../../base/format.ts";
import { nameOf } from "../../../model/jobs.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { textWidth } from "../../../render/labels.ts";
import { type Palette, palette, tierColours } from "../../../theme/palette.ts";
import type { heldByBlock } from "../../../timeline/jobRows.ts";
import { blockAt, Level, rowTop } from "../../../timeline/rows.ts";
import type { GanttView } from "../basePainter.ts";

const LEFT = 10;
const RIGHT = 10;
/** A row thinner than this has no room for a name. */
const ROW_LEAST_CSS = 11;

/** The context is in CSS pixels and clear. */
export function paintGroupGutter(
  context: CanvasRenderingContext2D,
  view: GanttView,
  widthCss: number,
  stage: Stage,
  held: ReturnType<typeof heldByBlock>,
): void {
  const colours = palette();
  const { layout, ratio, scrollDev, height } = view;
  const { units } = layout;
  context.textBaseline = "middle";
  for (let b = Math.max(0, blockAt(layout, scrollDev)); b < units.blockCount; b++) {
    const y = (layout.blockY[b]! - scrollDev) / ratio;
    if (y > height / ratio) break;
    if (b > 0) {
      context.fillStyle = colours.line;
      context.fillRect(0, Math.round(y - layout.gap / ratio / 2), widthCss, 1);
    }
    const byJob = units.groups!.by === "job";
    if (byJob && layout.level[b] === Level.near)
      paintJobs(context, view, widthCss, stage, b, colours);
    else paintGroup(context, view, widthCss, stage, b, held, colours);
  }
}

function paintGroup(
  context: CanvasRenderingContext2D,
  view: GanttView,
  widthCss: number,
  stage: Stage,
  b: number,
  held: ReturnType<typeof heldByBlock>,
  colours: Palette,
): void {
  const { layout, ratio, scrollDev, height } = view;
  const { groups, blockNames } = layout.units;
  const size = Math.round(11 * colours.u);
  const top = Math.max(0, (layout.blockY[b]! - scrollDev) / ratio);
  const foot = Math.min(
    height / ratio,
    (layout.blockY[b]! + layout.blockH[b]! - scrollDev) / ratio,
  );
  if (foot - top < size) return;
  // The name of a tall group stands at its top, and stays in sight as long as the group does.
  const y = Math.min(top + size * 0.8 + 2, (top + foot) / 2);
  const open = layout.level[b] !== Level.far;
  paintFold(context, LEFT, y, size, open, colours);
  let x = LEFT + size + 2;
  if (groups!.by === "tier") {
    const letter = stage.tiers[groups!.ofBlock[b]!]?.letter ?? "";
    x += paintLetter(context, x, y, size, letter, groups!.ofBlock[b]!, stage.tiers.length, colours);
  }
  const devices = Math.round(held.devices[b]! * 10) / 10;
  const number = numberText(devices, Number.isInteger(devices) ? 0 : 1);
  context.font = `${size}px ${colours.font}`;
  context.textAlign = "right";
  context.fillStyle = devices > 0 ? colours.ink : colours.ink3;
  context.fillText(number, widthCss - RIGHT, y);
  const room = widthCss - RIGHT - textWidth(context, number) - 8 - x;
  context.textAlign = "left";
  context.font = `600 ${size}px ${colours.font}`;
  context.fillStyle = colours.ink;
  context.fillText(fitted(context, blockNames[b]!, room), x, y);
  if (foot - y < size * 1.4) return;
  const word = `${stage.cluster.deviceWord}s at the cursor, ${numberText(held.jobs[b]!)} ${held.jobs[b] === 1 ? "job" : "jobs"}`;
  context.font = `${size}px ${colours.font}`;
  context.fillStyle = colours.ink3;
  context.fillText(fitted(context, word, widthCss - RIGHT - x), x, y + size * 1.35);
  const width = widthCss - RIGHT - x;
  const share = Math.min(1, devices / Math.max(1, stage.cluster.deviceCount));
  if (foot - y < size * 2.6) return;
  const barY = Math.round(y + size * 2.2);
  context.fillStyle = colours.line2;
  context.fillRect(x, barY, width, 1);
  context.fillStyle = colours.heldCell;
  context.fillRect(x, barY - 2, Math.round(width * share), 4);
}

function paintJobs(
  context: CanvasRenderingContext2D,
  view: GanttView,
  widthCss: number,
  stage: Stage,
  b: number,
  colours: Palette,
): void {
  const { layout, ratio, scrollDev, height } = view;
  const { units } = layout;
  const { jobs } = stage;
  const size = Math.round(11 * colours.u);
  for (let u = units.blockFirst[b]!; u < units.blockFirst[b + 1]!; u++) {
    if (layout.unitY[u]! > scrollDev + height || layout.unitY[u]! + layout.unitH[u]! < scrollDev)
      continue;
    for (let job = units.unitFirst[u]!; job < units.unitFirst[u + 1]!; job++) {
      const row = job - units.unitFirst[u]!;
      const top = (rowTop(layout, u, row) - scrollDev) / ratio;
      const foot = (rowTop(layout, u, row + 1) - scrollDev) / ratio;
      if (foot < 0 || top > height / ratio || foot - top < ROW_LEAST_CSS) continue;
      const y = (top + foot) / 2;
      const tier = jobs.at.tier[job]!;
      const letter = stage.tiers[tier]?.letter ?? "";
      const x =
        LEFT + paintLetter(context, LEFT, y, size, letter, tier, stage.tiers.length, colours);
      const count = numberText(jobs.at.gpuTotal[job]!);
      context.font = `${size}px ${colours.font}`;
      context.textAlign = "right";
      context.fillStyle = colours.ink3;
      context.fillText(count, widthCss - RIGHT, y);
      const room = widthCss - RIGHT - textWidth(context, count) - 8 - x;
      const id = nameOf(jobs.ids, job);
      const name = nameOf(jobs.names, job);
      const text = name === "" || name === id ? id : `${id} ${name}`;
      context.textAlign = "left";
      context.fillStyle = colours.ink2;
      context.fillText(fitted(context, text, room), x, y);
    }
  }
}

/** ▾ open, ▸ folded. */
function paintFold(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  size: number,
  open: boolean,
  colours: Palette,
): void {
  const r = size * 0.32;
  const cx = x + size * 0.4;
  context.fillStyle = colours.ink2;
  context.beginPath();
  if (open) {
    context.moveTo(cx - r, y - r * 0.6);
    context.lineTo(cx + r, y - r * 0.6);
    context.lineTo(cx, y + r * 0.8);
  } else {
    context.moveTo(cx - r * 0.6, y - r);
    context.lineTo(cx + r * 0.8, y);
    context.lineTo(cx - r * 0.6, y + r);
  }
  context.fill();
}

/** The letter on its tier's colour; the room that it takes. */
function paintLetter(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  size: number,
  letter: string,
  tier: number,
  tiers: number,
  colours: Palette,
): number {
  if (letter === "") return 0;
  const { full, label } = tierColours(colours, tier, tiers);
  const side = Math.round(size * 1.25);
  context.fillStyle = full;
  context.fillRect(Math.round(x), Math.round(y - side / 2), side, side);
  context.font = `600 ${size - 1}px ${colours.font}`;
  context.textAlign = "center";
  context.fillStyle = label;
  context.fillText(letter, Math.round(x) + side / 2, y + 0.5);
  context.textAlign = "left";
  return side + 6;
}

function fitted(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (textWidth(context, text) <= room) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(context, `${text.slice(0, middle)}…`) <= room) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "" : `${text.slice(0, low)}…`;
}
