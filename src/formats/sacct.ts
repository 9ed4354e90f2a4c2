/**
 * `sacct --parsable2` (or `--parsable`), with or without its header line: jobs of a Slurm accounting database, columns by name in any
 * order. A job is what it held: nodes, CPUs, GPUs and memory of AllocTRES (else ReqTRES, else the older columns), for as long as it
 * ran. Steps are part of their job; of the runs of a requeued job (`--duplicates`) the last one counts. Sources: sacct(1).
 */
import { Table } from "../base/columns.ts";
import { numberText } from "../base/format.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { err, ok } from "../base/result.ts";
import { LIMITS } from "../model/limits.ts";
import { SECOND_MS } from "../model/units.ts";
import { PARSED_ASK_SHAPE, PARSED_JOB_SHAPE } from "../workload/parsed.ts";
import type { ForeignWorkload } from "./foreign.ts";
import { Tally } from "./foreign.ts";
import { guessColumns } from "./sacctGuess.ts";
import type { SacctJob } from "./sacctJob.ts";
import { SacctJobs } from "./sacctJob.ts";
import { SacctNames } from "./sacctNames.ts";
import type { SacctColumns, SacctRow } from "./sacctRows.ts";
import { columnsOf, fitRow, walkSacct } from "./sacctRows.ts";
import { submitSpan } from "./submitSpan.ts";

const SAMPLE_BYTES = 256 * 1_024;
const SECONDS_PER_HOUR = 3_600;

/** Delimiters that people use, by preference. */
const DELIMITERS = ["|", "\u001f", "\t", ";", ","];

export interface SacctLayout {
  readonly format: "sacct" | "sacct-noheader";
  readonly delimiter: string;
  /** Column names in order. */
  readonly names: readonly string[];
}

/** How a file of sacct is laid out; null where it is none. O(1): looks at the first 256 KiB. */
export function sacctLayout(bytes: Uint8Array): SacctLayout | null {
  const cut = bytes.length > SAMPLE_BYTES;
  const text = new TextDecoder().decode(bytes.subarray(0, SAMPLE_BYTES));
  const lines = text.split(/\r?\n/).filter((line) => line !== "");
  if (cut) lines.pop();
  const first = lines[0];
  if (first === undefined) return null;
  for (const delimiter of DELIMITERS) {
    const names = first.split(delimiter);
    const known = new Set(names.map((name) => name.trim().toLowerCase()));
    const isHeader = known.has("state") && (known.has("submit") || known.has("start"));
    if (isHeader && names.length > 2) return { format: "sacct", delimiter, names };
    const guessed = guessColumns(lines, delimiter);
    if (guessed !== null)
      return {
        format: "sacct-noheader",
        delimiter,
        names: guessed.map((name, index) => name || `column ${index + 1}`),
      };
  }
  return null;
}

/** Reads the output of sacct. O(bytes); about two seconds for a million rows. Called through `registry.ts`. */
export function readSacct(bytes: Uint8Array, name: string): Result<ForeignWorkload, Problem[]> {
  const layout = sacctLayout(bytes);
  if (layout === null) {
    return err([
      {
        place: `${name}, line 1`,
        message: "The first line names no columns of sacct.",
        remedy:
          "Write the file with `sacct --parsable2 --format=JobID,User,Account,Partition,QOS,State,Submit,Start,End,ElapsedRaw,Timelimit,NNodes,NCPUS,ReqMem,ReqTRES,AllocTRES`.",
      },
    ]);
  }
  const collector = new SacctCollector(columnsOf(layout.names), layout);
  let header = layout.format === "sacct";
  walkSacct(bytes, layout.delimiter.charCodeAt(0), (row) => {
    if (header) header = false;
    else collector.add(row);
  });
  if (collector.rows === 0) {
    return err([
      {
        place: name,
        message: "The file has no row of a job.",
        remedy: "Check that this is the right file.",
      },
    ]);
  }
  if (collector.kept > LIMITS.jobs) {
    return err([
      {
        place: name,
        message: `The file has ${numberText(collector.kept)} jobs; at most ${numberText(LIMITS.jobs)} are accepted.`,
        remedy: "Cut the file into parts.",
      },
    ]);
  }
  return ok(collector.finish());
}

