/** One row of sacct as numbers: each value from the best column that has it. */
import { ByteNames } from "./byteNames.ts";
import type { Tres } from "./sacctFields.ts";
import {
  countOf,
  durationSec,
  gresGpus,
  limitSec,
  readTres,
  reqMemMiB,
  stateOf,
  timeSec,
  wholeNumber,
} from "./sacctFields.ts";
import type { SacctColumns, SacctRow } from "./sacctRows.ts";
import { fieldText } from "./sacctRows.ts";

export interface SacctJob {
  step: boolean;
  /** The job's number; −1 where it is no plain number (`123_4`, `123+0`). */
  id: number;
  idText: string;
  /** A component of a heterogeneous job. */
  component: boolean;
  state: string;
  neverStarted: boolean;
  fails: boolean;
  /** NaN where the row does not say. */
  submitSec: number;
  startSec: number;
  runSec: number;
  /** The run time follows from CPU time only. */
  estimated: boolean;
  limitSec: number;
  cpuSec: number;
  nodes: number;
  cpus: number;
  gpus: number;
  memMiB: number;
  priority: number;
}

const NO_TRES: Tres = { cpus: 0, nodes: 0, memMiB: 0, gpus: 0 };
/** Ended with an exit code other than 0, by its own doing. */
const FAILED = new Set(["FAILED", "OUT_OF_MEMORY", "BOOT_FAIL"]);
const DOT = 46;

/** A column whose texts repeat: each different text is read once. */
class CachedColumn<T> {
  readonly #field: number | undefined;
  readonly #read: (text: string) => T;
  readonly #texts = new ByteNames();
  readonly #values: T[] = [];

  constructor(columns: SacctColumns, name: string, read: (text: string) => T) {
    this.#field = columns.at.get(name);
    this.#read = read;
  }

  /** Undefined where the file has no such column. */
  of(row: SacctRow): T | undefined {
    const field = this.#field;
    if (field === undefined) return undefined;
    const number = this.#texts.add(row.bytes, row.from[field]!, row.to[field]!);
    if (number === this.#values.length) this.#values.push(this.#read(this.#texts.list[number]!));
    return this.#values[number];
  }
}

/** Reads rows into one job object that is reused. */
export class SacctJobs {
  readonly #at: (name: string) => number | undefined;
  readonly #state: CachedColumn<string>;
  readonly #allocated: CachedColumn<Tres>;
  readonly #asked: CachedColumn<Tres>;
  readonly #limitRaw: CachedColumn<number>;
  readonly #limit: CachedColumn<number>;
  readonly #job: SacctJob = {
    step: false,
    id: -1,
    idText: "",
    component: false,
    state: "",
    neverStarted: false,
    fails: false,
    submitSec: 0,
    startSec: 0,
    runSec: 0,
    estimated: false,
    limitSec: 0,
    cpuSec: 0,
    nodes: 0,
    cpus: 0,
    gpus: 0,
    memMiB: 0,
    priority: 0,
  };

  constructor(columns: SacctColumns) {
    this.#at = (name) => columns.at.get(name);
    this.#state = new CachedColumn(columns, "state", stateOf);
    this.#allocated = new CachedColumn(columns, "alloctres", readTres);
    this.#asked = new CachedColumn(columns, "reqtres", readTres);
    this.#limitRaw = new CachedColumn(columns, "timelimitraw", limitSec);
    this.#limit = new CachedColumn(columns, "timelimit", limitSec);
  }

