/**
 * Gives devices to jobs and takes them back: the only writer of ledger and holdings, and of the rectangles of the record.
 * Consecutive devices of a node that a job gets at one instant become one entry, so a whole-node gang costs one rectangle a
 * node. A rectangle is written when the entry ends or its member state changes, never for a stretch of no length.
 */
import { MemberStateCode } from "../model/states.ts";
import type { World } from "../model/world.ts";
import type { Recorder } from "../record/recorder.ts";
import { rectBits } from "../record/shapes.ts";
import { mixAllocation } from "./allocationMix.ts";
import type { Clock } from "./clock.ts";
import { continues, covers, devicesOfTail, type Given } from "./entryRuns.ts";
import type { Grant } from "./grant.ts";
import { checkGrantRow } from "./grantRules.ts";
import { milliOfEntry, partsOfRow } from "./heldTime.ts";
import { Holdings } from "./holdings.ts";
import { broken, Ledger } from "./ledger.ts";
import { Lending } from "./lending.ts";
import type { LiveJobs } from "./liveJobs.ts";

export class Allocations {
  readonly ledger: Ledger;
  readonly holdings: Holdings;
  readonly lending: Lending;
  /** Members that hold their devices, by row of the component table. */
  readonly membersHeld: Int32Array;
  /** Hears of each job that holds something else now. */
  onChange: ((jobIdx: number) => void) | null = null;
  readonly #world: World;
  readonly #live: LiveJobs;
  readonly #recorder: Recorder;
  readonly #clock: Clock;

  constructor(world: World, live: LiveJobs, recorder: Recorder, clock: Clock) {
    this.ledger = new Ledger(world);
    this.holdings = new Holdings(world.cluster.nodeCount);
    this.membersHeld = new Int32Array(world.jobs.components.members.length);
    this.#world = world;
    this.#live = live;
    this.#recorder = recorder;
    this.#clock = clock;
    this.lending = new Lending(live, this, recorder);
  }

  /** Whether every component of the job has its minimum of members. O(components). */
  hasMinimum(jobIdx: number): boolean {
    const { at, components } = this.#world.jobs;
    const end = at.firstComponent[jobIdx + 1]!;
    for (let row = at.firstComponent[jobIdx]!; row < end; row++) {
      if (this.membersHeld[row]! < components.minMembers[row]!) return false;
    }
    return true;
  }

