/**
 * Pods and nodes of Alibaba's cluster-trace-gpu-v2023 (`openb-pod`, `openb-node`): CSV; CPUs in 1/1,000, memory in MiB, a share of one GPU
 * in 1/1,000, allowed GPU models joined by `|` (empty = any), times in seconds after the start of the trace. A pod is one member on one node; pods
 * that stayed pending have no start, so how long they would run is not known. Files without times can be placed but not replayed.
 */
import { Table } from "../base/columns.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { err, ok } from "../base/result.ts";
import { LIMITS } from "../model/limits.ts";
import { SECOND_MS, WHOLE_DEVICE } from "../model/units.ts";
import { PARSED_JOB_SHAPE, PARSED_POD_SHAPE } from "../workload/parsed.ts";
import { readCsv } from "./csv.ts";
import type { FileFacts, ForeignWorkload } from "./foreign.ts";
import { Tally } from "./foreign.ts";
import { submitSpan } from "./submitSpan.ts";

const POD_COLUMNS = [
  "name",
  "cpu_milli",
  "memory_mib",
  "num_gpu",
  "gpu_milli",
  "gpu_spec",
  "qos",
  "pod_phase",
  "creation_time",
  "deletion_time",
  "scheduled_time",
] as const;
const NODE_COLUMNS = ["sn", "cpu_milli", "memory_mib", "gpu", "model"] as const;
const SECONDS_PER_HOUR = 3_600;

/** One pod as asked for, runnable or not. */
export interface OpenbPod {
  readonly name: string;
  readonly cpuMilli: number;
  readonly memMiB: number;
  readonly gpus: number;
  /** Of each GPU, in 1/1,000. */
  readonly gpuMilli: number;
  /** Each once, sorted; empty = any. */
  readonly models: readonly string[];
}

export interface OpenbNode {
  readonly name: string;
  readonly cpuMilli: number;
  readonly memMiB: number;
  readonly gpus: number;
  readonly model: string;
}

/** All pods in file order. Rows without numbers are left out. O(bytes). */
export function readOpenbPods(bytes: Uint8Array, name: string): Result<OpenbPod[], Problem[]> {
  const least = POD_COLUMNS.slice(0, 5);
  const csv = readCsv(bytes, name, least);
  if (!csv.ok) return csv;
  const full = csv.value.header.includes("gpu_spec")
    ? readCsv(bytes, name, POD_COLUMNS.slice(0, 6))
    : csv;
  if (!full.ok) return full;
  return ok(full.value.rows.flatMap((row) => podOf(row) ?? []));
}

function podOf(row: readonly string[]): OpenbPod | null {
  const [name = "", cpu = "", mem = "", gpus = "", milli = "", spec = ""] = row;
  const numbers = [cpu, mem, gpus, milli].map(numberOf);
  if (numbers.some(Number.isNaN)) return null;
  const [cpuMilli = 0, memMiB = 0, count = 0, gpuMilli = 0] = numbers;
  const models = [...new Set(spec.split("|").filter((model) => model !== ""))].sort();
  return { name, cpuMilli, memMiB, gpus: count, gpuMilli, models };
}

/** All nodes in file order. O(bytes). */
export function readOpenbNodes(bytes: Uint8Array, name: string): Result<OpenbNode[], Problem[]> {
  const csv = readCsv(bytes, name, NODE_COLUMNS);
  if (!csv.ok) return csv;
  return ok(
    csv.value.rows.map(([sn = "", cpu = "", mem = "", gpus = "", model = ""]) => ({
      name: sn,
      cpuMilli: numberOf(cpu),
      memMiB: numberOf(mem),
      gpus: numberOf(gpus),
      model,
    })),
  );
}

