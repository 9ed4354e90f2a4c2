/** What ClusterQueue and Cohort have in common: groups of resources with their flavors and quotas, and the weight of fair sharing. Source: `apis/kueue/v1beta2`. */
import * as z from "zod/mini";
import type { ResourceGroup } from "../../../model/kubernetes/kueueConfig.ts";
import { amountOf, quantityOf } from "../quantity.ts";
import { objectName } from "./kindReader.ts";

export const KUEUE_GROUP = "kueue.x-k8s.io";

const AMOUNT_MOST = 2 ** 53;

const NO_AMOUNT = "This is no amount of 0 or more, such as 8, 500m or 64Gi.";

/** A quantity of at least 0. */
export const quantity = z.union([z.number(), z.string().check(z.maxLength(40))], NO_AMOUNT).check(
  z.refine((given) => {
    const amount = quantityOf(given);
    return amount !== null && amount >= 0 && amount <= AMOUNT_MOST;
  }, NO_AMOUNT),
);

const resourceQuota = z.strictObject({
  name: objectName,
  nominalQuota: quantity,
  borrowingLimit: z.optional(z.nullable(quantity)),
  lendingLimit: z.optional(z.nullable(quantity)),
});

const flavorQuotas = z.strictObject({
  name: objectName,
  resources: z.array(resourceQuota).check(z.minLength(1), z.maxLength(64)),
});

export const resourceGroups = z._default(
  z
    .array(
      z.strictObject({
        coveredResources: z.array(objectName).check(z.minLength(1), z.maxLength(64)),
        flavors: z.array(flavorQuotas).check(z.minLength(1), z.maxLength(64)),
      }),
    )
    .check(z.maxLength(16)),
  [],
);

/** `weight` is a quantity: 1, 0.5, 500m. */
export const fairSharing = z.optional(
  z.nullable(z.strictObject({ weight: z.optional(z.nullable(quantity)) })),
);

export const stopPolicy = z._default(z.enum(["None", "Hold", "HoldAndDrain"]), "None");

/** The weight that is given; 1 without one. */
export function weightOf(given: z.output<typeof fairSharing>): number {
  return quantityOf(given?.weight ?? 1) ?? 1;
}

/** Groups in the units of the model. */
export function groupsOf(groups: z.output<typeof resourceGroups>): ResourceGroup[] {
  return groups.map(({ coveredResources, flavors }) => ({
    resources: coveredResources,
    flavors: flavors.map(({ name, resources }) => ({
      flavor: name,
      resources: resources.map((quota) => ({
        resource: quota.name,
        nominal: amountOf(quota.name, quota.nominalQuota) ?? 0,
        borrowingLimit: limitOf(quota.name, quota.borrowingLimit),
        lendingLimit: limitOf(quota.name, quota.lendingLimit),
      })),
    })),
  }));
}

function limitOf(resource: string, given: string | number | null | undefined): number {
  if (given === null || given === undefined) return Number.POSITIVE_INFINITY;
  return amountOf(resource, given) ?? Number.POSITIVE_INFINITY;
}
