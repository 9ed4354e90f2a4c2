/**
 * What a scheduler sees and may ask for. Types, and one constant: the engine implements them, schedulers import nothing else of it.
 *
 * A scheduler reads the view, decides, and hands each decision to `Actions` at once; the engine checks it, carries it out and
 * records it, and the view shows the result to the next decision of the same pass. So no scheduler keeps books of its own
 * about devices, and none can break physics.
 */
import type { Cluster } from "../model/cluster.ts";
import type { JobTable } from "../model/jobs.ts";
import type { BudgetFacts } from "../model/kubernetes/budgetFacts.ts";
import type { PlacementFacts } from "../model/kubernetes/placementFacts.ts";
import type { KueueJobFacts, QueueFacts } from "../model/kubernetes/queueFacts.ts";
import type { Candidates } from "../model/lab/candidates.ts";
import type { LabJobFacts, ShareRow } from "../model/lab/shares.ts";
import type { KeptWindow } from "../model/lab/tenancy.ts";
import type { PoolSettings } from "../model/policy.ts";
import type { WhyNumbers } from "../model/sentences.ts";
import type { SlurmJobFacts } from "../model/slurm/jobFacts.ts";
import type { SlurmTables } from "../model/slurm/tables.ts";
import type { Command, TeamInfo, TierInfo, World } from "../model/world.ts";
import type { Grant } from "./grant.ts";
import type { PastUse } from "./pastRuns.ts";

/** A list of indexes that is reused between passes. Read `at[0 … length−1]`. */
export interface IndexList {
  readonly length: number;
  readonly at: Int32Array;
}

export interface PoolView {
  readonly nowMs: number;
  readonly pool: number;
  readonly cluster: Cluster;
  readonly jobs: JobTable;
  /** The tier of each job now (an intervention may move a job). */
  readonly tierOfJob: Uint8Array;
  readonly tiers: readonly TierInfo[];
  readonly teams: readonly TeamInfo[];
  readonly queues: readonly string[];
  /** Everything that was known before the run, rules of the policy lab included. */
  readonly world: World;

  /** Nodes of this pool, ascending. Another array after a node has changed pool: read it anew in each pass. */
  readonly nodes: Int32Array;
  /** Per node (global index): whole devices that nobody holds any part of; 0 where the node is closed. */
  readonly gpusFree: Int32Array;
  readonly cpuMilliFree: Int32Array;
  /** Of what is not free: CPUs of members that have devices, or parts of them. */
  readonly cpuMilliAtDevices: Int32Array;
  readonly memMiBFree: Int32Array;
  /** `NodeStateCode`. */
  readonly nodeState: Uint8Array;
  /** Whether a node boots, leaves or changes pool: its scheduler has asked for it and it is not there yet. */
  onTheWay(node: number): boolean;
  /** Sum of `gpusFree` over the nodes of this pool, and devices of its open nodes. O(1). */
  readonly gpusFreeTotal: number;
  readonly gpusOpenTotal: number;
  /** Nodes of this pool by number of free whole devices. */
  readonly freeIndex: FreeIndex;
  /** Used shares (of 1,000) per global device index; all of them while it is repartitioned. */
  readonly deviceUsed: Uint16Array;
  /** Bits of the eighths that MIG slices use, per global device index. */
  readonly sliceUsed: Uint8Array;
  /** Which kinds of members run on a node: bit 0 = shares and slices, bit k = members of k whole devices (31: and more). O(what it holds). */
  readonly kindsOn: (node: number) => number;

  /** Another pool as of now, for rules that concern two: the fleet controller. O(jobs that wait there). */
  glance(pool: number): PoolGlance;

