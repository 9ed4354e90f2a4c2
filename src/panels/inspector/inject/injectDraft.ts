/** The form of an injected job: what was typed, what is wrong with it, and the entry it becomes. Pure, so tests need no form. */

import { countText, numberText } from "../../../base/format.ts";
import { type JsonObject, sameJson } from "../../../base/json.ts";
import type { NodeGroupInfo } from "../../../model/cluster.ts";
import { LIMITS } from "../../../model/limits.ts";
import { migProfilesOf } from "../../../model/mig.ts";
import { MINUTE_MS } from "../../../model/units.ts";
import type { InterventionInput } from "../../../scenario/interventions.ts";
import { readScenario } from "../../../scenario/read.ts";
import type { Intervention, Scenario } from "../../../scenario/schema.ts";
import { standardTier } from "../../../scenario/standardTier.ts";

export interface InjectDraft {
  readonly name: string;
  readonly shape: "gpus" | "nodes" | "share" | "mig";
  readonly gpus: number;
  readonly nodes: number;
  readonly gpusPerNode: number;
  /** Shapes `share` and `mig`: so many members with a part of a GPU each. */
  readonly members: number;
  readonly sharePercent: number;
  readonly migProfile: string;
  readonly workMs: number;
  /** 0 = no limit. */
  readonly limitMs: number;
  readonly tier: string;
  readonly team: string;
  /** Everything else that a job may say, as the document has it. */
  readonly life: JsonObject;
}

export interface Machine {
  readonly devices: number;
  readonly nodes: number;
  readonly largestNode: number;
  readonly word: "GPU" | "processor";
  /** Profiles that its GPUs are known to have, each once; empty where none of them is known, and any name of the right form will do. */
  readonly migProfiles: readonly string[];
}

export type DraftErrors = { readonly [K in keyof InjectDraft]?: string };

/** Profiles of the GPUs of these groups, each once; empty where those of one are not known. */
export function profilesOf(groups: readonly NodeGroupInfo[]): readonly string[] {
  const lists = groups
    .filter(({ gpusPerNode }) => gpusPerNode > 0)
    .map(({ gpuModel, gpuMemMiB }) => migProfilesOf(gpuModel, gpuMemMiB));
  return lists.some((list) => list.length === 0) ? [] : [...new Set(lists.flat())];
}

/** What the form shows first: a small job that fits this machine. */
export function emptyDraft(scenario: Scenario, machine: Machine): InjectDraft {
  const middle = scenario.tiers[standardTier(scenario.tiers.length)];
  return {
    name: "my-job",
    shape: "gpus",
    gpus: Math.min(8, machine.devices),
    nodes: 1,
    gpusPerNode: Math.max(1, machine.largestNode),
    members: 1,
    sharePercent: 50,
    migProfile: machine.migProfiles[0] ?? "1g.10gb",
    workMs: 60 * MINUTE_MS,
    limitMs: 120 * MINUTE_MS,
    tier: middle?.id ?? "",
    team: scenario.teams[0]?.id ?? "",
    life: {},
  };
}

/** What stands in the way of each field. A need that the machine cannot serve is an error here, beside its field. */
export function draftErrors(draft: InjectDraft, machine: Machine): DraftErrors {
  const errors: { -readonly [K in keyof InjectDraft]?: string } = {};
  if (draft.name.trim() === "") errors.name = "Give it a name.";
  else if (draft.name.length > LIMITS.nameLength)
    errors.name = `At most ${LIMITS.nameLength} characters.`;
  if (draft.shape === "gpus" && draft.gpus > machine.devices) {
    errors.gpus = `It asks for ${countText(draft.gpus, machine.word)}; the cluster has ${numberText(machine.devices)}.`;
  }
  if (draft.shape === "nodes" && draft.nodes > machine.nodes) {
    errors.nodes = `It asks for ${countText(draft.nodes, "node")}; the cluster has ${numberText(machine.nodes)}.`;
  }
  const wrong = draft.shape === "mig" ? profileError(draft.migProfile.trim(), machine) : null;
  if (wrong !== null) errors.migProfile = wrong;
  if (draft.shape === "nodes" && draft.gpusPerNode > machine.largestNode) {
    errors.gpusPerNode = `The largest node has ${countText(machine.largestNode, machine.word)}.`;
  }
  return errors;
}

const PROFILE = /^\d+g\.\d+gb(\+.*)?$/;

