/** The form of a job for `sbatch`: what was typed, what is wrong with it, the command it stands for, and the entry it becomes. */
import { LIMITS } from "../../../model/limits.ts";
import type { InterventionInput } from "../../../scenario/interventions.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import { expandHostlist } from "../../../scenario/slurm/hostlist.ts";
import { type Value, wholeNumber } from "../../../scenario/slurm/values.ts";
import { standardTier } from "../../../scenario/standardTier.ts";
import { beginOf, dependenciesOf, gpusOf, limitOf, nodesOf } from "./sbatchWords.ts";

/** As typed; "" = the option is not given. */
export interface SbatchDraft {
  readonly name: string;
  readonly user: string;
  readonly partition: string;
  readonly qos: string;
  readonly account: string;
  readonly nodes: string;
  readonly gpusPerNode: string;
  readonly gpus: string;
  readonly time: string;
  readonly timeMin: string;
  readonly constraint: string;
  readonly exclusive: boolean;
  readonly nodelist: string;
  readonly dependency: string;
  readonly begin: string;
  readonly hold: boolean;
  readonly nice: string;
  readonly reservation: string;
  /** How long its work takes, in the notation of `--time`. */
  readonly work: string;
}

export type SbatchErrors = { readonly [K in keyof SbatchDraft]?: string };

/** What the form must know of the run. */
export interface Site {
  readonly nodes: ReadonlySet<string>;
  readonly queues: readonly string[];
  readonly nowMs: number;
  readonly calendar: string | undefined;
  readonly hasJob: (id: string) => boolean;
}

/** A small job that fits this machine. */
export function emptyDraft(scenario: Scenario, largestNode: number): SbatchDraft {
  return {
    name: "my-job",
    user: "",
    partition: "",
    qos: scenario.tiers[standardTier(scenario.tiers.length)]?.id ?? "",
    account: scenario.teams[0]?.id ?? "",
    nodes: "1",
    gpusPerNode: largestNode > 0 ? String(largestNode) : "",
    gpus: "",
    time: "2:00:00",
    timeMin: "",
    constraint: "",
    exclusive: false,
    nodelist: "",
    dependency: "",
    begin: "",
    hold: false,
    nice: "",
    reservation: "",
    work: "1:00:00",
  };
}

type InjectInput = Extract<InterventionInput, { kind: "inject" }>;

const NOTE_LENGTH = 1_000;

/** How each option that has a notation is read; options that are any name are not here. */
function readers(site: Site) {
  return {
    nodes: (text: string) => nodesOf(text, Math.max(1, site.nodes.size)),
    gpusPerNode: (text: string) => gpusOf(text, LIMITS.devicesPerNode),
    gpus: (text: string) => gpusOf(text, LIMITS.membersPerJob),
    time: limitOf,
    timeMin: limitOf,
    work: limitOf,
    begin: (text: string) => beginOf(text, site.nowMs, site.calendar),
    dependency: (text: string) => dependenciesOf(text, site.hasJob),
    nice: (text: string) => wholeNumber(text.trim(), -2_147_483_645, 2_147_483_645),
  };
}

/** The value of an option; null where it is not given or wrong. */
function given<T>(read: (text: string) => Value<T>, text: string): T | null {
  if (text.trim() === "") return null;
  const value = read(text);
  return value.ok ? value.value : null;
}

/** What stands in the way of each field. O(nodes named). */
export function draftErrors(draft: SbatchDraft, site: Site): SbatchErrors {
  const errors: { -readonly [K in keyof SbatchDraft]?: string } = {};
  const read = readers(site);
  for (const key of Object.keys(read) as (keyof typeof read)[]) {
    const text = draft[key];
    const value = text.trim() === "" ? null : read[key](text);
    if (value !== null && !value.ok) errors[key] = value.error;
  }
  for (const key of ["name", "work"] as const)
    if (draft[key].trim() === "") errors[key] = "Fill this in.";
  for (const key of ["name", "user", "constraint"] as const)
    if (draft[key].length > LIMITS.nameLength)
      errors[key] = `At most ${LIMITS.nameLength} characters.`;
  if (draft.nodes + draft.gpus + draft.gpusPerNode === "") errors.nodes = "Say how much it needs.";
  const limitMs = given(read.time, draft.time);
  const leastMs = given(read.timeMin, draft.timeMin);
  if (leastMs !== null && limitMs !== null && leastMs > limitMs)
    errors.timeMin = "It is above --time.";
  const beginMs = given(read.begin, draft.begin);
  if (beginMs !== null && beginMs < 0) errors.begin = "That is before the run.";
  const wrongHosts = hostsError(draft.nodelist, site.nodes);
  if (wrongHosts !== null) errors.nodelist = wrongHosts;
  return errors;
}

