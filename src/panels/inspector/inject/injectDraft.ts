/** The form of an injected job: what was typed, what is wrong with it, and the entry it becomes. Pure, so tests need no form. */

import { countText, numberText } from "../../../base/format.ts";
import { LIMITS } from "../../../model/limits.ts";
import type { InterventionInput } from "../../../scenario/interventions.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import { standardTier } from "../../../scenario/standardTier.ts";

export interface InjectDraft {
  readonly name: string;
  readonly shape: "gpus" | "nodes";
  readonly gpus: number;
  readonly nodes: number;
  readonly gpusPerNode: number;
  readonly workMin: number;
  /** 0 = no limit. */
  readonly limitMin: number;
  readonly tier: string;
  readonly team: string;
}

export interface Machine {
  readonly devices: number;
  readonly nodes: number;
  readonly largestNode: number;
  readonly word: "GPU" | "processor";
}

export type DraftErrors = { readonly [K in keyof InjectDraft]?: string };

const MINUTE_MS = 60_000;

/** What the form shows first: a small job that fits this machine. */
export function emptyDraft(scenario: Scenario, machine: Machine): InjectDraft {
  const middle = scenario.tiers[standardTier(scenario.tiers.length)];
  return {
    name: "my-job",
    shape: "gpus",
    gpus: Math.min(8, machine.devices),
    nodes: 1,
    gpusPerNode: Math.max(1, machine.largestNode),
    workMin: 60,
    limitMin: 120,
    tier: middle?.id ?? "",
    team: scenario.teams[0]?.id ?? "",
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
  if (draft.shape === "nodes" && draft.gpusPerNode > machine.largestNode) {
    errors.gpusPerNode = `The largest node has ${countText(machine.largestNode, machine.word)}.`;
  }
  return errors;
}

/** Not wrong, but worth knowing. */
export function draftNote(draft: InjectDraft, killAtLimit: boolean): string {
  if (draft.limitMin === 0 || draft.workMin <= draft.limitMin) return "";
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

/** The intervention that the form describes, at `atMs`. */
export function injectEntry(draft: InjectDraft, id: string, atMs: number): InterventionInput {
  const shape =
    draft.shape === "gpus"
      ? { gpus: draft.gpus }
      : { nodes: draft.nodes, gpusPerNode: draft.gpusPerNode };
  return {
    kind: "inject",
    atMs,
    job: {
      id,
      ...shape,
      workMs: Math.round(draft.workMin * MINUTE_MS),
      ...(draft.limitMin > 0 ? { limitMs: Math.round(draft.limitMin * MINUTE_MS) } : {}),
      ...(draft.tier === "" ? {} : { tier: draft.tier }),
      ...(draft.team === "" ? {} : { team: draft.team }),
    },
  };
}
