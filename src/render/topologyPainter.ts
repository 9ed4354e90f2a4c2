/**
 * The cluster at one moment, drawn on the rows of the Gantt: spine rail → leaf switch → node link → NVSwitch rule → one cell a
 * device. Places are fixed, so a GPU never moves; the width of a link says how much of it is in jobs that need it. Cells are told
 * apart by shape: filled = held, filled in part = held in part, hollow on the idle ground = free while work waits, slashed = out of service.
 */
import type { Palette } from "../theme/palette.ts";
import { Level, padOf, type RowLayout } from "../timeline/rows.ts";
import { rowsOfUnit } from "../timeline/rowUnits.ts";
import { everyNamed, type Places, placesOf, type Rows } from "./gutterPlaces.ts";
import { textWidth } from "./labels.ts";
import { line } from "./marks.ts";
import { fitNodeName } from "./nodeNames.ts";
import { DIM } from "./rasterPalette.ts";

/** A part of a device that a job holds, from its upper edge: 0 to 1. */
export interface DeviceSlice {
  readonly from: number;
  readonly to: number;
  readonly position: number;
}

export interface TopologyInput {
  readonly layout: RowLayout;
  readonly ratio: number;
  readonly scrollDev: number;
  readonly widthCss: number;
  readonly heightCss: number;
  /** Colour position of each device's holder (`DIM` further: not found by the search), −1 = free. */
  readonly positionOfDevice: Int8Array;
  /** Part of each device that is held, 0 to 1. */
  readonly heldOfDevice: Float32Array;
  /** Of devices that are held in parts: each part with its colour position. */
  readonly slices: ReadonlyMap<number, readonly DeviceSlice[]>;
  /** 1 = drained or down. */
  readonly closedUnit: Uint8Array;
  /** 1 = the device has failed, whatever its node does. */
  readonly failedDevice: Uint8Array;
  /** Share of the devices in jobs that leave the unit, the block: 0 to 1. */
  readonly unitLink: Float32Array;
  readonly blockLink: Float32Array;
  readonly unitLabels: readonly string[];
  /** A second line under a name, where there is room. */
  readonly unitPools: readonly string[];
  /** 1 = the node's devices are joined by an NVSwitch. */
  readonly nvswitchUnit: Uint8Array;
  /** 1 = promised to the selected job. */
  readonly plannedUnit: Uint8Array;
  /** Some job waits now. */
  readonly workWaits: boolean;
}

/** Paints the visible blocks. The context is in CSS pixels and clear. */
export function paintTopology(
  context: CanvasRenderingContext2D,
  input: TopologyInput,
  palette: Palette,
): void {
  const { layout, ratio, scrollDev, heightCss } = input;
  const { units } = layout;
  const places = {
    ...placesOf(input.widthCss, palette.u),
    every: everyNamed(layout, ratio, Math.round(11 * palette.u)),
  };
  if (units.leaves) paintSpine(context, input, palette, places);
  context.textBaseline = "middle";
  for (let b = 0; b < units.blockCount; b++) {
    const y = (layout.blockY[b]! - scrollDev) / ratio;
    const h = layout.blockH[b]! / ratio;
    if (y > heightCss) break;
    if (y + h < 0) continue;
    if (b > 0) {
      context.fillStyle = palette.line;
      context.fillRect(0, Math.round(y - layout.gap / ratio / 2), input.widthCss, 1);
    }
    paintHead(context, input, palette, places, b, y, h);
    if (layout.level[b] === Level.far) paintFolded(context, input, palette, places, b, y, h);
    else
      for (let u = units.blockFirst[b]!; u < units.blockFirst[b + 1]!; u++)
        paintUnit(context, input, palette, places, u);
  }
}