export function hostsError(text: string, nodes: ReadonlySet<string>): string | null {
  if (text.trim() === "") return null;
  const names = expandHostlist(text.trim());
  if (!names.ok) return names.error;
  const unknown = names.value.find((name) => !nodes.has(name));
  return unknown === undefined ? null : `There is no node ${unknown}.`;
}

const WORDS = [
  ["-J ", "name"],
  ["-A ", "account"],
  ["-p ", "partition"],
  ["-q ", "qos"],
  ["--nodes=", "nodes"],
  ["--gpus-per-node=", "gpusPerNode"],
  ["--gpus=", "gpus"],
  ["--time=", "time"],
  ["--time-min=", "timeMin"],
  ["--constraint=", "constraint"],
  ["--nodelist=", "nodelist"],
  ["--dependency=", "dependency"],
  ["--begin=", "begin"],
  ["--nice=", "nice"],
  ["--reservation=", "reservation"],
] as const satisfies readonly (readonly [string, keyof SbatchDraft])[];

/** The command that the form stands for. */
export function commandText(draft: SbatchDraft): string {
  const named = WORDS.filter(([, key]) => draft[key].trim() !== "");
  const words = named.map(([word, key]) => {
    const value = draft[key].trim();
    return word + (/^[\w.,:=+@%/[\]-]+$/.test(value) ? value : `'${value.replace(/'/g, "'\\''")}'`);
  });
  if (draft.exclusive) words.push("--exclusive");
  if (draft.hold) words.push("--hold");
  return `sbatch ${words.join(" ")}`;
}

/** The intervention of a draft without errors, at `site.nowMs`. */
export function injectEntry(draft: SbatchDraft, id: string, site: Site): InjectInput {
  const read = readers(site);
  const nodes = given(read.nodes, draft.nodes);
  const perNode = given(read.gpusPerNode, draft.gpusPerNode);
  const gpus = given(read.gpus, draft.gpus);
  const limitMs = given(read.time, draft.time);
  const timeMinMs = given(read.timeMin, draft.timeMin);
  const beginMs = given(read.begin, draft.begin);
  const nice = given(read.nice, draft.nice);
  const depends = given(read.dependency, draft.dependency);
  const gpuType = perNode?.type || gpus?.type;
  const isQueue = site.queues.includes(draft.partition);
  return {
    kind: "inject",
    atMs: site.nowMs,
    note: commandText(draft).slice(0, NOTE_LENGTH),
    job: {
      id,
      ...(draft.name.trim() === id ? {} : { name: draft.name.trim() }),
      workMs: given(read.work, draft.work) ?? 0,
      ...(limitMs === null ? {} : { limitMs }),
      ...(beginMs === null ? {} : { beginMs }),
      ...(draft.qos === "" ? {} : { tier: draft.qos }),
      ...(draft.account === "" ? {} : { team: draft.account }),
      ...(draft.user.trim() === "" ? {} : { user: draft.user.trim() }),
      ...(isQueue ? { queue: draft.partition } : {}),
      ...(depends === null
        ? {}
        : { after: [...depends.after], afterAnyOf: depends.anyOf, singleton: depends.singleton }),
      slurm: {
        ...(draft.partition === "" || isQueue ? {} : { partitions: [draft.partition] }),
        ...(nodes === null ? {} : { minNodes: nodes.least, maxNodes: nodes.most }),
        ...(perNode === null ? {} : { gpusPerNode: perNode.count }),
        ...(gpus === null ? {} : { gpus: gpus.count }),
        ...(gpuType ? { gpuType } : {}),
        ...(timeMinMs === null ? {} : { timeMinMs }),
        ...(draft.constraint.trim() === "" ? {} : { constraint: draft.constraint.trim() }),
        ...(draft.exclusive ? { exclusive: "node" } : {}),
        ...(draft.nodelist.trim() === "" ? {} : { nodelist: draft.nodelist.trim() }),
        ...(draft.hold ? { hold: true } : {}),
        ...(nice === null ? {} : { nice }),
        ...(draft.reservation.trim() === "" ? {} : { reservation: draft.reservation.trim() }),
      },
    },
  };
}
