/**
 * Messages between page and worker. Control goes through comlink (`RunHost`); results come back through a message port as
 * transferred columns, with credit: the worker sends at most two unacknowledged chunks.
 *
 * The page sends the whole document at each change. The worker finds the earliest time at which it differs from the last one,
 * goes back to the nearest snapshot before it and runs ahead from there; chunks that end before it stay valid.
 */

import type { Joined } from "../base/joinTexts.ts";
import type { Problem } from "../base/problem.ts";
import type { JobFacts } from "../engine/jobFacts.ts";
import type { Explanation } from "../engine/view.ts";
import type { Cluster } from "../model/cluster.ts";
import type { JobTable, NameList } from "../model/jobs.ts";
import type { QueueFacts } from "../model/kubernetes/queueFacts.ts";
import type { QuotaCell } from "../model/kubernetes/quotaCells.ts";
import type { Candidates } from "../model/lab/candidates.ts";
import type { Traffic } from "../model/lab/jobLife.ts";
import type { ServiceInfo } from "../model/lab/services.ts";
import type { ShareRow } from "../model/lab/shares.ts";
import type { KeptWindow } from "../model/lab/tenancy.ts";
import type { SlurmTables } from "../model/slurm/tables.ts";
import type { TeamInfo, TierInfo } from "../model/world.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";
import type { FormHead, FormObject } from "../scenario/kubernetes/form/formSpec.ts";
import type { LibraryEntry } from "../scenario/library/entry.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { ConfigNote, SlurmFiles } from "../scenario/slurm/report.ts";

/** A scenario made ready: everything the page draws beside the record. */
export interface Stage {
  readonly generation: number;
  readonly cluster: Cluster;
  readonly jobs: Pick<
    JobTable,
    "count" | "at" | "components" | "ids" | "names" | "users" | "gpuModels"
  > &
    Partial<Pick<JobTable, "migProfiles" | "lab">>;
  readonly tiers: readonly TierInfo[];
  readonly teams: readonly TeamInfo[];
  readonly services?: readonly Pick<ServiceInfo, "id" | "targetMs">[];
  /** What jobs send in a step, where the network is modelled. `ofJob`: 1 + place in `kinds`, 0 = nothing. */
  readonly traffic?: {
    readonly kinds: readonly Traffic[];
    readonly ofJob: Uint32Array<ArrayBuffer>;
  };
  readonly queues: readonly string[];
  /** What gauges of quota count, by number; absent = no pool has quotas of ClusterQueues. */
  readonly quotaCells?: readonly QuotaCell[];
  readonly poolIds: readonly string[];
  readonly poolOfJob: Uint8Array<ArrayBuffer>;
  /** What the reader of a trace reports: rows skipped and noted, by reason. */
  readonly importNotes: readonly string[];
}

/** What is new in a stage against the one sent before it: of most edits nothing of cluster and jobs. */
export interface SentStage extends Omit<Stage, "cluster" | "jobs" | "poolOfJob" | "traffic"> {
  /** Null: as before. */
  readonly cluster: Cluster | null;
  readonly jobs: SentJobs | null;
}

/** Jobs from some number on; those before it are as in the stage before. */
export interface SentJobs {
  readonly keepJobs: number;
  readonly keepComponents: number;
  /** Rows of the columns from there on; `count` is that of all jobs, and `firstComponent` counts all components. */
  readonly table: Omit<Stage["jobs"], "ids" | "names"> & {
    readonly ids: SentNames;
    readonly names: SentNames;
  };
  readonly poolOfJob: Stage["poolOfJob"];
  readonly traffic?: Stage["traffic"];
}

/** A list of names as it crosses. Where jobs are named by their ids the two lists share one object, which crosses once. */
export interface SentNames {
  readonly numbers: NameList["numbers"];
  readonly texts: Joined;
}

/** The workload of a document that crosses, by a number of the page's. `whole`: it is in the document; else the worker has it, and an empty one stands there. */
export interface SentWorkload {
  readonly key: number;
  readonly whole: boolean;
}

/** `S`: the stage as it crosses, or as the page puts it together. */
export type OpenOutcome<S = Stage> =
  | {
      readonly kind: "opened";
      readonly stage: S;
      /** Chunks of the last generation that stay valid. */
      readonly keepChunks: number;
      /** The run of this generation is the run again, all of it; nothing of it is sent. */
      readonly again?: number;
      /** The complete generation whose record the worker may name later; the page keeps it, and no other. */
      readonly keeps?: number | null;
    }
  | { readonly kind: "problems"; readonly problems: readonly Problem[] }
  | {
      readonly kind: "traceNeeded";
      readonly name: string;
      readonly sha256: string;
      readonly bytes: number;
    };

