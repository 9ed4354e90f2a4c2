/**
 * The jobs that live: submitted and not done. Each has a slot in a table that is reused, so that memory of the life cycle,
 * and a snapshot, grow with what lives and not with what is done. Per job there are only the columns that schedulers read,
 * and its slot.
 *
 * Waiting jobs of a pool, and those that hold devices, are kept in unordered lists with positions (O(1) to enter and leave); `PoolView.waiting`
 * sorts a list only when it is asked for after a change.
 */
import { type ArraysOf, allocate, sliceColumns } from "../base/columns.ts";
import { IntList } from "../base/intList.ts";
import { JobStateCode } from "../model/states.ts";
import type { World } from "../model/world.ts";

const LIVE_SHAPE = {
  jobIdx: "i32",
  /** Start of the current wait; −1 = does not wait. */
  waitFromMs: "f64",
  /** First device of the current run; −1 = no run. */
  runStartMs: "f64",
  /** When `workLeftQ16` was last brought up to date. */
  settledMs: "f64",
  /** Since when the clock of the time limit stands still; −1 = it runs, or has not started. */
  pausedMs: "f64",
  /** Last promised start; −1 = none. */
  planMs: "f64",
  /** First promised start of a job that has not started yet; −1 = none, −2 = it has started. */
  firstPlanMs: "f64",
  /** When the present phase ends, while the job starts up or writes a checkpoint. */
  phaseEndMs: "f64",
  /** When the last of the members that joined later has started up; −1 = none did. */
  readyMs: "f64",
  /** Work left at the last checkpoint: what a run that is lost starts from again. */
  safeLeftQ16: "f64",
  /** Thousandths of devices × ms that the current run has held, without what it has held since it last began to hold something else. */
  heldMilliMs: "f64",
  /** Speed that its scheduler gave it, in 1/65,536. */
  speedQ16: "f64",
  /** Speed of the stretch since `settledMs`, everything counted. */
  rateQ16: "f64",
  /** Counts end events; an event of an older version is void. Never reset, so that a reused slot is safe. */
  version: "u32",
  /** Mix of all devices given to the run, for the digest. */
  allocation: "u32",
  first: "i32",
  last: "i32",
  /** Devices held now, and the most at once in this run. */
  devices: "i32",
  devicesMost: "i32",
  /** Place in its pool's list of waiting jobs and of jobs that hold devices; −1 = not in it. */
  waitingAt: "i32",
  holdingAt: "i32",
  /** Open dependencies that the job needs every one of. */
  dependencies: "i32",
  /** The job that an eviction is for; −1 = none. */
  evictedFor: "i32",
  /** `StopReasonCode` of an eviction that is under way. */
  evictReason: "u8",
  run: "u16",
  waitReason: "u8",
  startReason: "u8",
  /** How an ending that is under way ends: `Ending`. */
  requeue: "u8",
  /** Why a job is held: bits of `Hold`. */
  holds: "u8",
  /** `HoldBy`: who holds the job by a command. */
  heldBy: "u8",
  /** 1 = suspended, and its CPUs are given back meanwhile. */
  cpusAway: "u8",
  /** 1 = suspended, and its devices are lent to others meanwhile (`lending.ts`). */
  lent: "u8",
  /** 1 = holds a node that failed and nobody has noticed: no progress. */
  silent: "u8",
  /** 1 = what it depends on can never be met. */
  neverMet: "u8",
  /** Alternatives that are open, of a job that needs one of several; −1 = it needs none of them any more. */
  alternatives: "i32",
  /** Time limit of the current or next run. */
  limitMs: "f64",
  /** How long the limit of the current run stood still. */
  pauseSumMs: "f64",
  /** When the current run started, its start-up included; `Infinity` before. */
  startMs: "f64",
  workLeftQ16: "f64",
  // Filled for snapshots only, from the columns by job.
  state: "u8",
  tier: "u8",
  limitEndMs: "f64",
} as const;

export const Hold = { dependency: 1, beginTime: 2, scheduler: 4, user: 8 } as const;
export const HoldBy = { nobody: 0, user: 1, admin: 2 } as const;
export const Ending = { cancel: 0, requeue: 1, timeout: 2 } as const;

export interface LiveCopy {
  readonly at: ArraysOf<typeof LIVE_SHAPE>;
  readonly free: Int32Array;
  readonly lists: readonly { readonly waiting: Int32Array; readonly holding: Int32Array }[];
}

