const COLUMNS = [
  "component",
  "node",
  "first",
  "count",
  "part",
  "members",
  "cpuMilli",
  "memMiB",
] as const;

/**
 * A grant: the devices that a scheduler gives to a job in one decision, as runs of consecutive devices. One buffer is filled
 * and read again and again; nothing is allocated per decision.
 */
export class Grant {
  length = 0;
  /** Index of the component the members belong to (0 for most jobs). */
  component = new Int32Array(64);
  node = new Int32Array(64);
  /** First device within the node; −1 for members without devices. */
  first = new Int32Array(64);
  count = new Int32Array(64);
  /** 0 = whole devices; 1…1,000 = a share of one device; 1,001 + s = the MIG slice that starts at s. */
  part = new Int32Array(64);
  /** Members this entry carries; a member on several device runs counts at its first run. */
  members = new Int32Array(64);
  /** CPUs (1/1,000) and MiB that the entry takes; −1 = what its members ask for. An entry may take more: whole nodes, one CPU a node. */
  cpuMilli = new Int32Array(64).fill(-1);
  memMiB = new Int32Array(64).fill(-1);

  clear(): void {
    this.length = 0;
  }

  push(
    component: number,
    node: number,
    first: number,
    count: number,
    part: number,
    members: number,
    cpuMilli = -1,
    memMiB = -1,
  ): void {
    const row = this.length;
    if (row === this.node.length) this.#grow();
    this.component[row] = component;
    this.node[row] = node;
    this.first[row] = first;
    this.count[row] = count;
    this.part[row] = part;
    this.members[row] = members;
    this.cpuMilli[row] = cpuMilli;
    this.memMiB[row] = memMiB;
    this.length = row + 1;
  }

  #grow(): void {
    for (const name of COLUMNS) {
      const grown = new Int32Array(this[name].length * 2);
      grown.set(this[name]);
      this[name] = grown;
    }
  }
}