  /** `JobStateCode` of each job, those of other pools included. */
  readonly jobState: Uint8Array;
  /** When a living job's current run started, its start-up included; `Infinity` where it has none. O(1). */
  startMs(jobIdx: number): number;
  /** When the pause that a job's run is in ends as things are (start-up, checkpoint); `Infinity` where it is in none. O(1). */
  pauseEndMs(jobIdx: number): number;
  /** When the limit of each job's current run ends (start + limit, pauses added); `Infinity` without limit. */
  readonly limitEndMs: Float64Array;
  /** Nodes on which the saved state of a job lies, ascending: only a run that holds all of them can go on from it; empty = anywhere. O(1). */
  savedNodes(jobIdx: number): readonly number[];
  /** Runs of a living job so far, the current one included; 0 before its first. O(1). */
  runs(jobIdx: number): number;
  /** `WaitReasonCode` said last of a waiting job; 0 = none yet. O(1). */
  waitReason(jobIdx: number): number;
  /** What a job depends on, as one state. O(1). */
  dependency(jobIdx: number): DependencyState;
  /** Who holds a living job back by a `hold` that nobody has taken back yet; a held job is queued only where `ownHolds` is set. O(1). */
  heldBy(jobIdx: number): HeldBy;
  /** Time limit of a living job's current or next run (ms), `setLimit` counted; that of the job table otherwise. O(1). */
  limitMs(jobIdx: number): number;
  /** Work left of a living job, in 1/65,536 ms, as of its last change of speed. For policies that may know it. O(1). */
  workLeftQ16(jobIdx: number): number;
  /** Work that a running job would lose if it were stopped now, ms at reference speed: done since its start or last checkpoint. O(1). */
  unsavedMs(jobIdx: number): number;

  /**
   * When the work of a running job is done at its present speed; `Infinity` where it makes no progress or has no end of its own. For
   * policies that may know it. O(1).
   */
  workEndMs(jobIdx: number): number;

  /** Jobs of this pool that wait (queued or admitted, or holding too few members), ascending. For `init` and re-planning: O(waiting). */
  waiting(): IndexList;
  /** Jobs of this pool that hold devices, ascending. O(running). */
  running(): IndexList;
  /** How many these are. O(1). */
  readonly runningCount: number;
  /** What jobs of this pool held before now, run by run: closed runs in the order in which they closed, then what runs. For `init`: O(runs so far). */
  past(tell: (use: PastUse) => void): void;
  /** Whether a suspended job's devices are lent, and whether all of them are free now, so that it could be resumed. O(its devices). */
  lent(jobIdx: number): LentState;
  /** How many devices a job holds now, of one of which it holds a part the whole; 0 while they are lent. O(1). */
  devicesHeld(jobIdx: number): number;
  /** The devices that a job holds now, appended to `into`; nothing while they are lent. O(its runs of devices). */
  holdings(jobIdx: number, into: Grant): void;
  /**
   * Appends the `count` lowest wholly free devices of a node to `into`, as runs; on a flat machine the best-fitting run of
   * devices is preferred, so that bars stay whole. Returns false (and appends nothing) when fewer are free.
   */
  takeDevices(
    node: number,
    count: number,
    component: number,
    members: number,
    into: Grant,
  ): boolean;
}

/** What a pool shows of itself to others. */
export interface PoolGlance {
  readonly nodes: number;
  readonly gpusFree: number;
  readonly gpusOpen: number;
  /** Devices that its waiting jobs ask for, a share or slice as its part of one. */
  readonly gpusWaiting: number;
}

/** `open`: waits for another job. `never`: can never be met. */
export type DependencyState = "met" | "open" | "never";

/** `short`: it has lost members meanwhile and can never be resumed. */
export type LentState = "no" | "inUse" | "free" | "short";

export type HeldBy = "nobody" | "user" | "admin";

/** Open nodes of a pool by number of wholly free devices: a bit set for each count. Closed nodes are in none. */
export interface FreeIndex {
  /** Largest device count of a node of the pool. */
  readonly maxFree: number;
  /** Nodes that have exactly this many devices free. */
  countWith(free: number): number;
  /** The lowest node above `after` (−1 to start) with exactly `free` devices free; −1 if none. O(nodes/32). */
  nextNode(free: number, after: number): number;
}

/**
 * What happened since this scheduler last ran. Lists hold only jobs and nodes of its pool. A job may be in several lists; take
 * `withdrawn` first, then `queued` (a job that lost its partial holdings with a node is in both), so that what remains is the
 * state now. A job that the scheduler's own last pass queued again (an eviction without grace) is in `queued` too, unless that
 * pass dealt with it; it does not call for another pass, so a scheduler that waits for nothing else asks to be woken.
 */
