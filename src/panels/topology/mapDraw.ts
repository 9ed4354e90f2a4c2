/**
 * Draws the map: spine, links, leaves, domains, nodes, devices, parts of devices. What is too small to be told apart is left out, level by level: parts, then
 * devices (nodes are filled bars), then nodes (leaves are filled bars). Only what lies in view is drawn. Links are as wide as what they carry.
 */
import { textWidth } from "../../render/labels.ts";
import type { Palette } from "../../theme/palette.ts";
import type { MapLayout } from "../../timeline/topologyMap/mapLayout.ts";
import type { MapState } from "../../timeline/topologyMap/mapState.ts";
import { type ColourMode, contentionStep, type FillStyle, shareStep } from "./mapColours.ts";

export interface MapPicture {
  readonly layout: MapLayout;
  readonly state: MapState;
  readonly mode: ColourMode;
  readonly styles: readonly FillStyle[];
  readonly styleOfJob: Uint8Array;
  /** Of each job, where the map is coloured by it. */
  readonly loadOfJob: ReadonlyMap<number, number>;
  /** Demand over capacity of each leaf's uplinks, where known. */
  readonly loadOfLeaf: Float64Array | null;
  /** 1 = the job is drawn in full; empty = all are. */
  readonly lit: Uint8Array;
  /** The selected job, −1 = none. */
  readonly jobIdx: number;
  /** Places of the selected job. */
  readonly jobUnits: ReadonlySet<number>;
  readonly jobBlocks: ReadonlySet<number>;
  readonly unitNames: readonly string[];
  readonly spineNames: readonly string[];
  readonly domainNames: readonly string[];
  /** Upper left of the view in the content. */
  readonly leftCss: number;
  readonly topCss: number;
  readonly widthCss: number;
  readonly heightCss: number;
}

type Draw = CanvasRenderingContext2D;

/** The context is in CSS pixels, clear, and moved so that the content's upper left is its origin. */
export function drawMap(context: Draw, picture: MapPicture, palette: Palette): void {
  const { layout } = picture;
  context.textBaseline = "middle";
  if (layout.tree.units.leaves) drawFabric(context, picture, palette);
  for (let b = 0; b < layout.tree.units.blockCount; b++)
    if (
      inView(
        picture,
        layout.blockX[b]!,
        layout.blockY[b]! - layout.linkH,
        layout.blockW,
        layout.blockH + layout.linkH,
      )
    )
      drawBlock(context, picture, palette, b);
}

function inView(picture: MapPicture, x: number, y: number, w: number, h: number): boolean {
  const { leftCss, topCss, widthCss, heightCss } = picture;
  return x + w >= leftCss && y + h >= topCss && x <= leftCss + widthCss && y <= topCss + heightCss;
}

/** Spines, their rails, and what joins several spines. */
function drawFabric(context: Draw, picture: MapPicture, palette: Palette): void {
  const { layout, jobBlocks } = picture;
  const { tree } = layout;
  const { leafColumns } = layout.arrangement;
  const size = Math.round(11 * palette.u);
  if (tree.spines.length > 1) {
    const first = layout.spineY[0]! + layout.spineH / 2;
    const last = layout.spineY.at(-1)! + layout.spineH / 2;
    const litSpines = tree.spines.filter((one) =>
      litBlocks(one.firstBlock, one.endBlock, jobBlocks),
    );
    line(context, 5, first, 5, last, litSpines.length > 1 ? palette.ink : palette.rule, 2);
    tree.spines.forEach((_, s) => {
      const y = layout.spineY[s]! + layout.spineH / 2;
      line(context, 5, y, layout.spineX[s]!, y, palette.rule, 1);
    });
  }
  tree.spines.forEach(({ firstBlock, endBlock }, s) => {
    const x = layout.spineX[s]!;
    const y = layout.spineY[s]!;
    const w = layout.spineW[s]!;
    const high = layout.spineH >= 12;
    const lit = jobBlocks.size > 1 && litBlocks(firstBlock, endBlock, jobBlocks);
    if (high) {
      context.fillStyle = palette.bg;
      context.fillRect(x, y, w, layout.spineH);
      context.strokeStyle = lit ? palette.ink : palette.rule;
      context.lineWidth = lit ? 2 : 1;
      context.strokeRect(x + 0.5, Math.round(y) + 0.5, w - 1, Math.round(layout.spineH) - 1);
      context.font = `600 ${size}px ${palette.font}`;
      context.textAlign = "left";
      context.fillStyle = palette.ink;
      context.fillText(picture.spineNames[s]!, x + 6, y + layout.spineH / 2 + 0.5, w - 12);
    } else {
      context.fillStyle = lit ? palette.ink : palette.rule;
      context.fillRect(x, y, w, Math.max(2, layout.spineH));
    }
    // Later rows of leaves hang on a rail beside the first.
    const perRow = Math.min(leafColumns, tree.mostBlocks);
    for (let b = firstBlock + perRow; b < endBlock; b += perRow) {
      const railY = Math.round(layout.blockY[b]! - layout.linkH) + 0.5;
      const end = Math.min(endBlock, b + perRow) - 1;
      line(context, x + 3, y + layout.spineH, x + 3, railY, palette.rule, 2);
      line(context, x + 2, railY, layout.blockX[end]! + layout.blockW / 2, railY, palette.rule, 2);
    }
  });
}

