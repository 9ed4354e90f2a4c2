/**
 * A job whose saved state lies on nodes of the cluster goes back there where they are free for it: all of them, and nowhere else, since only a run
 * that holds all of them can read it. It does not wait for them: where they are taken it begins anew elsewhere. O(the pool's nodes).
 */
import type { LabPlacement } from "../../model/policy.ts";
import type { Sketch } from "./capacity.ts";
import { placeWithin } from "./placeShape.ts";
import type { Placing } from "./placing.ts";
import type { Shape } from "./shapes.ts";

/** Whether the job fits on exactly these nodes of a sketch; `into` then says how. The sketch's index is made. */
export function placeBack(
  sketch: Sketch,
  saved: readonly number[],
  shape: Shape,
  rule: LabPlacement,
  into: Placing,
): boolean {
  if (!placeWithin(sketch, Int32Array.from(saved), shape, rule, into)) return false;
  const used = into.node.subarray(0, into.length);
  return saved.every((node) => used.includes(node));
}
