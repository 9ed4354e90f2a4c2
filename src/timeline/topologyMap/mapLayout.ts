/**
 * Where everything of the map stands: spines on top, leaves below them in rows, nodes under their leaf, devices in their node. The arrangement (how many leaves,
 * groups, nodes stand side by side) is chosen once for a room, so that a device is as large as it can be; zooming keeps it and only gives it more room, so
 * nothing ever changes places. All leaves are of one size, all nodes are. Lengths are CSS pixels of the content, from its upper left. O(units), choosing
 * O(arrangements).
 */
import type { MapTree } from "./mapTree.ts";

export interface MapRoom {
  readonly widthCss: number;
  readonly heightCss: number;
  /** Scale of type. */
  readonly u: number;
}

export interface Arrangement {
  /** Leaves of a row, groups of a row in a leaf, nodes of a row in a group. */
  readonly leafColumns: number;
  readonly groupColumns: number;
  readonly unitColumns: number;
}

/** Places of the devices of one kind of node, from the node's upper left. */
export interface CellPlaces {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly w: number;
  readonly h: number;
}

export interface MapLayout {
  readonly tree: MapTree;
  readonly arrangement: Arrangement;
  readonly widthCss: number;
  readonly heightCss: number;
  readonly blockX: Float32Array;
  readonly blockY: Float32Array;
  readonly blockW: number;
  readonly blockH: number;
  /** Height of the switch on top of a leaf. */
  readonly headH: number;
  /** From a spine, or a rail that comes from it, down to a leaf. */
  readonly linkH: number;
  readonly groupX: Float32Array;
  readonly groupY: Float32Array;
  readonly groupW: number;
  readonly groupH: number;
  readonly unitX: Float32Array;
  readonly unitY: Float32Array;
  readonly unitW: number;
  readonly unitH: number;
  /** Height of the name in a node; 0 where there is no room for one. */
  readonly nameH: number;
  /** Room for the rule of an NVSwitch below the devices; 0 where there is none. */
  readonly ruleH: number;
  readonly cells: readonly CellPlaces[];
  /** By entry of `tree.spines`. */
  readonly spineX: Float32Array;
  readonly spineY: Float32Array;
  readonly spineW: Float32Array;
  readonly spineH: number;
}

const PAD = 12;
const SECTION_GAP = 14;
/** At most so large is a device as long as nobody zooms in. */
const CELL_MOST = 24;
/** Of a rail from a spine to the later rows of its leaves. */
const RAIL = 12;

/** Between things that come in steps of `pitch`. */
function gapOf(pitch: number): number {
  return pitch > 44 ? 8 : pitch > 18 ? 4 : pitch > 7 ? 2 : pitch > 3 ? 1 : 0;
}

/** The arrangement that makes devices largest in a room. */
export function arrange(tree: MapTree, room: MapRoom): Arrangement {
  let best: Arrangement = { leafColumns: 1, groupColumns: 1, unitColumns: 1 };
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const leafColumns of steps(tree.units.blockCount))
    for (const groupColumns of steps(tree.mostGroups))
      for (const unitColumns of steps(tree.mostUnits)) {
        const score = scoreOf(tree, room, { leafColumns, groupColumns, unitColumns });
        if (score <= bestScore) continue;
        bestScore = score;
        best = { leafColumns, groupColumns, unitColumns };
      }
  return best;
}

/** 1 … count, thinned out above 24. */
function steps(count: number): number[] {
  const list: number[] = [];
  for (let n = 1; n <= count; n += Math.max(1, Math.floor(n / 24))) list.push(n);
  if (list.at(-1) !== count) list.push(count);
  return list;
}

