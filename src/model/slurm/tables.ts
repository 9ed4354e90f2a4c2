/**
 * The tables that a Slurm administrator knows, at one moment: `sprio -l`, `sshare -l`, and what a question about one job adds.
 * The scheduler fills them from its state (`Scheduler.tables`), the page and the conformance check read them.
 */
import type { SlurmReason } from "./reasons.ts";

/** One pending job in `sprio -l`: weighted components, unrounded; the priority as Slurm stores it. */
export interface SprioRow {
  readonly jobIdx: number;
  readonly partition: string;
  readonly priority: number;
  readonly age: number;
  readonly assoc: number;
  readonly fairshare: number;
  readonly jobSize: number;
  readonly partitionFactor: number;
  readonly qos: number;
  readonly nice: number;
  readonly tres: Readonly<Record<string, number>>;
}

/** One association in `sshare -l`. `user` "" = the account. */
export interface SshareRow {
  readonly account: string;
  readonly user: string;
  readonly depth: number;
  readonly rawShares: number | "parent";
  readonly normShares: number;
  /** TRES-seconds as billed, cut to a whole number. */
  readonly rawUsage: number;
  /** NaN for `root`. */
  readonly normUsage: number;
  readonly effectvUsage: number;
  /** Fair Tree: NaN for accounts. */
  readonly fairShare: number;
  /** Fair Tree: NormShares / EffectvUsage among siblings, `Infinity` without usage, NaN for `root`; 0 under the classic formula. */
  readonly levelFs: number;
}

/** One pending job as `squeue` shows it. */
export interface SqueueRow {
  readonly jobIdx: number;
  readonly partition: string;
  readonly qos: string;
  readonly account: string;
  readonly priority: number;
  readonly reason: SlurmReason;
  /** `Infinity` = not planned. */
  readonly plannedStartMs: number;
  readonly plannedNodes: readonly number[];
  /** Fewest nodes that it asks for. */
  readonly nodes: number;
  /** ms; `Infinity` = none. */
  readonly limitMs: number;
  readonly restarts: number;
  /** Reset by a requeue. */
  readonly submitMs: number;
}

/** Active or coming reservation with the nodes that Slurm chose. */
export interface ReservationRow {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly nodes: readonly number[];
  readonly flags: readonly string[];
}

export interface SlurmTables {
  readonly squeue: readonly SqueueRow[];
  readonly sprio: readonly SprioRow[];
  readonly sshare: readonly SshareRow[];
  readonly reservations: readonly ReservationRow[];
  readonly nextMainMs: number;
  readonly nextBackfillMs: number;
  /** Backfill passes so far: computed, and skipped because they could not differ from the last. */
  readonly passesComputed: number;
  readonly passesSkipped: number;
}
