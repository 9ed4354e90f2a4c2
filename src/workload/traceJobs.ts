/**
 * Jobs of an imported trace: straight from the reader's columns, a million in well under a second. Where the log has no time
 * limit, the run time stands for it, because a planning scheduler needs one; nothing is stopped there, so that start-up and
 * restarts cut nobody short.
 * Time 0 of the run is the submit time of the first kept job, or the start of the chosen part of the trace.
 */
import type { Cluster } from "../model/cluster.ts";
import { JOB_KINDS, JobFlag } from "../model/jobs.ts";
import type { JobLife } from "../model/lab/jobLife.ts";
import { PLAIN_LIFE } from "../model/lab/jobLife.ts";
import { SPEED_ONE } from "../model/units.ts";
import type { TraceRef } from "../scenario/schema.ts";
import type { Names } from "./explicitJobs.ts";
import { Missing, NO_NAME } from "./explicitJobs.ts";
import type { JobDraft } from "./jobDraft.ts";
import { isOutside, type ParsedAsks, type ParsedPods, type ParsedWorkload } from "./parsed.ts";

/** What has to be added to a time of the run to get the file's own clock, ms. For output that others compare with the file. */
export function fileClockOffsetMs(trace: TraceRef, parsed: ParsedWorkload): number {
  return parsed.firstSubmitMs + (trace.fromMs ?? 0);
}

/** Appends the jobs of a trace that lie in the chosen part of it. O(jobs). */
export function draftTrace(
  draft: JobDraft,
  names: Names,
  trace: TraceRef,
  parsed: ParsedWorkload,
  cluster: Cluster,
): void {
  const { flat } = cluster;
  const offsetMs = fileClockOffsetMs(trace, parsed);
  const lastMs =
    trace.untilMs === undefined ? Number.POSITIVE_INFINITY : trace.untilMs - (trace.fromMs ?? 0);
  const from = parsed.at;
  const team = names.teams.add(NO_NAME);
  const userOf = Uint32Array.from(parsed.users, (user) => draft.users.add(user));
  const queueOf = Uint16Array.from(parsed.queues, (queue) => names.queues.add(queue));
  const kind = JOB_KINDS.indexOf(flat ? "batch" : "training");
  const standardTier = names.tierOfKind[kind]!;
  const anywhere = trace.layout === "anywhere";
  const { asks } = parsed;
  const lives = parsed.pods === undefined ? [] : livesOf(parsed.pods, cluster);
  const known = asks === undefined ? null : knownNames(names, asks, standardTier);
  for (let i = 0; i < parsed.count; i++) {
    const submitMs = from.submitMs[i]! - offsetMs;
    if (isOutside(submitMs) || submitMs > lastMs) continue;
    const row = draft.addJob();
    const { at } = draft.jobs;
    at.submitMs[row] = submitMs;
    at.beginMs[row] = submitMs;
    at.workQ16[row] = from.runMs[i]! * SPEED_ONE;
    const limited = Number.isFinite(from.limitMs[i]!);
    at.limitMs[row] = limited ? from.limitMs[i]! : from.runMs[i]!;
    at.tier[row] = standardTier;
    at.team[row] = team;
    at.queue[row] = queueOf[from.queue[i]!]!;
    at.user[row] = userOf[from.user[i]!]!;
    at.kind[row] = kind;
    at.flags[row] = JobFlag.preemptible | JobFlag.gang | (limited ? 0 : JobFlag.limitless);
    nameRow(draft, row, parsed, i);
    if (asks !== undefined && known !== null) {
      at.tier[row] = known.tier[asks.at.tier[i]!]!;
      at.team[row] = known.team[asks.at.team[i]!]!;
      if (asks.at.fails[i] === 1) at.flags[row]! |= JobFlag.fails;
      if (names.anySlurm) {
        const missing =
          (asks.tiers[asks.at.tier[i]!] === "" ? Missing.tier : 0) |
          (asks.teams[asks.at.team[i]!] === "" ? Missing.team : 0) |
          (parsed.queues[from.queue[i]!] === "" ? Missing.queue : 0);
        if (missing !== 0) draft.missing.set(row, missing);
      }
    }
    if (parsed.pods !== undefined)
      layPod(draft, cluster, parsed.pods, i, from.devices[i]!, row, lives);
    else if (asks !== undefined && !flat && !anywhere)
      layAsked(draft, cluster, asks, i, from.devices[i]!);
    else layMembers(draft, from.devices[i]!, flat || anywhere ? 0 : names.gpusPerNode, flat);
  }
}