export class LiveJobs {
  at = allocate(LIVE_SHAPE, 256);
  readonly slotOf: Int32Array;
  readonly jobState: Uint8Array;
  readonly tierOfJob: Uint8Array;
  readonly limitEndMs: Float64Array;
  readonly waitingOfPool: readonly IntList[];
  readonly holdingOfPool: readonly IntList[];
  /** Counts changes of the lists, so that a view knows when to sort again. */
  readonly waitingVersion: Float64Array;
  readonly holdingVersion: Float64Array;
  count = 0;
  readonly #world: World;
  readonly #free = new IntList();
  #used = 0;

  constructor(world: World) {
    const jobs = world.jobs;
    this.#world = world;
    this.slotOf = new Int32Array(jobs.count).fill(-1);
    this.jobState = new Uint8Array(jobs.count);
    this.tierOfJob = jobs.at.tier.slice(0, jobs.count);
    this.limitEndMs = new Float64Array(jobs.count).fill(Number.POSITIVE_INFINITY);
    this.waitingOfPool = world.pools.map(() => new IntList());
    this.holdingOfPool = world.pools.map(() => new IntList());
    this.waitingVersion = new Float64Array(world.pools.length);
    this.holdingVersion = new Float64Array(world.pools.length);
  }

  /** A slot for a job that was just submitted. */
  open(jobIdx: number): number {
    const slot = this.#allocate();
    const at = this.at;
    at.jobIdx[slot] = jobIdx;
    at.waitFromMs[slot] = -1;
    at.pausedMs[slot] = -1;
    at.waitingAt[slot] = -1;
    at.holdingAt[slot] = -1;
    at.dependencies[slot] = 0;
    at.alternatives[slot] = -1;
    at.neverMet[slot] = 0;
    at.heldBy[slot] = HoldBy.nobody;
    at.limitMs[slot] = this.#world.jobs.at.limitMs[jobIdx]!;
    at.run[slot] = 0;
    at.firstPlanMs[slot] = -1;
    at.holds[slot] = 0;
    at.phaseEndMs[slot] = 0;
    at.startMs[slot] = Number.POSITIVE_INFINITY;
    at.workLeftQ16[slot] = this.#world.jobs.at.workQ16[jobIdx]!;
    at.safeLeftQ16[slot] = at.workLeftQ16[slot]!;
    this.clearRun(slot);
    this.slotOf[jobIdx] = slot;
    this.count++;
    return slot;
  }

  clearRun(slot: number): void {
    const at = this.at;
    at.runStartMs[slot] = -1;
    at.heldMilliMs[slot] = 0;
    at.planMs[slot] = -1;
    at.pausedMs[slot] = -1;
    at.readyMs[slot] = -1;
    at.speedQ16[slot] = 65_536;
    at.allocation[slot] = 0;
    at.first[slot] = -1;
    at.last[slot] = -1;
    at.devices[slot] = 0;
    at.devicesMost[slot] = 0;
    at.evictedFor[slot] = -1;
    at.waitReason[slot] = 0;
    at.startReason[slot] = 0;
    at.requeue[slot] = 0;
    at.cpusAway[slot] = 0;
    at.lent[slot] = 0;
    at.silent[slot] = 0;
    at.pauseSumMs[slot] = 0;
  }

  close(slot: number): void {
    const jobIdx = this.at.jobIdx[slot]!;
    this.slotOf[jobIdx] = -1;
    this.jobState[jobIdx] = JobStateCode.done;
    this.at.jobIdx[slot] = -1;
    this.at.version[slot] = this.at.version[slot]! + 1;
    this.#free.push(slot);
    this.count--;
  }

  enterWaiting(slot: number): void {
    const jobIdx = this.at.jobIdx[slot]!;
    const pool = this.#world.poolOfJob[jobIdx]!;
    this.at.waitingAt[slot] = this.waitingOfPool[pool]!.length;
    this.waitingOfPool[pool]!.push(jobIdx);
    this.waitingVersion[pool] = this.waitingVersion[pool]! + 1;
  }

  leaveWaiting(slot: number): void {
    const pool = this.#world.poolOfJob[this.at.jobIdx[slot]!]!;
    this.#leave(this.waitingOfPool[pool]!, this.at.waitingAt, slot);
    this.waitingVersion[pool] = this.waitingVersion[pool]! + 1;
  }

  enterHolding(slot: number): void {
    const jobIdx = this.at.jobIdx[slot]!;
    const pool = this.#world.poolOfJob[jobIdx]!;
    this.at.holdingAt[slot] = this.holdingOfPool[pool]!.length;
    this.holdingOfPool[pool]!.push(jobIdx);
    this.holdingVersion[pool] = this.holdingVersion[pool]! + 1;
  }

