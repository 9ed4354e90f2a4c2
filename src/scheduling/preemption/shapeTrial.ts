/**
 * The room that a job would have if some running jobs were gone: a sketch of the pool from which victims' holdings are taken away and given
 * back one by one. For a job of one component the members that fit are counted node by node as they change, so a trial costs
 * O(nodes of the victim). It is a quick bound: where it says no, no placement rule finds a place; where it says yes, the caller asks its
 * own rule, with all that is kept for others. Of jobs of several components, and where there are MIG slices, only whole devices are counted.
 */
import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import { NodeStateCode } from "../../model/states.ts";
import { WHOLE_DEVICE } from "../../model/units.ts";
import {
  createSketch,
  giveHolding,
  loadSketch,
  membersOn,
  noteCpus,
  type Sketch,
} from "../placement/capacity.ts";
import { wishDomains } from "../placement/placeShape.ts";
import type { Shape } from "../placement/shapes.ts";
import type { NodeVictims } from "./fewestVictims.ts";

/** Whether a victim may be taken beside those taken already; `release` takes that back. */
export interface VictimQuota {
  take(jobIdx: number): boolean;
  release(jobIdx: number): void;
}

/** What becomes free on a node. */
interface Change {
  readonly node: number;
  readonly gpus: number;
  readonly cpuMilli: number;
  readonly memMiB: number;
  /** Of the CPUs: those of members with devices. */
  readonly atDevices: number;
}

export class ShapeTrial {
  #view: PoolView | null = null;
  #shape: Shape | null = null;
  #quota: VictimQuota | null = null;
  #sketch: Sketch | null = null;
  #jobs: readonly number[] = [];
  readonly #held = new Grant();
  /** Rows of each victim in `#held`: from the first up to the end. */
  #from = new Int32Array(64);
  #end = new Int32Array(64);
  #hasParts = false;
  /** What victims that lost members gave. */
  readonly #losses = new Map<number, Change[]>();
  /** Members that fit on each node, and in all or in each domain. */
  #onNode = new Int32Array(0);
  #inDomain = new Int32Array(0);
  #domainOf: Int32Array | null = null;
  #total = 0;
  /** Domains that hold all members. */
  #domainsEnough = 0;

