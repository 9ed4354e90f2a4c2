/**
 * What one pool's scheduler sees: the engine's own columns, nothing copied. Lists of waiting and running jobs are sorted when
 * they are asked for after a change.
 */

import { IntList } from "../base/intList.ts";
import { askedParts } from "../model/deviceWeight.ts";
import { JobFlag } from "../model/jobs.ts";
import { JobStateCode } from "../model/states.ts";
import { DEVICE_PARTS, NEVER_MS, SPEED_ONE } from "../model/units.ts";
import type { World } from "../model/world.ts";
import type { Allocations } from "./allocations.ts";
import type { Application } from "./application/application.ts";
import type { Clock } from "./clock.ts";
import { dependencyOf } from "./dependencyState.ts";
import type { Grant } from "./grant.ts";
import { heldMilliMs } from "./heldTime.ts";
import type { LiveJobs } from "./liveJobs.ts";
import type { NodeLife } from "./nodeLife.ts";
import type { PastRuns, PastUse } from "./pastRuns.ts";
import { ceilDivide } from "./progress.ts";
import type {
  DependencyState,
  FreeIndex,
  HeldBy,
  IndexList,
  LentState,
  PoolGlance,
  PoolView,
} from "./view.ts";

const HELD_BY: readonly HeldBy[] = ["nobody", "user", "admin"];

export class PoolDesk implements PoolView {
  readonly pool: number;
  /** Exchanged when nodes are labelled. */
  cluster: PoolView["cluster"];
  readonly jobs: PoolView["jobs"];
  readonly tierOfJob: Uint8Array;
  readonly tiers: PoolView["tiers"];
  readonly teams: PoolView["teams"];
  readonly queues: PoolView["queues"];
  readonly world: PoolView["world"];
  readonly gpusFree: Int32Array;
  readonly cpuMilliFree: Int32Array;
  readonly cpuMilliAtDevices: Int32Array;
  readonly memMiBFree: Int32Array;
  readonly nodeState: Uint8Array;
  readonly freeIndex: FreeIndex;
  readonly deviceUsed: Uint16Array;
  readonly sliceUsed: Uint8Array;
  readonly jobState: Uint8Array;
  readonly limitEndMs: Float64Array;
  readonly #live: LiveJobs;
  readonly #allocations: Allocations;
  readonly #nodeLife: NodeLife;
  readonly #application: Application | null;
  readonly #past: PastRuns;
  readonly #clock: Clock;
  readonly #waiting = new SortedCopy();
  readonly #running = new SortedCopy();

  constructor(
    world: World,
    pool: number,
    live: LiveJobs,
    allocations: Allocations,
    nodeLife: NodeLife,
    clock: Clock,
    application: Application | null,
    past: PastRuns,
  ) {
    const { ledger } = allocations;
    this.pool = pool;
    this.cluster = ledger.cluster;
    this.jobs = world.jobs;
    this.tierOfJob = live.tierOfJob;
    this.tiers = world.tiers;
    this.teams = world.teams;
    this.queues = world.queues;
    this.world = world;
    this.gpusFree = ledger.gpusFree;
    this.cpuMilliFree = ledger.cpuMilliFree;
    this.cpuMilliAtDevices = ledger.cpuMilliAtDevices;
    this.memMiBFree = ledger.memMiBFree;
    this.nodeState = ledger.nodeState;
    this.freeIndex = ledger.freeIndexes[pool]!;
    this.deviceUsed = ledger.deviceUsed;
    this.sliceUsed = ledger.sliceUsed;
    this.jobState = live.jobState;
    this.limitEndMs = live.limitEndMs;
    this.#live = live;
    this.#allocations = allocations;
    this.#nodeLife = nodeLife;
    this.#application = application;
    this.#past = past;
    this.#clock = clock;
  }

  get nowMs(): number {
    return this.#clock.nowMs;
  }

  get nodes(): Int32Array {
    return this.#allocations.ledger.nodesOfPool[this.pool]!;
  }

