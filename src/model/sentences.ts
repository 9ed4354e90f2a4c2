/**
 * The words for why: one sentence for each closed reason, made from the numbers that belong to it. Panels, tooltips, the live
 * region and the command line all speak through this file, so a reason reads the same everywhere and no panel invents one.
 * A sentence names the difference that matters (need against have) first, then what is behind it.
 */
import { clockNear, countText, durationText, numberText } from "../base/format.ts";
import { KUBE_MEANINGS, KUBE_WORDS, type KubeReason } from "./kubernetes/reasons.ts";
import {
  type GeneralWaitReason,
  kubeReasonOf,
  START_REASONS,
  type StartReason,
  slurmReasonOf,
  WAIT_REASONS,
  type WaitReason,
} from "./reasons.ts";
import { SLURM_REASONS, type SlurmReason } from "./slurm/reasons.ts";

/** The numbers behind a wait, as a scheduler gives them (`Explanation` in `engine/view.ts`). */
export interface WhyNumbers {
  /** `WaitReasonCode`. */
  readonly reason: number;
  readonly gpusNeeded: number;
  readonly gpusFree: number;
  /** The unit that is short: whole nodes, devices, or devices under one leaf. */
  readonly unit: "devices" | "nodes" | "leafDevices";
  readonly unitsNeeded: number;
  readonly unitsFree: number;
  /** What it asks of its nodes and no node has, in words; given with the reason `never`. */
  readonly lacks?: string;
  /** What is short on how many nodes, or the numbers of a quota, as one sentence; given by the Kubernetes family. */
  readonly counted?: string;
  /** Devices on drained or down nodes of its pool; given with the reason `nodesClosed`. */
  readonly gpusClosed?: number;
  /** Jobs before it in its queue, and the first of them; −1 if none. */
  readonly position: number;
  readonly headJobIdx: number;
  /** The job whose reservation it would delay; −1 if none. */
  readonly reservedForJobIdx: number;
  /** When the scheduler expects it to start; `Infinity` if it has not planned that. */
  readonly plannedMs: number;
  /** The nodes that plan names (those dotted in the Gantt); empty where the plan names none. */
  readonly plannedNodes: readonly number[];
  /** The ceiling that it meets, and what is used of it. */
  readonly share?: {
    readonly whose: string;
    readonly used: number;
    readonly most: number;
    readonly asked: number;
    readonly unit: string;
    /** What it leaves to the job at most, whatever ends, under the rules of now; absent = enough. */
    readonly ever?: number;
  };
}

/** What the numbers are about: names and words that only the caller knows. */
export interface WhyContext {
  readonly nowMs: number;
  readonly waitedMs: number;
  readonly calendarStart?: string;
  readonly deviceWord: "GPU" | "processor";
  /** Devices of the cluster, and of its largest node. */
  readonly clusterDevices: number;
  readonly devicesPerNode: number;
  readonly beginMs: number;
  /** What one member asks for, where that is a part of a device: "MIG 1g.10gb", "0.25 of a GPU". */
  readonly part?: string;
  /** Why devices that are partly free do not serve it, where its policy says so. */
  readonly partRule?: string;
  /** "31 moe-16x8". */
  readonly jobLabel: (jobIdx: number) => string;
  /** What one of Slurm's reasons means (`slurm/sentences.ts`, which not every page needs); absent: the word stands alone. */
  readonly meaningOf?: MeaningOf | undefined;
}
export type MeaningOf = (reason: SlurmReason) => string;

/** A sentence in two parts: `lead` ends with the number that is missing and is set in bold. */
export interface Sentence {
  readonly lead: string;
  readonly rest: string;
}

/** Both parts as plain text, for a table, the live region and the command line. */
export function sentenceText(sentence: Sentence): string {
  return sentence.rest === "" ? sentence.lead : `${sentence.lead} ${sentence.rest}`;
}

const GENERAL_WORDS: Readonly<Record<GeneralWaitReason, string>> = {
  none: "not considered yet",
  resources: "too few free",
  fragmentation: "enough free, but not together",
  cpuOrMemory: "CPUs or memory short",
  priority: "behind other jobs",
  reservation: "would delay a reserved job",
  depth: "deeper than the scheduler looks",
  gang: "members incomplete: all start together",
  dependency: "depends on a job that has not ended",
  beginTime: "its begin time has not come",
  held: "held",
  nodesClosed: "its nodes are drained or down",
  nextPass: "the next scheduling pass has not come",
  never: "can never run here",
  quota: "its team’s quota is in use",
  limit: "a limit is reached",
  gpuHours: "the GPU-hours of the period are used",
  auction: "has not won in the auction",
  window: "the nodes are kept for a window",
  victims: "room is being made for it",
  booting: "a node is on its way",
  protected: "those it could preempt are protected",
  cutting: "its device is being cut anew",
};