/** What crosses. `workloadNeeded`: the worker has let it go, and the document is to be sent whole. */
export type SentOutcome = OpenOutcome<SentStage> | { readonly kind: "workloadNeeded" };

export interface Progress {
  readonly generation: number;
  readonly simulatedMs: number;
  /** The end of the run as far as it is known: the horizon, or the time reached. */
  readonly endMs: number;
  readonly events: number;
  readonly jobsDone: number;
  readonly jobs: number;
  readonly done: boolean;
  readonly cancelled: boolean;
}

export type DataMessage =
  | {
      readonly kind: "chunk";
      readonly generation: number;
      readonly index: number;
      readonly chunk: Chunk;
      readonly open: OpenSet;
    }
  | { readonly kind: "progress"; readonly progress: Progress }
  /** From chunk `index` on the record is that of an earlier generation that was complete, from its `fromChunk` on. The page has that one: it is the one that the outcome of `open` says is kept. */
  | {
      readonly kind: "joined";
      readonly generation: number;
      readonly index: number;
      readonly former: number;
      readonly fromChunk: number;
    }
  | {
      readonly kind: "done";
      readonly generation: number;
      readonly digest: string;
      readonly endMs: number;
      readonly refused: Readonly<Record<string, number>>;
    }
  | {
      readonly kind: "failed";
      readonly generation: number;
      readonly message: string;
      readonly stack: string;
    };

/** Page to worker, on the data port: one chunk taken in. */
export type DataAck = { readonly kind: "ack"; readonly generation: number };

export interface RunHost {
  /** Must be called first: the port for data. */
  connect(port: MessagePort): Promise<void>;
  /** Takes the document and runs ahead. Resolves when it is validated and staged, before the run is complete. */
  open(scenario: Scenario, workload?: SentWorkload): Promise<SentOutcome>;
  /** Reads a scenario file: decoded, checked, with its defaults. Nothing is opened. The worker keeps its workload under `key`; `have`: numbers that the page has; `most`: bytes, where they are not those of a file. */
  readDocument(
    file: Blob,
    key?: number,
    have?: readonly number[],
    most?: number,
  ): Promise<DocumentOutcome>;
  /** Reads the scenario of a link: unpacked, checked, with its defaults. Nothing is opened. */
  readLink(text: string): Promise<LinkOutcome>;
  /** A scenario of the library; null for an unknown id. */
  readEntry(id: string): Promise<ReadEntry | null>;
  /** Hands over a dropped file: read, parsed, kept in the worker by content hash. The page names the file and never holds its bytes. */
  addTrace(name: string, file: Blob): Promise<TraceOutcome>;
  /**
   * Reads files of a Slurm cluster (slurm.conf, gres.conf, topology.conf, accounting), told apart by their content, as a scenario
   * of their own and into the open one. Nothing is opened. `other`: none of them is such a file.
   */
  readSlurm(files: readonly GivenFile[], open: Scenario | null): Promise<SlurmOutcome>;
  /** Reads the YAML of a policy for its editor; `withForm`: also its objects. */
  readYaml(text: string, withForm: boolean): Promise<YamlRead>;
  cancel(): Promise<void>;
  /** Go on after a cancel. */
  resume(): Promise<void>;
  /** A change at this time may come soon: computes what it will need while the run is over and nothing else is asked. A newer time ends an older one. */
  prepare(atMs: number): Promise<void>;
  /** Why this job waits at this time, by re-execution from the nearest snapshot. */
  explain(jobIdx: number, atMs: number): Promise<Explanation | null>;
  /** When and where waiting jobs are planned to start, as `explain`; jobs without a plan are left out. */
  planned(jobs: readonly number[], atMs: number): Promise<readonly PlannedStart[]>;
  /** Who uses how much in a pool at this time; empty where its scheduler keeps no books, or nothing is open. */
  shares(pool: number, atMs: number): Promise<readonly ShareRow[]>;
  /** The queues of a pool's admission with their quotas at this time; empty where its scheduler has none. */
  queues(pool: number, atMs: number): Promise<readonly QueueFacts[]>;
  /** Windows and reservations of a pool as its scheduler keeps them at this time. */
  windows(pool: number, atMs: number): Promise<readonly KeptWindow[]>;
  /** The tables of a pool whose scheduler has some, at this time; null where it has none, or nothing is open. */
  tables(pool: number, atMs: number): Promise<PoolTables | null>;
  /**
   * Runs another document beside the open one, from where they differ until this job starts, and says when. Nothing is opened. A newer question ends
   * an older one, which then says `null`.
   */
  tryDocument(document: Scenario, jobId: string, workload?: SentWorkload): Promise<Trial | null>;
  /** The nodes that a waiting job could go to and what takes each away, at this time; null where its scheduler does not say. */
  candidates(jobIdx: number, atMs: number): Promise<Candidates | null>;
  /** What a job depends on, and what its pool's scheduler says of it, at this time. */
  jobFacts(jobIdx: number, atMs: number): Promise<JobFacts | null>;
}

