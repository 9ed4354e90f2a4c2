/**
 * What an allocation costs: the TRES that it holds, weighted by `TRESBillingWeights` of its partition (slurm.conf(5)). The usage
 * of fair share counts the weighted sum as it is; the TRES `billing` that limits and tables show is the sum cut to a whole number.
 * Without weights an allocation costs its CPUs, so that GPUs count nothing.
 */
import type { TresAmounts } from "../../model/slurm/config.ts";

/** TRES of a node, of which `PriorityFlags=MAX_TRES` bills only the dearest. */
function isOfNode(tres: string): boolean {
  return tres === "cpu" || tres === "mem" || tres === "node" || tres.startsWith("gres/");
}

/**
 * Billable TRES of an allocation, unrounded. `weights`: of the partition, null = none; `mem` is weighted by MiB. With `maxTres` the
 * largest weighted TRES of the nodes counts instead of their sum; others (licences) are added. O(weights).
 */
export function billableTres(
  allocated: TresAmounts,
  weights: TresAmounts | null,
  maxTres: boolean,
): number {
  if (weights === null) return allocated.cpu ?? 0;
  let ofNode = 0;
  let others = 0;
  for (const [tres, weight] of Object.entries(weights)) {
    if (tres === "billing") continue;
    const value = weight * (allocated[tres] ?? 0);
    if (maxTres && isOfNode(tres)) ofNode = Math.max(ofNode, value);
    else others += value;
  }
  return ofNode + others;
}

/** The TRES `billing` of an allocation: what `scontrol show job` and limits on `billing` count. */
export function billingTres(billable: number): number {
  return Math.trunc(billable);
}
