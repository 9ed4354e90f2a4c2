/**
 * What single jobs do in their life beyond work and size, and what they ask of their nodes: resolved, so that nothing needs the document
 * any more. Jobs of one kind share one object (`JobTable.lab`); a job without an entry has none of it.
 */
import type { ElasticBatch } from "./elasticity.ts";

export interface JobLife {
  /** Image pull and container start before each run (ms). */
  readonly startupMs: number;
  readonly checkpoint: Checkpointing | null;
  readonly elastic: Elastic | null;
  readonly session: Session | null;
  /** Absolute; `Infinity` = none. */
  readonly deadlineMs: number;
  /** Credits for one GPU-hour. */
  readonly bid: number;
  /** Larger goes first where the order asks for it; absent = 0. */
  readonly priority?: number | undefined;
  readonly traffic: Traffic | null;
  /** A gang that lost members hangs so long, then fails; `Infinity` = it waits for others. */
  readonly collectiveTimeoutMs: number;
  /** Evicted, it holds its devices so much longer than its grace (ms); absent = it ends in time. */
  readonly hangsOnEndMs?: number;
  /** A later stage of a chain: it reads the state of the one before, as a run that goes on from a checkpoint does. */
  readonly continues?: boolean;
  readonly requeueAtLimit: boolean;
  readonly maxEvictions: number;
  readonly nodes: NodeWish | null;
}

/** Nothing of it. */
export const PLAIN_LIFE: JobLife = {
  startupMs: 0,
  checkpoint: null,
  elastic: null,
  session: null,
  deadlineMs: Number.POSITIVE_INFINITY,
  bid: 0,
  traffic: null,
  collectiveTimeoutMs: Number.POSITIVE_INFINITY,
  requeueAtLimit: false,
  maxEvictions: Number.POSITIVE_INFINITY,
  nodes: null,
};

export interface Checkpointing {
  /** Run time between two checkpoints (ms); `Infinity` = it writes none by itself. */
  readonly everyMs: number;
  /** Pause while one is written (ms), where `sizeGiB` is 0. */
  readonly costMs: number;
  /** 0 = not known: `costMs` counts; else written at the shared bandwidth of `World.storage`. */
  readonly sizeGiB: number;
  readonly location: "shared" | "node";
  readonly restoreMs: number;
  readonly onSignal: boolean;
}

/** Of the first component. Numbers are members. */
export interface Elastic {
  readonly minMembers: number;
  readonly maxMembers: number;
  /** Members at which the work of the job is what its document says; absent = as many as it asks for. */
  readonly reference?: number;
  /** Ascending, within least and most. */
  readonly allowed: readonly number[];
  readonly restart: "torchrun" | "horovod" | "none";
  readonly rendezvousMs: number;
  readonly maxRestarts: number;
  /** Speed of each allowed number in 1/65,536 of the reference. */
  readonly speedQ16: readonly number[];
  /** Where DeepSpeed's rule says how many: its batch, the numbers of GPUs, and the micro-batches. */
  readonly deepspeed?: ElasticBatch & { readonly microBatches: readonly number[] };
}

export interface Session {
  readonly activeMs: number;
  readonly idleTimeoutMs: number;
}

export interface Traffic {
  readonly stepMs: number;
  readonly allReduceGiB: number;
  readonly algorithm: "ring" | "tree";
  readonly order: "ranked" | "random";
  readonly overlap: number;
}

/** What a job asks of its nodes. */
export interface NodeWish {
  readonly exclusive: boolean;
  readonly labels: Readonly<Record<string, string>>;
  /** Empty = any model. */
  readonly models: readonly { readonly model: string; readonly speedQ16: number }[];
  /** 65,536 = remote NUMA does not matter. */
  readonly remoteNumaQ16: number;
}
