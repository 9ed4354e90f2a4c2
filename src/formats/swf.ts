/**
 * Standard Workload Format 2.2 (Parallel Workloads Archive) and its extension with more columns. One pass over the bytes gives
 * jobs and facts. For simulation a job is what its user asked for: submit (2), run time (4), processors asked for (8, else
 * those allocated, 5), requested time (9). For facts the sums are over what was allocated (5, else 8), the archive's own
 * rule. Times in the file are seconds after its time 0; the first job need not be at 0, and submit times may be negative.
 */
import { Table } from "../base/columns.ts";
import { numberText } from "../base/format.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { err, ok } from "../base/result.ts";
import { LIMITS } from "../model/limits.ts";
import { SECOND_MS } from "../model/units.ts";
import type { ParsedWorkload } from "../workload/parsed.ts";
import { PARSED_JOB_SHAPE } from "../workload/parsed.ts";
import type { FileFacts, ForeignWorkload } from "./foreign.ts";
import { Tally } from "./foreign.ts";
import { submitSpan } from "./submitSpan.ts";
import type { SwfHeader } from "./swfHeader.ts";
import { readSwfHeader } from "./swfHeader.ts";
import type { SwfRow } from "./swfRows.ts";
import { SWF_FIELDS, walkSwf } from "./swfRows.ts";

/** Fields by their place in a row (the standard counts from 1). */
const Field = {
  job: 0,
  submit: 1,
  run: 3,
  allocated: 4,
  asked: 7,
  limit: 8,
  status: 10,
  user: 11,
  queue: 14,
  partition: 15,
} as const;
/** What SWF writes for a field that is not given. */
const NO_QUEUE = -1;
const LEAST_FIELDS = 9;
const SECONDS_PER_HOUR = 3_600;

/** Reads an unpacked SWF file. O(bytes); about a second for 2 million rows. Called through `registry.ts`. */
export function readSwf(bytes: Uint8Array, name: string): Result<ForeignWorkload, Problem[]> {
  const headerLines: string[] = [];
  const collector = new SwfCollector();
  walkSwf(
    bytes,
    (row) => collector.add(row),
    (text) => headerLines.push(text),
  );
  if (collector.rows === 0) {
    return err([
      {
        place: name,
        message: "The file has no row of job data.",
        remedy:
          "An SWF row has 18 numbers, separated by blanks; check that this is the right file.",
      },
    ]);
  }
  if (collector.jobs.length > LIMITS.jobs) {
    return err([
      {
        place: name,
        message: `The file has ${numberText(collector.jobs.length)} jobs; at most ${numberText(LIMITS.jobs)} are accepted.`,
        remedy: "Cut the file into parts.",
      },
    ]);
  }
  return ok(collector.finish(readSwfHeader(headerLines)));
}

class SwfCollector {
  /** Rows of data, also those that cannot run. */
  rows = 0;
  readonly jobs = new Table({ ...PARSED_JOB_SHAPE, id: "f64" }, 4_096);
  readonly #skipped = new Tally();
  readonly #noted = new Tally();
  readonly #idTexts = new Map<number, string>();
  /** Job numbers so far, once one did not rise; before, all differ. */
  #seen: Set<number> | null = null;
  #lastId = -1;
  readonly #users = new Map<number, number>();
  readonly #queues = new Map<number, number>();
  readonly #usersOfFile = new Set<number>();
  readonly #partitionsOfFile = new Set<number>();
  readonly #statusCounts = new Map<number, number>();
  #submitFirstSec = Number.POSITIVE_INFINITY;
  #submitLastSec = Number.NEGATIVE_INFINITY;
  #lastRowSubmitSec = Number.NEGATIVE_INFINITY;
  #cpuSeconds = 0;
  #maxProcs = 0;
  #maxFields = 0;