  get gpusFreeTotal(): number {
    return this.#allocations.ledger.poolGpusFree[this.pool]!;
  }

  get gpusOpenTotal(): number {
    return this.#allocations.ledger.poolGpusOpen[this.pool]!;
  }

  readonly kindsOn = (node: number): number => {
    const { holdings } = this.#allocations;
    const { gpus } = this.jobs.components;
    let kinds = 0;
    for (let at = holdings.firstOnNode(node); at >= 0; at = holdings.at.nodeNext[at]!) {
      if (holdings.at.device[at]! < 0) continue;
      const row = holdings.at.component[at]!;
      kinds |= holdings.at.part[at]! > 0 ? 1 : 1 << Math.min(31, gpus[row]!);
    }
    return kinds;
  };

  glance(pool: number): PoolGlance {
    const { ledger } = this.#allocations;
    const waiting = this.#live.waitingOfPool[pool]!;
    let partsWaiting = 0;
    for (let i = 0; i < waiting.length; i++) partsWaiting += askedParts(this.jobs, waiting.at[i]!);
    return {
      nodes: ledger.nodesOfPool[pool]!.length,
      gpusFree: ledger.poolGpusFree[pool]!,
      gpusOpen: ledger.poolGpusOpen[pool]!,
      gpusWaiting: partsWaiting / DEVICE_PARTS,
    };
  }

  startMs(jobIdx: number): number {
    const slot = this.#live.slotOf[jobIdx]!;
    return slot < 0 ? Number.POSITIVE_INFINITY : this.#live.at.startMs[slot]!;
  }

  pauseEndMs(jobIdx: number): number {
    const slot = this.#live.slotOf[jobIdx]!;
    const now = this.#live.jobState[jobIdx]!;
    const pauses = now === JobStateCode.starting || now === JobStateCode.checkpointing;
    return slot < 0 || !pauses ? Number.POSITIVE_INFINITY : this.#live.at.phaseEndMs[slot]!;
  }

  workLeftQ16(jobIdx: number): number {
    const slot = this.#live.slotOf[jobIdx]!;
    return slot < 0 ? 0 : this.#live.at.workLeftQ16[slot]!;
  }

  /** `atMs`: a later time before which nothing happens; now if not given. */
  unsavedMs(jobIdx: number, atMs: number = this.#clock.nowMs): number {
    const slot = this.#live.slotOf[jobIdx]!;
    if (slot < 0) return 0;
    const { workLeftQ16, safeLeftQ16, settledMs, rateQ16 } = this.#live.at;
    const goes = this.#live.jobState[jobIdx] === JobStateCode.running;
    const sinceQ16 = goes ? (atMs - settledMs[slot]!) * rateQ16[slot]! : 0;
    const leftQ16 = Math.max(0, workLeftQ16[slot]! - sinceQ16);
    return Math.max(0, safeLeftQ16[slot]! - leftQ16) / SPEED_ONE;
  }

  workEndMs(jobIdx: number): number {
    const slot = this.#live.slotOf[jobIdx]!;
    if (slot < 0 || this.jobState[jobIdx] !== JobStateCode.running) return NEVER_MS;
    if ((this.jobs.at.flags[jobIdx]! & JobFlag.service) !== 0) return NEVER_MS;
    const { workLeftQ16, rateQ16, settledMs } = this.#live.at;
    if (rateQ16[slot] === 0) return NEVER_MS;
    return settledMs[slot]! + ceilDivide(workLeftQ16[slot]!, rateQ16[slot]!);
  }

  savedNodes(jobIdx: number): readonly number[] {
    return this.#application?.savedNodes(jobIdx) ?? [];
  }

  runs(jobIdx: number): number {
    const slot = this.#live.slotOf[jobIdx]!;
    return slot < 0 ? 0 : this.#live.at.run[slot]!;
  }

  waitReason(jobIdx: number): number {
    const slot = this.#live.slotOf[jobIdx]!;
    return slot < 0 ? 0 : this.#live.at.waitReason[slot]!;
  }