function paintSpine(
  context: CanvasRenderingContext2D,
  input: TopologyInput,
  palette: Palette,
  places: Places,
): void {
  const { layout, ratio, scrollDev, heightCss } = input;
  const last = layout.units.blockCount - 1;
  const top = Math.max(0, (layout.blockY[0]! - scrollDev) / ratio);
  const bottom = Math.min(
    heightCss,
    (layout.blockY[last]! + layout.blockH[last]! - scrollDev) / ratio,
  );
  context.fillStyle = palette.rule;
  context.fillRect(places.spineX - 1, top, 3, Math.max(0, bottom - top));
}

/** The leaf switch with its uplink, or the plain name of a group of nodes. */
function paintHead(
  context: CanvasRenderingContext2D,
  input: TopologyInput,
  palette: Palette,
  places: Rows,
  b: number,
  y: number,
  h: number,
): void {
  const { units } = input.layout;
  const middle = y + h / 2;
  const name = units.blockNames[b]!;
  const size = Math.round(11 * palette.u);
  const named = h >= 10 || b % places.every === 0;
  if (!units.leaves) {
    // By node the row of the node names itself, unless it is folded.
    const ownName = units.by === "node" && padOf(input.layout, units.blockFirst[b]!) > 0;
    if (!named || ownName) return;
    context.font = `${size}px ${palette.font}`;
    context.fillStyle = palette.ink2;
    context.textAlign = "left";
    context.fillText(name, 10, middle, (units.by === "node" ? places.cellsX : places.railX) - 14);
    return;
  }
  const share = input.blockLink[b]!;
  line(
    context,
    places.spineX + 1,
    middle,
    places.boxX,
    middle,
    share > 0 ? palette.ink2 : palette.line2,
    0.75 + share * 6 * Math.min(palette.u, 1.3),
  );
  const half = named ? Math.min(9 * palette.u, Math.max(h / 2, size / 2 + 1)) : h / 2;
  context.fillStyle = palette.bg;
  context.fillRect(places.boxX, middle - half, places.boxW, 2 * half);
  if (!named) {
    line(
      context,
      places.boxX,
      middle,
      places.boxX + places.boxW,
      middle,
      palette.rule,
      Math.max(1, half),
    );
    return;
  }
  context.strokeStyle = palette.rule;
  context.lineWidth = 1;
  context.strokeRect(
    places.boxX + 0.5,
    Math.round(middle - half) + 0.5,
    places.boxW - 1,
    2 * half - 1,
  );
  context.textAlign = "center";
  context.font = `600 ${size}px ${palette.font}`;
  context.fillStyle = palette.ink;
  context.fillText(name, places.boxX + places.boxW / 2, middle + 0.5, places.boxW - 4);
  if (places.small || h < 50 || share === 0) return;
  context.font = `${size}px ${palette.font}`;
  context.fillStyle = palette.ink3;
  context.fillText(
    `${Math.round(share * 100)} %`,
    places.boxX + places.boxW / 2,
    middle + half + size * 0.75,
  );
}

function paintFolded(
  context: CanvasRenderingContext2D,
  input: TopologyInput,
  palette: Palette,
  places: Places,
  b: number,
  y: number,
  h: number,
): void {
  const { units } = input.layout;
  const from = units.blockFirst[b]!;
  const count = units.blockFirst[b + 1]! - from;
  const pitch = places.cellsW / count;
  if (units.leaves)
    line(
      context,
      places.boxX + places.boxW,
      y + h / 2,
      places.cellsX - 6,
      y + h / 2,
      palette.line2,
      1,
    );
  const top = Math.round(y + (h > 10 ? 2 : 0));
  const height = Math.max(3, Math.round(h - (h > 10 ? 4 : 1)));
  const gap = pitch > 5 ? 2 : pitch > 2.5 ? 1 : 0;
  for (let i = 0; i < count; i++) {
    const u = from + i;
    const x = places.cellsX + i * pitch;
    const w = Math.max(1, pitch - gap);
    const rows = rowsOfUnit(units, u);
    let held = 0;
    for (let d = units.unitFirst[u]!; d < units.unitFirst[u + 1]!; d++)
      held += input.heldOfDevice[d]!;
    const fill = rows > 0 ? Math.round((height * held) / rows) : 0;
    if (gap > 0) {
      context.strokeStyle = input.closedUnit[u] ? palette.rule : palette.line2;
      context.lineWidth = 1;
      context.strokeRect(x + 0.5, top + 0.5, Math.max(1, w - 1), height - 1);
    }
    context.fillStyle = palette.heldCell;
    context.fillRect(x, top + height - fill, w, fill);
    if (input.closedUnit[u] && w > 3)
      line(context, x + 1, top + height - 1, x + w - 1, top + 1, palette.rule, 1);
  }
}

