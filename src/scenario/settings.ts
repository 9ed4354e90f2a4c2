/**
 * What each preset can be told: one declarative list, from which the forms of the page, the checks at the door and the
 * defaults of the engine all come. A setting is absent from a document where it has its default.
 */
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { err, ok } from "../base/result.ts";
import type { PoolSettings, Settings, SettingValue } from "../model/policy.ts";
import { LAB_BACKFILLS, LAB_ORDERS, LAB_PLACEMENTS } from "../model/policy.ts";
import { FAMILY_PRESETS } from "./kubernetes/familyPresets.ts";
import { ELASTIC_SETTINGS } from "./lab/elasticSettings.ts";
import { ESTIMATE_SETTINGS } from "./lab/estimateSettings.ts";
import { ORDER_SENTENCES, ORDER_SETTINGS } from "./lab/orderSettings.ts";
import { PASSING_SETTINGS } from "./lab/passingSettings.ts";
import { PLACEMENT_SETTINGS } from "./lab/placementSettings.ts";
import { PREEMPTION_SETTINGS } from "./lab/preemptionSettings.ts";
import { optionsOf, type PresetSpec, type SettingSpec } from "./settingSpec.ts";
import type { SlurmFiles } from "./slurm/report.ts";

const backfillSentences: {
  readonly [B in (typeof LAB_BACKFILLS)[number]]: readonly [string, string];
} = {
  none: ["None", "Nobody passes the first waiting job, even where there is room."],
  skip: [
    "Skip ahead",
    "Any later job may start where it fits; nothing is kept for those passed over, so large jobs may starve.",
  ],
  easy: ["EASY", "A later job may start if it does not delay the first waiting job."],
  conservative: ["Conservative", "A later job may start if it delays no waiting job before it."],
  reservations: [
    "Some reservations",
    "Room is kept for so many of the waiting jobs, anew in each pass; later jobs may start beside them.",
  ],
};
const placementSentences: {
  readonly [P in (typeof LAB_PLACEMENTS)[number]]: readonly [string, string];
} = {
  firstFit: ["First fit", "The first nodes in order that have room."],
  bestFit: ["Best fit", "The nodes that are fullest already, so that empty nodes stay whole."],
  worstFit: ["Worst fit", "The emptiest node takes all it can hold, then the next."],
  spread: ["Spread", "The emptiest nodes, so that every node carries some load."],
  pack: [
    "Pack",
    "The fullest node that holds the whole job; if there is none, as few nodes as can hold it.",
  ],
  packPod: ["Pack member by member", "Each member goes to the fullest node that has room for it."],
  fewestNodes: ["Fewest nodes", "As few nodes as can hold the job."],
  sameLeaf: [
    "Same leaf",
    "Nodes under one leaf switch where that is possible, the tightest leaf first.",
  ],
  fewestLeaves: [
    "Fewest leaves",
    "As few leaves as can hold the job, and of these the ones that leave least over.",
  ],
  sameNvswitch: [
    "Same NVSwitch domain",
    "One NVSwitch domain (a node, or a rack that is one) where that is possible, the tightest first.",
  ],
  fgd: [
    "Least fragmentation",
    "The node on which least is lost to a random member of the workload (FGD).",
  ],
  random: ["Random", "Any node that fits, by a hash of the state: the same run places the same."],
  dotProduct: ["Dot product", "The node whose free CPUs and devices match the request least."],
  gpuClustering: ["Clustering", "Nodes where the same kind of job runs already."],
  gpuPacking: ["Device packing", "Devices in use first, then nodes in use, then free nodes."],
  weightedBestFit: ["Weighted best fit", "The node with least CPUs and devices left, half each."],
};

const lab: PresetSpec = {
  id: "lab",
  label: "Policy lab",
  sentence: "One scheduler put together from exchangeable parts.",
  settings: [
    {
      key: "order",
      label: "Order",
      sentence: "Which waiting job is considered first.",
      kind: "enum",
      standard: "fcfs",
      options: optionsOf(LAB_ORDERS, ORDER_SENTENCES),
    },
    {
      key: "backfill",
      label: "Backfill",
      sentence: "Whether later jobs may use room that the first waiting job cannot use yet.",
      kind: "enum",
      standard: "easy",
      options: optionsOf(LAB_BACKFILLS, backfillSentences),
    },
    {
      key: "placement",
      label: "Placement",
      sentence: "Which nodes a job gets.",
      kind: "enum",
      standard: "firstFit",
      options: optionsOf(LAB_PLACEMENTS, placementSentences),
    },
    {
      key: "gangTogether",
      label: "Gangs start together",
      sentence:
        "All members of a gang start at once; off, each member holds what it gets until the last has come.",
      kind: "boolean",
      standard: true,
      group: "Placement",
    },
    {
      key: "depth",
      label: "Planning depth",
      sentence: "How many waiting jobs conservative backfill plans; the others wait unplanned.",
      kind: "integer",
      standard: 1_000,
      least: 1,
      most: 1_000_000,
      group: "Passing",
    },
    ...ORDER_SETTINGS,
    ...PASSING_SETTINGS,
    ...ESTIMATE_SETTINGS,
    ...PREEMPTION_SETTINGS,
    ...PLACEMENT_SETTINGS,
    ...ELASTIC_SETTINGS,
  ],
};

