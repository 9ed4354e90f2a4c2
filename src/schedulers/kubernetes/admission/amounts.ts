/** What a workload takes of each resource, over all flavors. O(cells). */
import type { KueueSetup } from "./setup.ts";
import type { Entry, KueueState } from "./state.ts";

export function byResource(
  { setup }: { readonly setup: KueueSetup } | KueueState,
  { amounts }: Pick<Entry, "amounts">,
): Float64Array {
  const sums = new Float64Array(setup.resources.length);
  for (const { cell, amount } of amounts) sums[setup.cells[cell]!.resourceIdx]! += amount;
  return sums;
}