function litBlocks(from: number, to: number, lit: ReadonlySet<number>): boolean {
  for (let b = from; b < to; b++) if (lit.has(b)) return true;
  return false;
}

function drawBlock(context: Draw, picture: MapPicture, palette: Palette, b: number): void {
  const { layout, state } = picture;
  const { tree, blockW, blockH, headH } = layout;
  const x = layout.blockX[b]!;
  const y = layout.blockY[b]!;
  if (tree.units.leaves) {
    const share = Math.min(1, state.blockLink[b]!);
    const lit = picture.jobBlocks.size > 1 && picture.jobBlocks.has(b);
    const middle = x + blockW / 2;
    const over = picture.loadOfLeaf !== null && picture.loadOfLeaf[b]! > 1;
    const width = Math.min(blockW, 0.75 + share * 7 * Math.min(palette.u, 1.3));
    if (lit) line(context, middle, y - layout.linkH, middle, y, palette.bg, width + 5);
    const colour = over
      ? palette.signal
      : lit
        ? palette.ink
        : share > 0
          ? palette.ink2
          : palette.line2;
    line(context, middle, y - layout.linkH, middle, y, colour, lit ? width + 2 : width);
  }
  if (blockW > 10) {
    context.strokeStyle = palette.line2;
    context.lineWidth = 1;
    context.strokeRect(
      Math.round(x) + 0.5,
      Math.round(y) + 0.5,
      Math.round(blockW) - 1,
      Math.round(blockH) - 1,
    );
  }
  drawHead(context, picture, palette, b, x, y);
  const least = Math.min(layout.unitW, layout.unitH);
  if (least < 1.5) {
    drawLoad(context, picture, palette, tree.units.blockFirst[b]!, tree.units.blockFirst[b + 1]!, {
      x: x + 1,
      y: y + headH,
      w: blockW - 2,
      h: blockH - headH - 1,
    });
    return;
  }
  for (let g = tree.blockGroup[b]!; g < tree.blockGroup[b + 1]!; g++) {
    if (tree.groupDomain[g]! >= 0) drawDomain(context, picture, palette, g);
    for (let u = tree.groupFirst[g]!; u < tree.groupFirst[g + 1]!; u++)
      if (inView(picture, layout.unitX[u]!, layout.unitY[u]!, layout.unitW, layout.unitH))
        drawUnit(context, picture, palette, u);
  }
}