/** Tiers and teams that the document declares, by the log's numbers; every other QOS is the standard tier, every other account no team. */
function knownNames(names: Names, asks: ParsedAsks, standardTier: number) {
  return {
    tier: Uint8Array.from(asks.tiers, (name) => {
      const found = names.tiers.find(name);
      return found < 0 ? standardTier : found;
    }),
    team: Uint16Array.from(asks.teams, (name) => {
      const found = names.teams.find(name);
      return found < 0 ? names.teams.add(NO_NAME) : found;
    }),
  };
}

/** The wish behind each list of models; null where no node of the cluster has any of them, or any will do. */
function livesOf({ modelLists }: ParsedPods, cluster: Cluster): (JobLife | null)[] {
  return modelLists.map((models) => {
    const known = models.filter((model) =>
      cluster.groups.some((group) => group.gpuModel === model),
    );
    if (known.length === 0) return null;
    return {
      ...PLAIN_LIFE,
      nodes: {
        exclusive: false,
        labels: {},
        models: known.map((model) => ({ model, speedQ16: SPEED_ONE })),
        remoteNumaQ16: SPEED_ONE,
      },
    };
  });
}

/** One member on one node. CPUs and memory count where the nodes have any. */
function layPod(
  draft: JobDraft,
  cluster: Cluster,
  pods: ParsedPods,
  i: number,
  devices: number,
  job: number,
  lives: readonly (JobLife | null)[],
): void {
  const row = draft.addComponent(1, 1, devices, false);
  const { at } = draft.components;
  at.shareMilli[row] = pods.at.shareMilli[i]!;
  if (cluster.groups.some((group) => group.cpusPerNode > 0))
    at.cpuMilli[row] = pods.at.cpuMilli[i]!;
  if (cluster.groups.some((group) => group.memMiBPerNode > 0)) at.memMiB[row] = pods.at.memMiB[i]!;
  const life = lives[pods.at.models[i]!] ?? null;
  if (life !== null) draft.lab.set(job, life);
}

const CPU_MILLI = 1_000;
const MOST_I32 = 2_147_483_647;

/**
 * Nodes × GPUs as the job had them, each part on a node of its own with its share of CPUs and memory. GPUs that do not divide by the
 * nodes, or are more than a node of this cluster has, are laid out by their number. CPUs and memory count where the nodes have any.
 */
function layAsked(
  draft: JobDraft,
  cluster: Cluster,
  asks: ParsedAsks,
  i: number,
  devices: number,
): void {
  const gpusPerNode = cluster.groups.reduce((most, group) => Math.max(most, group.gpusPerNode), 0);
  const nodes = Math.max(1, asks.at.nodes[i]!);
  const gpus = devices / nodes;
  const asIs = Number.isInteger(gpus) && gpus <= gpusPerNode;
  const row = asIs
    ? draft.addComponent(nodes, nodes, gpus, true)
    : layMembers(draft, devices, gpusPerNode, false);
  const { at } = draft.components;
  const members = at.members[row]!;
  const share = (amount: number): number => Math.min(MOST_I32, Math.ceil(amount / members));
  if (cluster.groups.some((group) => group.cpusPerNode > 0))
    at.cpuMilli[row] = share(asks.at.cpus[i]! * CPU_MILLI);
  if (cluster.groups.some((group) => group.memMiBPerNode > 0))
    at.memMiB[row] = share(asks.at.memMiB[i]!);
}

function nameRow(draft: JobDraft, row: number, parsed: ParsedWorkload, i: number): void {
  const number = parsed.ids.numbers[i]!;
  if (number >= 0) {
    draft.numberJob(row, number);
    return;
  }
  const text = parsed.ids.texts.get(i) ?? String(i + 1);
  draft.nameJob(row, text, text);
}

/**
 * Lays one number of devices out as members, and returns the component's row: up to one node's GPUs on one node, whole
 * multiples on whole nodes, the rest anywhere. `gpusPerNode` 0: anywhere.
 */
export function layMembers(
  draft: JobDraft,
  devices: number,
  gpusPerNode: number,
  flat: boolean,
): number {
  if (flat || devices <= gpusPerNode) return draft.addComponent(1, 1, devices, false);
  if (gpusPerNode === 0 || devices % gpusPerNode !== 0)
    return draft.addComponent(devices, devices, 1, false);
  const nodes = devices / gpusPerNode;
  return draft.addComponent(nodes, nodes, gpusPerNode, true);
}
