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
  ): void {
    const row = this.length;
    if (row === this.node.length) this.#grow();
    this.component[row] = component;
    this.node[row] = node;
    this.first[row] = first;
    this.count[row] = count;
    this.part[row] = part;
    this.members[row] = members;
    this.length = row + 1;
  }

  #grow(): void {
    for (const name of ["component", "node", "first", "count", "part", "members"] as const) {
      const grown = new Int32Array(this[name].length * 2);
      grown.set(this[name]);
      this[name] = grown;
    }
  }
}
