/**
 * The memory of the Slurm scheduler. `setup` follows from configuration and world and is shared by all copies; everything else
 * lives and is copied. A job is in `jobs` from its submission to its end: pending, running or suspended. Names follow
 * slurmctld's job record (slurmctld.h) where there is one.
 */
import type { SlurmRequest } from "../../model/slurm/request.ts";
import type { Reservation } from "../../model/slurm/reservation.ts";
import type { Usage } from "../../scheduling/accounting/usage.ts";
import { copyUsage } from "../../scheduling/accounting/usage.ts";
import type { LimitBooks } from "../../scheduling/limits/books.ts";
import { copyLimitBooks } from "../../scheduling/limits/books.ts";
import type { FixedTerms } from "../../scheduling/priority/multifactor.ts";
import type { Verdict } from "./passes/backfillTest.ts";
import type { Choice } from "./select/choice.ts";
import type { Resources } from "./select/resources.ts";
import { copyResources } from "./select/resources.ts";
import type { Wanted } from "./select/wanted.ts";
import type { SlurmSetup } from "./setup.ts";

/** `requeued`: held by `scontrol requeuehold`; `reservation`: its reservation is gone. All but `none` have priority 0. */
export type HoldKind = "none" | "user" | "admin" | "requeued" | "reservation";

/** A living job. Nodes are Slurm nodes (`setup.nodes`); bit sets have `setup.words` words. */
export interface SlurmJob {
  readonly jobIdx: number;
  request: SlurmRequest;
  /** Index into `JobTable.users`. */
  readonly user: number;
  /** Entry of the association tree; −1 = none. */
  assoc: number;
  /** Index into `setup.qos`; −1 = none. */
  qos: number;
  /** Partitions asked for (`setup.partitions`), in the order given. */
  partitions: readonly number[];
  /** The partition it runs in, or was looked at in last. */
  partition: number;
  /** What it asks for, by position in `partitions`. */
  wanteds: readonly Wanted[];
  /** That of `partition`. */
  wanted: Wanted;
  nice: number;
  /** 0 = held. */
  priority: number;
  /** Set by `--priority` or an administrator: no scheduler changes it. */
  prioritySet: boolean;
  /** Multifactor: one priority for each of `partitions`; null where they are one. */
  priorities: Float64Array | null;
  /** When it was computed last: the age that it counts. */
  priorityMs: number;
  /** Multifactor: the terms that do not change while it waits; null = not computed. Never changed: copies share them. */
  terms: readonly FixedTerms[] | null;
  /** SubmitTime: set anew by a requeue. */
  submitMs: number;
  /** Nothing starts before this: `--begin`, and the hold-back of a requeued job. */
  beginMs: number;
  /** When it became eligible; `Infinity` while it is not. */
  eligibleMs: number;
  /** Its age counts from here; `Infinity` while it is not eligible, or others grow old in its place (`MaxJobsAccrue*`). */
  accrueMs: number;
  hold: HoldKind;
  /** In `queue`: pending, eligible, not held. */
  queued: boolean;
  /** Index into `SLURM_REASONS`. */
  reason: number;
  /** The one recorded last. */
  shownReason: number;
  /** `Infinity` = none. */
  plannedMs: number;
  /** Nodes of the plan, as a bit set; null = none. Never changed: copies share it. */
  plannedNodes: Int32Array | null;
  /** Time limit of the current or next run, ms; `Infinity` = none. */
  limitMs: number;
  restarts: number;
  /** Start of the current run; −1 while it is pending. */
  startMs: number;
  /** Start + limit + time suspended; counts as the end until it ends. */
  endMs: number;
  /** Bit set of the nodes it holds; null while it is pending. */
  nodes: Int32Array | null;
  nodeCount: number;
  /** Words of `nodes` that are not empty. */
  firstWord: number;
  lastWord: number;
  /** What it holds; null while it is pending. Never changed: copies share it. */
  choice: Choice | null;
  /** CPUs and devices held, for billing, victims and tables. */
  cpus: number;
  gpus: number;
  /** Its run ended without the scheduler's doing, and the news that it is queued again are still to come. */
  lost: boolean;
  suspended: boolean;
  suspendedAtMs: number;
  /** Suspended by an administrator, not by gang scheduling: only a command resumes it. */
  suspendedByCommand: boolean;
  /** When it was chosen as a victim (PreemptTime); −1 = it was not. */
  preemptMs: number;
  /** For whom; −1. */
  preemptorIdx: number;
  /** When its grace ends; −1 = no grace runs. */
  graceEndMs: number;
  /** When it will have saved its work and leaves by itself (`--signal`); −1 = it does not. */
  leavesMs: number;
  /** As a preemptor: its victims are being stopped (`preempt_in_progress`). */
  preempting: boolean;
  /** As a preemptor: when it last told its victims to go (`preempt_start_time`); −1 = not yet. */
  preemptAttemptMs: number;
  /** Since when it waits for its `--switches`: its submission, in whole seconds. */
  switchesSinceMs: number;
}

