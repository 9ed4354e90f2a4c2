/**
 * GPU jobs of the Microsoft ITP clusters 2021 (`itp-raw`) and ElasticFlow's experiment files made from them (`itp-ef`): CSV with
 * `job_id`, `submission_time` (s), `duration` (s), `num_gpu`, in any column order. They name no user, no status, no limit and no
 * cluster. A deadline, where there is one, is a wish of the experiment and not a time limit.
 */
import { Table } from "../base/columns.ts";
import { numberText } from "../base/format.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { err, ok } from "../base/result.ts";
import { LIMITS } from "../model/limits.ts";
import { SECOND_MS } from "../model/units.ts";
import { PARSED_JOB_SHAPE } from "../workload/parsed.ts";
import { readCsv } from "./csv.ts";
import type { ForeignWorkload } from "./foreign.ts";
import { Tally } from "./foreign.ts";
import { submitSpan } from "./submitSpan.ts";

const COLUMNS = ["job_id", "submission_time", "duration", "num_gpu"] as const;
const SECONDS_PER_HOUR = 3_600;

/** Reads an ITP file. O(bytes). Called through `registry.ts`. */
export function readItp(bytes: Uint8Array, name: string): Result<ForeignWorkload, Problem[]> {
  const csv = readCsv(bytes, name, COLUMNS);
  if (!csv.ok) return csv;
  const jobs = new Table(PARSED_JOB_SHAPE, 4_096);
  const skipped = new Tally();
  const noted = new Tally();
  const idTexts = new Map<number, string>();
  const seen = new Set<string>();
  const sums = {
    rows: 0,
    gpuSeconds: 0,
    maxGpus: 0,
    firstSec: Infinity,
    lastSec: -Infinity,
    previousSec: -Infinity,
  };
  for (const [id = "", submitText = "", durationText = "", gpuText = ""] of csv.value.rows) {
    const submitSec = numberOf(submitText);
    const durationSec = numberOf(durationText);
    const gpus = numberOf(gpuText);
    if (Number.isNaN(submitSec) || Number.isNaN(durationSec) || Number.isNaN(gpus)) {
      skipped.add("badRow");
      continue;
    }
    addSums(sums, submitSec, durationSec, gpus);
    if (submitSec < sums.previousSec) noted.add("outOfOrder");
    sums.previousSec = submitSec;
    const reason = whyNotRunnable(durationSec, gpus);
    if (reason !== null) {
      skipped.add(reason);
      continue;
    }
    if (durationSec === 0) noted.add("runZero");
    if (submitSec < 0) noted.add("negativeSubmit");
    if (seen.has(id)) noted.add("duplicateId");
    idTexts.set(jobs.length, seen.has(id) ? `${id}#${sums.rows}` : id);
    seen.add(id);
    keep(jobs, submitSec, durationSec, gpus);
  }
  if (sums.rows === 0) {
    return err([
      {
        place: name,
        message: "The file has no row of job data.",
        remedy: "Check that this is the right file.",
      },
    ]);
  }
  if (jobs.length > LIMITS.jobs) {
    return err([
      {
        place: name,
        message: `The file has ${numberText(jobs.length)} jobs; at most ${numberText(LIMITS.jobs)} are accepted.`,
        remedy: "Cut the file into parts.",
      },
    ]);
  }
  return ok(
    finish(
      jobs,
      idTexts,
      skipped,
      noted,
      sums,
      csv.value.header.includes("deadline") ? "itp-ef" : "itp-raw",
    ),
  );
}

interface Sums {
  rows: number;
  gpuSeconds: number;
  maxGpus: number;
  firstSec: number;
  lastSec: number;
  previousSec: number;
}

function addSums(sums: Sums, submitSec: number, durationSec: number, gpus: number): void {
  sums.rows++;
  sums.gpuSeconds += durationSec * gpus;
  sums.maxGpus = Math.max(sums.maxGpus, gpus);
  sums.firstSec = Math.min(sums.firstSec, submitSec);
  sums.lastSec = Math.max(sums.lastSec, submitSec);
}

function whyNotRunnable(durationSec: number, gpus: number): string | null {
  if (durationSec < 0) return "runUnknown";
  if (durationSec * SECOND_MS > LIMITS.workMs) return "runTooLong";
  return gpus >= 1 ? null : "noGpus";
}

function keep(
  jobs: Table<typeof PARSED_JOB_SHAPE>,
  submitSec: number,
  durationSec: number,
  gpus: number,
): void {
  jobs.reserve(1);
  const job = jobs.length++;
  jobs.at.submitMs[job] = Math.round(submitSec * SECOND_MS);
  jobs.at.runMs[job] = Math.round(durationSec * SECOND_MS);
  jobs.at.limitMs[job] = Number.POSITIVE_INFINITY;
  jobs.at.devices[job] = Math.min(Math.ceil(gpus), LIMITS.devicesAsked);
}

function finish(
  jobs: Table<typeof PARSED_JOB_SHAPE>,
  idTexts: Map<number, string>,
  skipped: Tally,
  noted: Tally,
  sums: Sums,
  format: string,
): ForeignWorkload {
  const at = jobs.take();
  const count = at.submitMs.length;
  const span = submitSpan(at.submitMs);
  skipped.add("submitTooFar", span.outside);
  const counts = {
    skipped: skipped.counts(),
    noted: { ...noted.counts(), ...(count > 0 ? { noLimit: count } : {}) },
  };
  const warnings = ["The file names no cluster and no user."];
  return {
    workload: {
      format,
      count,
      at,
      ids: { numbers: new Float64Array(count).fill(-1), texts: idTexts },
      users: [""],
      queues: [""],
      ...counts,
      warnings,
      machine: { flat: false },
      originUnixSec: null,
      firstSubmitMs: span.firstMs,
    },
    facts: {
      format,
      jobs: sums.rows,
      ...counts,
      submitFirstSec: sums.firstSec,
      submitLastSec: sums.lastSec,
      gpuHours: sums.gpuSeconds / SECONDS_PER_HOUR,
      cpuHours: null,
      maxGpus: sums.maxGpus,
      maxProcs: null,
      statusCounts: null,
      users: null,
      partitions: null,
      nodes: null,
      processors: null,
      warnings,
    },
  };
}

function numberOf(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : Number.NaN;
}
