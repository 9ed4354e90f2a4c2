/**
 * Rules of a pool about what may share a node, beside the order in which nodes are tried. They become part of what jobs ask for
 * (`shapes.ts`), so every test of "does it fit" obeys them.
 *
 * - `numa`: `single` = all GPUs of a member lie in one NUMA domain of its node (a member with more than a domain has may not run);
 *   `prefer` = they do where it can be had on the node that was chosen.
 * - `cpuReserveMilli`: so much CPU of a node is closed to members without a GPU, for each of its GPUs, in use or not.
 * - `slicePacking`: on which device, and where on it, a MIG slice goes (`slices.ts`).
 * - `sharePacking`: on which device a share goes: the first in use with room, the one with least room, or the one with most.
 * - `within`: members of a job stay under one leaf or in one NVSwitch domain, whether they asked for it or not.
 */
import type { Settings } from "../../model/policy.ts";

const NUMA_RULES = ["ignore", "prefer", "single"] as const;
const SLICE_PACKINGS = ["ownDevice", "firstFit", "bestFit", "search"] as const;
const SHARE_PACKINGS = ["firstUsed", "tightest", "spread"] as const;
const WITHINS = ["asWished", "leaf", "nvswitch"] as const;

export interface NodeRules {
  readonly numa: (typeof NUMA_RULES)[number];
  readonly cpuReserveMilli: number;
  readonly slicePacking: (typeof SLICE_PACKINGS)[number];
  readonly sharePacking: (typeof SHARE_PACKINGS)[number];
  readonly within: (typeof WITHINS)[number];
  /** A job whose slice is the first on its device starts up for so long: the device is cut anew. */
  readonly cutMs: number;
}

/** Nothing of it: what holds where no settings are given. */
export const PLAIN_RULES: NodeRules = {
  numa: "ignore",
  cpuReserveMilli: 0,
  slicePacking: "ownDevice",
  sharePacking: "firstUsed",
  within: "asWished",
  cutMs: 0,
};

const known = new WeakMap<Settings, NodeRules>();

/** The rules in the settings of the preset `lab`; what is absent counts as plain. O(1) after the first time. */
export function nodeRulesOf(settings: Settings): NodeRules {
  let rules = known.get(settings);
  if (rules === undefined) {
    rules = readNodeRules(settings);
    known.set(settings, rules);
  }
  return rules;
}

function readNodeRules(settings: Settings): NodeRules {
  const choice = <V extends string>(values: readonly V[], key: string): V =>
    values.find((value) => value === settings[key]) ?? values[0]!;
  return {
    numa: choice(NUMA_RULES, "numa"),
    cpuReserveMilli: Math.round(Number(settings["cpuReserve"] ?? 0) * 1_000),
    slicePacking: choice(SLICE_PACKINGS, "migPacking"),
    sharePacking: choice(SHARE_PACKINGS, "sharePacking"),
    within: choice(WITHINS, "within"),
    cutMs: Number(settings["repartitionMs"] ?? 0),
  };
}
