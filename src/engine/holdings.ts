/**
 * What live jobs hold: one entry for each run of consecutive devices that a job holds on a node, in the order in which they
 * were given. An entry is at the same time the open rectangle of the record. Entries of a job form a list (first to last), so
 * do those of a node, so that a node's failure costs what it held.
 *
 * A member on several runs of devices counts at the first of them; the entries that follow on the same node carry its rest.
 */
import { type ArraysOf, allocate, sliceColumns } from "../base/columns.ts";

const ENTRY_SHAPE = {
  sinceMs: "f64",
  /** When its members have started up, where they joined a run later; −1 = with the run. */
  readyMs: "f64",
  jobIdx: "i32",
  /** Row of the component table. */
  component: "i32",
  node: "i32",
  /** Global index of the first device; −1 = members without devices. */
  device: "i32",
  count: "i32",
  part: "i32",
  members: "i32",
  /** CPUs (1/1,000) and MiB that it took. */
  cpuMilli: "i32",
  memMiB: "i32",
  next: "i32",
  prev: "i32",
  nodeNext: "i32",
  nodePrev: "i32",
  memberState: "u8",
} as const;

export interface HoldingsCopy {
  readonly at: ArraysOf<typeof ENTRY_SHAPE>;
  readonly firstFree: number;
}

export class Holdings {
  at = allocate(ENTRY_SHAPE, 256);
  /** Entries 0 … used−1 have been in use; free ones have `jobIdx` −1. */
  used = 0;
  readonly #nodeHead: Int32Array;
  #firstFree = -1;

  constructor(nodeCount: number) {
    this.#nodeHead = new Int32Array(nodeCount).fill(-1);
  }

  /** A new entry, linked into its node's list; the caller links it into its job's. */
  add(
    jobIdx: number,
    component: number,
    node: number,
    device: number,
    count: number,
    part: number,
    members: number,
    cpuMilli: number,
    memMiB: number,
  ): number {
    const entry = this.#allocate();
    const at = this.at;
    at.jobIdx[entry] = jobIdx;
    at.component[entry] = component;
    at.node[entry] = node;
    at.device[entry] = device;
    at.count[entry] = count;
    at.part[entry] = part;
    at.members[entry] = members;
    at.cpuMilli[entry] = cpuMilli;
    at.memMiB[entry] = memMiB;
    at.next[entry] = -1;
    at.prev[entry] = -1;
    this.#linkNode(entry, node);
    return entry;
  }

  remove(entry: number): void {
    const at = this.at;
    const before = at.nodePrev[entry]!;
    const after = at.nodeNext[entry]!;
    if (before >= 0) at.nodeNext[before] = after;
    else this.#nodeHead[at.node[entry]!] = after;
    if (after >= 0) at.nodePrev[after] = before;
    at.jobIdx[entry] = -1;
    at.next[entry] = this.#firstFree;
    this.#firstFree = entry;
  }

  firstOnNode(node: number): number {
    return this.#nodeHead[node]!;
  }

  copy(): HoldingsCopy {
    return {
      at: sliceColumns<typeof ENTRY_SHAPE>(this.at, 0, this.used),
      firstFree: this.#firstFree,
    };
  }

  /** O(entries + nodes). */
  restore(copy: HoldingsCopy): void {
    this.used = copy.at.jobIdx.length;
    this.#firstFree = copy.firstFree;
    let capacity = 256;
    while (capacity < this.used) capacity *= 2;
    this.at = allocate(ENTRY_SHAPE, capacity);
    for (const name of Object.keys(ENTRY_SHAPE) as (keyof typeof ENTRY_SHAPE)[])
      this.at[name].set(copy.at[name]);
    this.#nodeHead.fill(-1);
    for (let entry = 0; entry < this.used; entry++) {
      if (this.at.jobIdx[entry]! >= 0) this.#linkNode(entry, this.at.node[entry]!);
    }
  }

  #linkNode(entry: number, node: number): void {
    const head = this.#nodeHead[node]!;
    this.at.nodePrev[entry] = -1;
    this.at.nodeNext[entry] = head;
    if (head >= 0) this.at.nodePrev[head] = entry;
    this.#nodeHead[node] = entry;
  }

  #allocate(): number {
    const free = this.#firstFree;
    if (free >= 0) {
      this.#firstFree = this.at.next[free]!;
      return free;
    }
    if (this.used === this.at.jobIdx.length) {
      const grown = allocate(ENTRY_SHAPE, this.used * 2);
      for (const name of Object.keys(ENTRY_SHAPE) as (keyof typeof ENTRY_SHAPE)[])
        grown[name].set(this.at[name]);
      this.at = grown;
    }
    return this.used++;
  }
}
