/** The policy of a pool: which preset decides, and its settings as plain values (described in `scenario/settings.ts`). */
import type { KubernetesConfig } from "./kubernetes/config.ts";
import type { SlurmConfig } from "./slurm/config.ts";

export type SettingValue = string | number | boolean;
export type Settings = Readonly<Record<string, SettingValue>>;

export interface PoolSettings {
  readonly preset: string;
  /** Complete: every setting of the preset has a value here. */
  readonly settings: Settings;
  /** Preset `slurm`: what its configuration files say. */
  readonly slurm?: SlurmConfig;
  /** The Kubernetes family: what the YAML of the policy says. */
  readonly kubernetes?: KubernetesConfig;
}

/** The settings of the preset `lab`. */
export const LAB_ORDERS = [
  "fcfs",
  "shortest",
  "tiers",
  "smallest",
  "largest",
  "priority",
  "aging",
  "multifactor",
  "leastSlack",
  "highestBid",
  "fairShare",
  "fairTree",
  "leastUsage",
  "drf",
  "maxMin",
  "leastAttained",
  "tiresias",
  "themis",
  "gavel",
] as const;
export type LabOrder = (typeof LAB_ORDERS)[number];
export const LAB_BACKFILLS = ["none", "skip", "easy", "conservative", "reservations"] as const;
export type LabBackfill = (typeof LAB_BACKFILLS)[number];
/** Placements that score each node. */
const SCORED_PLACEMENTS = [
  "fgd",
  "random",
  "dotProduct",
  "gpuClustering",
  "gpuPacking",
  "weightedBestFit",
] as const;
export type ScoredPlacement = (typeof SCORED_PLACEMENTS)[number];

/** Whether a placement scores each node. */
export function isScored(placement: LabPlacement): placement is ScoredPlacement {
  return SCORED_PLACEMENTS.some((scored) => scored === placement);
}

export const LAB_PLACEMENTS = [
  "firstFit",
  "bestFit",
  "worstFit",
  "spread",
  "pack",
  "packPod",
  "fewestNodes",
  "sameLeaf",
  "fewestLeaves",
  "sameNvswitch",
  ...SCORED_PLACEMENTS,
] as const;
export type LabPlacement = (typeof LAB_PLACEMENTS)[number];

export interface LabSettings {
  readonly order: LabOrder;
  readonly backfill: LabBackfill;
  readonly placement: LabPlacement;
  /** Members of a gang job start together; off: members hold devices as they come (the gang deadlock can be seen). */
  readonly gangTogether: boolean;
  /** Waiting jobs that a conservative pass plans; the others wait unplanned. */
  readonly depth: number;
  /** EASY as published simulators vary it: the head keeps its first reservation; jobs may use what it leaves; candidates are judged by their run time. */
  readonly staleReservation: boolean;
  readonly extra: boolean;
  readonly judgedByRunTime: boolean;
}
