/**
 * What Slurm says of one job when asked: the terms of its priority, its place in the Fair Tree, what may preempt it. The
 * scheduler fills it from its memory (`Scheduler.jobFacts`), the page shows it. Numbers only; words come later.
 */
import type { TresAmounts } from "./config.ts";
import type { SprioRow } from "./tables.ts";

export interface SlurmJobFacts {
  readonly jobIdx: number;
  /** Partitions of a pending job, the one it runs in of a running one, as squeue shows them. */
  readonly partition: string;
  readonly qos: string;
  readonly account: string;
  readonly user: string;
  /** Fewest nodes that it asks for, or the nodes that it holds. */
  readonly nodes: number;
  readonly priority: number;
  /** Given by `--priority` or an administrator. */
  readonly prioritySet: boolean;
  /** priority/multifactor, one for each partition of a pending job that is not held; else empty. */
  readonly sprio: readonly SprioRow[];
  /** `PriorityWeight…` of each term. */
  readonly weights: PriorityWeights;
  /** null under priority/basic, for a job without an association, and where fair share has no weight. */
  readonly fairShare: FairShareFacts | null;
  /** `Infinity` = not planned. */
  readonly plannedMs: number;
  readonly plannedNodes: readonly number[];
  /** Of the current or next run, ms; `Infinity` = none. */
  readonly limitMs: number;
  /** null = it is no task of an array. */
  readonly array: ArrayFacts | null;
  readonly restarts: number;
  /** Set anew by a requeue. */
  readonly submitMs: number;
  /** Nothing starts before it: `--begin`, or the hold-back of a requeued job. */
  readonly beginMs: number;
  readonly preemptable: PreemptableFacts | null;
  /** The next passes that are computed; `Infinity` = none is due. */
  readonly nextMainMs: number;
  readonly nextBackfillMs: number;
}

export interface ArrayFacts {
  readonly id: string;
  readonly index: number;
  /** Tasks that may run at once; `Infinity` = all. */
  readonly most: number;
}

export interface PriorityWeights {
  readonly age: number;
  readonly assoc: number;
  readonly fairshare: number;
  readonly jobSize: number;
  readonly partition: number;
  readonly qos: number;
  readonly tres: TresAmounts;
}

/** As of the last tick of the priority plugin. */
export interface FairShareFacts {
  /** The factor, 0 … 1. */
  readonly factor: number;
  /** User entries that are ranked; 0 under the classic formula. */
  readonly users: number;
  /** From the root's children to the user; empty under the classic formula. */
  readonly levels: readonly FairTreeStep[];
}

/** One level of the walk: the children of an account, best LevelFS first. */
export interface FairTreeStep {
  readonly account: string;
  /** Those around the chosen one; `first` is the place of the first of them, 1 = best. */
  readonly siblings: readonly FairTreeSibling[];
  readonly first: number;
  /** How many there are in all. */
  readonly count: number;
}

export interface FairTreeSibling {
  /** User or account. */
  readonly name: string;
  readonly isUser: boolean;
  readonly chosen: boolean;
  readonly normShares: number;
  readonly effectvUsage: number;
  /** `Infinity` without usage. */
  readonly levelFs: number;
  /** Users: FairShare × users; accounts: NaN. */
  readonly rank: number;
}

/** Of a running job. */
export interface PreemptableFacts {
  /** QOS or partitions whose jobs may preempt it; empty = nobody. */
  readonly by: readonly string[];
  readonly of: "qos" | "partition";
  readonly mode: "off" | "cancel" | "requeue" | "suspend";
  readonly graceMs: number;
  /** Until then nobody may (`PreemptExemptTime`). */
  readonly exemptUntilMs: number;
}