  add(row: SwfRow): void {
    if (!row.numeric || row.fieldCount < LEAST_FIELDS) {
      this.#skipped.add(row.numeric ? "badRow" : "notNumbers");
      return;
    }
    this.rows++;
    this.#count(row);
    const reason = whyNotRunnable(row.fields);
    if (reason === null) this.#keep(row.fields);
    else this.#skipped.add(reason);
  }

  #count(row: SwfRow): void {
    const { fields } = row;
    const submitSec = fields[Field.submit]!;
    const runSec = fields[Field.run]!;
    const procs = allocatedOf(fields);
    this.#maxFields = Math.max(this.#maxFields, row.fieldCount);
    this.#submitFirstSec = Math.min(this.#submitFirstSec, submitSec);
    this.#submitLastSec = Math.max(this.#submitLastSec, submitSec);
    if (submitSec < this.#lastRowSubmitSec) this.#noted.add("outOfOrder");
    this.#lastRowSubmitSec = submitSec;
    if (submitSec < 0) this.#noted.add("negativeSubmit");
    if (runSec > 0 && procs > 0) this.#cpuSeconds += runSec * procs;
    this.#maxProcs = Math.max(this.#maxProcs, procs);
    this.#usersOfFile.add(fields[Field.user]!);
    this.#partitionsOfFile.add(fields[Field.partition]!);
    const status = fields[Field.status]!;
    this.#statusCounts.set(status, (this.#statusCounts.get(status) ?? 0) + 1);
  }

  #keep(fields: Float64Array): void {
    this.jobs.reserve(1);
    const job = this.jobs.length++;
    const { at } = this.jobs;
    const limitSec = fields[Field.limit]!;
    at.submitMs[job] = Math.round(fields[Field.submit]! * SECOND_MS);
    at.runMs[job] = Math.round(fields[Field.run]! * SECOND_MS);
    at.limitMs[job] = limitSec > 0 ? Math.round(limitSec * SECOND_MS) : Number.POSITIVE_INFINITY;
    at.devices[job] = Math.min(askedOf(fields), LIMITS.devicesAsked);
    at.user[job] = numberOf(this.#users, fields[Field.user]!);
    at.queue[job] = this.#queueOf(fields[Field.queue]!);
    at.id[job] = this.#idOf(fields[Field.job]!, job);
    this.#note(fields);
  }

  /** Queues past those that a run can tell apart are the nameless one. */
  #queueOf(value: number): number {
    const isNew = value >= 0 && !this.#queues.has(value);
    if (!isNew || this.#queues.size < LIMITS.traceQueues) return numberOf(this.#queues, value);
    this.#noted.add("queueBeyond");
    return numberOf(this.#queues, NO_QUEUE);
  }

  /** The job's number; −1, and a text, where an earlier row has the same number. */
  #idOf(number: number, job: number): number {
    const id = number >= 0 ? number : this.rows;
    if (this.#seen === null && id > this.#lastId) {
      this.#lastId = id;
      return id;
    }
    this.#seen ??= new Set(this.jobs.at.id.subarray(0, job));
    if (!this.#seen.has(id)) {
      this.#seen.add(id);
      return id;
    }
    this.#noted.add("duplicateId");
    this.#idTexts.set(job, `${id}#${this.rows}`);
    return -1;
  }