  /** Begins with the pool as it is; victims are named by their place in `jobs`. O(nodes + holdings). */
  begin(
    view: PoolView,
    shape: Shape,
    hasParts: boolean,
    jobs: readonly number[],
    quota: VictimQuota | null,
  ): void {
    this.#view = view;
    this.#shape = shape;
    this.#quota = quota;
    this.#jobs = jobs;
    if (this.#sketch?.cluster !== view.cluster) {
      this.#sketch = createSketch(view);
      this.#onNode = new Int32Array(view.cluster.nodeCount);
    }
    this.#hasParts = hasParts;
    this.#held.clear();
    if (this.#from.length < jobs.length) {
      this.#from = new Int32Array(jobs.length * 2);
      this.#end = new Int32Array(jobs.length * 2);
    }
    for (let victim = 0; victim < jobs.length; victim++) {
      this.#from[victim] = this.#held.length;
      view.holdings(jobs[victim]!, this.#held);
      this.#end[victim] = this.#held.length;
    }
    this.#reload();
  }

  /** The same victims in another order, all of them there again: `places` says where each stood. O(nodes + victims). */
  beginAgain(jobs: readonly number[], places: readonly number[]): void {
    const [from, end] = [this.#from.slice(), this.#end.slice()];
    for (let victim = 0; victim < jobs.length; victim++) {
      this.#from[victim] = from[places[victim]!]!;
      this.#end[victim] = end[places[victim]!]!;
    }
    this.#jobs = jobs;
    this.#reload();
  }

  #reload(): void {
    loadSketch(this.#sketch!, this.#view!, this.#hasParts);
    if (this.#losses.size > 0) this.#losses.clear();
    this.#countMembers();
  }

  remove(victim: number): boolean {
    if (this.#quota !== null && !this.#quota.take(this.#jobs[victim]!)) return false;
    for (let row = this.#from[victim]!; row < this.#end[victim]!; row++)
      this.#give(this.#jobs[victim]!, row);
    return true;
  }

  restore(victim: number): void {
    this.#quota?.release(this.#jobs[victim]!);
    for (let row = this.#from[victim]!; row < this.#end[victim]!; row++)
      this.#take(this.#jobs[victim]!, row);
  }

  /** Whether the job fits if one run were gone, of a trial that was begun with no victims. O(its rows). */
  fitsWithout(jobIdx: number): boolean {
    const held = this.#held;
    held.clear();
    this.#view!.holdings(jobIdx, held);
    for (let row = 0; row < held.length; row++) this.#give(jobIdx, row);
    const fits = this.fits();
    for (let row = 0; row < held.length; row++) this.#take(jobIdx, row);
    held.clear();
    return fits;
  }

  /** Takes members of the first component away, those placed last first: so many in all. O(rows). */
  lose(victim: number, members: number): void {
    for (const change of this.#losses.get(victim) ?? []) this.#change(change, -1);
    this.#losses.delete(victim);
    if (members === 0) return;
    const changes = this.#tailOf(victim, members);
    for (const change of changes) this.#change(change, 1);
    this.#losses.set(victim, changes);
  }

  /** Members of the first component that a victim holds. O(rows). */
  membersOf(victim: number): number {
    let members = 0;
    for (let row = this.#from[victim]!; row < this.#end[victim]!; row++)
      if (this.#held.component[row] === 0) members += this.#held.members[row]!;
    return members;
  }

  /** Whether nothing holds a device of the node. O(1). */
  isEmpty(node: number): boolean {
    const { deviceBase } = this.#sketch!.cluster;
    return this.#sketch!.gpusFree[node] === deviceBase[node + 1]! - deviceBase[node]!;
  }

  fits(): boolean {
    const shape = this.#shape!;
    const rough = shape.parts.length > 1 || this.#view!.jobs.migProfiles.length > 0;
    if (rough) return this.missing() === 0;
    if (this.#domainOf !== null) return this.#domainsEnough > 0;
    return this.#total >= shape.parts[0]!.members;
  }

  members(): number {
    const most = this.#shape!.parts[0]!.members;
    if (this.#domainOf === null) return Math.min(most, this.#total);
    let room = 0;
    for (let domain = 0; domain < this.#inDomain.length; domain++)
      room = Math.max(room, this.#inDomain[domain]!);
    return Math.min(most, room);
  }

  missing(): number {
    if (this.#view!.jobs.migProfiles.length > 0) return 0;
    return Math.max(0, this.#shape!.gpusWhole - this.#sketch!.gpusFreeTotal);
  }

  /** Devices that a victim holds (parts of a device count as one). O(rows). */
  gpusOf(victim: number): number {
    let gpus = 0;
    for (let row = this.#from[victim]!; row < this.#end[victim]!; row++)
      gpus += this.#held.count[row]!;
    return gpus;
  }

  /** Nodes with victims, ascending; on each those with most devices first. O(holdings × log). */
  nodesWithVictims(): NodeVictims[] {
    const devices = new Map<number, Map<number, number>>();
    for (let victim = 0; victim < this.#jobs.length; victim++) {
      for (let row = this.#from[victim]!; row < this.#end[victim]!; row++) {
        const node = this.#held.node[row]!;
        const here = devices.get(node) ?? new Map<number, number>();
        devices.set(node, here);
        here.set(victim, (here.get(victim) ?? 0) + this.#held.count[row]!);
      }
    }
    return [...devices.entries()]
      .sort(([one], [other]) => one - other)
      .map(([node, here]) => ({
        node,
        victims: [...here.entries()]
          .sort(([one, few], [other, many]) => many - few || one - other)
          .map(([victim]) => victim),
      }));
  }

  /** What the last members of a victim hold, as the engine takes it: the last devices of the last entries. */
  #tailOf(victim: number, members: number): Change[] {
    const held = this.#held;
    const { at, components } = this.#view!.jobs;
    const component = at.firstComponent[this.#jobs[victim]!]!;
    const changes: Change[] = [];
    let left = members;
    let tail = this.#end[victim]! - 1;
    while (left > 0 && tail >= this.#from[victim]!) {
      let head = tail;
      while (head > this.#from[victim]! && held.members[head] === 0) head--;
      if (held.component[tail] === 0) {
        const taken = Math.min(left, held.members[head]!);
        const all = taken === held.members[head];
        let gpus = all ? Number.POSITIVE_INFINITY : taken * components.gpus[component]!;
        for (let row = tail; row >= head && gpus > 0; row--) {
          const given = held.part[row]! > 0 ? 0 : Math.min(gpus, held.count[row]!);
          gpus -= given;
          changes.push({
            node: held.node[row]!,
            gpus: given,
            cpuMilli: 0,
            memMiB: 0,
            atDevices: 0,
          });
        }
        const cpuMilli = taken * components.cpuMilli[component]!;
        const memMiB = taken * components.memMiB[component]!;
        const atDevices = components.gpus[component]! > 0 ? cpuMilli : 0;
        changes.push({ node: held.node[head]!, gpus: 0, cpuMilli, memMiB, atDevices });
        left -= taken;
      }
      tail = head - 1;
    }
    return changes;
  }

  #change({ node, gpus, cpuMilli, memMiB, atDevices }: Change, sign: 1 | -1): void {
    const sketch = this.#sketch!;
    noteCpus(sketch, node, -sign * atDevices);
    sketch.cpuMilliFree[node] = sketch.cpuMilliFree[node]! + sign * cpuMilli;
    sketch.memMiBFree[node] = sketch.memMiBFree[node]! + sign * memMiB;
    if (sketch.nodeState[node] === NodeStateCode.open) {
      sketch.gpusFree[node] = sketch.gpusFree[node]! + sign * gpus;
      sketch.gpusFreeTotal += sign * gpus;
    }
    this.#recount(node);
  }

  #countMembers(): void {
    const shape = this.#shape!;
    const sketch = this.#sketch!;
    this.#domainOf = wishDomains(shape, sketch.cluster);
    this.#total = 0;
    this.#domainsEnough = 0;
    if (this.#domainOf !== null) {
      const { leafCount, nvswitchCount } = sketch.cluster;
      this.#inDomain = new Int32Array(shape.wish === "leaf" ? leafCount : nvswitchCount);
    }
    const nodes = sketch.nodes;
    for (let i = 0; i < nodes.length; i++) {
      this.#onNode[nodes[i]!] = 0;
      this.#recount(nodes[i]!);
    }
  }

  #recount(node: number): void {
    const part = this.#shape!.parts[0]!;
    const members = membersOn(this.#sketch!, node, part, part.members);
    const change = members - this.#onNode[node]!;
    if (change === 0) return;
    this.#onNode[node] = members;
    this.#total += change;
    const domain = this.#domainOf === null ? -1 : this.#domainOf[node]!;
    if (domain < 0) return;
    const before = this.#inDomain[domain]!;
    this.#inDomain[domain] = before + change;
    const enough = (room: number) => (room >= part.members ? 1 : 0);
    this.#domainsEnough += enough(before + change) - enough(before);
  }

  #give(jobIdx: number, row: number): void {
    giveHolding(this.#sketch!, this.#view!.jobs, jobIdx, this.#held, row);
    this.#recount(this.#held.node[row]!);
  }

  /** The reverse of `giveHolding`. */
  #take(jobIdx: number, row: number): void {
    const sketch = this.#sketch!;
    const { jobs } = this.#view!;
    const held = this.#held;
    const node = held.node[row]!;
    const component = jobs.at.firstComponent[jobIdx]! + held.component[row]!;
    const members = held.members[row]!;
    const { cpuMilli, memMiB } = jobs.components;
    sketch.cpuMilliFree[node] = sketch.cpuMilliFree[node]! - members * cpuMilli[component]!;
    if (jobs.components.gpus[component]! > 0)
      noteCpus(sketch, node, members * cpuMilli[component]!);
    sketch.memMiBFree[node] = sketch.memMiBFree[node]! - members * memMiB[component]!;
    let gpus = held.count[row]!;
    if (held.part[row]! > 0) {
      const device = sketch.cluster.deviceBase[node]! + held.first[row]!;
      const milli = held.part[row]! <= WHOLE_DEVICE ? held.part[row]! : 0;
      const before = sketch.deviceUsed[device]!;
      sketch.deviceUsed[device] = before + milli;
      gpus = before === 0 && milli > 0 ? 1 : 0;
    }
    if (sketch.nodeState[node] === NodeStateCode.open) {
      sketch.gpusFree[node] = sketch.gpusFree[node]! - gpus;
      sketch.gpusFreeTotal -= gpus;
    }
    this.#recount(node);
  }
}