function paintUnit(
  context: CanvasRenderingContext2D,
  input: TopologyInput,
  palette: Palette,
  places: Places,
  u: number,
): void {
  const { layout, ratio, scrollDev } = input;
  const y = (layout.unitY[u]! - scrollDev) / ratio;
  const h = layout.unitH[u]! / ratio;
  if (y > input.heightCss || y + h < 0) return;
  const near = padOf(layout, u) > 0;
  const middle = y + h / 2;
  const { cellsX, cellsW, railX } = places;
  if (layout.units.leaves) {
    const share = input.unitLink[u]!;
    line(
      context,
      railX,
      middle,
      cellsX - 4,
      middle,
      share > 0 ? palette.ink2 : palette.line2,
      0.6 + share * 1.5,
    );
    const b = layout.units.blockOfUnit[u]!;
    if (u === layout.units.blockFirst[b]!) {
      const end = layout.units.blockFirst[b + 1]! - 1;
      const endY = (layout.unitY[end]! + layout.unitH[end]! / 2 - scrollDev) / ratio;
      line(context, railX, middle, railX, endY, palette.line2, 1);
      const headY = (layout.blockY[b]! + layout.blockH[b]! / 2 - scrollDev) / ratio;
      line(context, places.boxX + places.boxW, headY, railX, headY, palette.line2, 1);
    }
  }
  if (near) paintNodeName(context, input, palette, places, u, middle, h);
  const rule = near && input.nvswitchUnit[u] === 1;
  const top = near ? y + 3 : y + 1;
  const bottom = near ? y + h - (rule ? 7 : 3) : y + h - 1;
  paintCells(
    context,
    input,
    palette,
    places,
    u,
    Math.round(top),
    Math.max(2, Math.round(bottom - top)),
  );
  if (rule) {
    const yRule = Math.round(y + h - 4) - 0.5;
    line(context, cellsX - 4, yRule, cellsX + cellsW - 3, yRule, palette.rule, 1.5);
    line(context, cellsX - 4, middle, cellsX - 4, yRule, palette.rule, 1);
    const rows = rowsOfUnit(layout.units, u);
    const pitch = cellsW / Math.max(1, rows);
    for (let i = 0; i < rows; i++) {
      const x = Math.round(cellsX + i * pitch) + (Math.round(pitch) - 2) / 2;
      line(context, x, Math.round(top) + Math.round(bottom - top), x, yRule, palette.rule, 1);
    }
  }
  if (input.plannedUnit[u]) dots(context, cellsX + cellsW + 2, y + 1.5, y + h - 1.5, palette);
}