/** Reason in a few words, for a table cell and for the moment before the numbers arrive; Slurm's reasons in Slurm's own word. */
export const WAIT_WORDS: Readonly<Record<WaitReason, string>> = {
  ...GENERAL_WORDS,
  ...(Object.fromEntries(SLURM_REASONS.map((word) => [`slurm:${word}`, word])) as Record<
    `slurm:${SlurmReason}`,
    string
  >),
  ...(Object.fromEntries(
    Object.entries(KUBE_WORDS).map(([word, words]) => [`kube:${word}`, words]),
  ) as Record<`kube:${KubeReason}`, string>),
};

const START_WORDS: Readonly<Record<StartReason, string>> = {
  inOrder: "Started in its turn.",
  backfilled: "Backfilled: it passed jobs before it without delaying the reserved one.",
  reserved: "Started on its reservation.",
  resumed: "Resumed.",
  replayed: "Started when the log says it did.",
  skipped: "Started past jobs that do not fit; nothing is kept for them.",
  preempting: "Started in room that others gave up for it.",
  borrowed: "Started on quota that others left idle.",
  won: "Started on capacity won in the auction.",
  movedFor: "Started in room made by moving other jobs together.",
};

export const waitWords = (code: number): string => WAIT_WORDS[WAIT_REASONS[code] ?? "none"];
export const startWords = (code: number): string => START_WORDS[START_REASONS[code] ?? "inOrder"];

/** The sentence of a waiting job whose numbers are not here yet: from the recorded reason alone. */
export function shortWhy(reasonCode: number, waitedMs: number, meaningOf?: MeaningOf): Sentence {
  const reason = WAIT_REASONS[reasonCode] ?? "none";
  const slurm = slurmReasonOf(reasonCode);
  if (slurm !== null)
    return { lead: `Waits ${durationText(waitedMs)}: ${slurm}.`, rest: meaningOf?.(slurm) ?? "" };
  const kube = kubeReasonOf(reasonCode);
  if (kube !== null)
    return {
      lead: `Waits ${durationText(waitedMs)}: ${KUBE_WORDS[kube]}.`,
      rest: KUBE_MEANINGS[kube],
    };
  if (reason === "never") return { lead: "Can never run on this cluster.", rest: "" };
  if (reason === "none") return { lead: `Waits ${durationText(waitedMs)}.`, rest: "" };
  return { lead: `Waits ${durationText(waitedMs)}: ${WAIT_WORDS[reason]}.`, rest: "" };
}

/** The full sentence. O(1). */
export function whyWaiting(why: WhyNumbers, context: WhyContext): Sentence {
  const opening = `Waits ${durationText(context.waitedMs)}`;
  const { lead, cause } = opened(opening, why, context);
  const rest = [cause, plan(why, context)].filter((part) => part !== "").join(" ");
  return { lead, rest };
}

interface Opened {
  readonly lead: string;
  readonly cause: string;
}
type Lead = (opening: string, why: WhyNumbers, context: WhyContext) => Opened;

function opened(opening: string, why: WhyNumbers, context: WhyContext): Opened {
  const slurm = slurmReasonOf(why.reason);
  if (slurm !== null)
    return { lead: `${opening}: ${slurm}.`, cause: context.meaningOf?.(slurm) ?? "" };
  const kube = kubeReasonOf(why.reason);
  if (kube !== null)
    return { lead: `${opening}: ${KUBE_WORDS[kube]}.`, cause: why.counted ?? KUBE_MEANINGS[kube] };
  const reason = (WAIT_REASONS[why.reason] ?? "none") as GeneralWaitReason;
  return LEADS[reason](opening, why, context);
}

