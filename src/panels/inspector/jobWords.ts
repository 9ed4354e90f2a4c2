/** What a job is and needs, in words, and what the sentence of its wait must know of the run. */

import { clockNear, countText, durationText, numberText } from "../../base/format.ts";
import type { Cluster } from "../../model/cluster.ts";
import { nodeOfDevice } from "../../model/cluster.ts";
import { JobFlag } from "../../model/jobs.ts";
import { KUBE_CAUSES } from "../../model/kubernetes/reasons.ts";
import { isCeiling, kubeReasonOf, slurmReasonOf } from "../../model/reasons.ts";
import type { Sentence, WhyContext } from "../../model/sentences.ts";
import { type MemberState, MemberStateCode } from "../../model/states.ts";
import { WHOLE_DEVICE } from "../../model/units.ts";
import type { WaitCause } from "../../model/waitCauses.ts";
import type { Stage } from "../../protocol/messages.ts";
import { acting } from "../../scenario/interventions.ts";
import { policyAt } from "../../scenario/policyAt.ts";
import type { Scenario } from "../../scenario/schema.ts";
import type { Future } from "../../store/runData.ts";
import { jobLabel } from "../../timeline/jobNames.ts";
import type { StoryRect } from "../../timeline/jobStory.ts";

export function largestNode(cluster: Cluster): number {
  return cluster.groups.reduce((most, group) => Math.max(most, group.gpusPerNode), 0);
}

/** "128 GPUs, 16 whole nodes", "12 GPUs, 3 nodes × 4", "1 GPU", "no GPU, 4 members". */
export function needWords(stage: Stage, jobIdx: number): string {
  const { at, components } = stage.jobs;
  const word = stage.cluster.deviceWord;
  const total = at.gpuTotal[jobIdx]!;
  const first = at.firstComponent[jobIdx]!;
  const end = at.firstComponent[jobIdx + 1] ?? first + 1;
  const members = components.members[first] ?? 1;
  const each = components.gpus[first] ?? 0;
  const part = partOfMember(stage, first);
  if (part !== null) return `${part}${members > 1 ? ` × ${members}` : ""}`;
  if (total === 0) return `no ${word}${members > 1 ? `, ${countText(members, "member")}` : ""}`;
  if (end - first > 1) return `${countText(total, word)} in ${countText(end - first, "component")}`;
  if (components.ownNode[first] !== 1 || stage.cluster.flat) return countText(total, word);
  const whole = each >= largestNode(stage.cluster);
  if (members === 1) return `${countText(total, word)} on ${whole ? "a whole node" : "one node"}`;
  return `${countText(total, word)}, ${whole ? countText(members, "whole node") : `${countText(members, "node")} × ${each}`}`;
}

/** "0.25 of a GPU", "MIG 1g.10gb"; null for a component whose members have whole devices. */
function partOfMember({ cluster, jobs }: Stage, component: number): string | null {
  const share = jobs.components.shareMilli[component] ?? 0;
  if (share > 0) return `${numberText(share / WHOLE_DEVICE, 2)} of a ${cluster.deviceWord}`;
  const profile = jobs.migProfiles?.[(jobs.components.mig[component] ?? 0) - 1];
  return profile === undefined ? null : `MIG ${profile}`;
}

/** Whether a job holds parts of devices: shares, or MIG instances. */
export function holdsParts({ jobs }: Stage, jobIdx: number): boolean {
  const first = jobs.at.firstComponent[jobIdx]!;
  return (jobs.components.shareMilli[first] ?? 0) > 0 || (jobs.components.mig[first] ?? 0) > 0;
}

/** The time limit with which a job came; `Infinity` = none, whatever stands for it in plans. */
export function submittedLimit({ jobs }: Stage, jobIdx: number): number {
  const { flags, limitMs } = jobs.at;
  const isLimitless = (flags[jobIdx]! & JobFlag.limitless) !== 0;
  return isLimitless ? Number.POSITIVE_INFINITY : limitMs[jobIdx]!;
}

/** The time limit of a job at `atMs`, as changes of the document left it; `Infinity` = none. O(interventions). */
export function limitAt(
  scenario: Scenario | null,
  job: string,
  submittedMs: number,
  atMs: number,
): number {
  let limitMs = submittedMs;
  let sinceMs = Number.NEGATIVE_INFINITY;
  for (const change of acting(scenario?.interventions ?? [])) {
    if (change.kind !== "update" || change.job !== job || change.limitMs === undefined) continue;
    if (change.atMs > atMs || change.atMs < sinceMs) continue;
    limitMs = change.limitMs;
    sinceMs = change.atMs;
  }
  return limitMs;
}