function drawHead(
  context: Draw,
  picture: MapPicture,
  palette: Palette,
  b: number,
  x: number,
  y: number,
): void {
  const { layout, state, mode } = picture;
  const { blockW, headH, tree } = layout;
  const lit = picture.jobBlocks.has(b);
  const size = Math.round(11 * palette.u);
  if (headH < size + 1) {
    context.fillStyle = lit ? palette.ink : palette.rule;
    context.fillRect(x, y, blockW, Math.max(1, Math.min(3, headH)));
    return;
  }
  context.fillStyle = palette.raise;
  context.fillRect(x + 1, y + 1, blockW - 2, headH - 1);
  line(
    context,
    x,
    Math.round(y + headH) + 0.5,
    x + blockW,
    Math.round(y + headH) + 0.5,
    palette.line2,
    1,
  );
  context.font = `600 ${size}px ${palette.font}`;
  context.textAlign = "left";
  context.fillStyle = palette.ink;
  const middle = y + headH / 2 + 0.5;
  const name = tree.units.blockNames[b]!;
  context.fillText(name, x + 5, middle, blockW - 8);
  const nameW = textWidth(context, name);
  context.font = `${size}px ${palette.font}`;
  const told = headWords(picture, b).find(
    (text) => textWidth(context, text) + nameW + 18 <= blockW,
  );
  if (told === undefined) return;
  context.textAlign = "right";
  context.fillStyle = mode === "fits" || state.blockLink[b]! > 0 ? palette.ink2 : palette.ink3;
  context.fillText(told, x + blockW - 5, middle);
}

/** What is written beside a leaf's name, the longest form first. */
function headWords({ state, mode, loadOfLeaf, layout }: MapPicture, b: number): readonly string[] {
  const { units } = layout.tree;
  if (mode === "fits") return [`fits ${state.fits.block[b]}`, String(state.fits.block[b])];
  if (mode === "contention" && loadOfLeaf) {
    const load = `${loadOfLeaf[b]!.toFixed(1)} ×`;
    return [`uplinks asked ${load}`, load];
  }
  if (units.leaves && state.blockLink[b]! > 0) {
    const share = `${Math.round(state.blockLink[b]! * 100)} %`;
    return [`uplink ${share}`, share];
  }
  const first = units.unitFirst[units.blockFirst[b]!]!;
  const end = units.unitFirst[units.blockFirst[b + 1]!]!;
  let held = 0;
  for (let d = first; d < end; d++) if (state.holders.jobOfDevice[d]! >= 0) held += 1;
  return [`${held} of ${end - first}`];
}

/** The frame of an NVSwitch domain of several nodes, or of the part of one that stands under this leaf. */
function drawDomain(context: Draw, picture: MapPicture, palette: Palette, g: number): void {
  const { layout, state, mode } = picture;
  const x = layout.groupX[g]!;
  const y = layout.groupY[g]!;
  const { groupW, groupH } = layout;
  if (groupW < 6) return;
  context.strokeStyle = palette.rule;
  context.lineWidth = groupW > 24 ? 1.5 : 1;
  context.strokeRect(x + 0.5, y + 0.5, groupW - 1, groupH - 1);
  const room = layout.unitY[layout.tree.groupFirst[g]!]! - y;
  const size = Math.round(11 * palette.u);
  if (room < size) return;
  context.font = `${size}px ${palette.font}`;
  context.textAlign = "left";
  context.fillStyle = palette.ink2;
  const name = picture.domainNames[layout.tree.groupDomain[g]!] ?? "";
  const text = mode === "fits" ? `${name}: fits ${state.fits.group[g]}` : name;
  context.fillText(text, x + 5, y + room / 2 + 1, groupW - 8);
}

function drawUnit(context: Draw, picture: MapPicture, palette: Palette, u: number): void {
  const { layout, state } = picture;
  const { tree, unitW, unitH, nameH, ruleH } = layout;
  const x = layout.unitX[u]!;
  const y = layout.unitY[u]!;
  const cells = layout.cells[tree.kindOfUnit[u]!]!;
  if (
    Math.min(cells.w, cells.h) < 1.2 &&
    tree.units.unitFirst[u + 1]! - tree.units.unitFirst[u]! > 1
  ) {
    drawLoad(context, picture, palette, u, u + 1, { x, y, w: unitW, h: unitH });
    return;
  }
  if (nameH > 0) drawName(context, picture, palette, u, x, y);
  else if (Math.min(unitW, unitH) > 9 && state.closedUnit[u] === 1) {
    context.strokeStyle = palette.rule;
    context.lineWidth = 1;
    context.strokeRect(x + 0.5, y + 0.5, unitW - 1, unitH - 1);
  }
  const first = tree.units.unitFirst[u]!;
  for (let i = 0; i < cells.x.length; i++)
    drawDevice(
      context,
      picture,
      palette,
      first + i,
      u,
      x + cells.x[i]!,
      y + cells.y[i]!,
      cells.w,
      cells.h,
    );
  const node = tree.units.unitNode[u]!;
  const domain = tree.cluster.nvswitchOfNode[node] ?? -1;
  if (
    ruleH > 0 &&
    domain >= 0 &&
    !tree.cluster.flat &&
    tree.groupDomain[tree.groupOfUnit[u]!]! < 0 &&
    cells.x.length > 1
  ) {
    const ruleY = Math.round(y + unitH - 3) + 0.5;
    line(context, x + cells.x[0]!, ruleY, x + cells.x.at(-1)! + cells.w, ruleY, palette.rule, 1.5);
  }
}