function scoreOf(tree: MapTree, room: MapRoom, arrangement: Arrangement): number {
  const sizes = sizesOf(tree, room, arrangement, CELL_MOST * room.u);
  if (sizes.unitW < 1 || sizes.unitH < 1) return Number.NEGATIVE_INFINITY;
  const devices = tree.kinds.reduce((most, kind) => Math.max(most, kind.devices), 1);
  const { w, h } = cellGrid(sizes, devices);
  const least = Math.min(w, h);
  const named = sizes.unitW >= 44 * room.u && sizes.nameH > 0 ? 2 : 0;
  // Wide rows of leaves read as a tree; ties go to fewer rows.
  return (
    Math.min(least, CELL_MOST) +
    named +
    0.02 * Math.min(40, Math.max(w, h)) +
    1 / (1e3 + rowsOf(tree, arrangement))
  );
}

interface Sizes {
  readonly blockW: number;
  readonly blockH: number;
  readonly blockGap: number;
  readonly headH: number;
  readonly linkH: number;
  readonly spineH: number;
  readonly rail: number;
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
  readonly cellMost: number;
}

/** Spines of a row, and rows of leaves of the whole map. */
function spinesInRow(tree: MapTree, { leafColumns }: Arrangement): number {
  return Math.max(1, Math.floor(leafColumns / tree.mostBlocks));
}

function rowsOf(tree: MapTree, arrangement: Arrangement): number {
  const leafRows = Math.ceil(tree.mostBlocks / arrangement.leafColumns);
  return Math.ceil(tree.spines.length / spinesInRow(tree, arrangement)) * leafRows;
}

function sizesOf(tree: MapTree, room: MapRoom, arrangement: Arrangement, cellMost: number): Sizes {
  const { u } = room;
  const { leafColumns, groupColumns, unitColumns } = arrangement;
  const { leaves } = tree.units;
  const leafRows = Math.ceil(tree.mostBlocks / leafColumns);
  const rows = rowsOf(tree, arrangement);
  const spineRows = Math.ceil(tree.spines.length / spinesInRow(tree, arrangement));
  const rail = leaves && leafRows > 1 ? RAIL : 0;
  const pitchW = (room.widthCss - 2 * PAD - rail) / leafColumns;
  const blockGap = gapOf(pitchW);
  const pitchRow = (room.heightCss - 2 * PAD) / rows;
  const spineH = leaves ? Math.max(4, Math.min(18 * u, pitchRow / 6)) : 0;
  const linkH = leaves ? Math.max(3, Math.min(16, pitchRow / 8)) : Math.min(8, pitchRow / 10);
  const free = room.heightCss - 2 * PAD - spineRows * (spineH + (spineRows > 1 ? SECTION_GAP : 0));
  const blockW = pitchW - blockGap;
  const headH = blockW >= 24 * u ? Math.min(17 * u, pitchRow / 4) : Math.min(5, pitchRow / 5);
  const blockH = free / rows - linkH;
  const framed = tree.groupDomain.some((domain) => domain >= 0);
  const inset = leaves || framed ? (blockW > 60 ? 4 : blockW > 20 ? 2 : 0) : 0;
  const groupPitchW = (blockW - 2 * inset) / groupColumns;
  const groupRows = Math.ceil(tree.mostGroups / groupColumns);
  const groupPitchH = (blockH - headH - inset) / groupRows;
  const groupGap = tree.mostGroups > 1 ? gapOf(Math.min(groupPitchW, groupPitchH)) : 0;
  const groupW = groupPitchW - groupGap;
  const groupH = groupPitchH - groupGap;
  const frameTop = !framed
    ? 0
    : groupW >= 40 * u && groupH >= 60 * u
      ? 15 * u
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
    framed,
    groupGap,
    frameTop,
    unitGap,
    nameH,
    ruleH,
    cellMost,
  };
  const fit = capped(tree, { unitW: wide, unitH: high, nameH, ruleH, cellMost });
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

type NodeSize = Pick<Sizes, "unitW" | "unitH" | "nameH" | "ruleH" | "cellMost">;