const slurm: PresetSpec = {
  id: "slurm",
  label: "Slurm",
  sentence: "Slurm 22.05: its main scheduler and its backfill, as slurm.conf says.",
  settings: [
    {
      key: "controllerStartMs",
      label: "Controller start",
      sentence:
        "When slurmctld was started, relative to time 0: its periodic checks and passes count from there.",
      kind: "duration",
      standard: 0,
      least: -86_400_000,
      most: 0,
    },
  ],
};

export const PRESETS: readonly PresetSpec[] = [lab, slurm, ...FAMILY_PRESETS];

export interface NamedPolicy {
  readonly preset: string;
  readonly settings: Settings;
  /** The texts that it begins with. */
  readonly slurm?: SlurmFiles;
  readonly yaml?: string;
}

/** An empty slurm.conf hands out whole nodes (`select/linear`); who chooses Slurm by its name alone wants parts of nodes too. */
const SLURM_START: SlurmFiles = {
  conf: "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n",
  gres: "",
  topology: "",
  accounting: "",
};

/** Names that people give to common policies: `--policy easy` is the lab with these settings. */
export const POLICY_NAMES: Readonly<Record<string, NamedPolicy>> = {
  fcfs: { preset: "lab", settings: { order: "fcfs", backfill: "none" } },
  easy: { preset: "lab", settings: { order: "fcfs", backfill: "easy" } },
  conservative: { preset: "lab", settings: { order: "fcfs", backfill: "conservative" } },
  slurm: { preset: "slurm", settings: {}, slurm: SLURM_START },
  sjf: { preset: "lab", settings: { order: "shortest", backfill: "none" } },
  "static-partition": { preset: "lab", settings: { quota: "static" } },
  "quota-borrowing": { preset: "lab", settings: { quota: "borrow" } },
  "quota-reclaim": { preset: "lab", settings: { quota: "reclaim" } },
  "quota-auction": { preset: "lab", settings: { quota: "auction" } },
  "priority-preemption": { preset: "lab", settings: { order: "tiers", preemption: "requeue" } },
  tiresias: { preset: "lab", settings: { order: "tiresias", backfill: "skip" } },
  themis: { preset: "lab", settings: { order: "themis", backfill: "skip" } },
  gavel: { preset: "lab", settings: { order: "gavel", backfill: "skip" } },
};

/** What a preset can be told; undefined for a name that there is not. */
export function presetOf(id: string): PresetSpec | undefined {
  return PRESETS.find((preset) => preset.id === id);
}

/**
 * The complete settings of a preset: those given, and the defaults of the others. Every unknown key and every value outside
 * its range is a problem of its own, placed below `place` (a JSON pointer to the policy). O(settings).
 */
export function resolveSettings(
  presetId: string,
  given: Settings,
  place: string,
): Result<PoolSettings, Problem[]> {
  const preset = presetOf(presetId);
  if (preset === undefined) {
    const remedy = `Use one of: ${PRESETS.map((known) => known.id).join(", ")}.`;
    return err([
      { place: `${place}/preset`, message: `There is no preset "${presetId}".`, remedy },
    ]);
  }
  const problems: Problem[] = [];
  const known = new Set(preset.settings.map((spec) => spec.key));
  for (const key of Object.keys(given)) {
    if (known.has(key)) continue;
    problems.push({
      place: `${place}/settings/${key}`,
      message: `The preset "${presetId}" has no setting "${key}".`,
      remedy: `Use one of: ${[...known].join(", ")}.`,
    });
  }
  const settings: Record<string, SettingValue> = {};
  for (const spec of preset.settings) {
    const value = Object.hasOwn(given, spec.key) ? given[spec.key]! : spec.standard;
    settings[spec.key] = value;
    const wrong = whatIsWrong(spec, value);
    if (wrong !== null) {
      problems.push({
        place: `${place}/settings/${spec.key}`,
        message: `"${String(value)}" is no ${spec.label.toLowerCase()}.`,
        remedy: wrong,
      });
    }
  }
  return problems.length > 0 ? err(problems) : ok({ preset: presetId, settings });
}

/** `null`, or the sentence that says which values are allowed. */
function whatIsWrong(spec: SettingSpec, value: SettingValue): string | null {
  switch (spec.kind) {
    case "boolean":
      return typeof value === "boolean" ? null : "Use true or false.";
    case "enum":
      return spec.options.some((option) => option.value === value)
        ? null
        : `Use one of: ${spec.options.map((option) => option.value).join(", ")}.`;
    case "number":
    case "integer":
    case "duration":
      return isNumberOf(spec, value) ? null : numbersOf(spec);
  }
}

type NumberSpec = Extract<SettingSpec, { kind: "number" | "integer" | "duration" }>;

function isNumberOf({ kind, least, most, orZero }: NumberSpec, value: SettingValue): boolean {
  if (typeof value !== "number" || (kind !== "number" && !Number.isInteger(value))) return false;
  return (value >= least && value <= most) || (orZero === true && value === 0);
}

function numbersOf({ kind, least, most, orZero }: NumberSpec): string {
  const range = `${kind === "number" ? "a number" : "a whole number"} from ${least} to ${most}`;
  const unit = kind === "duration" ? " (milliseconds)" : "";
  return `Use ${orZero === true ? "0 or " : ""}${range}${unit}.`;
}