const LEADS: Readonly<Record<GeneralWaitReason, Lead>> = {
  none: (opening) => ({ lead: `${opening}.`, cause: "The scheduler has not considered it yet." }),
  resources: (opening, why, context) => ({
    lead: `${opening}: ${needHave(why, context)}.`,
    cause: context.partRule ?? scattered(why, context),
  }),
  // Slices and shares are parts of devices: a shortage of them may leave no device free at all.
  fragmentation: (opening, why, context) => ({
    lead:
      why.gpusFree === 0 || context.part !== undefined
        ? `${opening}: ${needHave(why, context)}.`
        : `${opening}: ${devices(why.gpusFree, context)} ${isAre(why.gpusFree)} free, but ${together(why)}.`,
    cause: context.partRule ?? "",
  }),
  cpuOrMemory: (opening, why, context) => ({
    lead: `${opening}: ${needHave(why, context)}.`,
    cause: `${capital(devices(why.gpusFree, context))} ${isAre(why.gpusFree)} free, but the nodes that have them are short of CPUs or memory.`,
  }),
  priority: (opening, why, context) => {
    const short = why.unitsFree < why.unitsNeeded;
    const need = short
      ? `${needHave(why, context)}, and`
      : `${devices(why.gpusNeeded, context)} needed, ${numberText(why.gpusFree)} free, but`;
    const head =
      why.headJobIdx >= 0 ? `first in the queue is ${context.jobLabel(why.headJobIdx)}` : "";
    // Where it would not fit anyway, the rule against passing is not what holds it back.
    const causes = short ? [head] : ["the policy lets nobody pass", head];
    const cause = capital(causes.filter((part) => part !== "").join("; "));
    return { lead: `${opening}: ${need} ${behind(why)}.`, cause: cause === "" ? "" : `${cause}.` };
  },
  reservation: (opening, why, context) => ({
    lead: `${opening}: starting now would delay ${why.reservedForJobIdx >= 0 ? `job ${context.jobLabel(why.reservedForJobIdx)}` : "a job before it"}.`,
    cause: `It would fit (${numberText(why.gpusNeeded)} needed, ${devices(why.gpusFree, context)} free), but that start is reserved.`,
  }),
  depth: (opening, why, context) => ({
    lead: `${opening}: ${behind(why)}, deeper than the scheduler looks.`,
    cause: `${capital(devices(why.gpusFree, context))} ${isAre(why.gpusFree)} free.`,
  }),
  gang: (opening, why, context) => ({
    lead: `${opening}: ${fits(why, context)}; all must start together.`,
    cause: scattered(why, context),
  }),
  dependency: (opening) => ({
    lead: `${opening}: a job that it depends on has not ended.`,
    cause: "",
  }),
  beginTime: (opening, _why, context) => ({
    lead: `${opening}: it may not begin before ${clockNear(context.beginMs, context.nowMs, context.calendarStart)}.`,
    cause: "",
  }),
  held: (opening) => ({ lead: `${opening}: it is held.`, cause: "" }),
  nodesClosed: (opening, why, context) => ({
    lead: `${opening}: its nodes are drained or down.`,
    cause: `${needHave(why, context)}${why.gpusClosed === undefined ? "" : `, ${devices(why.gpusClosed, context)} on closed nodes`}.`,
  }),
  nextPass: (opening, why, context) => ({
    lead: `${opening} for the scheduler’s next pass.`,
    cause: `${capital(devices(why.gpusFree, context))} ${isAre(why.gpusFree)} free.`,
  }),
  never: (_opening, why, context) => ({ lead: neverLead(why, context), cause: "" }),
  quota: ceiling("its team’s quota is in use"),
  limit: ceiling("a limit is reached"),
  gpuHours: ceiling("the GPU-hours of the period are used"),
  auction: ceiling("it has not won in the auction"),
  window: (opening, why, context) => ({
    lead: `${opening}: its limit reaches into a window for which the nodes are kept.`,
    cause: `${needHave(why, context)} until then.`,
  }),
  victims: (opening, why, context) => ({
    lead: `${opening}: room is being made for it.`,
    cause: `${needHave(why, context)}; the jobs that give way have not ended yet.`,
  }),
  booting: (opening, why, context) => ({
    lead: `${opening}: a node for it is on its way.`,
    cause: `${needHave(why, context)} meanwhile.`,
  }),
  protected: (opening, why, context) => ({
    lead: `${opening}: ${needHave(why, context)}, and the jobs it could preempt are protected.`,
    cause: scattered(why, context),
  }),
  cutting: (opening) => ({
    lead: `${opening}: the device for its slice is being cut anew.`,
    cause: "Its place is kept.",
  }),
};

/** A ceiling, with what is used of it where the scheduler says so. */
function ceiling(words: string): Lead {
  return (opening, why) => {
    const { share } = why;
    if (share === undefined) return { lead: `${opening}: ${words}.`, cause: "" };
    if (share.ever !== undefined && share.ever < share.asked) return neverNow(opening, share);
    const used = `${capital(share.whose)} uses ${numberText(share.used)} of ${numberText(share.most)} ${share.unit}`;
    return {
      lead: `${opening}: ${words}.`,
      cause: `${used}; it asks for ${numberText(share.asked)} more.`,
    };
  };
}

/** No end of a job lets it start; a change of the rules might. */
function neverNow(opening: string, share: NonNullable<WhyNumbers["share"]>): Opened {
  const most = `${capital(share.whose)} may use ${numberText(share.ever ?? 0)} ${share.unit} at most`;
  return {
    lead: `${opening}: it can never start under the rules of now.`,
    cause: `${most}; it asks for ${numberText(share.asked)}. Another policy, tier or limit would have to let it in.`,
  };
}