  leaveHolding(slot: number): void {
    const pool = this.#world.poolOfJob[this.at.jobIdx[slot]!]!;
    this.#leave(this.holdingOfPool[pool]!, this.at.holdingAt, slot);
    this.holdingVersion[pool] = this.holdingVersion[pool]! + 1;
  }

  /** Slots in use lie below this; a slot is in use when its `jobIdx` is not negative. */
  get used(): number {
    return this.#used;
  }

  /** Whether a rush that is over has left many more slots than jobs. */
  get sparse(): boolean {
    return this.#used > 1_024 + 4 * this.count;
  }

  /**
   * Moves the living jobs together, so that tables and snapshots shrink after a rush. Slot numbers have no influence on
   * results. Returns the new slot of each old one; call only when no void end event is left. O(slots).
   */
  compact(): Int32Array {
    const moved = new Int32Array(this.#used).fill(-1);
    const old = this.at;
    let capacity = 256;
    while (capacity < this.count) capacity *= 2;
    this.at = allocate(LIVE_SHAPE, capacity);
    const names = Object.keys(LIVE_SHAPE) as (keyof typeof LIVE_SHAPE)[];
    let next = 0;
    for (let slot = 0; slot < this.#used; slot++) {
      const jobIdx = old.jobIdx[slot]!;
      if (jobIdx < 0) continue;
      for (const name of names) this.at[name][next] = old[name][slot]!;
      this.slotOf[jobIdx] = next;
      moved[slot] = next++;
    }
    this.#used = next;
    this.#free.clear();
    return moved;
  }

  copy(): LiveCopy {
    for (let slot = 0; slot < this.#used; slot++) {
      const jobIdx = this.at.jobIdx[slot]!;
      if (jobIdx < 0) continue;
      this.at.state[slot] = this.jobState[jobIdx]!;
      this.at.tier[slot] = this.tierOfJob[jobIdx]!;
      this.at.limitEndMs[slot] = this.limitEndMs[jobIdx]!;
    }
    return {
      at: sliceColumns<typeof LIVE_SHAPE>(this.at, 0, this.#used),
      free: this.#free.copy(),
      lists: this.waitingOfPool.map((waiting, pool) => ({
        waiting: waiting.copy(),
        holding: this.holdingOfPool[pool]!.copy(),
      })),
    };
  }

  /** Puts the living jobs back; the caller has set the state of all others. O(what lives). */
  restore(copy: LiveCopy): void {
    this.#used = copy.at.jobIdx.length;
    let capacity = 256;
    while (capacity < this.#used) capacity *= 2;
    this.at = allocate(LIVE_SHAPE, capacity);
    for (const name of Object.keys(LIVE_SHAPE) as (keyof typeof LIVE_SHAPE)[])
      this.at[name].set(copy.at[name]);
    this.#free.restore(copy.free);
    this.count = this.#used - copy.free.length;
    for (let slot = 0; slot < this.#used; slot++) {
      const jobIdx = this.at.jobIdx[slot]!;
      if (jobIdx < 0) continue;
      this.slotOf[jobIdx] = slot;
      this.jobState[jobIdx] = this.at.state[slot]!;
      this.tierOfJob[jobIdx] = this.at.tier[slot]!;
      this.limitEndMs[jobIdx] = this.at.limitEndMs[slot]!;
    }
    copy.lists.forEach((lists, pool) => {
      this.waitingOfPool[pool]!.restore(lists.waiting);
      this.holdingOfPool[pool]!.restore(lists.holding);
      this.waitingVersion[pool] = this.waitingVersion[pool]! + 1;
      this.holdingVersion[pool] = this.holdingVersion[pool]! + 1;
    });
  }

  #leave(list: IntList, positions: Int32Array, slot: number): void {
    const position = positions[slot]!;
    const lastJob = list.at[--list.length]!;
    list.at[position] = lastJob;
    positions[this.slotOf[lastJob]!] = position;
    positions[slot] = -1;
  }

  #allocate(): number {
    if (this.#free.length > 0) return this.#free.at[--this.#free.length]!;
    if (this.#used === this.at.jobIdx.length) {
      const grown = allocate(LIVE_SHAPE, this.#used * 2);
      for (const name of Object.keys(LIVE_SHAPE) as (keyof typeof LIVE_SHAPE)[])
        grown[name].set(this.at[name]);
      this.at = grown;
    }
    return this.#used++;
  }
}
