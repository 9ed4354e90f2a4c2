/**
 * Draws nodes of the map and what is in them: name, devices, parts of devices, the rule of an NVSwitch. What is too small to be told apart is a bar of what is held.
 * Cells are told apart by shape too: filled = held, hollow on the idle ground = free while work waits, slashed = out of service, crossed = failed.
 */
import { nameOf } from "../../model/jobs.ts";
import { NodeStateCode } from "../../model/states.ts";
import { fitLabel, textWidth } from "../../render/labels.ts";
import { line } from "../../render/marks.ts";
import { fitNodeName } from "../../render/nodeNames.ts";
import { labelInkOn } from "../../theme/colour.ts";
import type { Palette } from "../../theme/palette.ts";
import { heldPart } from "../../timeline/slicesAt.ts";
import type { MapState } from "../../timeline/topologyMap/mapState.ts";
import { contentionStep, shareStep } from "./mapColours.ts";
import type { MapPicture } from "./mapPicture.ts";

type Draw = CanvasRenderingContext2D;

/** Node `u` at its place. */
export function drawUnit(context: Draw, picture: MapPicture, palette: Palette, u: number): void {
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
  if (cells.h >= LABEL_CSS * palette.u && picture.mode !== "fits")
    drawLabels(context, picture, palette, u);
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

/** Least height of a device that has room for the name of its job. */
const LABEL_CSS = 15;

/** Least height of a slice for the same: one line and no more. */
const SLICE_LABEL_CSS = 11;

/** The name of the job in its part of a device. */
function drawSliceLabel(
  context: Draw,
  picture: MapPicture,
  palette: Palette,
  jobIdx: number,
  u: number,
  { x, y, w, h }: LoadBox,
): void {
  const { stage } = picture.state;
  const letter = stage.tiers[stage.jobs.at.tier[jobIdx]!]?.letter ?? "";
  const id = nameOf(stage.jobs.ids, jobIdx);
  context.font = `${Math.round(10 * palette.u)}px ${palette.font}`;
  context.textAlign = "left";
  const label = [`${letter} ${id}`, id, letter].find((text) => textWidth(context, text) <= w - 6);
  if (!label) return;
  context.fillStyle = labelInkOn(fillOf(picture, jobIdx, u));
  context.fillText(label, x + 3, y + Math.min(h / 2, 8 * palette.u));
}

/** What a job holds now, which of an elastic one is not what it asks for. O(devices); labels stand only where few nodes are in view. */
function heldBy(jobOfDevice: Int32Array, jobIdx: number): number {
  let held = 0;
  for (let device = 0; device < jobOfDevice.length; device++)
    if (jobOfDevice[device] === jobIdx) held += 1;
  return held;
}

/** The names of jobs on the devices they hold side by side: so colour is not the only carrier where there is room. */
function drawLabels(context: Draw, picture: MapPicture, palette: Palette, u: number): void {
  const { layout, state } = picture;
  const { stage, tree } = state;
  const cells = layout.cells[tree.kindOfUnit[u]!]!;
  const first = tree.units.unitFirst[u]!;
  const jobOf = (i: number) =>
    state.slices.has(first + i) ? -1 : (state.holders.jobOfDevice[first + i] ?? -1);
  context.font = `${Math.round(11 * palette.u)}px ${palette.font}`;
  context.textAlign = "left";
  for (let i = 0; i < cells.x.length; ) {
    const jobIdx = jobOf(i);
    let end = i + 1;
    while (end < cells.x.length && jobOf(end) === jobIdx && cells.y[end] === cells.y[i]) end += 1;
    const at = i;
    i = end;
    // Once for devices that go on in the next row.
    if (jobIdx < 0 || (at > 0 && jobOf(at - 1) === jobIdx)) continue;
    const fill = fillOf(picture, jobIdx, u);
    const label = fitLabel(
      {
        letter: stage.tiers[stage.jobs.at.tier[jobIdx]!]?.letter ?? "",
        id: nameOf(stage.jobs.ids, jobIdx),
        name: "",
        devices: heldBy(state.holders.jobOfDevice, jobIdx),
      },
      cells.x[end - 1]! + cells.w - cells.x[at]! - 8,
      (text) => textWidth(context, text),
    );
    if (label === "") continue;
    const x = layout.unitX[u]! + cells.x[at]! + 4;
    const y = layout.unitY[u]! + cells.y[at]! + Math.min(cells.h / 2, 12 * palette.u);
    // Over the gaps between devices: words that cross them would be cut.
    context.fillStyle = fill;
    context.fillRect(x, y - 6 * palette.u, textWidth(context, label) + 1, 12 * palette.u);
    context.fillStyle = labelInkOn(fill);
    context.fillText(label, x, y);
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
  const name = fitNodeName(picture.unitNames, u, unitW - 7 - toldW, (text) =>
    textWidth(context, text),
  );
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

/** Part of a device that is held, 0 to 1. */
function shareOf(state: MapState, device: number): number {
  const slices = state.slices.get(device);
  if (slices) return heldPart(slices);
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
      const sliceH = Math.max(1, (h * (to - from)) / 1_000 - (h > 12 ? 1 : 0));
      context.fillRect(x, top, w, sliceH);
      if (sliceH >= SLICE_LABEL_CSS * palette.u && mode !== "fits")
        drawSliceLabel(context, picture, palette, jobIdx, u, { x, y: top, w, h: sliceH });
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
  // Drained rises, down falls, as their stripes do on the Gantt.
  const down = state.holders.stateOfNode[layout.tree.units.unitNode[u]!] === NodeStateCode.down;
  if (closed && !(down && !failed)) line(context, x + 1, y + h - 1, x + w - 1, y + 1, slash, 1);
  if (down && !failed) line(context, x + 1, y + 1, x + w - 1, y + h - 1, slash, 1);
  if (failed) line(context, x + 1, y + 1, x + w - 1, y + h - 1, slash, 1);
}

interface LoadBox {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Devices of some nodes that are too small to be told apart: a bar by style from below, empty above where free. */
export function drawLoad(
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
