/**
 * A scenario around a dropped trace, so that it can be seen at once: the machine that the file names, else the smallest one that
 * takes its largest job and is offered at most 85 % of its capacity. How it was chosen is said in one sentence; the user sees
 * it and may change it.
 */

import { assert } from "../base/assert.ts";
import { civilOfDay } from "../base/civilDate.ts";
import { countText, NBSP, numberText } from "../base/format.ts";
import { LIMITS } from "../model/limits.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../model/units.ts";
import { readScenario } from "../scenario/read.ts";
import type { Scenario, ScenarioInput } from "../scenario/schema.ts";
import { isOutside, type ParsedWorkload } from "./parsed.ts";

const LOAD_WANTED = 0.85;
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
  const machine = parsed.machine.flat ? flatMachine(parsed) : gpuCluster(parsed);
  const read = readScenario({
    version: 1,
    title: titleOf(trace.name),
    ...calendarStart(parsed),
    cluster: machine.cluster,
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
  const { largest, forLoad } = demandOf(parsed);
  return Math.max(largest, forLoad);
}

interface Machine {
  readonly cluster: ScenarioInput["cluster"];
  readonly how: string;
}

function flatMachine(parsed: ParsedWorkload): Machine {
  const demand = demandOf(parsed);
  const named = parsed.machine.processors;
  const wanted = named ?? devicesFor(parsed);
  const processors = Math.min(LIMITS.devicesPerNode, wanted);
  const how =
    named !== undefined
      ? `The file names a machine of ${countText(named, "processor")}.`
      : `Chosen for it: ${countText(processors, "processor")}, so that its largest job (${numberText(demand.largest)}) has room and ${percent(demand.meanBusy / processors)} of their time are asked for.`;
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
  const demand = demandOf(parsed);
  const wanted = parsed.machine.nodes ?? Math.ceil(devicesFor(parsed) / GPUS_PER_NODE);
  const nodes = Math.min(LIMITS.nodes, LIMITS.devices / GPUS_PER_NODE, Math.max(1, wanted));
  const load = percent(demand.meanBusy / (nodes * GPUS_PER_NODE));
  return {
    cluster: {
      nodeGroups: [{ id: "gpu", count: nodes, gpuModel: "GPU", gpuMemGiB: 0, gpus: GPUS_PER_NODE }],
      fabric: { nodesPerLeaf: Math.min(NODES_PER_LEAF, nodes) },
    },
    how: `Chosen for it: ${countText(nodes, "node")} of ${countText(GPUS_PER_NODE, "GPU")}, so that its largest job (${countText(demand.largest, "GPU")}) has room and ${load} of their time are asked for.`,
  };
}

interface Demand {
  /** Devices of the largest job. */
  readonly largest: number;
  /** Devices busy on average while jobs are submitted. */
  readonly meanBusy: number;
  /** Devices that would be busy `LOAD_WANTED` of that time. */
  readonly forLoad: number;
}

function demandOf(parsed: ParsedWorkload): Demand {
  const { submitMs, runMs, devices } = parsed.at;
  let largest = 1;
  let deviceMs = 0;
  let lastMs = parsed.firstSubmitMs;
  for (let job = 0; job < parsed.count; job++) {
    largest = Math.max(largest, devices[job]!);
    deviceMs += devices[job]! * runMs[job]!;
    if (!isOutside(submitMs[job]! - parsed.firstSubmitMs))
      lastMs = Math.max(lastMs, submitMs[job]!);
  }
  const meanBusy = deviceMs / Math.max(HOUR_MS, lastMs - parsed.firstSubmitMs);
  return { largest, meanBusy, forLoad: Math.ceil(meanBusy / LOAD_WANTED) };
}

function percent(part: number): string {
  return `${Math.round(part * 100)}${NBSP}%`;
}

function titleOf(name: string): string {
  const short = name.replace(/\.gz$/, "").replace(/\.(swf|csv|txt)$/, "");
  return short.slice(0, LIMITS.nameLength) || "Trace";
}

/** The wall clock of the first kept job, where the file gives one. */
function calendarStart(parsed: ParsedWorkload): { calendarStart?: string } {
  if (parsed.originUnixSec === null) return {};
  const atMs = parsed.originUnixSec * SECOND_MS + parsed.firstSubmitMs;
  const days = Math.floor(atMs / DAY_MS);
  const seconds = Math.floor((atMs - days * DAY_MS) / SECOND_MS);
  const { year, month, day } = civilOfDay(days);
  if (year < 1 || year > 9_999) return {};
  const two = (number: number) => String(number).padStart(2, "0");
  const time = `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return { calendarStart: `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T${time}` };
}