export interface Happened {
  /** Newly able to start: submitted, released, requeued, dependency met, begin time reached. */
  readonly queued: IndexList;
  /** No longer waiting without the scheduler's doing: cancelled, or lost its partial holdings. May name a job it never heard of. */
  readonly withdrawn: IndexList;
  /** Gave devices back (ended, evicted, lost members), or the end of its limit has moved: a user suspended, resumed or changed it. */
  readonly released: IndexList;
  /** Tier changed. */
  readonly retiered: IndexList;
  /** A node opened, closed, or changed pool, or a repartition is over. */
  readonly nodesChanged: boolean;
  /** Its own wake-up rang. */
  readonly timer: boolean;
  /** A dependency of the job was met, or can never be met. Only for schedulers with `ownHolds`. */
  readonly depended: IndexList;
  /** What users and administrators said, in order. Only for schedulers with `ownHolds`; for others the engine carries out what it can. */
  readonly commands: readonly Command[];
}

/** Rules of the life of jobs that a pool's scheduler sets and the engine carries out. */
export interface LifeRules {
  /**
   * The scheduler keeps jobs back itself: the engine queues every job as soon as it is submitted, whatever its begin time, holds
   * and dependencies, and keeps jobs whose dependency can never be met.
   */
  readonly ownHolds: boolean;
  /** Jobs at their limit are stopped only at `phaseMs` + k × `everyMs`; 0 = at once. */
  readonly limitCheckEveryMs: number;
  readonly limitCheckPhaseMs: number;
  /** A job may exceed its limit by this much; `Infinity` = for ever. */
  readonly overLimitMs: number;
  /** A job that is stopped at its limit lives on for what it needs to end (`SlurmRequest.termMs`), at most this long; absent: it ends at once. */
  readonly killWaitMs?: number;
  /** A failed node is noticed at the first `noticePhaseMs` + k × `noticeEveryMs` that is more than `noticeAfterMs` after the last check before the failure; 0 = at once. */
  readonly noticeAfterMs: number;
  readonly noticeEveryMs: number;
  readonly noticePhaseMs: number;
  /** A pass after each single end and arrival of an instant, which of them first; absent: one pass after everything at an instant. */
  readonly passPer?: EventOrder;
}

/** How the ends and arrivals of one instant follow each other where each has a pass of its own. */
export interface EventOrder {
  readonly arrivalsFirst: boolean;
  /** A run whose limit ends now gives its devices back before the first pass of the instant, whenever its end is looked at. */
  readonly releaseAtLimit: boolean;
}

/** At once, by the engine: what holds where a scheduler says nothing. */
export const PROMPT_LIFE: LifeRules = {
  ownHolds: false,
  limitCheckEveryMs: 0,
  limitCheckPhaseMs: 0,
  overLimitMs: 0,
  noticeAfterMs: 0,
  noticeEveryMs: 0,
  noticePhaseMs: 0,
};

export type EvictMode = "cancel" | "requeue";

