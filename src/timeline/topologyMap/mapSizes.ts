/**
 * How large the parts of the map are, and how they are arranged: how many leaves, groups, nodes, devices stand side by side. The arrangement is chosen for a room so
 * that devices are as large as can be, without leaves much longer than wide; names of nodes are worth something. All leaves are of one size, all nodes
 * are. Lengths are CSS pixels. O(arrangements).
 */
import type { MapTree } from "./mapTree.ts";

export interface MapRoom {
  readonly widthCss: number;
  readonly heightCss: number;
  /** Scale of type. */
  readonly u: number;
}

export interface Arrangement {
  /** Side by side: leaves, groups in a leaf, nodes in a group. */
  readonly leafColumns: number;
  readonly groupColumns: number;
  readonly unitColumns: number;
  /** Devices of a row in a node. */
  readonly cellColumns: number;
}

export const PAD = 12;
/** At most so large is a device as long as nobody zooms in: in a large room a part of it. */
const CELL_MOST = 30;
const CELL_PART = 12;

export function cellMostOf({ widthCss, heightCss, u }: MapRoom): number {
  return Math.max(CELL_MOST * u, Math.min(widthCss, heightCss) / CELL_PART);
}
/** Of a rail from a spine to the later rows of its leaves. */
const RAIL = 12;

/** Between things that come in steps of `pitch`. */
function gapOf(pitch: number): number {
  return pitch > 44 ? 8 : pitch > 18 ? 4 : pitch > 7 ? 2 : pitch > 3 ? 1 : 0;
}

/** The arrangement that makes devices largest in a room. */
export function arrange(tree: MapTree, room: MapRoom): Arrangement {
  let best: Arrangement = { leafColumns: 1, groupColumns: 1, unitColumns: 1, cellColumns: 1 };
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const leafColumns of leafSteps(tree))
    for (const groupColumns of steps(tree.mostGroups))
      for (const unitColumns of steps(tree.mostUnits))
        for (let cellColumns = 1; cellColumns / 2 < mostDevices(tree); cellColumns *= 2) {
          const arrangement = { leafColumns, groupColumns, unitColumns, cellColumns };
          const score = scoreOf(tree, room, arrangement);
          if (score <= bestScore) continue;
          bestScore = score;
          best = arrangement;
        }
  return best;
}

export function mostDevices(tree: MapTree): number {
  return tree.kinds.reduce((most, kind) => Math.max(most, kind.devices), 1);
}

/** A part of a spine's leaves, or as many whole spines as there are. */
function leafSteps(tree: MapTree): number[] {
  const part = steps(tree.mostBlocks);
  const whole = steps(tree.spines.length).map((spines) => spines * tree.mostBlocks);
  return [...new Set([...part, ...whole])];
}

/** 1 … count, thinned out above 24. */
function steps(count: number): number[] {
  const list: number[] = [];
  for (let n = 1; n <= count; n += Math.max(1, Math.floor(n / 24))) list.push(n);
  if (list.at(-1) !== count) list.push(count);
  return list;
}

/** What names of nodes are worth in pixels of a device, and what a leaf twice as long as it is wide loses by each further doubling. */
const NAMED = 3;
const NO_ROOM = 1e6;
const LONG = 0.16;
/** What rows lose that are not filled. */
const UNEVEN = 0.5;
/** The room for names that all others are measured by: "h100-000". */
const NAME_CSS = 54;

