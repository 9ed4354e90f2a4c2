/**
 * What Kueue's webhooks refuse beside the shape of quotas: a borrowingLimit or lendingLimit where nobody is there to borrow from or lend to; a ClusterQueue that lends more than it
 * owns (a Cohort may: its children lend as well); borrowing by preemption where nothing may be reclaimed; a preference among flavors that the search never comes to. O(quotas). Source:
 * kueue `pkg/webhooks/clusterqueue_webhook.go`, `cohort_webhook.go`.
 */
import type { ClusterQueue, Cohort, ResourceQuota } from "../../model/kubernetes/kueueConfig.ts";
import type { Tell } from "./objectChecks.ts";

const LIMITS = ["borrowingLimit", "lendingLimit"] as const;

export function checkLimits(object: ClusterQueue | Cohort, tell: Tell): void {
  if (object.kind === "ClusterQueue") checkRules(object, tell);
  const above = object.kind === "ClusterQueue" ? object.cohort : object.parent;
  for (const [groupIdx, { flavors }] of object.groups.entries())
    for (const [flavorIdx, { resources }] of flavors.entries())
      for (const [idx, quota] of resources.entries()) {
        const path = ["spec", "resourceGroups", groupIdx, "flavors", flavorIdx, "resources", idx];
        checkQuota(object, above, quota, (limit, message, remedy) =>
          tell([...path, limit], message, remedy),
        );
      }
}

function checkRules({ name, preemption, fungibility }: ClusterQueue, tell: Tell): void {
  if (preemption.borrowUpTo !== null && preemption.reclaimWithinCohort === "Never")
    tell(
      ["spec", "preemption", "borrowWithinCohort"],
      `ClusterQueue "${name}" may borrow by preemption, but reclaim nothing.`,
      "Set reclaimWithinCohort to LowerPriority or Any, or the policy of borrowWithinCohort to Never.",
    );
  const { whenCanBorrow, whenCanPreempt, preference } = fungibility;
  if (
    preference === "PreemptionOverBorrowing" &&
    (whenCanBorrow === "MayStopSearch" || whenCanPreempt === "MayStopSearch")
  )
    tell(
      ["spec", "flavorFungibility", "preference"],
      `ClusterQueue "${name}" has a preference among flavors, but may stop at the first.`,
      "Set whenCanBorrow and whenCanPreempt to TryNextFlavor, or leave preference out.",
    );
}

function checkQuota(
  { kind, name }: ClusterQueue | Cohort,
  above: string | null,
  quota: ResourceQuota,
  tell: (limit: (typeof LIMITS)[number], message: string, remedy: string) => void,
): void {
  const { resource, nominal, lendingLimit } = quota;
  for (const limit of LIMITS) {
    if (above !== null || !Number.isFinite(quota[limit])) continue;
    const [lacks, field] =
      kind === "ClusterQueue" ? ["is in no cohort", "cohortName"] : ["has no parent", "parentName"];
    tell(
      limit,
      `${kind} "${name}" ${lacks}, so ${limit} of "${resource}" means nothing.`,
      `Remove it, or give spec.${field}.`,
    );
  }
  if (kind === "ClusterQueue" && Number.isFinite(lendingLimit) && lendingLimit > nominal)
    tell(
      "lendingLimit",
      `ClusterQueue "${name}" lends more of "${resource}" than it owns.`,
      "Use at most nominalQuota.",
    );
}