function neverLead(why: WhyNumbers, context: WhyContext): string {
  if (why.lacks !== undefined) return `Can never run: no node has ${why.lacks}.`;
  if (why.gpusNeeded > context.clusterDevices) {
    return `Can never run: asks for ${devices(why.gpusNeeded, context)}, the cluster has ${numberText(context.clusterDevices)}.`;
  }
  const perUnit =
    why.unit === "nodes" && why.unitsNeeded > 0 ? why.gpusNeeded / why.unitsNeeded : 0;
  if (perUnit > context.devicesPerNode) {
    return `Can never run: asks for ${devices(perUnit, context)} a node, the largest node has ${numberText(context.devicesPerNode)}.`;
  }
  return "Can never run on this cluster, whatever ends.";
}

const isAre = (count: number): string => (count === 1 ? "is" : "are");
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const devices = (count: number, context: WhyContext): string =>
  countText(count, context.deviceWord);

function behind(why: WhyNumbers): string {
  return why.position === 1
    ? "1 job is before it"
    : `${countText(why.position, "job")} are before it`;
}

/** "16 whole nodes", "3 nodes with 4 GPUs", "64 GPUs under one leaf", "8 GPUs". */
export function unitWords(
  count: number,
  why: Pick<WhyNumbers, "unit" | "gpusNeeded" | "unitsNeeded">,
  context: Pick<WhyContext, "deviceWord" | "devicesPerNode" | "part">,
): string {
  if (context.part !== undefined)
    return count === 1 ? context.part : `${numberText(count)} × ${context.part}`;
  if (why.unit === "leafDevices") return `${countText(count, context.deviceWord)} under one leaf`;
  if (why.unit === "devices") return countText(count, context.deviceWord);
  const perNode = why.unitsNeeded > 0 ? why.gpusNeeded / why.unitsNeeded : 0;
  if (perNode >= context.devicesPerNode || perNode === 0) return countText(count, "whole node");
  const each = Number.isInteger(perNode)
    ? ` with ${countText(perNode, context.deviceWord)} free`
    : "";
  return countText(count, "node") + each;
}

function needHave(why: WhyNumbers, context: WhyContext): string {
  if (context.part !== undefined && why.unitsFree === 0)
    return `no ${context.deviceWord} has room for ${context.part}`;
  return `${unitWords(why.unitsNeeded, why, context)} needed, ${numberText(why.unitsFree)} free`;
}

function fits(why: WhyNumbers, context: WhyContext): string {
  return `${numberText(why.unitsFree)} of ${unitWords(why.unitsNeeded, why, context)} fit`;
}

function together(why: WhyNumbers): string {
  const perNode = why.unitsNeeded > 0 ? why.gpusNeeded / why.unitsNeeded : 0;
  if (why.unit === "leafDevices") {
    return `the best leaf has ${numberText(why.unitsFree)} of the ${numberText(why.unitsNeeded)} needed`;
  }
  if (why.unit === "nodes" && perNode > 0) {
    const found =
      why.unitsFree === 0
        ? "no node has"
        : `only ${countText(why.unitsFree, "node")} of ${numberText(why.unitsNeeded)} ${why.unitsFree === 1 ? "has" : "have"}`;
    return `${found} ${numberText(Math.ceil(perNode))} together`;
  }
  return `not where it needs them (${numberText(why.unitsFree)} of ${numberText(why.unitsNeeded)} usable)`;
}

/** Idle devices that do not help, because the job counts in larger units. */
function scattered(why: WhyNumbers, context: WhyContext): string {
  if (why.unit === "devices" || why.gpusFree === 0) return "";
  const idle = `${capital(devices(why.gpusFree, context))} ${isAre(why.gpusFree)} idle`;
  if (why.unit === "leafDevices") return `${idle} in all.`;
  const perUnit = why.unitsNeeded > 0 ? why.gpusNeeded / why.unitsNeeded : 0;
  const elsewhere = why.gpusFree - why.unitsFree * perUnit;
  if (elsewhere <= 0) return "";
  if (why.unitsFree === 0) return `${idle}, all of them in part-used nodes.`;
  return elsewhere * 2 > why.gpusFree
    ? `${idle}, most of them in part-used nodes.`
    : `${idle} in all.`;
}

function plan(why: WhyNumbers, context: WhyContext): string {
  if (!Number.isFinite(why.plannedMs)) return "";
  const when = clockNear(why.plannedMs, context.nowMs, context.calendarStart);
  return why.plannedNodes.length > 0
    ? `Reserved for ${when} on the dotted ${why.plannedNodes.length === 1 ? "node" : "nodes"}.`
    : `Expected to start at ${when}.`;
}