/** A node no larger than what its devices fill. */
function capped(tree: MapTree, size: NodeSize): NodeSize {
  const devices = tree.kinds.reduce((most, kind) => Math.max(most, kind.devices), 1);
  const { columns, rows } = cellGrid(size, devices);
  const most = (count: number) => count * (size.cellMost + 2) + 8;
  const nameW = size.nameH > 0 ? 6 * size.nameH : 0;
  return {
    ...size,
    unitW: Math.min(size.unitW, Math.max(nameW, most(columns))),
    unitH: Math.min(size.unitH, size.nameH + size.ruleH + most(rows)),
  };
}

/** Devices of a node side by side and below each other, so that each is as large as can be; in rows of a power of two. */
function cellGrid({ unitW, unitH, nameH, ruleH }: NodeSize, devices: number) {
  const pad = padOf(unitW, unitH);
  const roomW = unitW - 2 * pad;
  const roomH = unitH - 2 * pad - nameH - ruleH;
  let best = { columns: 1, rows: Math.max(1, devices), w: roomW, h: roomH / Math.max(1, devices) };
  for (let columns = 2; columns / 2 < devices; columns *= 2) {
    const rows = Math.ceil(devices / columns);
    const w = roomW / Math.min(columns, devices);
    const h = roomH / rows;
    if (Math.min(w, h) > Math.min(best.w, best.h))
      best = { columns: Math.min(columns, devices), rows, w, h };
  }
  return best;
}

function padOf(unitW: number, unitH: number): number {
  const least = Math.min(unitW, unitH);
  return least > 24 ? 3 : least > 10 ? 1 : 0;
}

/** The map in a room `zoom` times as large as the one that its arrangement was chosen for. */
export function layoutMap(
  tree: MapTree,
  room: MapRoom,
  arrangement: Arrangement,
  zoom: number,
): MapLayout {
  const scaled = { ...room, widthCss: room.widthCss * zoom, heightCss: room.heightCss * zoom };
  const sizes = sizesOf(tree, scaled, arrangement, CELL_MOST * room.u * zoom);
  const { units } = tree;
  const blockX = new Float32Array(units.blockCount);
  const blockY = new Float32Array(units.blockCount);
  const spineX = new Float32Array(tree.spines.length);
  const spineY = new Float32Array(tree.spines.length);
  const spineW = new Float32Array(tree.spines.length);
  const inRow = spinesInRow(tree, arrangement);
  const { leafColumns } = arrangement;
  const perSpine = Math.min(leafColumns, tree.mostBlocks);
  const stepX = sizes.blockW + sizes.blockGap;
  const stepY = sizes.blockH + sizes.linkH;
  const leafRows = Math.ceil(tree.mostBlocks / leafColumns);
  const sectionW = perSpine * stepX + sizes.rail;
  const sectionH = sizes.spineH + leafRows * stepY + (tree.spines.length > inRow ? SECTION_GAP : 0);
  let widthCss = 0;
  tree.spines.forEach(({ firstBlock, endBlock }, s) => {
    const left = PAD + (s % inRow) * sectionW;
    const top = PAD + Math.floor(s / inRow) * sectionH;
    spineX[s] = left;
    spineY[s] = top;
    const columns = Math.min(endBlock - firstBlock, perSpine);
    spineW[s] = sizes.rail + columns * stepX - sizes.blockGap;
    for (let b = firstBlock; b < endBlock; b++) {
      const place = b - firstBlock;
      blockX[b] = left + sizes.rail + (place % perSpine) * stepX;
      blockY[b] = top + sizes.spineH + sizes.linkH + Math.floor(place / perSpine) * stepY;
    }
    widthCss = Math.max(widthCss, left + spineW[s]! + PAD);
  });
  const heightCss =
    2 * PAD +
    Math.ceil(tree.spines.length / inRow) * sectionH -
    (tree.spines.length > inRow ? SECTION_GAP : 0);
  return {
    tree,
    arrangement,
    widthCss,
    heightCss,
    blockX,
    blockY,
    spineX,
    spineY,
    spineW,
    ...within(tree, arrangement, sizes, blockX, blockY),
    blockW: sizes.blockW,
    blockH: sizes.blockH,
    headH: sizes.headH,
    linkH: sizes.linkH,
    groupW: sizes.groupW,
    groupH: sizes.groupH,
    unitW: sizes.unitW,
    unitH: sizes.unitH,
    nameH: sizes.nameH,
    ruleH: sizes.ruleH,
    spineH: sizes.spineH,
    cells: tree.kinds.map((kind) => cellPlaces(sizes, kind.devices, kind.numaSize)),
  };
}