function drawName(
  context: Draw,
  picture: MapPicture,
  palette: Palette,
  u: number,
  x: number,
  y: number,
): void {
  const { layout, state, mode } = picture;
  const { unitW, unitH, nameH } = layout;
  const size = Math.round(11 * palette.u);
  const lit = picture.jobUnits.has(u);
  context.strokeStyle = state.closedUnit[u] === 1 ? palette.rule : palette.line;
  context.lineWidth = 1;
  context.strokeRect(
    Math.round(x) + 0.5,
    Math.round(y) + 0.5,
    Math.round(unitW) - 1,
    Math.round(unitH) - 1,
  );
  const share = state.unitLink[u]!;
  // How much of the node is in gangs of several nodes: a bar on its upper edge, as wide as its link.
  if (share > 0) {
    context.fillStyle = lit ? palette.ink : palette.ink2;
    context.fillRect(x + 1, y, (unitW - 2) * Math.min(1, share), lit ? 2 : 1);
  }
  context.font = `${lit ? "600 " : ""}${size}px ${palette.font}`;
  context.textAlign = "left";
  context.fillStyle = lit ? palette.ink : palette.ink2;
  const told =
    mode === "fits" ? String(state.fits.unit[u]) : mode === "share" ? heldText(picture, u) : "";
  const toldW = told === "" ? 0 : textWidth(context, told) + 6;
  const name = fitName(context, picture.unitNames[u]!, unitW - 7 - toldW);
  context.fillText(name, x + 4, y + nameH / 2 + 1.5);
  if (told === "") return;
  context.textAlign = "right";
  context.fillStyle = palette.ink;
  context.fillText(told, x + unitW - 4, y + nameH / 2 + 1.5);
}

function heldText({ layout, state }: MapPicture, u: number): string {
  const { unitFirst } = layout.tree.units;
  let held = 0;
  for (let d = unitFirst[u]!; d < unitFirst[u + 1]!; d++) held += shareOf(state, d);
  return `${Math.round(held * 10) / 10}/${unitFirst[u + 1]! - unitFirst[u]!}`;
}

/** The name; the number it ends with where that alone has room; else nothing. */
function fitName(context: Draw, name: string, room: number): string {
  if (textWidth(context, name) <= room) return name;
  const number = /\d+$/.exec(name)?.[0] ?? "";
  return textWidth(context, number) <= room ? number : "";
}

/** Part of a device that is held, 0 to 1. */
function shareOf(state: MapState, device: number): number {
  const slices = state.slices.get(device);
  if (slices)
    return Math.min(1, slices.reduce((sum, { from, to }) => sum + (to - from), 0) / 1_000);
  return state.holders.jobOfDevice[device]! >= 0 ? 1 : 0;
}

function fillOf(picture: MapPicture, jobIdx: number, u: number): string {
  const { mode, styles } = picture;
  let step = picture.styleOfJob[jobIdx] ?? 0;
  if (mode === "contention") step = contentionStep(picture.loadOfJob.get(jobIdx));
  else if (mode === "share") step = shareStep(unitShare(picture, u));
  else if (mode === "fits") step = 0;
  const style = styles[step]!;
  const lit = picture.lit.length === 0 || picture.lit[jobIdx] === 1;
  return lit ? style.full : style.pale;
}

function unitShare({ layout, state }: MapPicture, u: number): number {
  const { unitFirst } = layout.tree.units;
  let held = 0;
  for (let d = unitFirst[u]!; d < unitFirst[u + 1]!; d++) held += shareOf(state, d);
  return held / Math.max(1, unitFirst[u + 1]! - unitFirst[u]!);
}

