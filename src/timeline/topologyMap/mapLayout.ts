/**
 * Where everything of the map stands: spines on top, leaves below them in rows, nodes under their leaf, devices in their node. Zooming keeps the arrangement and only
 * gives it more room, so nothing ever changes places. Lengths are CSS pixels of the content, from its upper left. O(units).
 */
import {
  type Arrangement,
  cellGrid,
  cellMostOf,
  type MapRoom,
  mostDevices,
  PAD,
  type Sizes,
  sizesOf,
  spinesInRow,
} from "./mapSizes.ts";
import type { MapTree } from "./mapTree.ts";

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

/** The map in a room `zoom` times as large as the one that its arrangement was chosen for. */
export function layoutMap(
  tree: MapTree,
  room: MapRoom,
  arrangement: Arrangement,
  zoom: number,
): MapLayout {
  const scaled = { ...room, widthCss: room.widthCss * zoom, heightCss: room.heightCss * zoom };
  const sizes = sizesOf(tree, scaled, arrangement, cellMostOf(room) * zoom);
  const grid = cellGrid(sizes, arrangement.cellColumns, mostDevices(tree));
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
  const sectionH = sizes.spineH + leafRows * stepY + sizes.sectionGap;
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
  const heightCss = 2 * PAD + Math.ceil(tree.spines.length / inRow) * sectionH - sizes.sectionGap;
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
    cells: tree.kinds.map((kind) => cellPlaces(sizes, grid, kind.devices, kind.numaSize)),
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
        sizes.inset +
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

/**
 * NUMA domains stand a little apart, where a row or a column holds whole ones. A node with fewer devices than others has them in the same size, and room left.
 */
function cellPlaces(
  sizes: Sizes,
  { columns, rows, pad }: ReturnType<typeof cellGrid>,
  devices: number,
  numaSize: number,
): CellPlaces {
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
