/**
 * A scenario around a dropped trace, so that it can be seen at once: the machine that the file names, else the smallest one on which
 * each job of the log can run and which is asked for at most 85 % of its time, counted as in `demand.ts`. How it was chosen is said in one sentence; the user
 * sees it and may change it.
 */

import { assert } from "../base/assert.ts";
import { civilOfDay } from "../base/civilDate.ts";
import { countText, NBSP, numberText } from "../base/format.ts";
import { LIMITS } from "../model/limits.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS, WHOLE_DEVICE } from "../model/units.ts";
import { readScenario } from "../scenario/read.ts";
import type { Scenario, ScenarioInput } from "../scenario/schema.ts";
import { type Demand, demandOver } from "./demand.ts";
import type { ParsedAsks, ParsedPods, ParsedWorkload } from "./parsed.ts";

const GPUS_PER_NODE = 8;
const NODES_PER_LEAF = 8;

export interface TraceIdentity {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface Suggestion {
  /** Valid: it has passed `readScenario`. */
  readonly scenario: Scenario;
  /** How the cluster was chosen, one sentence; what the file does not say is among its warnings. */
  readonly how: string;
}

/** Suggests a scenario for a trace. O(jobs). Called by worker (dropped files) and CLI (`run` on a trace). */
export function suggestScenario(trace: TraceIdentity, parsed: ParsedWorkload): Suggestion {
  const { asks } = parsed;
  const machine = parsed.machine.flat
    ? flatMachine(parsed)
    : asks === undefined
      ? gpuCluster(parsed)
      : nodesAsUsed(parsed, asks);
  const read = readScenario({
    version: 1,
    title: titleOf(trace.name),
    ...calendarStart(parsed),
    cluster: machine.cluster,
    ...namesFor(parsed),
    workload: {
      trace: { name: trace.name, format: parsed.format, sha256: trace.sha256, bytes: trace.bytes },
    },
  } satisfies ScenarioInput);
  assert(
    read.ok,
    `the suggestion for ${trace.name} is valid: ${read.ok ? "" : JSON.stringify(read.error)}`,
  );
  return { scenario: read.value, how: machine.how };
}

/** Devices that serve a workload: at least its largest job, offered at most 85 % of their time. O(jobs). */
export function devicesFor(parsed: ParsedWorkload): number {
  return Math.max(largestOf(parsed), Math.ceil(deviceDemand(parsed).wanted));
}

interface Machine {
  readonly cluster: ScenarioInput["cluster"];
  readonly how: string;
}

/** No cluster may be larger than the limits, and a log may ask for more. */
function roomFor(largest: number, devices: number, words: string): string {
  return largest <= devices
    ? `so that its largest job (${words}) has room and`
    : `the most that is accepted: its largest job (${words}) has no room, and`;
}

function flatMachine(parsed: ParsedWorkload): Machine {
  const largest = largestOf(parsed);
  const named = parsed.machine.processors;
  const wanted = named ?? devicesFor(parsed);
  const processors = Math.min(LIMITS.devicesPerNode, wanted);
  const how =
    named !== undefined
      ? `The file names a machine of ${countText(named, "processor")}.`
      : `Chosen for it: ${countText(processors, "processor")}, ${roomFor(largest, processors, numberText(largest))} ${loadWords(deviceDemand(parsed), processors, "their")}.`;
  return {
    cluster: {
      flat: true,
      nodeGroups: [
        {
          id: "machine",
          count: 1,
          gpuModel: "processor",
          gpuMemGiB: 0,
          gpus: processors,
          nvswitchNodes: 0,
        },
      ],
    },
    how,
  };
}

function gpuCluster(parsed: ParsedWorkload): Machine {
  const largest = largestOf(parsed);
  const pods = parsed.pods && podNode(parsed, parsed.pods);
  const wanted =
    parsed.machine.nodes ??
    Math.max(Math.ceil(devicesFor(parsed) / GPUS_PER_NODE), pods?.nodes ?? 1);
  const nodes = Math.min(LIMITS.nodes, LIMITS.devices / GPUS_PER_NODE, wanted);
  const gpus = nodes * GPUS_PER_NODE;
  const each = [countText(GPUS_PER_NODE, "GPU"), ...(pods?.words ?? [])].join(", ");
  return {
    cluster: {
      nodeGroups: [
        {
          id: "gpu",
          count: nodes,
          gpuModel: "GPU",
          gpuMemGiB: 0,
          gpus: GPUS_PER_NODE,
          ...pods?.has,
        },
      ],
      fabric: { nodesPerLeaf: Math.min(NODES_PER_LEAF, nodes) },
    },
    how: `Chosen for it: ${countText(nodes, "node")} of ${each}, ${roomFor(largest, gpus, countText(largest, "GPU"))} ${loadWords(deviceDemand(parsed), gpus, pods ? "the GPUs’" : "their")}.${pods?.unheeded ?? ""}`,
  };
}

/** CPUs and memory of the most common node of Alibaba's GPU trace of 2023. */
const POD_NODE = { cpus: 96, memGiB: 384 };

interface PodNode {
  readonly has: { readonly cpus: number; readonly memGiB: number };
  readonly words: readonly string[];
  /** What the pods ask for beside it, one sentence; "" = nothing. */
  readonly unheeded: string;
  /** So many that CPUs and memory last. */
  readonly nodes: number;
}

/** A node that takes each pod: the most common one, or as large as the largest ask. O(pods). */
function podNode(parsed: ParsedWorkload, pods: ParsedPods): PodNode {
  const { cpuMilli, memMiB } = pods.at;
  let [cpus, memGiB]: [number, number] = [POD_NODE.cpus, POD_NODE.memGiB];
  for (let job = 0; job < parsed.count; job++) {
    cpus = Math.max(cpus, Math.ceil(cpuMilli[job]! / MILLI));
    memGiB = Math.max(memGiB, Math.ceil(memMiB[job]! / MIB_PER_GIB));
  }
  const forCpus = demandOver(parsed, (job) => cpuMilli[job]! / MILLI).wanted / cpus;
  const forMem = demandOver(parsed, (job) => memMiB[job]! / MIB_PER_GIB).wanted / memGiB;
  return {
    has: { cpus, memGiB },
    words: [countText(cpus, "CPU"), `${numberText(memGiB)}${NBSP}GiB`],
    unheeded: modelsWords(parsed, pods),
    nodes: Math.max(1, Math.ceil(forCpus), Math.ceil(forMem)),
  };
}

/** The file of pods does not say which models there are. */
function modelsWords({ count }: ParsedWorkload, { at, modelLists }: ParsedPods): string {
  let asking = 0;
  for (let job = 0; job < count; job++) if (modelLists[at.models[job]!]!.length > 0) asking += 1;
  if (asking === 0) return "";
  const ask = asking === 1 ? "asks" : "ask";
  return ` All GPUs are of one kind: ${countText(asking, "job")} that ${ask} for other models may run anywhere.`;
}

const MILLI = 1_000;
const MIB_PER_GIB = 1_024;
const MOST_CPUS = 1_000_000;
/** CPUs and memory of a node for each GPU, where no job of the log used more. */
const CPUS_PER_GPU = 8;
const GIB_PER_GPU = 64;

/** Nodes that take the largest part of any job, in such number that GPUs and CPUs are offered at most 85 % of their time. O(jobs). */
function nodesAsUsed(parsed: ParsedWorkload, asks: ParsedAsks): Machine {
  const { devices } = parsed.at;
  let gpus = 1;
  let cpus = 1;
  let memMiB = 1;
  let most = 1;
  for (let job = 0; job < parsed.count; job++) {
    const nodes = Math.max(1, asks.at.nodes[job]!);
    most = Math.max(most, nodes);
    gpus = Math.max(gpus, Math.ceil(devices[job]! / nodes));
    cpus = Math.max(cpus, Math.ceil(asks.at.cpus[job]! / nodes));
    memMiB = Math.max(memMiB, Math.ceil(asks.at.memMiB[job]! / nodes));
  }
  cpus = Math.min(MOST_CPUS, Math.max(cpus, gpus * CPUS_PER_GPU));
  const memGiB = Math.min(MOST_CPUS, Math.max(Math.ceil(memMiB / MIB_PER_GIB), gpus * GIB_PER_GPU));
  const largest = largestOf(parsed);
  const forCpus = demandOver(parsed, (job) => asks.at.cpus[job]!).wanted / cpus;
  const wanted = Math.max(most, Math.ceil(devicesFor(parsed) / gpus), Math.ceil(forCpus));
  const nodes = Math.max(1, Math.min(LIMITS.nodes, Math.floor(LIMITS.devices / gpus), wanted));
  return {
    cluster: {
      nodeGroups: [{ id: "gpu", count: nodes, gpuModel: "GPU", gpuMemGiB: 0, gpus, cpus, memGiB }],
      fabric: { nodesPerLeaf: Math.min(NODES_PER_LEAF, nodes) },
    },
    how: `Chosen for it: ${countText(nodes, "node")} of ${countText(gpus, "GPU")}, ${countText(cpus, "CPU")} and ${numberText(memGiB)}${NBSP}GiB, ${roomFor(largest, nodes * gpus, countText(largest, "GPU"))} ${loadWords(deviceDemand(parsed), nodes * gpus, "the GPUs’")}.`,
  };
}

const MOST_QUEUES = 256;

/** Accounts, QOS and partitions of the log as teams, tiers and queues, as far as a document may name them. O(jobs). */
function namesFor(parsed: ParsedWorkload): Pick<ScenarioInput, "tiers" | "teams" | "queues"> {
  const { asks } = parsed;
  if (asks === undefined) return {};
  const named = (list: readonly string[], most: number) =>
    list.filter((name) => name !== "").slice(0, most);
  const tiers = named(asks.tiers, LIMITS.tiers);
  return {
    teams: named(asks.teams, LIMITS.teams).map((id) => ({ id })),
    queues: named(parsed.queues, MOST_QUEUES),
    ...(tiers.length === 0
      ? {}
      : { tiers: tiers.map((id) => ({ id, name: id, letter: letterOf(id) })) }),
  };
}

function letterOf(name: string): string {
  return (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? name.slice(0, 1)).toUpperCase().slice(0, 2);
}

/** Devices of the largest job, at least one. O(jobs). */
export function largestOf({ at: { devices }, count }: ParsedWorkload): number {
  let largest = 1;
  for (let job = 0; job < count; job++) largest = Math.max(largest, devices[job]!);
  return largest;
}

/** A pod that shares a device asks for its part of it. */
function deviceDemand(parsed: ParsedWorkload): Demand {
  const { devices } = parsed.at;
  const shares = parsed.pods?.at.shareMilli;
  return demandOver(parsed, (job) => {
    const share = shares?.[job] ?? 0;
    return devices[job]! * (share === 0 ? 1 : share / WHOLE_DEVICE);
  });
}

/** "84 % of their time are asked for"; of an uneven log also how much in the tenth that it was chosen by. */
function loadWords({ mean, busiest }: Demand, devices: number, whose: string): string {
  const words = `${percent(mean / devices)} of ${whose} time are asked for`;
  return busiest === mean ? words : `${words}, ${percent(busiest / devices)} in its busiest tenth`;
}

function percent(part: number): string {
  return `${Math.round(part * 100)}${NBSP}%`;
}

function titleOf(name: string): string {
  const short = name.replace(/\.gz$/, "").replace(/\.(swf|csv|txt)$/, "");
  return short.slice(0, LIMITS.nameLength) || "Trace";
}

/** The wall clock of the first kept job, where the file gives one. */
function calendarStart(
  parsed: ParsedWorkload,
): Pick<ScenarioInput, "calendarStart" | "calendarUtcOffsetMin"> {
  if (parsed.originUnixSec === null) return {};
  const atMs = parsed.originUnixSec * SECOND_MS + parsed.firstSubmitMs;
  const days = Math.floor(atMs / DAY_MS);
  const seconds = Math.floor((atMs - days * DAY_MS) / SECOND_MS);
  const { year, month, day } = civilOfDay(days);
  if (year < 1 || year > 9_999) return {};
  const two = (number: number) => String(number).padStart(2, "0");
  const time = `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const zoneMin = Math.round((parsed.zoneSec ?? 0) / 60);
  return {
    calendarStart: `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T${time}`,
    ...(parsed.zoneSec === undefined || Math.abs(zoneMin) > DAY_MS / MINUTE_MS
      ? {}
      : { calendarUtcOffsetMin: zoneMin }),
  };
}