function paintNodeName(
  context: CanvasRenderingContext2D,
  input: TopologyInput,
  palette: Palette,
  places: Places,
  u: number,
  middle: number,
  h: number,
): void {
  const size = Math.round(11 * palette.u);
  const planned = input.plannedUnit[u] === 1;
  context.font = `${planned ? "600 " : ""}${size}px ${palette.font}`;
  context.textAlign = "center";
  // Between the rail and the rule of the NVSwitch, a piece of the link left to be seen on both sides.
  const left = places.railX + 4;
  const room = places.cellsX - 8 - left;
  const measure = (text: string) => textWidth(context, text);
  const pool = measure(input.unitPools[u]!) <= room ? input.unitPools[u]! : "";
  const step = pool !== "" && h >= 2.4 * size ? size * 0.6 : 0;
  const write = (text: string, y: number, colour: string): void => {
    const w = textWidth(context, text) + 4;
    context.fillStyle = palette.bg;
    context.fillRect(left + room / 2 - w / 2, y - size * 0.6, w, size * 1.2);
    context.fillStyle = colour;
    context.fillText(text, left + room / 2, y + 0.5);
  };
  const shown = fitNodeName(input.unitLabels, u, room, measure);
  if (shown !== "") write(shown, middle - step, planned ? palette.ink : palette.ink2);
  if (step > 0) write(pool, middle + step, palette.ink3);
}

function paintCells(
  context: CanvasRenderingContext2D,
  input: TopologyInput,
  palette: Palette,
  places: Places,
  u: number,
  y: number,
  h: number,
): void {
  const { units } = input.layout;
  const rows = rowsOfUnit(units, u);
  if (rows === 0) return;
  const pitch = places.cellsW / rows;
  const gap = pitch >= 5 ? 2 : 1;
  const first = units.unitFirst[u]!;
  for (let i = 0; i < rows; i++) {
    const x = Math.round(places.cellsX + i * pitch);
    const w = Math.max(1, Math.round(places.cellsX + (i + 1) * pitch) - x - gap);
    const position = input.positionOfDevice[first + i]!;
    const slices = input.slices.get(first + i);
    if (position >= 0 && !slices) {
      context.fillStyle = fillOf(palette, position);
      context.fillRect(x, y, w, h);
      continue;
    }
    const failed = input.failedDevice[first + i] === 1;
    const closed = failed || input.closedUnit[u] === 1;
    const alarm = input.workWaits && !closed;
    context.fillStyle = closed ? palette.raise : alarm ? palette.idle : palette.bg;
    context.fillRect(x, y, w, h);
    context.strokeStyle = closed ? palette.rule : alarm ? palette.idleDot : palette.line2;
    context.lineWidth = 1;
    context.strokeRect(x + 0.5, y + 0.5, Math.max(1, w - 1), h - 1);
    const slash = failed ? palette.signal : palette.rule;
    if (closed) line(context, x + 1, y + h - 1, x + w - 1, y + 1, slash, 1);
    if (failed) line(context, x + 1, y + 1, x + w - 1, y + h - 1, slash, 1);
    if (slices) paintSlices(context, palette, slices, x, y, w, h);
  }
}

/** Parts from the upper edge, over the ground of a free device: what is left of it is seen, however low the row. */
function paintSlices(
  context: CanvasRenderingContext2D,
  palette: Palette,
  slices: readonly DeviceSlice[],
  x: number,
  y: number,
  w: number,
  h: number,
): void {
  for (const { from, to, position } of slices) {
    const top = Math.min(h - 1, Math.round(h * from));
    const end = Math.max(top + 1, Math.round(h * to));
    context.fillStyle = fillOf(palette, position);
    // A line between two parts, where there is room for one.
    context.fillRect(x, y + top, w, end - top >= 4 && to < 1 ? end - top - 1 : end - top);
  }
}

function fillOf(palette: Palette, position: number): string {
  const colours = palette.positions[position % DIM]!;
  return position < DIM ? colours.full : colours.pale;
}

function dots(
  context: CanvasRenderingContext2D,
  x: number,
  y0: number,
  y1: number,
  palette: Palette,
): void {
  context.strokeStyle = palette.ink;
  context.lineWidth = 2;
  context.lineCap = "round";
  context.setLineDash([0.1, 3.4]);
  context.beginPath();
  context.moveTo(x, y0);
  context.lineTo(x, y1);
  context.stroke();
  context.setLineDash([]);
  context.lineCap = "butt";
}