  read(row: SacctRow): SacctJob {
    const job = this.#job;
    this.#readId(row, job);
    if (job.step) return job;
    job.state = this.#state.of(row) ?? "";
    job.submitSec = this.#time(row, "submit");
    job.startSec = this.#time(row, "start");
    // Without a column of submit times the start is the earliest that is known.
    if (this.#at("submit") === undefined) job.submitSec = job.startSec;
    this.#readSize(row, job);
    this.#readTimes(row, job);
    job.fails = FAILED.has(job.state);
    job.priority = this.#number(row, "priority");
    return job;
  }

  #readId(row: SacctRow, job: SacctJob): void {
    const field = this.#at("jobid") ?? this.#at("jobidraw");
    job.id = -1;
    job.idText = "";
    job.step = false;
    job.component = false;
    if (field === undefined) return;
    const from = row.from[field]!;
    const to = row.to[field]!;
    for (let at = from; at < to; at++) if (row.bytes[at] === DOT) job.step = true;
    if (job.step) return;
    const number = wholeNumber(row.bytes, from, to);
    if (!Number.isNaN(number)) job.id = number;
    else {
      job.idText = fieldText(row, field);
      job.component = job.idText.includes("+");
    }
  }

  #readSize(row: SacctRow, job: SacctJob): void {
    const allocated = this.#allocated.of(row) ?? NO_TRES;
    const asked = this.#asked.of(row) ?? NO_TRES;
    const tres = allocated.cpus > 0 ? allocated : asked;
    const first = (...amounts: number[]): number => amounts.find((amount) => amount > 0) ?? 0;
    const count = (name: string): number => this.#count(row, name);
    job.nodes = first(tres.nodes, count("allocnodes"), count("nnodes"), count("reqnodes"));
    job.cpus = first(tres.cpus, count("alloccpus"), count("ncpus"), count("reqcpus"));
    job.gpus = tres.gpus;
    if (job.gpus === 0 && tres === NO_TRES) {
      const gres = fieldText(row, this.#at("allocgres")) || fieldText(row, this.#at("reqgres"));
      if (gres !== "") job.gpus = gresGpus(gres) * Math.max(1, job.nodes);
    }
    job.memMiB = tres.memMiB;
    if (job.memMiB === 0) {
      const text = fieldText(row, this.#at("reqmem"));
      if (text !== "") job.memMiB = reqMemMiB(text, Math.max(1, job.nodes), job.cpus) || 0;
    }
  }

  #readTimes(row: SacctRow, job: SacctJob): void {
    const raw = this.#number(row, "elapsedraw");
    const cpuSec = this.#number(row, "cputimeraw");
    job.runSec = raw;
    if (Number.isNaN(job.runSec)) job.runSec = durationSec(fieldText(row, this.#at("elapsed")));
    if (Number.isNaN(job.runSec)) job.runSec = this.#time(row, "end") - job.startSec;
    job.estimated = Number.isNaN(job.runSec);
    if (job.estimated && job.cpus > 0) job.runSec = cpuSec / job.cpus;
    job.cpuSec = Number.isNaN(cpuSec) ? Math.max(0, (job.runSec || 0) * job.cpus) : cpuSec;
    const limitRaw = this.#limitRaw.of(row) ?? Number.NaN;
    job.limitSec = Number.isNaN(limitRaw) ? (this.#limit.of(row) ?? Number.NaN) : limitRaw;
    // More CPUs than are told (whole nodes) make the estimate too long; no job runs beyond its limit.
    if (job.estimated && job.limitSec > 0) job.runSec = Math.min(job.runSec, job.limitSec);
    const noStart = this.#at("start") !== undefined && Number.isNaN(job.startSec);
    job.neverStarted =
      noStart || job.state === "PENDING" || (job.state === "CANCELLED" && !(job.runSec > 0));
  }

  #time(row: SacctRow, name: string): number {
    const field = this.#at(name);
    return field === undefined ? Number.NaN : timeSec(row.bytes, row.from[field]!, row.to[field]!);
  }

  #number(row: SacctRow, name: string): number {
    const field = this.#at(name);
    return field === undefined
      ? Number.NaN
      : wholeNumber(row.bytes, row.from[field]!, row.to[field]!);
  }

  #count(row: SacctRow, name: string): number {
    const number = this.#number(row, name);
    return Number.isNaN(number) ? countOf(fieldText(row, this.#at(name))) : number;
  }
}