function drawDevice(
  context: Draw,
  picture: MapPicture,
  palette: Palette,
  device: number,
  u: number,
  xRaw: number,
  yRaw: number,
  wRaw: number,
  hRaw: number,
): void {
  const { state, mode } = picture;
  const snap = wRaw >= 3 && hRaw >= 3;
  const x = snap ? Math.round(xRaw) : xRaw;
  const y = snap ? Math.round(yRaw) : yRaw;
  const w = snap ? Math.max(1, Math.round(xRaw + wRaw) - x) : wRaw;
  const h = snap ? Math.max(1, Math.round(yRaw + hRaw) - y) : hRaw;
  const slices = state.slices.get(device);
  if (slices) {
    drawFree(context, picture, palette, device, u, x, y, w, h);
    for (const { jobIdx, from, to } of slices) {
      const top = y + (h * from) / 1_000;
      context.fillStyle = fillOf(picture, jobIdx, u);
      context.fillRect(x, top, w, Math.max(1, (h * (to - from)) / 1_000 - (h > 12 ? 1 : 0)));
    }
    return;
  }
  const jobIdx = state.holders.jobOfDevice[device]!;
  if (jobIdx >= 0) {
    context.fillStyle = fillOf(picture, jobIdx, u);
    context.fillRect(x, y, w, h);
    if (mode === "fits" && w >= 4) {
      context.strokeStyle = palette.line2;
      context.lineWidth = 1;
      context.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
    }
    return;
  }
  drawFree(context, picture, palette, device, u, x, y, w, h);
}

function drawFree(
  context: Draw,
  picture: MapPicture,
  palette: Palette,
  device: number,
  u: number,
  x: number,
  y: number,
  w: number,
  h: number,
): void {
  const { state, mode, styles, layout } = picture;
  const failed = state.failedDevice[device] === 1;
  const closed = failed || state.closedUnit[u] === 1;
  const alarm = state.workWaits && !closed;
  if (mode === "fits" && !closed) {
    const { unitFirst } = layout.tree.units;
    const share = state.fits.unit[u]! / Math.max(1, unitFirst[u + 1]! - unitFirst[u]!);
    context.fillStyle = styles[shareStep(share)]!.full;
    context.fillRect(x, y, w, h);
    return;
  }
  context.fillStyle = closed ? palette.raise : alarm ? palette.idle : palette.bg;
  context.fillRect(x, y, w, h);
  if (w < 3 || h < 3) return;
  context.strokeStyle = closed ? palette.rule : alarm ? palette.idleDot : palette.line2;
  context.lineWidth = 1;
  context.strokeRect(x + 0.5, y + 0.5, Math.max(1, w - 1), Math.max(1, h - 1));
  const slash = failed ? palette.signal : palette.rule;
  if (closed) line(context, x + 1, y + h - 1, x + w - 1, y + 1, slash, 1);
  if (failed) line(context, x + 1, y + 1, x + w - 1, y + h - 1, slash, 1);
}

interface LoadBox {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Devices of some nodes that are too small to be told apart: a bar by style from below, empty above where free. */
function drawLoad(
  context: Draw,
  picture: MapPicture,
  palette: Palette,
  fromUnit: number,
  toUnit: number,
  box: LoadBox,
): void {
  const { unitFirst } = picture.layout.tree.units;
  const { state, mode, styles } = picture;
  const first = unitFirst[fromUnit]!;
  const end = unitFirst[toUnit]!;
  const counts = new Map<string, number>();
  for (let u = fromUnit; u < toUnit; u++)
    for (let d = unitFirst[u]!; d < unitFirst[u + 1]!; d++) {
      const jobIdx = state.holders.jobOfDevice[d]!;
      if (jobIdx < 0) continue;
      const fill = mode === "fits" ? styles[0]!.full : fillOf(picture, jobIdx, u);
      counts.set(fill, (counts.get(fill) ?? 0) + 1);
    }
  context.fillStyle = state.workWaits ? palette.idle : palette.bg;
  context.fillRect(box.x, box.y, box.w, box.h);
  let y = box.y + box.h;
  for (const [fill, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const h = (box.h * count) / Math.max(1, end - first);
    y -= h;
    context.fillStyle = fill;
    context.fillRect(box.x, y, box.w, h);
  }
}

function line(
  context: Draw,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  colour: string,
  width: number,
): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}
