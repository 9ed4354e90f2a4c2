/**
 * Draws the map: spine, links, leaves, domains, nodes, devices, parts of devices. What is too small to be told apart is left out, level by level: parts, then
 * devices (nodes are filled bars), then nodes (leaves are filled bars). Only what lies in view is drawn. Links are as wide as what they carry.
 */
import { textWidth } from "../../render/labels.ts";
import { line } from "../../render/marks.ts";
import type { Palette } from "../../theme/palette.ts";
import type { MapLayout } from "../../timeline/topologyMap/mapLayout.ts";
import { inView, type MapPicture } from "./mapPicture.ts";
import { drawLoad, drawUnit } from "./nodeDraw.ts";

/** Where later rows of leaves have their rail: a part of the way up to the row before. */
const BUS = 0.6;

type Draw = CanvasRenderingContext2D;

/** The context is in CSS pixels, clear, and moved so that the content's upper left is its origin. */
export function drawMap(context: Draw, picture: MapPicture, palette: Palette): void {
  const { layout } = picture;
  context.textBaseline = "middle";
  if (layout.tree.units.leaves) drawFabric(context, picture, palette);
  const toldRoom = roomBesideNames(context, layout, palette);
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
      drawBlock(context, picture, palette, b, toldRoom);
}

/** Beside the widest name of a leaf: so that what is told of leaves has the same form on all. */
function roomBesideNames(context: Draw, layout: MapLayout, palette: Palette): number {
  context.font = `600 ${Math.round(11 * palette.u)}px ${palette.font}`;
  const { blockNames } = layout.tree.units;
  const widest = blockNames.reduce((most, name) => Math.max(most, textWidth(context, name)), 0);
  return layout.blockW - widest - 18;
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
      const railY = Math.round(layout.blockY[b]! - BUS * layout.linkH) + 0.5;
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

function drawBlock(
  context: Draw,
  picture: MapPicture,
  palette: Palette,
  b: number,
  toldRoom: number,
): void {
  const { layout, state } = picture;
  const { tree, blockW, blockH, headH } = layout;
  const x = layout.blockX[b]!;
  const y = layout.blockY[b]!;
  if (tree.units.leaves) {
    const share = Math.min(1, state.blockLink[b]!);
    const lit = picture.jobBlocks.size > 1 && picture.jobBlocks.has(b);
    const middle = x + blockW / 2;
    const linkH = layout.linkH * (isFirstRow(picture, b) ? 1 : BUS);
    const over = picture.loadOfLeaf !== null && picture.loadOfLeaf[b]! > 1;
    const width = Math.min(blockW / 2, 0.75 + share * 7 * Math.min(palette.u, 1.3));
    if (lit) line(context, middle, y - linkH, middle, y, palette.bg, width + 5);
    const colour = over
      ? palette.signal
      : lit
        ? palette.ink
        : share > 0
          ? palette.ink2
          : palette.line2;
    line(context, middle, y - linkH, middle, y, colour, lit ? width + 2 : width);
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
  drawHead(context, picture, palette, b, toldRoom);
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

/** Whether a leaf hangs on its spine itself, and not on a rail beside the first row. */
function isFirstRow({ layout }: MapPicture, b: number): boolean {
  const { spines, mostBlocks } = layout.tree;
  const spine = spines.find(({ endBlock }) => b < endBlock);
  return b - (spine?.firstBlock ?? 0) < Math.min(layout.arrangement.leafColumns, mostBlocks);
}

function drawHead(
  context: Draw,
  picture: MapPicture,
  palette: Palette,
  b: number,
  toldRoom: number,
): void {
  const x = picture.layout.blockX[b]!;
  const y = picture.layout.blockY[b]!;
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
  context.font = `${size}px ${palette.font}`;
  // The same form for all leaves: by the widest name and the widest number.
  const told = headWords(picture, b).find(
    (text) => textWidth(context, text.replace(/[\d.]+/g, "100")) <= toldRoom,
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
  if (units.leaves && state.blockLink.some((share) => share > 0)) {
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