  /** Gives the devices of a grant; its members have started up at `readyMs` (−1: with the run). Throws when it breaks physics or gives less than what the members ask for. O(rows). */
  give(slot: number, grant: Grant, memberState: number, readyMs: number): number {
    const { at, components } = this.#world.jobs;
    const jobIdx = this.#live.at.jobIdx[slot]!;
    const firstRow = at.firstComponent[jobIdx]!;
    const rowCount = at.firstComponent[jobIdx + 1]! - firstRow;
    let missing = 0;
    let members = 0;
    for (let i = 0; i < grant.length; i++) {
      const component = grant.component[i]!;
      if (component < 0 || component >= rowCount)
        broken(`job ${jobIdx} has no component ${component}`);
      const row = firstRow + component;
      const given = grant.members[i]!;
      checkGrantRow(this.#world, this.ledger, jobIdx, row, grant, i);
      this.membersHeld[row] = this.membersHeld[row]! + given;
      if (this.membersHeld[row]! > components.members[row]! && this.#exceedsMost(jobIdx, row))
        broken(`job ${jobIdx} was given too many members`);
      members += given;
      missing += given * components.gpus[row]! - grant.count[i]!;
      if (i + 1 === grant.length || grant.component[i + 1] !== component) {
        if (missing > 0)
          broken(`the grant of job ${jobIdx} has ${missing} devices too few for its members`);
        missing = 0;
      }
      this.#giveRow(slot, jobIdx, row, grant, i, memberState, readyMs);
    }
    return members;
  }

  /** Takes everything back from a job; its rectangles end with this end state. O(entries). */
  takeAll(slot: number, endState: number): void {
    let entry = this.#live.at.first[slot]!;
    while (entry >= 0) {
      const next = this.holdings.at.next[entry]!;
      this.#takeEntry(slot, entry, endState, true);
      entry = next;
    }
    this.#live.at.first[slot] = -1;
    this.#live.at.last[slot] = -1;
  }

  /** Counts a job's members on a node (or on one device of it) as gone, before its entries are taken back, so that the caller can judge the rest. */
  dropMembersOnNode(slot: number, node: number, device = -1): void {
    const at = this.holdings.at;
    for (let entry = this.#live.at.first[slot]!; entry >= 0; entry = at.next[entry]!) {
      if (at.node[entry] !== node || !covers(at, entry, device)) continue;
      const row = at.component[entry]!;
      this.membersHeld[row] = this.membersHeld[row]! - at.members[entry]!;
    }
  }

  /** Takes back what a job holds on a node, after `dropMembersOnNode`. */
  takeNode(slot: number, node: number, endState: number, device = -1): void {
    const { at } = this.holdings;
    for (let entry = this.#live.at.first[slot]!, next = -1; entry >= 0; entry = next) {
      next = at.next[entry]!;
      if (at.node[entry] === node && covers(at, entry, device))
        this.dropEntry(slot, entry, endState);
    }
  }

  /** Takes the last `members` members of a component back, those given last first. */
  takeMembers(slot: number, component: number, members: number): void {
    const jobIdx = this.#live.at.jobIdx[slot]!;
    const row = this.#world.jobs.at.firstComponent[jobIdx]! + component;
    if (members > this.membersHeld[row]!)
      broken(`job ${jobIdx} has no ${members} members to take away`);
    for (let left = members; left > 0; ) left -= this.#takeTail(slot, row, left);
    this.membersHeld[row] = this.membersHeld[row]! - members;
  }

  /** Takes an entry out of a job's list and gives back what it holds; members are the caller's to count. */
  dropEntry(slot: number, entry: number, endState: number): void {
    this.#unlink(slot, entry);
    this.#takeEntry(slot, entry, endState, false);
  }

  /** The member state of all entries from now on; closes their rectangles where time has passed. O(entries). */
  relabel(slot: number, memberState: number): void {
    const at = this.holdings.at;
    for (let entry = this.#live.at.first[slot]!; entry >= 0; entry = at.next[entry]!)
      this.relabelEntry(slot, entry, memberState);
  }

  /** The same for the entries whose members have started up; the others start up. O(entries). */
  relabelReady(slot: number, memberState: number): void {
    const { nowMs } = this.#clock;
    if (this.#live.at.readyMs[slot]! <= nowMs) {
      this.relabel(slot, memberState);
      return;
    }
    const at = this.holdings.at;
    for (let entry = this.#live.at.first[slot]!; entry >= 0; entry = at.next[entry]!)
      this.relabelEntry(
        slot,
        entry,
        at.readyMs[entry]! > nowMs ? MemberStateCode.starting : memberState,
      );
  }

  relabelEntry(slot: number, entry: number, memberState: number): void {
    const at = this.holdings.at;
    if (at.memberState[entry] === memberState) return;
    this.#rect(slot, entry, at.device[entry]!, at.count[entry]!, 0);
    at.sinceMs[entry] = this.#clock.nowMs;
    at.memberState[entry] = memberState;
  }

  /** The job's holdings count for another tier from now on. O(entries). */
  moveTier(slot: number, from: number, to: number): void {
    const at = this.holdings.at;
    for (let entry = this.#live.at.first[slot]!; entry >= 0; entry = at.next[entry]!) {
      if (at.count[entry] === 0 || this.#live.at.lent[slot] === 1) continue;
      const each = partsOfRow(this.#world.jobs, at.part[entry]!, at.component[entry]!);
      this.#recorder.held(from, -at.count[entry]! * each);
      this.#recorder.held(to, at.count[entry]! * each);
    }
  }

  /** Books for a restored set of holdings: ledger and member counts follow from the entries. O(entries). */
  rebook(): void {
    const at = this.holdings.at;
    for (let entry = 0; entry < this.holdings.used; entry++) {
      if (at.jobIdx[entry]! < 0) continue;
      const row = at.component[entry]!;
      const slot = this.#live.slotOf[at.jobIdx[entry]!]!;
      this.membersHeld[row] = this.membersHeld[row]! + at.members[entry]!;
      this.ledger.take(
        at.node[entry]!,
        at.device[entry]!,
        this.#live.at.lent[slot] === 1 ? 0 : at.count[entry]!,
        at.part[entry]!,
        row,
        this.#cpusOf(slot, at.cpuMilli[entry]!),
        at.memMiB[entry]!,
      );
    }
  }

  /** A suspended job gives its CPUs back, or takes them again, which throws where they are not free. O(entries). */
  moveCpus(slot: number, away: boolean): void {
    const live = this.#live.at;
    if ((live.cpusAway[slot] === 1) === away) return;
    const at = this.holdings.at;
    for (let entry = live.first[slot]!; entry >= 0; entry = at.next[entry]!) {
      const cpuMilli = at.cpuMilli[entry]!;
      const row = at.component[entry]!;
      if (away) this.ledger.give(at.node[entry]!, -1, 0, 0, row, cpuMilli, 0);
      else this.ledger.take(at.node[entry]!, -1, 0, 0, row, cpuMilli, 0);
    }
    live.cpusAway[slot] = away ? 1 : 0;
  }

  /** Ends the rectangles of a job here; from now on others begin, or none while its devices are lent. O(entries). */
  cutRects(slot: number): void {
    const at = this.holdings.at;
    for (let entry = this.#live.at.first[slot]!; entry >= 0; entry = at.next[entry]!) {
      this.#rect(slot, entry, at.device[entry]!, at.count[entry]!, 0);
      at.sinceMs[entry] = this.#clock.nowMs;
    }
  }

  /** Whether the job holds anything on a node in this state. O(entries). */
  holdsNodeIn(slot: number, nodeState: number): boolean {
    const at = this.holdings.at;
    for (let entry = this.#live.at.first[slot]!; entry >= 0; entry = at.next[entry]!)
      if (this.ledger.nodeState[at.node[entry]!] === nodeState) return true;
    return false;
  }

  /** An elastic job may hold more of its first component than it asked for. */
  #exceedsMost(jobIdx: number, row: number): boolean {
    const { at, lab } = this.#world.jobs;
    const most = lab.get(jobIdx)?.elastic?.maxMembers ?? 0;
    return row !== at.firstComponent[jobIdx] || this.membersHeld[row]! > most;
  }

  /** Nothing while the job's CPUs are given back. */
  #cpusOf(slot: number, cpuMilli: number): number {
    return this.#live.at.cpusAway[slot] === 1 ? 0 : cpuMilli;
  }

  #giveRow(
    slot: number,
    jobIdx: number,
    row: number,
    grant: Grant,
    i: number,
    memberState: number,
    readyMs: number,
  ): void {
    const { components } = this.#world.jobs;
    const live = this.#live.at;
    this.onChange?.(jobIdx);
    const node = grant.node[i]!;
    const count = grant.count[i]!;
    const part = grant.part[i]!;
    const members = grant.members[i]!;
    const device = count === 0 ? -1 : this.#world.cluster.deviceBase[node]! + grant.first[i]!;
    const askedCpus = grant.cpuMilli[i]!;
    const askedMemory = grant.memMiB[i]!;
    const cpuMilli = askedCpus >= 0 ? askedCpus : members * components.cpuMilli[row]!;
    const memMiB = askedMemory >= 0 ? askedMemory : members * components.memMiB[row]!;
    this.ledger.take(node, device, count, part, row, this.#cpusOf(slot, cpuMilli), memMiB);
    const parts = count > 0 ? count * partsOfRow(this.#world.jobs, part, row) : 0;
    if (parts > 0) this.#recorder.held(this.#live.tierOfJob[jobIdx]!, parts);
    live.devices[slot] = live.devices[slot]! + count;
    if (live.devices[slot]! > live.devicesMost[slot]!) live.devicesMost[slot] = live.devices[slot]!;
    live.allocation[slot] = mixAllocation(live.allocation[slot]!, device, count, part, node);
    const given = { row, node, device, part, memberState, readyMs, nowMs: this.#clock.nowMs };
    const entry = this.#append(slot, jobIdx, count, given);
    const { at } = this.holdings;
    at.members[entry] = at.members[entry]! + members;
    at.cpuMilli[entry] = at.cpuMilli[entry]! + cpuMilli;
    at.memMiB[entry] = at.memMiB[entry]! + memMiB;
  }

  /** The entry that holds the devices: the job's last one where they continue it, else a new one. */
  #append(slot: number, jobIdx: number, count: number, given: Given): number {
    const live = this.#live.at;
    const last = live.last[slot]!;
    if (last >= 0 && continues(this.holdings.at, last, given)) {
      this.holdings.at.count[last]! += count;
      return last;
    }
    const { row, node, device, part, memberState, readyMs } = given;
    const entry = this.holdings.add(jobIdx, row, node, device, count, part, 0, 0, 0);
    const at = this.holdings.at;
    at.sinceMs[entry] = this.#clock.nowMs;
    at.readyMs[entry] = readyMs;
    at.memberState[entry] = memberState;
    at.prev[entry] = last;
    if (last >= 0) at.next[last] = entry;
    else live.first[slot] = entry;
    live.last[slot] = entry;
    return entry;
  }

  /** Gives an entry's devices, CPUs and memory back and writes its rectangle; lists of the job are the caller's. */
  #takeEntry(slot: number, entry: number, endState: number, countMembers: boolean): void {
    const at = this.holdings.at;
    const row = at.component[entry]!;
    if (countMembers) this.membersHeld[row] = this.membersHeld[row]! - at.members[entry]!;
    this.#rect(slot, entry, at.device[entry]!, at.count[entry]!, endState);
    const { device, count, cpuMilli, memMiB } = at;
    this.#giveBack(slot, entry, device[entry]!, count[entry]!, cpuMilli[entry]!, memMiB[entry]!);
    this.holdings.remove(entry);
  }

  #giveBack(
    slot: number,
    entry: number,
    device: number,
    count: number,
    cpuMilli: number,
    memMiB: number,
  ): void {
    const at = this.holdings.at;
    const row = at.component[entry]!;
    const node = at.node[entry]!;
    const part = at.part[entry]!;
    const jobIdx = this.#live.at.jobIdx[slot]!;
    const lent = this.#live.at.lent[slot] === 1;
    const cpus = this.#cpusOf(slot, cpuMilli);
    this.onChange?.(jobIdx);
    this.ledger.give(node, device, lent ? 0 : count, part, row, cpus, memMiB);
    this.#live.at.devices[slot] = this.#live.at.devices[slot]! - count;
    const parts = count > 0 && !lent ? count * partsOfRow(this.#world.jobs, part, row) : 0;
    if (parts > 0) this.#recorder.held(this.#live.tierOfJob[jobIdx]!, -parts);
  }

  /** Takes up to `wanted` members from the last ones of the component; returns how many. */
  #takeTail(slot: number, row: number, wanted: number): number {
    const at = this.holdings.at;
    let tail = this.#live.at.last[slot]!;
    while (tail >= 0 && at.component[tail] !== row) tail = at.prev[tail]!;
    let head = tail;
    while (head >= 0 && at.members[head] === 0) head = at.prev[head]!;
    if (head < 0) broken("members are missing from the holdings");
    const held = at.members[head]!;
    const taken = Math.min(wanted, held);
    const asked = this.#world.jobs.components.gpus[row]!;
    let devices = devicesOfTail(at, asked, row, head, tail, taken);
    const cpuMilli = Math.floor((at.cpuMilli[head]! * taken) / held);
    const memMiB = Math.floor((at.memMiB[head]! * taken) / held);
    this.#giveBack(slot, head, -1, 0, cpuMilli, memMiB);
    at.cpuMilli[head] = at.cpuMilli[head]! - cpuMilli;
    at.memMiB[head] = at.memMiB[head]! - memMiB;
    at.members[head] = held - taken;
    while (devices > 0) {
      const before = at.prev[tail]!;
      const dropped = Math.min(devices, at.count[tail]!);
      this.#trim(slot, tail, dropped);
      devices -= dropped;
      if (devices > 0) tail = before;
    }
    if (at.jobIdx[head]! >= 0 && at.members[head] === 0 && at.count[head] === 0) {
      this.#unlink(slot, head);
      this.holdings.remove(head);
    }
    return taken;
  }

  /** Takes the last devices of an entry, and the entry with them when nothing is left. */
  #trim(slot: number, entry: number, devices: number): void {
    const at = this.holdings.at;
    const device = at.device[entry]! + at.count[entry]! - devices;
    this.#rect(slot, entry, device, devices, 0);
    this.#giveBack(slot, entry, device, devices, 0, 0);
    at.count[entry] = at.count[entry]! - devices;
    if (at.count[entry]! > 0 || at.members[entry]! > 0) return;
    this.#giveBack(slot, entry, -1, 0, at.cpuMilli[entry]!, at.memMiB[entry]!);
    this.#unlink(slot, entry);
    this.holdings.remove(entry);
  }

  #unlink(slot: number, entry: number): void {
    const at = this.holdings.at;
    const before = at.prev[entry]!;
    const after = at.next[entry]!;
    if (before >= 0) at.next[before] = after;
    else this.#live.at.first[slot] = after;
    if (after >= 0) at.prev[after] = before;
    else this.#live.at.last[slot] = before;
  }

  /** What is lent leaves no rectangle. */
  #rect(slot: number, entry: number, device: number, count: number, endState: number): void {
    const at = this.holdings.at;
    const sinceMs = at.sinceMs[entry]!;
    if (count === 0 || sinceMs === this.#clock.nowMs || this.#live.at.lent[slot] === 1) return;
    const bits = rectBits(at.memberState[entry]!, endState, at.part[entry]!);
    const { nowMs } = this.#clock;
    const held = this.#live.at.heldMilliMs;
    held[slot] = held[slot]! + count * this.#milliOf(entry) * (nowMs - sinceMs);
    this.#recorder.rect(sinceMs, nowMs, at.jobIdx[entry]!, device, count, bits);
  }

  #milliOf(entry: number): number {
    const { mig } = this.#world.jobs.components;
    return milliOfEntry(this.ledger, this.holdings, mig, entry);
  }
}