  #note(fields: Float64Array): void {
    const runSec = fields[Field.run]!;
    const limitSec = fields[Field.limit]!;
    const asked = fields[Field.asked]!;
    const allocated = fields[Field.allocated]!;
    if (runSec === 0) this.#noted.add("runZero");
    if (limitSec <= 0) this.#noted.add("noLimit");
    else if (runSec > limitSec) this.#noted.add("runOverLimit");
    if (asked <= 0) this.#noted.add("askedMissing");
    if (allocated <= 0) this.#noted.add("allocatedMissing");
    if (asked > 0 && allocated > 0 && asked !== allocated) this.#noted.add("allocatedNotAsked");
  }

  finish(header: SwfHeader): ForeignWorkload {
    const processors = header.processors ?? header.nodes;
    const warnings = sizeWarnings(header, this.#maxProcs);
    const { id, ...at } = this.jobs.take();
    for (let job = 0; processors !== null && job < id.length; job++) {
      if (at.devices[job]! > processors) this.#noted.add("largerThanMachine");
    }
    const span = submitSpan(at.submitMs);
    this.#skipped.add("submitTooFar", span.outside);
    const format = this.#maxFields > SWF_FIELDS ? "swf-ext" : "swf";
    const skipped = this.#skipped.counts();
    const noted = this.#noted.counts();
    const workload: ParsedWorkload = {
      format,
      count: id.length,
      at,
      ids: { numbers: id, texts: this.#idTexts },
      users: namesOf(this.#users),
      queues: namesOf(this.#queues),
      skipped,
      noted,
      warnings,
      machine: machineOf(processors, header.nodes),
      originUnixSec:
        header.unixStartSec === null ? null : header.unixStartSec + (header.zoneSec ?? 0),
      // UnixStartTime is of UTC by its definition, whether the file names a zone or not.
      ...(header.unixStartSec === null ? {} : { zoneSec: header.zoneSec ?? 0 }),
      firstSubmitMs: span.firstMs,
    };
    return { workload, facts: this.#facts(format, header, skipped, noted, warnings) };
  }

  #facts(
    format: string,
    header: SwfHeader,
    skipped: Record<string, number>,
    noted: Record<string, number>,
    warnings: readonly string[],
  ): FileFacts {
    return {
      format,
      jobs: this.rows,
      skipped,
      noted,
      submitFirstSec: this.#submitFirstSec,
      submitLastSec: this.#submitLastSec,
      gpuHours: null,
      cpuHours: this.#cpuSeconds / SECONDS_PER_HOUR,
      maxGpus: null,
      maxProcs: this.#maxProcs,
      statusCounts: Object.fromEntries(this.#statusCounts),
      users: this.#usersOfFile.size,
      partitions: this.#partitionsOfFile.size,
      nodes: header.nodes,
      processors: header.processors,
      warnings,
    };
  }
}

function allocatedOf(fields: Float64Array): number {
  return fields[Field.allocated]! > 0
    ? fields[Field.allocated]!
    : Math.max(0, fields[Field.asked]!);
}

function askedOf(fields: Float64Array): number {
  return Math.ceil(
    fields[Field.asked]! > 0 ? fields[Field.asked]! : Math.max(0, fields[Field.allocated]!),
  );
}

function whyNotRunnable(fields: Float64Array): string | null {
  if (fields[Field.run]! < 0) return "runUnknown";
  if (fields[Field.run]! * SECOND_MS > LIMITS.workMs) return "runTooLong";
  return askedOf(fields) > 0 ? null : "noProcessors";
}

function numberOf(numbers: Map<number, number>, value: number): number {
  const known = numbers.get(value);
  if (known !== undefined) return known;
  numbers.set(value, numbers.size);
  return numbers.size - 1;
}

/** −1 stands for "not given" in SWF. */
function namesOf(numbers: ReadonlyMap<number, number>): string[] {
  return [...numbers.keys()].map((value) => (value < 0 ? "" : String(value)));
}

function machineOf(processors: number | null, nodes: number | null): ParsedWorkload["machine"] {
  return {
    flat: true,
    ...(processors === null ? {} : { processors }),
    ...(nodes === null ? {} : { nodes }),
  };
}

function sizeWarnings(header: SwfHeader, maxProcs: number): string[] {
  if (header.processors !== null) return [];
  if (header.nodes !== null) {
    return [
      `The header gives no number of processors; its number of nodes, ${numberText(header.nodes)}, is taken.`,
    ];
  }
  return [
    `The file does not say how large its machine was; its largest job has ${numberText(maxProcs)} processor${maxProcs === 1 ? "" : "s"}.`,
  ];
}