/** The closed union of decisions, one method each. All throw on a decision that breaks physics: that is a scheduler's bug. */
export interface Actions {
  /** Quota taken, nothing placed. Releases a job that this scheduler itself holds; the pass deals with it at once. */
  admit(jobIdx: number): void;
  /** Quota taken back from an admitted job that holds nothing: it waits again, and the pass deals with it at once. `stopReason`: a `StopReasonCode`. */
  unadmit(jobIdx: number, stopReason: number, forJobIdx?: number): void;
  /** A promise: this waiting job is expected to start at `startMs`. Recorded when it differs from the last one. */
  plan(jobIdx: number, startMs: number): void;
  /**
   * Gives devices, `fromQueue` (index; −1: its own). A grant may give more devices than the members ask for (exclusive nodes),
   * never fewer. The run starts (or goes on) once the job's minimum members hold; until then it holds without progress. With
   * `startupMs` (image pull, restore) it is in state `starting` for that long first: devices are held, no work is done, and
   * the time limit counts from its begin, as in Slurm. Members given to a job that runs or starts up start up on their own while the others
   * go on; they count as ready members only then. No members join during a checkpoint.
   */
  place(
    jobIdx: number,
    grant: Grant,
    startReason: number,
    startupMs?: number,
    fromQueue?: number,
  ): void;
  /** Time limit of a living job's current or next run, ms from its start. */
  setLimit(jobIdx: number, limitMs: number): void;
  /**
   * A running job stops its progress for `durationMs`, devices held, time limit counting; then what it had done before is safe:
   * queued again after an eviction or a failure, it starts from there. Cut short (eviction, loss of a member) it keeps nothing.
   * No news comes at its end: a scheduler that wants to evict then asks to be woken, and ends come before wake-ups.
   */
  checkpoint(jobIdx: number, durationMs: number): void;
  /**
   * Stops a run after `graceMs`; the devices stay held until then. A job that holds too few members to run stops at once. Queued
   * again, it starts from its last checkpoint, or from the beginning of its work. `stopReason` (a `StopReasonCode`): preempted, unless said.
   */
  evict(
    jobIdx: number,
    mode: EvictMode,
    graceMs: number,
    forJobIdx: number,
    stopReason?: number,
  ): void;
  /** Stops progress, for the sake of `forJobIdx` if of any; devices stay held, CPUs only where `freesCpus` is not set. They must be free again when it is resumed. */
  suspend(jobIdx: number, freesCpus?: boolean, forJobIdx?: number): void;
  /**
   * A suspended job's devices and CPUs may be given to others (slices cannot); the memory of its nodes stays its own. `resume` takes the same devices back:
   * they must be free again (`PoolView.lent`).
   */
  lend(jobIdx: number): void;
  resume(jobIdx: number): void;
  /**
   * Evicts up to `members` members of a component that are on one node, at once; returns how many. The job goes on with the rest where they are enough; else it holds
   * them and waits, and has lost what it did since its last checkpoint. No news comes of it. Something of the job must be left: else evict it. `stopReason` (a
   * `StopReasonCode`): preempted where it is for a job, else none, unless said.
   */
  evictMembers(
    jobIdx: number,
    component: number,
    node: number,
    members: number,
    forJobIdx: number,
    stopReason?: number,
  ): number;
  /** Takes `members` members of a component away from a running job, those placed last first. */
  shrink(jobIdx: number, component: number, members: number): void;
  /** Moves a job's holdings from one node to the devices of the grant, for the sake of `forJobIdx` if of any; progress goes on. */
  move(jobIdx: number, fromNode: number, grant: Grant, forJobIdx?: number): void;
  /** Speed of a run from now on, in 1/65,536 of the reference. */
  setSpeed(jobIdx: number, speedQ16: number): void;
  /** A node that does not exist (`unborn`) is there after `delayMs` of booting; until then it is in no index and takes no work. */
  openNode(node: number, delayMs?: number): void;
  /** Gives a node back: at once where nothing runs on it, else it is drained and goes with its last job. Calls off a boot. */
  closeNode(node: number): void;
  /**
   * Hands a node over to another pool: drained until nothing runs on it, closed for `costMs` more, then open in the other pool
   * (drained, where an intervention keeps it so). Both schedulers hear `nodesChanged`. A failure on the way calls it off.
   */
  handNode(node: number, toPool: number, costMs: number): void;
  /**
   * Cuts a device (index within its node) anew: another MIG layout. It must be idle, and nobody can have it for `durationMs`; then the
   * scheduler hears `nodesChanged`.
   */
  repartition(node: number, device: number, durationMs: number): void;
  /** Out of the queue until `admit` or `release`, or until another scheduler takes over. */
  hold(jobIdx: number): void;
  /** A job that this scheduler itself holds is queued again; the pass deals with it at once. */
  release(jobIdx: number): void;
  /** The job can never run: it leaves the queue and is counted as refused. */
  refuse(jobIdx: number, waitReason: number): void;
  /** One pass of `PassKind` is over: it looked at `looked` jobs and started `started`. Recorded, nothing else. */
  pass(kind: number, looked: number, started: number): void;
  /** A round of time slices begins in which `gaveWay` jobs give their devices to others; their evictions follow. Recorded, nothing else. */
  round(gaveWay: number): void;
  /** A gauge (`GaugeCode`) of one subject has this value from now on. Recorded where it differs; no decision. */
  gauge(kind: number, subject: number, value: number): void;
  /** This job was considered and waits. Recorded when the reason differs from the last one. */
  wait(jobIdx: number, waitReason: number): void;
}

