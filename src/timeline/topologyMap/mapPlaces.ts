/** Pointing at the map: what lies at a place, where the arrows lead. A place is a node or a leaf; both by index of `rowUnits`. O(units). */
import type { MapLayout } from "./mapLayout.ts";

export type MapPlace =
  | { readonly kind: "unit"; readonly unit: number }
  | { readonly kind: "block"; readonly block: number };

export interface PlaceBox {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export type Direction = "left" | "right" | "up" | "down";

/** Whole node; of a leaf its switch, or the leaf where that is too thin to be met. */
export function boxOfPlace(layout: MapLayout, place: MapPlace): PlaceBox {
  if (place.kind === "unit") {
    const { unitX, unitY, unitW, unitH } = layout;
    return { x: unitX[place.unit]!, y: unitY[place.unit]!, w: unitW, h: unitH };
  }
  const { blockX, blockY, blockW, headH } = layout;
  return { x: blockX[place.block]!, y: blockY[place.block]!, w: blockW, h: headH };
}

/** The node at a place of the content; else the leaf that it lies in, or whose links it lies on; else null. */
export function placeAt(layout: MapLayout, x: number, y: number): MapPlace | null {
  const { units } = layout.tree;
  for (let block = 0; block < units.blockCount; block++) {
    if (units.leaves && onLink(layout, block, x, y)) return { kind: "block", block };
    if (!inside(layout.blockX[block]!, layout.blockY[block]!, layout.blockW, layout.blockH, x, y))
      continue;
    for (let unit = units.blockFirst[block]!; unit < units.blockFirst[block + 1]!; unit++)
      if (inside(layout.unitX[unit]!, layout.unitY[unit]!, layout.unitW, layout.unitH, x, y))
        return { kind: "unit", unit };
    return { kind: "block", block };
  }
  return null;
}

/** So far beside the line of a link it is still met. */
const LINK_SLACK = 7;

/** The links that join a leaf to its spine stand above its middle. */
function onLink(layout: MapLayout, block: number, x: number, y: number): boolean {
  const left = layout.blockX[block]! + layout.blockW / 2 - LINK_SLACK;
  const top = layout.blockY[block]! - layout.linkH;
  return inside(left, top, 2 * LINK_SLACK, layout.linkH, x, y);
}

/** The device of a node at a place of the content, −1 = none. */
export function deviceAt(layout: MapLayout, unit: number, x: number, y: number): number {
  const { tree } = layout;
  const cells = layout.cells[tree.kindOfUnit[unit]!]!;
  for (let i = 0; i < cells.x.length; i++)
    if (
      inside(
        layout.unitX[unit]! + cells.x[i]!,
        layout.unitY[unit]! + cells.y[i]!,
        cells.w + 1,
        cells.h + 1,
        x,
        y,
      )
    )
      return tree.units.unitFirst[unit]! + i;
  return -1;
}

function inside(left: number, top: number, w: number, h: number, x: number, y: number): boolean {
  return x >= left && x < left + w && y >= top && y < top + h;
}

/**
 * Where an arrow leads: from node to node as they stand; up out of a leaf to its switch, from there down into it, and sideways from switch to switch. The same
 * place where there is nothing.
 */
export function nextPlace(layout: MapLayout, from: MapPlace, to: Direction): MapPlace {
  const { units } = layout.tree;
  if (from.kind === "block") {
    const unit = units.blockFirst[from.block]!;
    if (to === "down" && unit < units.blockFirst[from.block + 1]!) return { kind: "unit", unit };
    if (to !== "up") return nearest(layout, from, to, "block") ?? from;
    return nearest(layout, from, to, "unit") ?? from;
  }
  const next = nearest(layout, from, to, "unit");
  const block = units.blockOfUnit[from.unit]!;
  if (to === "up" && (next?.kind !== "unit" || units.blockOfUnit[next.unit] !== block))
    return { kind: "block", block };
  if (to === "down" && next?.kind === "unit" && units.blockOfUnit[next.unit] !== block)
    return { kind: "block", block: units.blockOfUnit[next.unit]! };
  return next ?? from;
}

function nearest(
  layout: MapLayout,
  from: MapPlace,
  to: Direction,
  kind: MapPlace["kind"],
): MapPlace | null {
  const start = centre(boxOfPlace(layout, from));
  const count = kind === "unit" ? layout.tree.units.unitCount : layout.tree.units.blockCount;
  let best: MapPlace | null = null;
  let bestScore = Number.POSITIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const place: MapPlace = kind === "unit" ? { kind, unit: i } : { kind, block: i };
    const { x, y } = centre(boxOfPlace(layout, place));
    const dx = x - start.x;
    const dy = y - start.y;
    const ahead = to === "left" ? -dx : to === "right" ? dx : to === "up" ? -dy : dy;
    const aside = Math.abs(to === "left" || to === "right" ? dy : dx);
    // A neighbour in the same row or column is nearer than any that is not.
    const score = ahead + 8 * aside;
    if (ahead < 0.5 || score >= bestScore) continue;
    bestScore = score;
    best = place;
  }
  return best;
}

function centre({ x, y, w, h }: PlaceBox) {
  return { x: x + w / 2, y: y + h / 2 };
}