export interface YamlRead {
  /** What is wrong, by line from 1. */
  readonly findings: readonly { readonly line: number; readonly sentence: string }[];
  /** Null: not asked for, or the text is no YAML. */
  readonly objects: readonly FormObject[] | null;
  /** Of the objects, where these were not asked for. */
  readonly heads: readonly FormHead[];
}

/** Where the scheduler has a job that waits. */
export interface PlannedStart {
  readonly jobIdx: number;
  readonly plannedMs: number;
  /** Any order; empty where only the time is planned. */
  readonly nodes: readonly number[];
}

/** Tables of which `squeue` and `sprio` hold the jobs of highest priority, in that order. */
export interface PoolTables extends SlurmTables {
  /** Pending jobs in all. */
  readonly pending: number;
}

/** What becomes of one job under another document. */
export type Trial =
  /** Its first start at or after the change; who holds what is not told. */
  | { readonly kind: "starts"; readonly startMs: number }
  /** It does not start before the run ends. */
  | { readonly kind: "never" }
  /** It was turned away: a code of `WaitReasonCode`. */
  | { readonly kind: "refused"; readonly reason: number }
  /** So many events went by without a start. */
  | { readonly kind: "tooLong"; readonly simulatedMs: number }
  | { readonly kind: "problems"; readonly problems: readonly Problem[] };

export type DocumentOutcome =
  | {
      readonly kind: "read";
      /** The scenario without its jobs as JSON: it crosses for less than its objects would, and parsing it is quick. */
      readonly json: string;
      /** Lists of its jobs in order, each as JSON in UTF-8, handed over: so that the page reads and parses a document of megabytes in turns. */
      readonly jobs: readonly ArrayBuffer[];
      /** The number under which the page has the same workload; then nothing of it is here. */
      readonly known: number | null;
      /** Its letters are no UTF-8: they were read as Windows-1252. */
      readonly guessed: boolean;
    }
  | { readonly kind: "problems"; readonly problems: readonly Problem[] };

/** What the library says of a scenario beside its document. */
export type EntryFacts = Pick<LibraryEntry, "id" | "openAt" | "suggest">;

export interface ReadEntry {
  /** As JSON, with its defaults. */
  readonly json: string;
  readonly entry: EntryFacts;
}

export type LinkOutcome =
  | {
      readonly kind: "read";
      readonly json: string;
      /** The scenario of the library that it started from. */
      readonly entry: EntryFacts | null;
    }
  | { readonly kind: "problems"; readonly problems: readonly Problem[] };

export interface GivenFile {
  readonly name: string;
  readonly bytes: ArrayBuffer;
}

/** A scenario that the files describe, or what is wrong with them. */
export type ReadCluster =
  | {
      readonly kind: "scenario";
      /** As JSON, with its defaults. */
      readonly json: string;
      readonly notes: readonly ConfigNote[];
      /** Its cluster is the one that the files describe. */
      readonly newCluster: boolean;
    }
  | { readonly kind: "problems"; readonly problems: readonly Problem[] };

export type SlurmOutcome =
  | {
      readonly kind: "read";
      readonly files: readonly { readonly name: string; readonly file: keyof SlurmFiles }[];
      /** Files that are none of these, or a second one of a kind. */
      readonly others: readonly string[];
      /** Without jobs; null: no slurm.conf is among the files. */
      readonly own: ReadCluster | null;
      /** The open scenario with the files in it; null: nothing is open. */
      readonly joined: ReadCluster | null;
      /** Jobs that fit the cluster, as JSON; absent without a slurm.conf. */
      readonly load?: string;
      /** Letters of a file are no UTF-8: they were read as Windows-1252. */
      readonly guessed: boolean;
    }
  | { readonly kind: "other" }
  | { readonly kind: "problems"; readonly problems: readonly Problem[] };

export type TraceOutcome =
  | {
      readonly kind: "read";
      readonly name: string;
      readonly sha256: string;
      readonly bytes: number;
      readonly format: string;
      readonly jobs: number;
      /** GPUs, or processors, of the largest of them. */
      readonly largest: number;
      /** Who submitted them; empty where the file names nobody. */
      readonly users: readonly string[];
      readonly notes: readonly string[];
      /** A scenario that fits: the machine the file names, or the smallest one that serves it. */
      readonly suggested: Scenario;
    }
  | { readonly kind: "problems"; readonly problems: readonly Problem[] };