function scoreOf(tree: MapTree, room: MapRoom, arrangement: Arrangement): number {
  const cellMost = cellMostOf(room);
  const sizes = sizesOf(tree, room, arrangement, cellMost);
  // Where nodes find no room at all, the arrangement in which they come nearest to it.
  const unit = Math.min(sizes.unitW, sizes.unitH);
  if (unit < 1) return unit - NO_ROOM;
  const { w, h } = cellGrid(sizes, arrangement.cellColumns, mostDevices(tree));
  const least = Math.min(w, h, cellMost);
  const named = sizes.nameH > 0 && sizes.unitW >= NAME_CSS * room.u ? NAMED : 0;
  const long = (x: number, y: number) =>
    Math.max(0, doublings(Math.max(x, y) / Math.min(x, y)) - 1);
  const unlike = LONG * (long(sizes.blockW, sizes.blockH) + long(w, h));
  // Of equals the one with fewer rows of leaves: it reads as a tree.
  const uneven =
    unfilled(tree.mostUnits, arrangement.unitColumns) +
    unfilled(Math.min(tree.mostBlocks, tree.units.blockCount), arrangement.leafColumns);
  return (
    (least + named) * (1 - Math.min(0.9, unlike + UNEVEN * uneven)) +
    0.001 / rowsOf(tree, arrangement)
  );
}

/** Part of the places in rows of `columns` that `count` things leave empty. */
function unfilled(count: number, columns: number): number {
  const places = Math.ceil(count / columns) * Math.min(columns, Math.max(count, 1));
  return 1 - Math.min(1, count / places);
}

/** How often 1 is doubled to reach a ratio, with parts of a step: enough of a logarithm to compare by. */
function doublings(ratio: number): number {
  let whole = 0;
  let rest = ratio;
  for (; rest >= 2 && whole < 20; rest /= 2) whole += 1;
  return whole + (rest - 1);
}

export interface Sizes {
  readonly blockW: number;
  readonly blockH: number;
  readonly blockGap: number;
  readonly headH: number;
  readonly linkH: number;
  readonly spineH: number;
  readonly rail: number;
  readonly sectionGap: number;
  /** From the edges of a leaf to what is in it. */
  readonly inset: number;
  readonly framed: boolean;
  readonly groupW: number;
  readonly groupH: number;
  readonly groupGap: number;
  readonly frameTop: number;
  readonly unitW: number;
  readonly unitH: number;
  readonly unitGap: number;
  readonly nameH: number;
  readonly ruleH: number;
}

/** Spines of a row, and rows of leaves of the whole map. */
export function spinesInRow(tree: MapTree, { leafColumns }: Arrangement): number {
  return Math.max(1, Math.floor(leafColumns / tree.mostBlocks));
}

function rowsOf(tree: MapTree, arrangement: Arrangement): number {
  const leafRows = Math.ceil(tree.mostBlocks / arrangement.leafColumns);
  return Math.ceil(tree.spines.length / spinesInRow(tree, arrangement)) * leafRows;
}