/** What a scheduler says of one waiting job when asked, by the same code that decides. Numbers only; sentences come later. */
export interface Explanation extends WhyNumbers {
  /** Running jobs that end, by time limit, until it fits: job, time, units it frees, in order of time. At most 12. */
  readonly frees: readonly {
    readonly jobIdx: number;
    readonly atMs: number;
    readonly units: number;
  }[];
}

/**
 * A scheduler. `S` is its only memory: plain objects of typed arrays, numbers and strings, so that a snapshot is a copy.
 */
export interface Scheduler<S> {
  /**
   * Takes over the pool at `view.nowMs`: waiting jobs in `view.waiting()`, running ones in `view.running()`. `before`: its own memory, where
   * it had the pool until now under other settings; it is given up, so parts of it may be used on.
   */
  init(view: PoolView, pool: PoolSettings, before?: S): S;
  /** One pass. Returns its next wake-up (ms), or `Infinity`. */
  decide(view: PoolView, happened: Happened, state: S, act: Actions): number;
  /** Why this waiting job waits, seen after the last pass. Changes nothing. */
  explain(view: PoolView, state: S, jobIdx: number): Explanation;
  /** Rules of the life of jobs under these settings; what is absent is as in `PROMPT_LIFE`. */
  life?(pool: PoolSettings): Partial<LifeRules>;
  /** The tables of its own that it can show (Slurm: sprio, sshare, squeue) at `atMs`, when nothing has happened since the last pass. Changes nothing. */
  tables?(view: PoolView, state: S, atMs: number): SlurmTables;
  /**
   * A reservation has been made or taken back (`World.changes`): the state to go on with. A pass follows. For schedulers without `ownHolds`; absent: reservations
   * mean nothing to it.
   */
  reserved?(view: PoolView, pool: PoolSettings, state: S): S;
  /** What it says of one living job beside why it waits, seen after the last pass; null = nothing. Changes nothing. */
  jobFacts?(view: PoolView, state: S, jobIdx: number): SlurmJobFacts | null;
  /** Who uses how much, by its own books, after the last pass. Changes nothing. */
  shares?(view: PoolView, state: S): readonly ShareRow[];
  /** Its queues of admission with their quotas, after the last pass. Changes nothing. */
  queues?(view: PoolView, state: S): readonly QueueFacts[];
  /** What its admission knows of one living job, after the last pass; null = it is not its own. Changes nothing. */
  kueueFacts?(view: PoolView, state: S, jobIdx: number): KueueJobFacts | null;
  /** What disruption budgets mean for one living job, after the last pass; null = none selects it. Changes nothing. */
  budgetFacts?(view: PoolView, state: S, jobIdx: number): BudgetFacts | null;
  /** What it knows of the pods or calls of one living job, after the last pass; null = nothing. Changes nothing. */
  placementFacts?(view: PoolView, state: S, jobIdx: number): PlacementFacts | null;
  /** Windows and reservations as it keeps them, after the last pass. Changes nothing. */
  windows?(state: S): readonly KeptWindow[];
  /** What it knows of one living job beside why it waits, after the last pass; null = nothing. Changes nothing. */
  labFacts?(view: PoolView, state: S, jobIdx: number): LabJobFacts | null;
  /** Nodes that a waiting job could go to and what takes each away, after the last pass; null or absent = not told. Changes nothing. */
  candidates?(view: PoolView, state: S, jobIdx: number): Candidates | null;
  /** A copy that shares nothing with the state, of size O(what lives). */
  snapshot(state: S): S;
  /**
   * Whether two memories, both from `snapshot`, decide the same from now on, whatever comes. A wrong yes makes a wrong record, so what is not known to be without influence
   * must differ. Absent: never.
   */
  same?(a: S, b: S): boolean;
}