class SacctCollector {
  /** Rows that describe a job. */
  rows = 0;
  readonly #columns: SacctColumns;
  readonly #layout: SacctLayout;
  readonly #reader: SacctJobs;
  readonly #jobs = new Table(
    { ...PARSED_JOB_SHAPE, ...PARSED_ASK_SHAPE, id: "f64", startSec: "f64" },
    4_096,
  );
  readonly #names = new SacctNames();
  readonly #skipped = new Tally();
  readonly #noted = new Tally();
  readonly #idTexts = new Map<number, string>();
  readonly #seen = new Map<number | string, number>();
  readonly #stateCounts = new Map<string, number>();
  #firstSec = Number.POSITIVE_INFINITY;
  #lastSec = Number.NEGATIVE_INFINITY;
  #previousSec = Number.NEGATIVE_INFINITY;
  #gpuSeconds = 0;
  #cpuSeconds = 0;
  #maxGpus = 0;
  #maxCpus = 0;

  constructor(columns: SacctColumns, layout: SacctLayout) {
    this.#columns = columns;
    this.#layout = layout;
    this.#reader = new SacctJobs(columns);
  }

  get kept(): number {
    return this.#jobs.length;
  }

  add(row: SacctRow): void {
    if (!fitRow(row, this.#columns)) {
      this.#skipped.add("badRow");
      return;
    }
    const job = this.#reader.read(row);
    if (job.step) {
      this.#skipped.add("step");
      return;
    }
    if (Number.isNaN(job.submitSec)) {
      this.#skipped.add("badRow");
      return;
    }
    this.rows++;
    this.#count(row, job);
    const reason = whyNotRunnable(job);
    if (reason === null) this.#keep(row, job);
    else this.#skipped.add(reason);
  }

  #count(row: SacctRow, job: SacctJob): void {
    this.#firstSec = Math.min(this.#firstSec, job.submitSec);
    this.#lastSec = Math.max(this.#lastSec, job.submitSec);
    if (job.submitSec < this.#previousSec) this.#noted.add("outOfOrder");
    this.#previousSec = job.submitSec;
    if (job.runSec > 0) this.#gpuSeconds += job.gpus * job.runSec;
    this.#cpuSeconds += job.cpuSec;
    this.#maxGpus = Math.max(this.#maxGpus, job.gpus);
    this.#maxCpus = Math.max(this.#maxCpus, job.cpus);
    this.#stateCounts.set(job.state, (this.#stateCounts.get(job.state) ?? 0) + 1);
    this.#names.meet(row, this.#columns);
  }

  #keep(row: SacctRow, job: SacctJob): void {
    const at = this.#rowFor(row, job);
    if (at < 0) return;
    const { jobs, asks } = { jobs: this.#jobs.at, asks: this.#jobs.at };
    jobs.submitMs[at] = job.submitSec * SECOND_MS;
    jobs.runMs[at] = Math.round(job.runSec * SECOND_MS);
    jobs.limitMs[at] = job.limitSec > 0 ? job.limitSec * SECOND_MS : Number.POSITIVE_INFINITY;
    jobs.devices[at] = Math.min(job.gpus, LIMITS.devicesAsked);
    jobs.startSec[at] = job.startSec;
    asks.nodes[at] = Math.min(job.nodes, LIMITS.devicesAsked);
    asks.cpus[at] = Math.min(job.cpus, LIMITS.devicesAsked);
    asks.memMiB[at] = job.memMiB;
    asks.fails[at] = job.fails ? 1 : 0;
    jobs.user[at] = this.#names.user;
    jobs.queue[at] = this.#names.queue;
    asks.team[at] = this.#names.team;
    asks.tier[at] = this.#names.tier;
    this.#names.vote(job.priority);
    if (job.runSec === 0) this.#noted.add("runZero");
    if (!(job.limitSec > 0) || job.limitSec === Number.POSITIVE_INFINITY)
      this.#noted.add("noLimit");
    else if (job.runSec > job.limitSec) this.#noted.add("runOverLimit");
    if (job.state === "RUNNING" || job.state === "SUSPENDED") this.#noted.add("stillRunning");
    if (job.estimated) this.#noted.add("runEstimated");
    if (job.component) this.#noted.add("hetComponent");
  }

  /** The row to fill: a new one, or that of an earlier run of the same job; −1 where a later run is there already. */
  #rowFor(row: SacctRow, job: SacctJob): number {
    const key = job.id >= 0 ? job.id : job.idText;
    const known = key === "" ? undefined : this.#seen.get(key);
    if (known !== undefined) {
      this.#skipped.add("earlierRun");
      return job.startSec >= this.#jobs.at.startSec[known]! ? known : -1;
    }
    this.#jobs.reserve(1);
    const at = this.#jobs.length++;
    this.#jobs.at.id[at] = key === "" ? row.line : job.id;
    if (key === "") return at;
    this.#seen.set(key, at);
    if (job.id < 0) this.#idTexts.set(at, job.idText);
    return at;
  }

  finish(): ForeignWorkload {
    const { id, startSec: _, nodes, cpus, memMiB, team, tier, fails, ...at } = this.#jobs.take();
    const count = id.length;
    const flat = !at.devices.some((gpus) => gpus > 0);
    if (flat) at.devices.set(cpus.map((amount) => Math.max(1, amount)));
    const span = submitSpan(at.submitMs);
    this.#skipped.add("submitTooFar", span.outside);
    const { tiers, rank } = this.#names.rankedTiers();
    const skipped = this.#skipped.counts();
    const noted = this.#noted.counts();
    const warnings = this.#warnings(flat, tiers.length);
    const has = (...names: string[]): boolean => names.some((name) => this.#columns.at.has(name));
    return {
      workload: {
        format: this.#layout.format,
        count,
        at,
        asks: {
          at: { nodes, cpus, memMiB, team, tier: tier.map((index) => rank[index]!), fails },
          teams: this.#names.teams,
          tiers,
        },
        ids: { numbers: id, texts: this.#idTexts },
        users: this.#names.users,
        queues: this.#names.queues,
        skipped,
        noted,
        warnings,
        machine: { flat },
        originUnixSec: 0,
        firstSubmitMs: span.firstMs,
      },
      facts: {
        format: this.#layout.format,
        jobs: this.rows,
        skipped,
        noted,
        submitFirstSec: this.#firstSec,
        submitLastSec: this.#lastSec,
        gpuHours: has("alloctres", "reqtres", "allocgres", "reqgres")
          ? this.#gpuSeconds / SECONDS_PER_HOUR
          : null,
        cpuHours: this.#cpuSeconds / SECONDS_PER_HOUR,
        maxGpus: has("alloctres", "reqtres", "allocgres", "reqgres") ? this.#maxGpus : null,
        maxProcs: this.#maxCpus,
        statusCounts: Object.fromEntries(this.#stateCounts),
        users: has("user") ? this.#names.usersMet : null,
        partitions: has("partition") ? this.#names.partitionsMet : null,
        nodes: null,
        processors: null,
        warnings,
      },
    };
  }

  #warnings(flat: boolean, tiers: number): string[] {
    const warnings: string[] = [];
    if (this.#layout.format === "sacct-noheader")
      warnings.push(
        "The file has no header line: times, states and resources were told by their form; users, accounts, partitions and QOS were not read.",
      );
    warnings.push(
      flat
        ? "No job has GPUs: CPUs are taken as processors of one machine. The file does not say how large its machine was."
        : "The file does not say which nodes its machine had.",
    );
    if (tiers > 2)
      warnings.push(
        this.#columns.at.has("priority")
          ? "Each QOS is a tier, in order of the mean priority of its jobs."
          : "Each QOS is a tier, in order of appearance: the file gives no priorities.",
      );
    return warnings;
  }
}

function whyNotRunnable(job: SacctJob): string | null {
  if (job.neverStarted) return "neverStarted";
  if (!(job.runSec >= 0)) return "runUnknown";
  if (job.runSec * SECOND_MS > LIMITS.workMs) return "runTooLong";
  return job.gpus + job.cpus > 0 ? null : "noProcessors";
}