function profileError(profile: string, { migProfiles, word }: Machine): string | null {
  if (!PROFILE.test(profile)) return "Name a profile, such as 1g.10gb.";
  if (migProfiles.length === 0 || migProfiles.includes(profile.replace(/\+.*$/, ""))) return null;
  return `No ${word} here has it: ${migProfiles.join(", ")}.`;
}

/** Not wrong, but worth knowing. */
export function draftNote(draft: InjectDraft, killAtLimit: boolean): string {
  if (draft.limitMs === 0 || draft.workMs <= draft.limitMs) return "";
  return killAtLimit
    ? "It will be killed at its limit, before its work is done."
    : "Its work takes longer than its limit; schedulers will plan with the limit.";
}

/** An id that no job of the document or of an earlier injection has. */
export function freeId(name: string, taken: (id: string) => boolean): string {
  const base = name.trim().replace(/\s+/g, "-");
  if (!taken(base)) return base;
  for (let number = 2; ; number++) if (!taken(`${base}-${number}`)) return `${base}-${number}`;
}

/** The intervention that puts a job in. */
export type InjectInput = Extract<InterventionInput, { kind: "inject" }>;

/** The intervention that the form describes, at `atMs`. */
export function injectEntry(draft: InjectDraft, id: string, atMs: number): InjectInput {
  return {
    kind: "inject",
    atMs,
    job: {
      id,
      ...sizeOf(draft),
      workMs: draft.workMs,
      ...(draft.limitMs > 0 ? { limitMs: draft.limitMs } : {}),
      ...(draft.tier === "" ? {} : { tier: draft.tier }),
      ...(draft.team === "" ? {} : { team: draft.team }),
      ...draft.life,
    },
  };
}

const MILLI_A_PERCENT = 10;

/** The form of a job that was injected: the other way round. What the form has no field for stays as it is in `life`. */
export function draftOf(job: InjectedJob, empty: InjectDraft): InjectDraft {
  const { id, gpus, nodes, gpusPerNode, components, workMs, limitMs, tier, team, ...life } = job;
  const whole = {
    ...empty,
    name: id,
    workMs,
    limitMs: limitMs ?? 0,
    tier: tier ?? "",
    team: team ?? "",
    life: withoutStandards(life),
  };
  const [part] = components ?? [];
  if (nodes !== undefined)
    return { ...whole, shape: "nodes", nodes, gpusPerNode: gpusPerNode ?? whole.gpusPerNode };
  if (gpus !== undefined || part === undefined) return { ...whole, shape: "gpus", gpus: gpus ?? 1 };
  const { members } = part;
  if (part.gpuShareMilli !== undefined)
    return {
      ...whole,
      shape: "share",
      members,
      sharePercent: part.gpuShareMilli / MILLI_A_PERCENT,
    };
  return { ...whole, shape: "mig", members, migProfile: part.migProfile ?? whole.migProfile };
}

type InjectedJob = Extract<Intervention, { kind: "inject" }>["job"];

/** What the schema fills in where nothing is said. */
const STANDARD: JsonObject = {
  kind: "training",
  preemptible: true,
  gang: true,
  afterAnyOf: false,
  singleton: false,
  fails: false,
};

/** Defaults that the schema filled in say nothing, and `undefined` is no value of JSON. */
function withoutStandards(life: object): JsonObject {
  const said = Object.entries(life).filter(
    ([key, value]) => value !== undefined && !sameJson(value, STANDARD[key]),
  );
  return Object.fromEntries(said) as JsonObject;
}

function sizeOf(draft: InjectDraft) {
  switch (draft.shape) {
    case "gpus":
      return { gpus: draft.gpus };
    case "nodes":
      return { nodes: draft.nodes, gpusPerNode: draft.gpusPerNode };
    case "share": {
      const gpuShareMilli = Math.round(draft.sharePercent * MILLI_A_PERCENT);
      return { components: [{ members: draft.members, gpuShareMilli }] };
    }
    case "mig":
      return { components: [{ members: draft.members, migProfile: draft.migProfile.trim() }] };
  }
}

/** What the checks of the document say of the job, by its fields: place below the job → message. O(document). */
export function jobProblems(
  scenario: Scenario,
  entry: InterventionInput,
): ReadonlyMap<string, string> {
  const interventions = [...scenario.interventions, entry];
  const result = readScenario({ ...scenario, interventions });
  const base = `/interventions/${scenario.interventions.length}`;
  const own = (result.ok ? [] : result.error).filter(({ place }) => place.startsWith(base));
  return new Map(
    own.map(({ place, message, remedy }) => [
      place.slice(base.length).replace(/^\/job(?=\/|$)/, ""),
      `${message} ${remedy}`,
    ]),
  );
}