  dependency(jobIdx: number): DependencyState {
    const slot = this.#live.slotOf[jobIdx]!;
    return slot < 0 ? "met" : dependencyOf(this.#live, slot);
  }

  heldBy(jobIdx: number): HeldBy {
    const slot = this.#live.slotOf[jobIdx]!;
    return slot < 0 ? "nobody" : HELD_BY[this.#live.at.heldBy[slot]!]!;
  }

  limitMs(jobIdx: number): number {
    const slot = this.#live.slotOf[jobIdx]!;
    return slot < 0 ? this.jobs.at.limitMs[jobIdx]! : this.#live.at.limitMs[slot]!;
  }

  onTheWay(node: number): boolean {
    return this.#nodeLife.onTheWay(node);
  }

  waiting(): IndexList {
    return this.#waiting.of(
      this.#live.waitingOfPool[this.pool]!,
      this.#live.waitingVersion[this.pool]!,
    );
  }

  running(): IndexList {
    return this.#running.of(
      this.#live.holdingOfPool[this.pool]!,
      this.#live.holdingVersion[this.pool]!,
    );
  }

  get runningCount(): number {
    return this.#live.holdingOfPool[this.pool]!.length;
  }

  past(tell: (use: PastUse) => void): void {
    const { poolOfJob } = this.world;
    this.#past.visit((use) => {
      if (poolOfJob[use.jobIdx] === this.pool) tell(use);
    });
    const running = this.running();
    const { mig } = this.jobs.components;
    for (let i = 0; i < running.length; i++) {
      const jobIdx = running.at[i]!;
      const slot = this.#live.slotOf[jobIdx]!;
      tell({
        jobIdx,
        tier: this.tierOfJob[jobIdx]!,
        fromMs: this.#live.at.runStartMs[slot]!,
        toMs: this.nowMs,
        milliMs: heldMilliMs(this.#allocations, this.#live, mig, slot, this.nowMs),
        endState: -1,
      });
    }
  }

  lent(jobIdx: number): LentState {
    const slot = this.#live.slotOf[jobIdx]!;
    if (slot < 0 || this.#live.at.lent[slot] === 0) return "no";
    if (!this.#allocations.hasMinimum(jobIdx)) return "short";
    return this.#allocations.lending.isFree(slot) ? "free" : "inUse";
  }

  devicesHeld(jobIdx: number): number {
    const slot = this.#live.slotOf[jobIdx]!;
    return slot < 0 || this.#live.at.lent[slot] === 1 ? 0 : this.#live.at.devices[slot]!;
  }

  holdings(jobIdx: number, into: Grant): void {
    const slot = this.#live.slotOf[jobIdx]!;
    if (slot < 0 || this.#live.at.lent[slot] === 1) return;
    const at = this.#allocations.holdings.at;
    const firstRow = this.jobs.at.firstComponent[jobIdx]!;
    const base = this.cluster.deviceBase;
    for (let entry = this.#live.at.first[slot]!; entry >= 0; entry = at.next[entry]!) {
      const node = at.node[entry]!;
      const device = at.device[entry]!;
      const first = device < 0 ? -1 : device - base[node]!;
      into.push(
        at.component[entry]! - firstRow,
        node,
        first,
        at.count[entry]!,
        at.part[entry]!,
        at.members[entry]!,
        at.cpuMilli[entry]!,
        at.memMiB[entry]!,
      );
    }
  }

  takeDevices(
    node: number,
    count: number,
    component: number,
    members: number,
    into: Grant,
  ): boolean {
    return this.#allocations.ledger.takeDevices(node, count, component, members, into);
  }
}

class SortedCopy {
  readonly #list = new IntList();
  #version = -1;

  of(source: IntList, version: number): IntList {
    if (this.#version !== version) {
      this.#version = version;
      this.#list.clear();
      for (let i = 0; i < source.length; i++) this.#list.push(source.at[i]!);
      this.#list.sort();
    }
    return this.#list;
  }
}
