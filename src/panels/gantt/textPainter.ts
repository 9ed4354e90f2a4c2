/**
 * The text layer: dotted hairlines of changes, crosses of failed runs, and labels on bars. A label stands in the visible part of
 * its bar, on one side of the cursor only, and never on a hatch. While a zoom goes on, labels keep their words and move with their bars.
 */

import { nameOf } from "../../model/jobs.ts";
import { fitLabel, measurer, textWidth } from "../../render/labels.ts";
import { dotLine, strokeCross } from "../../render/marks.ts";
import { DIM } from "../../render/rasterPalette.ts";
import { Look } from "../../render/spanRaster.ts";
import { acting } from "../../scenario/interventions.ts";
import { planOverlay } from "../../store/planOverlay.ts";
import { useApp } from "../../store/store.ts";
import type { Palette } from "../../theme/palette.ts";
import { changesSize, heldDevices, sizeText } from "../../timeline/heldDevices.ts";
import { type LabelScan, type LabelSpan, scanLabels } from "../../timeline/labelSpans.ts";
import { timeMsOfPixel, xDevOf } from "../../timeline/pixelScale.ts";
import type { Part } from "../../timeline/rowIndex.ts";
import { Level } from "../../timeline/rows.ts";
import type { GanttView } from "./basePainter.ts";
import { Drawn, type GanttScene, lookOf } from "./scene.ts";

/** What the labels of the last sharp picture say and where, for a zoom to take along. */
export interface KeptLabels {
  scan: LabelScan | null;
  readonly words: Map<LabelSpan, { readonly text: string; readonly width: number }>;
}

/** Paints the layer. The context is in CSS pixels and clear. With `moving` the labels that were kept are painted, where they are now. */
export function paintText(
  context: CanvasRenderingContext2D,
  scene: GanttScene,
  view: GanttView,
  palette: Palette,
  kept: KeptLabels = { scan: null, words: new Map() },
  moving = false,
): void {
  const { ratio } = view;
  scene.words.bars.clear();
  const widthCss = view.width / ratio;
  const heightCss = view.height / ratio;
  const lines = new Set<number>();
  for (const change of acting(useApp.getState().scenario?.interventions ?? [])) {
    const x = Math.round(xDevOf(change.atMs, view.scale) / ratio);
    if (x >= 0 && x <= widthCss) lines.add(x);
  }
  for (const x of lines) dotLine(context, x, 0, heightCss, palette);
  if (!scene.index || !scene.stage) return;
  if (!moving || !kept.scan) {
    kept.scan = scanView(scene.index.parts, scene, view);
    kept.words.clear();
  }
  const { scan } = kept;
  const cursorX = xDevOf(view.cursorMs, view.scale);
  for (const fail of scan.fails) {
    const half = Math.min(5, (fail.y1 - fail.y0) / ratio / 2 - 1);
    const x = xDevOf(fail.atMs, view.scale);
    if (x > cursorX || half < 2) continue;
    strokeCross(
      context,
      x / ratio - 1,
      ((fail.y0 + fail.y1) / 2 - view.scrollDev) / ratio,
      half,
      palette,
    );
  }
  context.textBaseline = "middle";
  context.textAlign = "left";
  const sizes = [
    Math.round(10.5 * palette.u * 2) / 2,
    Math.round(11.5 * palette.u * 2) / 2,
  ] as const;
  // One size after the other: a font is set, and asked for, once each.
  for (const tall of [0, 1] as const) {
    const font = `${sizes[tall]}px ${palette.font}`;
    context.font = font;
    const type = { size: sizes[tall], measure: measurer(context, font), words: kept.words };
    for (const span of scan.spans)
      if ((span.y1 - span.y0) / ratio >= 15 === (tall === 1))
        paintLabel(context, scene, view, palette, span, cursorX, type);
  }
  paintNodeNotes(context, scene, view, palette, sizes[0]);
}

interface LabelType {
  readonly size: number;
  readonly measure: (text: string) => number;
  readonly words: KeptLabels["words"];
}

function paintLabel(
  context: CanvasRenderingContext2D,
  scene: GanttScene,
  view: GanttView,
  palette: Palette,
  span: LabelSpan,
  cursorX: number,
  type: LabelType,
): void {
  const { ratio } = view;
  const { size } = type;
  const left = Math.max(0, xDevOf(span.startMs, view.scale));
  const right = Math.min(view.width, xDevOf(span.endMs, view.scale));
  const past = Math.min(right, cursorX) - left;
  const onPast = past > 34 * ratio;
  const from = onPast ? left : Math.max(left, cursorX);
  const to = beforePlan(scene, view, span, from, onPast ? left + past : right);
  const room = (to - from) / ratio - 9;
  if (room < 13) return;
  const { jobIdx } = span;
  const dim = scene.paintOfJob[jobIdx]! >= DIM;
  const { text, width } = wordsOf(scene, span, room, type);
  if (text === "") return;
  const y0 = (span.y0 - view.scrollDev) / ratio;
  const h = (span.y1 - span.y0) / ratio;
  if (h < size + 1.5) return;
  const top = Math.max(y0, 0);
  const y = h > 26 * palette.u ? top + size * 0.85 + 3 : y0 + h / 2 - 0.5;
  const { full, label, pencil } = palette.positions[scene.positionOfJob[jobIdx]!]!;
  if (span.paused && !dim) {
    // Over the marks of checkpoints: they may not run through the letters.
    context.fillStyle = onPast ? full : pencil;
    context.fillRect(
      Math.round(from / ratio) + 3,
      Math.round(y - size * 0.55),
      width + 4,
      Math.round(size * 1.15),
    );
  }
  context.fillStyle = dim ? palette.ink3 : onPast ? label : palette.ink2;
  const x = Math.round(from / ratio) + 5;
  context.fillText(text, x, y);
  scene.words.bars.add({
    x0: x - 2,
    x1: x + width + 2,
    y0: y - size * 0.6,
    y1: y + size * 0.6,
  });
}

