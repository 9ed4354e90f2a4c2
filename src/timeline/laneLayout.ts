/**
 * Where lanes of teams, tiers and jobs stand on the sheet. All lanes of a level are equally tall: as tall as lets all groups be seen
 * at once, up to where a bar can have its label; what does not fit scrolls. A group is never too thin for its name. O(lanes / 64).
 */
import { type LayoutWish, Level, type RowLayout } from "./rows.ts";
import { type RowUnits, rowsOfBlock, rowsOfUnit } from "./rowUnits.ts";

const NEAR_CSS = 15;
const FAR_CSS = 20;
/** Room for the name of a group. */
const NAME_CSS = 15;
const LEAST_CSS = 2;

export function layoutLanes(units: RowUnits, wish: LayoutWish): RowLayout {
  const { ratio, u } = wish;
  const { blockCount, unitCount } = units;
  const gap = Math.round(7 * u * ratio * (blockCount > 24 ? 0.43 : 1));
  const height = Math.floor(wish.heightCss * ratio);
  const near = Math.round(NEAR_CSS * u * ratio);
  const name = Math.round(NAME_CSS * u * ratio);
  const far = Math.round(FAR_CSS * u * ratio);
  const byJob = units.groups?.by === "job";
  const lanePx = byJob ? near : laneHeight(units, height, gap, name, near, LEAST_CSS * ratio);
  const level = new Uint8Array(blockCount).fill(lanePx >= near ? Level.near : Level.middle);
  for (const [b, code] of Object.entries(wish.chosen))
    if (Number(b) < blockCount) level[Number(b)] = code;
  const middle = lanePx >= near ? Math.max(1, Math.round(3 * ratio)) : lanePx;
  const blockY = new Int32Array(blockCount);
  const blockH = new Int32Array(blockCount);
  const unitY = new Int32Array(unitCount);
  const unitH = new Int32Array(unitCount);
  let y = Math.round(gap / 2);
  for (let b = 0; b < blockCount; b++) {
    blockY[b] = y;
    const lanes = Math.max(1, rowsOfBlock(units, b));
    const own = level[b] === Level.near ? near : middle;
    const h = level[b] === Level.far ? far : Math.max(name, own * lanes);
    const whole = level[b] === Level.far ? h / lanes : Math.max(own, Math.ceil(h / lanes));
    for (let i = units.blockFirst[b]!; i < units.blockFirst[b + 1]!; i++) {
      unitY[i] = Math.round(y);
      y += whole * rowsOfUnit(units, i);
      unitH[i] = Math.round(y) - unitY[i]!;
    }
    y = Math.round(y);
    blockH[b] = y - blockY[b]!;
    y += gap;
  }
  return {
    units,
    level,
    load: new Uint8Array(blockCount),
    blockY,
    blockH,
    unitY,
    unitH,
    pad: 0,
    gap,
    heightDev: y - gap + Math.round(gap / 2),
    k: middle,
  };
}

/** The tallest lane that lets all groups be seen; the least one where none does. */
function laneHeight(
  units: RowUnits,
  height: number,
  gap: number,
  name: number,
  most: number,
  least: number,
): number {
  let low = Math.round(least);
  let high = most;
  const total = (px: number): number => {
    let sum = 0;
    for (let b = 0; b < units.blockCount; b++)
      sum += Math.max(name, px * rowsOfBlock(units, b)) + gap;
    return sum;
  };
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (total(middle) <= height) low = middle;
    else high = middle - 1;
  }
  return low;
}