/** One line of a job queue: a job in one of its partitions. */
export interface QueueEntry {
  readonly job: SlurmJob;
  readonly partition: number;
  readonly wanted: Wanted;
  priority: number;
}

/** An advance reservation with the nodes that were chosen for it. */
export interface LiveReservation {
  readonly config: Reservation;
  startMs: number;
  endMs: number;
  /** Bit set over Slurm nodes. */
  nodes: Int32Array;
  /** `PURGE_COMP`: since when no job of it runs or waits, as seen by the checks of time limits; −1 = it is in use. */
  idleSinceMs: number;
}

/** One job in the turns of its partition (`gang.c`): the job list and its states. */
export interface GangMember {
  readonly jobIdx: number;
  /** `active`: its turn; `filler`: runs beside those whose turn it is; `waiting`: suspended. */
  row: "active" | "filler" | "waiting";
}

/** The jobs of a partition in the order of their turns. */
export interface GangRow {
  readonly partition: number;
  members: GangMember[];
}

/** Verdicts of a backfill pass, in order; they hold while `runsVersion` is `runs` and the clock before `holdsMs`. */
export interface Verdicts {
  readonly runs: number;
  readonly holdsMs: number;
  readonly list: readonly Verdict[];
}

export interface SlurmState {
  readonly setup: SlurmSetup;
  readonly jobs: Map<number, SlurmJob>;
  /** Pending jobs that are eligible and not held, in the order of `sort_job_queue2`. */
  queue: QueueEntry[];
  /** Jobs that hold nodes, by `endMs`, then by index. */
  running: SlurmJob[];
  /** Counts changes of runs, of what is free and of nodes that take work. */
  runsVersion: number;
  /** What the last backfill pass found, for the next one; null = nothing (a copy has none, and finds the same). */
  verdicts: Verdicts | null;
  /** What is free now on each Slurm node. */
  resources: Resources;
  /** Slurm nodes that take work: up, not drained. */
  upNodes: Int32Array;
  limits: LimitBooks;
  usage: Usage;
  reservations: LiveReservation[];
  /** priority/basic: the last priority given out; counts down. */
  lowestPriority: number;
  /** Jobs that wait for their begin time only, the next last. */
  begins: SlurmJob[];
  /** Running tasks of each array with a cap. */
  arrayRuns: Map<string, number>;
  /** When the main scheduler runs because of an event; `Infinity` = nothing happened. */
  mainDueMs: number;
  lastMainMs: number;
  /** The next periodic main pass can differ from the last pass: one cut short by its depth, or time has made a job eligible. */
  fullDue: boolean;
  /** When that pass runs; `Infinity` = it is not due. */
  fullMs: number;
  /** The backfill scheduler: its last pass, computed or not, and the next that must be computed (`clock.ts`). */
  lastBackfillMs: number;
  nextBackfillMs: number;
  nextTickMs: number;
  /** When a run is signalled before its limit, or has saved its work. */
  nextSignalMs: number;
  /** When a reservation begins or ends next. */
  nextEdgeMs: number;
  /** When graces end, gangs switch, exempt times pass: whoever looks after victims wants to be woken. */
  nextGangMs: number;
  gangSlice: number;
  /** Jobs that take turns, by partition; empty without `PreemptMode=…,GANG`. */
  gangs: GangRow[];
  fresh: boolean;
  /** The jobs as they were under the configuration before, until `takeOver` has taken them in; null = none. */
  kept: ReadonlyMap<number, SlurmJob> | null;
  passesComputed: number;
  passesSkipped: number;
}

/** A copy that shares only `setup`. O(what lives). */
export function copyState(state: SlurmState): SlurmState {
  const jobs = new Map<number, SlurmJob>();
  for (const [jobIdx, job] of state.jobs) jobs.set(jobIdx, { ...job });
  const copied = (job: SlurmJob): SlurmJob => jobs.get(job.jobIdx) ?? job;
  return {
    ...state,
    jobs,
    queue: state.queue.map((entry) => ({ ...entry, job: copied(entry.job) })),
    running: state.running.map(copied),
    begins: state.begins.map(copied),
    arrayRuns: new Map(state.arrayRuns),
    resources: copyResources(state.resources),
    upNodes: state.upNodes.slice(),
    verdicts: null,
    limits: copyLimitBooks(state.limits),
    usage: copyUsage(state.usage),
    reservations: state.reservations.map((each) => ({ ...each, nodes: each.nodes.slice() })),
    gangs: state.gangs.map((row) => ({
      ...row,
      members: row.members.map((member) => ({ ...member })),
    })),
  };
}
