/**
 * A scenario around a dropped trace, so that it can be seen at once: the machine that the file names, else the smallest one that
 * takes the largest job and keeps the offered load below a bound. The user sees it before it runs, and may change it.
 */

import { LIMITS } from "../model/limits.ts";
import { HOUR_MS } from "../model/units.ts";
import { readScenario } from "../scenario/read.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { ParsedWorkload } from "../workload/parsed.ts";

/** A cluster that is offered more than this never gets its queue down; below it, waiting can be studied. */
const LOAD_MOST = 0.8;
const GPUS_A_NODE = 8;
const NODES_A_LEAF = 8;

export interface TraceIdentity {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Devices that serve a workload: at least its largest job, at most `LOAD_MOST` of them busy on average. O(jobs). */
export function devicesFor(parsed: ParsedWorkload): number {
  const { submitMs, runMs, devices } = parsed.at;
  let largest = 1;
  let deviceMs = 0;
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = 0;
  for (let job = 0; job < parsed.count; job++) {
    largest = Math.max(largest, devices[job]!);
    deviceMs += devices[job]! * runMs[job]!;
    firstMs = Math.min(firstMs, submitMs[job]!);
    lastMs = Math.max(lastMs, submitMs[job]! + runMs[job]!);
  }
  const spanMs = Math.max(HOUR_MS, lastMs - firstMs);
  return Math.max(largest, Math.ceil(deviceMs / spanMs / LOAD_MOST));
}

/** The suggested scenario. Always valid: it passes the same door as a file. */
export function suggestScenario(trace: TraceIdentity, parsed: ParsedWorkload): Scenario {
  const { flat } = parsed.machine;
  const read = readScenario({
    version: 1,
    title: titleOf(trace.name),
    ...calendarOf(parsed),
    cluster: flat ? flatMachine(parsed) : gpuCluster(parsed),
    workload: { trace: { ...trace, format: parsed.format } },
  });
  if (!read.ok)
    throw new Error(`The suggested scenario is not valid: ${read.error[0]?.message ?? ""}`);
  return read.value;
}

function titleOf(name: string): string {
  const short = name.replace(/\.gz$/, "").replace(/\.(swf|csv|txt)$/, "");
  return short.slice(0, LIMITS.nameLength) || "Trace";
}

function flatMachine(parsed: ParsedWorkload): object {
  const processors = Math.min(
    parsed.machine.processors ?? devicesFor(parsed),
    LIMITS.devicesPerNode,
  );
  return {
    flat: true,
    nodeGroups: [
      { id: "machine", count: 1, gpuModel: "processor", gpuMemGiB: 0, gpus: processors },
    ],
  };
}

function gpuCluster(parsed: ParsedWorkload): object {
  const nodes = parsed.machine.nodes ?? Math.ceil(devicesFor(parsed) / GPUS_A_NODE);
  const count = Math.min(LIMITS.nodes, Math.max(1, nodes));
  return {
    nodeGroups: [{ id: "gpu", count, gpuModel: "GPU", gpuMemGiB: 0, gpus: GPUS_A_NODE }],
    fabric: { nodesPerLeaf: Math.min(NODES_A_LEAF, count) },
  };
}

/** The wall clock of time 0, where the file knows it. */
function calendarOf(parsed: ParsedWorkload): { calendarStart?: string } {
  if (parsed.originUnixSec === null) return {};
  const startMs = parsed.originUnixSec * 1_000 + parsed.firstSubmitMs;
  const year = new Date(startMs).getUTCFullYear();
  if (!(year >= 1980 && year <= 2200)) return {};
  return { calendarStart: new Date(startMs).toISOString().slice(0, 19) };
}