/** "128 GPUs, 16 whole nodes · ada · limit 10 h", with the limit that holds; without the team where that stands apart. */
export function jobLine(stage: Stage, jobIdx: number, limit: number, withTeam = true): string {
  const { at } = stage.jobs;
  const user = stage.jobs.users[at.user[jobIdx]!] ?? "";
  const team = stage.teams[at.team[jobIdx]!];
  const parts = [
    needWords(stage, jobIdx),
    !withTeam || team === undefined || team.id === "" ? "" : `team ${team.name}`,
    user,
    Number.isFinite(limit) ? `limit ${durationText(limit)}` : "no limit",
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

export function whyContext(
  stage: Stage,
  jobIdx: number,
  nowMs: number,
  waitedMs: number,
  calendarStart: string | undefined,
): WhyContext {
  const part = partOfMember(stage, stage.jobs.at.firstComponent[jobIdx]!);
  return {
    nowMs,
    ...(part === null ? {} : { part }),
    waitedMs,
    ...(calendarStart === undefined ? {} : { calendarStart }),
    deviceWord: stage.cluster.deviceWord,
    clusterDevices: stage.cluster.deviceCount,
    devicesPerNode: largestNode(stage.cluster),
    beginMs: stage.jobs.at.beginMs[jobIdx]!,
    jobLabel: (other) => jobLabel(stage.jobs, other),
  };
}

/** Why a slice waits beside devices that are mostly free: by default the policy lab cuts one slice a device. O(interventions). */
export function sliceRule(
  scenario: Scenario | null,
  { jobs, poolOfJob, cluster }: Stage,
  jobIdx: number,
  atMs: number,
): string | undefined {
  const isSlice = (jobs.components.mig[jobs.at.firstComponent[jobIdx]!] ?? 0) > 0;
  const pool = scenario?.pools[poolOfJob[jobIdx]!]?.id;
  if (!isSlice || !scenario || pool === undefined) return undefined;
  const { preset, settings } = policyAt(scenario, pool, atMs);
  if (preset !== "lab" || (settings["migPacking"] ?? OWN_DEVICE) !== OWN_DEVICE) return undefined;
  return `The policy gives every slice a free ${cluster.deviceWord} of its own; with “MIG slices: First fit” several share one.`;
}

const OWN_DEVICE = "ownDevice";

export interface NodeHold {
  readonly node: number;
  readonly devices: number;
}

/** Devices by node, in order of nodes. */
export function nodesHeld(
  cluster: Cluster,
  rects: readonly { readonly device: number; readonly deviceCount: number }[],
): NodeHold[] {
  const held = new Map<number, number>();
  for (const rect of rects) {
    const node = nodeOfDevice(cluster, rect.device);
    held.set(node, (held.get(node) ?? 0) + rect.deviceCount);
  }
  return [...held].map(([node, devices]) => ({ node, devices })).sort((a, b) => a.node - b.node);
}

/** What a job holds on one node: the number of devices, or which part of which device ("MIG 2g.20gb of GPU 3", "4 × MIG 1g.10gb"). */
export function holdWords(
  stage: Stage,
  jobIdx: number,
  rects: readonly StoryRect[],
  { node, devices }: NodeHold,
): string {
  const { cluster, jobs } = stage;
  const first = jobs.at.firstComponent[jobIdx]!;
  const share = jobs.components.shareMilli[first] ?? 0;
  const mig = jobs.migProfiles?.[(jobs.components.mig[first] ?? 0) - 1];
  if (share === 0 && mig === undefined) return numberText(devices);
  const parts = rects.filter((rect) => nodeOfDevice(cluster, rect.device) === node);
  const each = mig === undefined ? numberText(share / 1_000, 2) : `MIG ${mig}`;
  const [only] = parts;
  if (!only || parts.length > 1) return `${parts.length} × ${each}`;
  return `${each} of ${cluster.deviceWord} ${only.device - cluster.deviceBase[node]!}`;
}

/** Why pods wait that room on nodes would help; quota, a queue that is not there and the scheduler's own delays have nothing to do with it. */
const ABOUT_ROOM: ReadonlySet<WaitCause> = new Set(["size", "fragmentation", "comingRoom"]);

/** Reasons that devices have to do with; a held job or one at a limit would not start if more were free. */
export function isAboutDevices(reason: number): boolean {
  const kube = kubeReasonOf(reason);
  if (kube !== null) return ABOUT_ROOM.has(KUBE_CAUSES[kube]) && kube !== "quotaVictims";
  const slurm = slurmReasonOf(reason);
  if (isCeiling(reason)) return false;
  return slurm === null || /^(None|Resources|Priority|ReqNodeNotAvail|Nodes required)/.test(slurm);
}

/** Whom a suspended job gave way to (−1 = nobody), what it keeps, and when it goes on. */
export function suspendedWords(
  stage: Stage,
  devices: number,
  { sinceMs, forJobIdx }: { readonly sinceMs: number; readonly forJobIdx: number },
  atMs: number,
  calendar: string | undefined,
): Sentence {
  const word = stage.cluster.deviceWord;
  const whom = forJobIdx < 0 ? "" : ` for job ${jobLabel(stage.jobs, forJobIdx)}`;
  const keeps = devices === 0 ? `its ${word}s are lent` : `it keeps ${countText(devices, word)}`;
  return {
    lead: `Suspended${whom} since ${clockNear(sinceMs, atMs, calendar)} (${durationText(atMs - sinceMs)}): ${keeps}.`,
    rest: "Nothing is lost: it goes on with its work once it may run there again.",
  };
}

/** When a waiting job starts in the run as computed. */
export function actualWords(
  startMs: number,
  future: Future,
  calendar: string | undefined,
  atMs: number,
): string {
  if (Number.isFinite(startMs)) {
    return `In this run it starts at ${clockNear(startMs, atMs, calendar)}, in ${durationText(startMs - atMs)}.`;
  }
  return future.done
    ? "In this run it does not start."
    : `Results after ${clockNear(future.knownMs, atMs, calendar)} are not computed yet.`;
}

/** What a running job does now where that is no progress, in a sentence; "" = it works. */
export function phaseWords(held: readonly StoryRect[]): string {
  for (const [state, words] of PHASES) {
    if (held.some(({ memberState }) => memberState === MemberStateCode[state])) return `${words} `;
  }
  return "";
}

/** What stops all members comes first. */
const PHASES: readonly (readonly [MemberState, string])[] = [
  [
    "stalled",
    "It hangs now: it has lost members, and nothing goes on until its collective times out.",
  ],
  ["ending", "It has been told to end."],
  ["checkpointing", "It saves its state now."],
  ["restoring", "It reads its state back, or forms its group anew."],
  ["starting", "It starts up now."],
];
