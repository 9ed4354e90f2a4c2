/**
 * Where a job would go: members of its parts by node, found by a placement rule on some capacity. It becomes a grant when the
 * job starts; until then it is a plan or a test. One buffer is filled again and again.
 */
export class Placing {
  length = 0;
  /** Index of the part (component) the members belong to. */
  part: Int32Array;
  node: Int32Array;
  members: Int32Array;
  /** For a share or slice of a device: the global device, and how much of it in 1/1,000; else −1 and 0. */
  device: Int32Array;
  milli: Int32Array;

  /** `rows` is only how many it has space for at first. */
  constructor(rows = 64) {
    this.part = new Int32Array(rows);
    this.node = new Int32Array(rows);
    this.members = new Int32Array(rows);
    this.device = new Int32Array(rows);
    this.milli = new Int32Array(rows);
  }

  clear(): void {
    this.length = 0;
  }

  push(part: number, node: number, members: number, device = -1, milli = 0): void {
    const row = this.length;
    if (row === this.node.length) this.#grow();
    this.part[row] = part;
    this.node[row] = node;
    this.members[row] = members;
    this.device[row] = device;
    this.milli[row] = milli;
    this.length = row + 1;
  }

  /** Becomes equal to another placing. */
  set(from: Placing): void {
    this.clear();
    for (let row = 0; row < from.length; row++) {
      this.push(
        from.part[row]!,
        from.node[row]!,
        from.members[row]!,
        from.device[row]!,
        from.milli[row]!,
      );
    }
  }

  /** A copy that shares nothing. */
  copy(): Placing {
    const copy = new Placing(this.length);
    copy.set(this);
    return copy;
  }

  #grow(): void {
    for (const name of ["part", "node", "members", "device", "milli"] as const) {
      const grown = new Int32Array(Math.max(4, this[name].length * 2));
      grown.set(this[name]);
      this[name] = grown;
    }
  }
}
