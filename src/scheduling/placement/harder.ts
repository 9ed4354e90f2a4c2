/**
 * Which shapes find no place where another one finds none: those that ask for at least as much of everything. A member of the harder shape leaves room for one of the
 * easier, so a place for all of its members holds a place for all of the other's, whatever the rule of placement. Then a pass that found no place for a shape
 * need not look at jobs of so many devices that all of their shapes are harder.
 *
 *     2 × 8 GPUs found no place ▸ 3 × 8, 4 × 8, … do not either; 1 × 8 and 4 × 2 may
 *
 * Shapes of several parts, and those that share devices, are compared with nobody. O(shapes) for each shape the first time it is asked about.
 */
import type { Part, Shape, Shapes } from "./shapes.ts";

const known = new WeakMap<Shapes, Float64Array>();
/** With more shapes than this nothing is compared. */
const MOST_SHAPES = 1_024;
const UNKNOWN = -1;

/** Shapes of so many devices and more find no place where this one finds none; `Infinity` = nothing can be said. */
export function harderFrom(shapes: Shapes, shapeIdx: number): number {
  const { list } = shapes;
  if (list.length > MOST_SHAPES) return Number.POSITIVE_INFINITY;
  let needs = known.get(shapes);
  if (needs === undefined || needs.length !== list.length) {
    needs = new Float64Array(list.length).fill(UNKNOWN);
    known.set(shapes, needs);
  }
  let need = needs[shapeIdx]!;
  if (need === UNKNOWN) {
    need = 0;
    for (const other of list)
      if (!isHarder(list[shapeIdx]!, other)) need = Math.max(need, other.gpusWhole + 1);
    needs[shapeIdx] = need;
  }
  return need;
}

function isHarder(easy: Shape, hard: Shape): boolean {
  if (easy.parts.length > 1 || hard.parts.length > 1) return easy === hard;
  if (easy.wish !== "none" && easy.wish !== hard.wish) return false;
  return isHarderPart(easy.parts[0]!, hard.parts[0]!);
}

function isHarderPart(easy: Part, hard: Part): boolean {
  if (easy.shareMilli + easy.mig + hard.shareMilli + hard.mig > 0) return easy === hard;
  // CPUs beside free devices may be kept from members without one.
  if (easy.gpus === 0 && hard.gpus > 0) return false;
  if (easy.ownNode && !hard.ownNode && hard.members > 1) return false;
  if (easy.exclusive !== null && hard.exclusive === null) return false;
  for (let group = 0; group < easy.groupFits.length; group++)
    if (hard.groupFits[group] === 1 && easy.groupFits[group] === 0) return false;
  return (
    hard.members >= easy.members &&
    hard.gpus >= easy.gpus &&
    hard.cpuMilli >= easy.cpuMilli &&
    hard.memMiB >= easy.memMiB
  );
}