/** The words that were kept, while they fit; else the longest that do. */
function wordsOf(
  scene: GanttScene,
  span: LabelSpan,
  room: number,
  { measure, words }: LabelType,
): { readonly text: string; readonly width: number } {
  const known = words.get(span);
  if (known && known.width <= room) return known;
  const { jobs, tiers } = scene.stage!;
  const { jobIdx } = span;
  const id = nameOf(jobs.ids, jobIdx);
  const name = nameOf(jobs.names, jobIdx);
  const label = {
    letter: tiers[jobs.at.tier[jobIdx]!]?.letter ?? "",
    id,
    name: name === id ? "" : name,
    devices: devicesText(scene, span),
  };
  const text = fitLabel(label, room, measure);
  const made = { text, width: text === "" ? 0 : measure(text) };
  words.set(span, made);
  return made;
}

/** What it asks for; a job that changes its size is told by what it holds where the label stands. */
function devicesText({ stage, future }: GanttScene, { jobIdx, startMs, endMs }: LabelSpan) {
  const held = changesSize(future, jobIdx) ? heldDevices(future, jobIdx, startMs, endMs) : null;
  return held === null ? stage!.jobs.at.gpuTotal[jobIdx]! : sizeText(held);
}

function scanView(parts: readonly Part[], scene: GanttScene, view: GanttView): LabelScan {
  return scanLabels(
    parts,
    view.layout,
    view.scale,
    view.width,
    view.scrollDev,
    view.height,
    view.ratio,
    scene.future.knownMs,
    (jobIdx, bits, startMs) => !isHatched(scene, jobIdx, bits, startMs, view.cursorMs),
  );
}

/** No label crosses a hatch: lost work, and the patterns of what is no work. */
function isHatched(
  scene: GanttScene,
  jobIdx: number,
  bits: number,
  startMs: number,
  cursorMs: number,
): boolean {
  const look = lookOf(bits);
  if (look !== Look.running) return look !== Look.stalled;
  return scene.lost.lostAtMs(jobIdx, startMs) <= cursorMs;
}

/** Where a label must end so that it does not cross the outline of a promise: at that outline, if the span has a promised node. */
function beforePlan(
  scene: GanttScene,
  view: GanttView,
  span: LabelSpan,
  from: number,
  to: number,
): number {
  const plan = planOverlay();
  if (!plan || scene.lanes) return to;
  const x = xDevOf(plan.plannedMs, view.scale);
  if (x <= from || x >= to) return to;
  const { layout } = view;
  const { deviceBase } = scene.stage!.cluster;
  for (const node of plan.nodes) {
    const unit = layout.units.unitOfDevice[deviceBase[node]!];
    if (
      unit !== undefined &&
      layout.unitY[unit]! < span.y1 &&
      layout.unitY[unit]! + layout.unitH[unit]! > span.y0
    )
      return x - 3;
  }
  return to;
}

/** By `NodeStateCode`. */
const NODE_NOTES = ["", "drained", "node down", "not there", "failed unnoticed"] as const;

/** "node down", "drained" beside the stripes of near nodes. */
function paintNodeNotes(
  context: CanvasRenderingContext2D,
  scene: GanttScene,
  view: GanttView,
  palette: Palette,
  size: number,
): void {
  const spans = scene.nodeSpans;
  if (!spans) return;
  const { layout, ratio, scale } = view;
  const { units } = layout;
  const fromMs = timeMsOfPixel(0, scale);
  const toMs = timeMsOfPixel(view.width, scale);
  context.font = `${size}px ${palette.font}`;
  for (let u = 0; u < units.unitCount; u++) {
    if (layout.level[units.blockOfUnit[u]!] !== Level.near) continue;
    const node = units.unitNode[u]!;
    for (let i = spans.first[node]!; i < spans.first[node + 1]!; i++) {
      if (spans.startMs[i]! > toMs || spans.endMs[i]! < fromMs || spans.startMs[i]! > view.cursorMs)
        continue;
      const x0 = Math.max(0, xDevOf(spans.startMs[i]!, scale)) / ratio;
      const x1 =
        Math.min(view.width, xDevOf(Math.min(spans.endMs[i]!, scene.future.knownMs), scale)) /
        ratio;
      const text = scene.history?.noteOf(i) ?? NODE_NOTES[spans.state[i]!]!;
      const width = textWidth(context, text);
      if (x1 - x0 < width + 16) continue;
      // What empties first has its note at its end, where no bar is any more.
      const left = spans.state[i] === Drawn.moves ? x1 - width - 14 : x0 + 5;
      const y = (layout.unitY[u]! + layout.unitH[u]! / 2 - view.scrollDev) / ratio - 0.5;
      context.fillStyle = palette.bg;
      context.fillRect(left, y - size * 0.62, width + 8, size * 1.3);
      context.fillStyle = palette.ink2;
      context.fillText(text, left + 4, y);
      scene.words.bars.add({
        x0: left,
        x1: left + width + 8,
        y0: y - size * 0.62,
        y1: y + size * 0.68,
      });
    }
  }
}