export function sizesOf(
  tree: MapTree,
  room: MapRoom,
  arrangement: Arrangement,
  cellMost: number,
): Sizes {
  const { u } = room;
  const { leafColumns, groupColumns, unitColumns, cellColumns } = arrangement;
  const { leaves } = tree.units;
  const leafRows = Math.ceil(tree.mostBlocks / leafColumns);
  const rows = rowsOf(tree, arrangement);
  const spineRows = Math.ceil(tree.spines.length / spinesInRow(tree, arrangement));
  const rail = leaves && leafRows > 1 ? RAIL : 0;
  const pitchW = (room.widthCss - 2 * PAD - rail) / leafColumns;
  const blockGap = gapOf(pitchW);
  const pitchRow = (room.heightCss - 2 * PAD) / rows;
  const spineH = leaves ? Math.max(4, Math.min(18 * u, pitchRow / 6.5)) : 0;
  const linkH = leaves ? Math.max(3, Math.min(18, pitchRow / 12)) : Math.min(8, pitchRow / 12);
  const sectionGap = spineRows > 1 ? Math.min(14, pitchRow / 12) : 0;
  const free = room.heightCss - 2 * PAD - spineRows * (spineH + sectionGap);
  const blockW = pitchW - blockGap;
  const headH = blockW >= 24 * u ? Math.min(17 * u, pitchRow / 6.5) : Math.min(5, pitchRow / 8);
  const blockH = free / rows - linkH;
  const framed = tree.groupDomain.some((domain) => domain >= 0);
  const inset = leaves || framed ? (blockW > 60 ? 4 : blockW > 20 ? 2 : 0) : 0;
  const groupPitchW = (blockW - 2 * inset) / groupColumns;
  const groupRows = Math.ceil(tree.mostGroups / groupColumns);
  const groupPitchH = (blockH - headH - 2 * inset) / groupRows;
  const groupGap = tree.mostGroups > 1 ? gapOf(Math.min(groupPitchW, groupPitchH)) : 0;
  const groupW = groupPitchW - groupGap;
  const groupH = groupPitchH - groupGap;
  const frameTop = !framed
    ? 0
    : groupW >= 40 * u && groupH >= 60 * u
      ? 17 * u
      : groupW > 12
        ? 2
        : 0;
  const frame = !framed ? 0 : groupW > 12 ? 2 : 0;
  const unitPitchW = (groupW - 2 * frame) / unitColumns;
  const unitPitchH = (groupH - frameTop - frame) / Math.ceil(tree.mostUnits / unitColumns);
  const unitGap = gapOf(Math.min(unitPitchW, unitPitchH));
  const wide = unitPitchW - unitGap;
  const high = unitPitchH - unitGap;
  const nameH = wide >= 22 * u && high >= 22 * u ? 13 * u : 0;
  const ruleH = high - nameH >= 16 ? 5 : 0;
  const base = {
    blockGap,
    headH,
    linkH,
    spineH,
    rail,
    sectionGap,
    inset,
    framed,
    groupGap,
    frameTop,
    unitGap,
    nameH,
    ruleH,
  };
  const fit = capped(tree, { unitW: wide, unitH: high, nameH, ruleH }, cellColumns, cellMost, u);
  return {
    ...base,
    unitW: fit.unitW,
    unitH: fit.unitH,
    blockW: blockW - (wide - fit.unitW) * unitColumns * groupColumns,
    blockH: blockH - (high - fit.unitH) * Math.ceil(tree.mostUnits / unitColumns) * groupRows,
    groupW: groupW - (wide - fit.unitW) * unitColumns,
    groupH: groupH - (high - fit.unitH) * Math.ceil(tree.mostUnits / unitColumns),
  };
}

type NodeSize = Pick<Sizes, "unitW" | "unitH" | "nameH" | "ruleH">;

/** A node no larger than what its devices fill; they may be half as high again as they are wide. */
function capped(
  tree: MapTree,
  size: NodeSize,
  cellColumns: number,
  cellMost: number,
  u: number,
): NodeSize {
  const devices = mostDevices(tree);
  const columns = Math.min(cellColumns, devices);
  const most = (count: number, each: number) => count * each + 8;
  return {
    ...size,
    unitW: Math.min(
      size.unitW,
      Math.max(size.nameH > 0 ? (NAME_CSS + 8) * u : 0, most(columns, cellMost)),
    ),
    unitH: Math.min(
      size.unitH,
      size.nameH + size.ruleH + most(Math.ceil(devices / columns), 1.5 * cellMost),
    ),
  };
}

/** The pitch of devices in a node. */
export function cellGrid(
  { unitW, unitH, nameH, ruleH }: NodeSize,
  cellColumns: number,
  devices: number,
) {
  const pad = padOf(unitW, unitH);
  const columns = Math.max(1, Math.min(cellColumns, devices));
  const rows = Math.max(1, Math.ceil(devices / columns));
  return {
    pad,
    columns,
    rows,
    w: (unitW - 2 * pad) / columns,
    h: (unitH - 2 * pad - nameH - ruleH) / rows,
  };
}

function padOf(unitW: number, unitH: number): number {
  const least = Math.min(unitW, unitH);
  return least > 24 ? 3 : least > 10 ? 1 : 0;
}
