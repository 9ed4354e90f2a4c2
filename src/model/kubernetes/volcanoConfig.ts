/**
 * Volcano's own objects, as plain values: Queue (`scheduling.volcano.sh/v1beta1`), HyperNode (`topology.volcano.sh/v1alpha1`), and what the text of its scheduler
 * configuration says (`actions` and `tiers`). Amounts by name of resource: CPUs in 1/1,000, memory in MiB, everything else in pieces.
 */
import type { ObjectName } from "./config.ts";

export type ResourceAmounts = Readonly<Record<string, number>>;

export interface VolcanoQueue extends ObjectName {
  readonly kind: "VolcanoQueue";
  readonly weight: number;
  /** Higher first. */
  readonly priority: number;
  /** Of the capacity plugin; "" = below the root. */
  readonly parent: string;
  /** The most it may have; what is not named has no limit. */
  readonly capability: ResourceAmounts;
  readonly guarantee: ResourceAmounts;
  /** Of the capacity plugin. */
  readonly deserved: ResourceAmounts;
  readonly reclaimable: boolean;
  readonly open: boolean;
}

export interface HyperNodeObject extends ObjectName {
  readonly kind: "HyperNode";
  /** Lower is closer. */
  readonly tier: number;
  readonly members: readonly HyperNodeMember[];
}

export interface HyperNodeMember {
  readonly type: "Node" | "HyperNode";
  /** Names, or one pattern. */
  readonly names: readonly string[];
  readonly pattern: string | null;
}

export const VOLCANO_ACTIONS = ["enqueue", "allocate", "backfill", "preempt", "reclaim"] as const;
export type VolcanoAction = (typeof VOLCANO_ACTIONS)[number];

/** `volcano-scheduler.conf`. */
export interface VolcanoConfiguration extends ObjectName {
  readonly kind: "VolcanoConfiguration";
  readonly actions: readonly VolcanoAction[];
  /** Tiers of plugins, in order. */
  readonly tiers: readonly (readonly VolcanoPlugin[])[];
}

export interface VolcanoPlugin {
  readonly name: string;
  /** `enablePreemptable`, `enableReclaimable` and the like that are off. */
  readonly off: readonly string[];
  readonly arguments: Readonly<Record<string, string | number | boolean>>;
}

/** Objects of Volcano among those of a policy. */
export type VolcanoObject = VolcanoQueue | HyperNodeObject | VolcanoConfiguration;