function within(
  tree: MapTree,
  { groupColumns, unitColumns }: Arrangement,
  sizes: Sizes,
  blockX: Float32Array,
  blockY: Float32Array,
) {
  const { units } = tree;
  const groupX = new Float32Array(tree.groupDomain.length);
  const groupY = new Float32Array(tree.groupDomain.length);
  const unitX = new Float32Array(units.unitCount);
  const unitY = new Float32Array(units.unitCount);
  const insetX =
    (sizes.blockW - groupColumns * (sizes.groupW + sizes.groupGap) + sizes.groupGap) / 2;
  const frame = sizes.framed && sizes.groupW > 12 ? 2 : 0;
  const insetUnit =
    (sizes.groupW - unitColumns * (sizes.unitW + sizes.unitGap) + sizes.unitGap) / 2;
  for (let b = 0; b < units.blockCount; b++) {
    for (let g = tree.blockGroup[b]!; g < tree.blockGroup[b + 1]!; g++) {
      const place = g - tree.blockGroup[b]!;
      groupX[g] = blockX[b]! + insetX + (place % groupColumns) * (sizes.groupW + sizes.groupGap);
      groupY[g] =
        blockY[b]! +
        sizes.headH +
        sizes.unitGap +
        Math.floor(place / groupColumns) * (sizes.groupH + sizes.groupGap);
      for (let u = tree.groupFirst[g]!; u < tree.groupFirst[g + 1]!; u++) {
        const at = u - tree.groupFirst[g]!;
        unitX[u] =
          groupX[g]! +
          Math.max(frame, insetUnit) +
          (at % unitColumns) * (sizes.unitW + sizes.unitGap);
        unitY[u] =
          groupY[g]! +
          sizes.frameTop +
          Math.floor(at / unitColumns) * (sizes.unitH + sizes.unitGap);
      }
    }
  }
  return { groupX, groupY, unitX, unitY };
}

/** NUMA domains stand a little apart, where a row or a column holds whole ones. */
function cellPlaces(sizes: Sizes, devices: number, numaSize: number): CellPlaces {
  const { columns, rows } = cellGrid(sizes, devices);
  const pad = padOf(sizes.unitW, sizes.unitH);
  const roomW = sizes.unitW - 2 * pad;
  const roomH = sizes.unitH - 2 * pad - sizes.nameH - sizes.ruleH;
  const across = numaSize < columns && columns % numaSize === 0 ? columns / numaSize : 1;
  const down =
    across === 1 && numaSize < devices && numaSize % columns === 0
      ? Math.ceil(devices / numaSize)
      : 1;
  const apart = Math.min(roomW, roomH) > 12 ? 3 : 0;
  const pitchW = (roomW - (across - 1) * apart) / columns;
  const pitchH = (roomH - (down - 1) * apart) / rows;
  const gap = Math.min(pitchW, pitchH) >= 5 ? 2 : Math.min(pitchW, pitchH) >= 2.5 ? 1 : 0;
  const x = new Float32Array(devices);
  const y = new Float32Array(devices);
  for (let i = 0; i < devices; i++) {
    const column = i % columns;
    const row = Math.floor(i / columns);
    x[i] = pad + column * pitchW + (across > 1 ? Math.floor(column / numaSize) * apart : 0);
    y[i] = pad + sizes.nameH + row * pitchH + (down > 1 ? Math.floor(i / numaSize) * apart : 0);
  }
  return { x, y, w: Math.max(0.5, pitchW - gap), h: Math.max(0.5, pitchH - gap) };
}