/** Reads a pod list with times. O(bytes). Called through `registry.ts`. */
export function readOpenb(bytes: Uint8Array, name: string): Result<ForeignWorkload, Problem[]> {
  const csv = readCsv(bytes, name, POD_COLUMNS);
  if (!csv.ok) return csv;
  const jobs = new Table(PARSED_JOB_SHAPE, 4_096);
  const pods = new Table(PARSED_POD_SHAPE, 4_096);
  const skipped = new Tally();
  const noted = new Tally();
  const idTexts = new Map<number, string>();
  const lists = new Map<string, number>([["", 0]]);
  const status: Record<string, number> = {};
  const sums = {
    rows: 0,
    gpuSec: 0,
    cpuSec: 0,
    maxGpus: 0,
    firstSec: Infinity,
    lastSec: -Infinity,
  };
  let previousSec = Number.NEGATIVE_INFINITY;
  for (const row of csv.value.rows) {
    const pod = podOf(row);
    const [createdSec, deletedSec, scheduledSec] = row.slice(8).map(numberOf) as [
      number,
      number,
      number,
    ];
    if (pod === null || Number.isNaN(createdSec)) {
      skipped.add("badRow");
      continue;
    }
    sums.rows++;
    const phase = row[7] ?? "";
    status[phase] = (status[phase] ?? 0) + 1;
    const lifeSec = Number.isNaN(deletedSec) ? 0 : deletedSec - createdSec;
    sums.gpuSec += (lifeSec * pod.gpus * pod.gpuMilli) / WHOLE_DEVICE;
    sums.cpuSec += (lifeSec * pod.cpuMilli) / WHOLE_DEVICE;
    sums.maxGpus = Math.max(sums.maxGpus, pod.gpus);
    sums.firstSec = Math.min(sums.firstSec, createdSec);
    sums.lastSec = Math.max(sums.lastSec, createdSec);
    if (createdSec < previousSec) noted.add("outOfOrder");
    previousSec = createdSec;
    const runSec = deletedSec - scheduledSec;
    const why = whyNotRunnable(scheduledSec, runSec);
    if (why !== null) {
      skipped.add(why);
      continue;
    }
    if (runSec === 0) noted.add("runZero");
    idTexts.set(jobs.length, pod.name);
    keep(jobs, pods, pod, createdSec, runSec, lists);
  }
  if (sums.rows === 0) {
    const remedy = "Check that this is the right file.";
    return err([{ place: name, message: "The file has no row of job data.", remedy }]);
  }
  const facts: FileFacts = {
    ...NO_FACTS,
    jobs: sums.rows,
    skipped: skipped.counts(),
    noted: noted.counts(),
    submitFirstSec: sums.firstSec,
    submitLastSec: sums.lastSec,
    gpuHours: sums.gpuSec / SECONDS_PER_HOUR,
    cpuHours: sums.cpuSec / SECONDS_PER_HOUR,
    maxGpus: sums.maxGpus,
    statusCounts: status,
  };
  return ok(finish(jobs, pods, idTexts, [...lists.keys()], facts));
}

const NO_FACTS: FileFacts = {
  format: "openb-pod",
  jobs: 0,
  skipped: {},
  noted: {},
  submitFirstSec: null,
  submitLastSec: null,
  gpuHours: null,
  cpuHours: null,
  maxGpus: null,
  maxProcs: null,
  statusCounts: null,
  users: null,
  partitions: null,
  nodes: null,
  processors: null,
  warnings: [],
};

function whyNotRunnable(scheduledSec: number, runSec: number): string | null {
  if (Number.isNaN(scheduledSec)) return "neverStarted";
  if (Number.isNaN(runSec) || runSec < 0) return "runUnknown";
  return runSec * SECOND_MS > LIMITS.workMs ? "runTooLong" : null;
}

function keep(
  jobs: Table<typeof PARSED_JOB_SHAPE>,
  pods: Table<typeof PARSED_POD_SHAPE>,
  pod: OpenbPod,
  createdSec: number,
  runSec: number,
  lists: Map<string, number>,
): void {
  jobs.reserve(1);
  pods.reserve(1);
  const job = jobs.length++;
  pods.length++;
  jobs.at.submitMs[job] = Math.round(createdSec * SECOND_MS);
  jobs.at.runMs[job] = Math.round(runSec * SECOND_MS);
  jobs.at.limitMs[job] = Number.POSITIVE_INFINITY;
  jobs.at.devices[job] = pod.gpus;
  pods.at.cpuMilli[job] = pod.cpuMilli;
  pods.at.memMiB[job] = pod.memMiB;
  pods.at.shareMilli[job] = pod.gpus === 1 && pod.gpuMilli < WHOLE_DEVICE ? pod.gpuMilli : 0;
  const list = pod.models.join("|");
  if (!lists.has(list)) lists.set(list, lists.size);
  pods.at.models[job] = lists.get(list)!;
}

function finish(
  jobs: Table<typeof PARSED_JOB_SHAPE>,
  pods: Table<typeof PARSED_POD_SHAPE>,
  idTexts: Map<number, string>,
  lists: readonly string[],
  facts: FileFacts,
): ForeignWorkload {
  const count = jobs.length;
  const at = jobs.take();
  const span = submitSpan(at.submitMs);
  return {
    facts,
    workload: {
      format: facts.format,
      count,
      at,
      pods: {
        at: pods.take(),
        modelLists: lists.map((list) => (list === "" ? [] : list.split("|"))),
      },
      ids: { numbers: new Float64Array(count).fill(-1), texts: idTexts },
      users: [""],
      queues: [""],
      skipped: facts.skipped,
      noted: facts.noted,
      warnings: facts.warnings,
      machine: { flat: false },
      originUnixSec: null,
      firstSubmitMs: span.firstMs,
    },
  };
}

function numberOf(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}
