/**
 * A placement: the nodes of a job, ascending, with what it takes on each. One buffer is filled again and again; a running job
 * keeps a trimmed copy, which is what it gives back at its end and in every plan of the future.
 */

const COLUMNS = ["node", "cpus", "gpus", "shards", "memMiB", "tasks"] as const;
const NOTHING = new Int32Array(0);

export class Choice {
  length = 0;
  node: Int32Array;
  cpus: Int32Array;
  gpus: Int32Array;
  shards: Int32Array;
  memMiB: Int32Array;
  /** Tasks, where the job counts them. */
  tasks: Int32Array;
  /** Where nodes have GPUs of several types: row × type, how many of each; empty elsewhere. */
  byType = NOTHING;
  types = 0;
  /** Whole nodes: with all devices. */
  exclusive = false;
  exclusiveUser = false;
  /** Leaf switches under which the nodes lie; 0 without a tree. */
  switchesUsed = 0;

  /** `room`: rows to begin with. The columns share one buffer, since small ones cost more to make than to fill. */
  constructor(room = 64) {
    const { buffer } = new Int32Array(room * COLUMNS.length);
    const column = (at: number): Int32Array => new Int32Array(buffer, at * room * 4, room);
    this.node = column(0);
    this.cpus = column(1);
    this.gpus = column(2);
    this.shards = column(3);
    this.memMiB = column(4);
    this.tasks = column(5);
  }

  /** `types`: how many types of GPUs there are to tell apart; 0 where there is one. */
  clear(types = 0): void {
    this.length = 0;
    this.types = types;
    this.exclusive = false;
    this.exclusiveUser = false;
    this.switchesUsed = 0;
  }

  push(
    node: number,
    cpus: number,
    gpus: number,
    shards: number,
    memMiB: number,
    tasks: number,
  ): void {
    const row = this.length;
    if (row === this.node.length) this.#grow();
    this.node[row] = node;
    this.cpus[row] = cpus;
    this.gpus[row] = gpus;
    this.shards[row] = shards;
    this.memMiB[row] = memMiB;
    this.tasks[row] = tasks;
    this.length = row + 1;
    if (this.types === 0) return;
    if (this.byType.length < this.length * this.types) {
      const grown = new Int32Array(this.node.length * this.types);
      grown.set(this.byType);
      this.byType = grown;
    }
    this.byType.fill(0, row * this.types, this.length * this.types);
  }

  /** A copy that shares nothing and has no room to spare. O(nodes). */
  copy(): Choice {
    const copy = new Choice(this.length);
    for (const name of COLUMNS) {
      const from = this[name];
      const to = copy[name];
      for (let row = 0; row < this.length; row++) to[row] = from[row]!;
    }
    copy.length = this.length;
    copy.types = this.types;
    if (this.types > 0) copy.byType = this.byType.slice(0, this.length * this.types);
    copy.exclusive = this.exclusive;
    copy.exclusiveUser = this.exclusiveUser;
    copy.switchesUsed = this.switchesUsed;
    return copy;
  }

  #grow(): void {
    for (const name of COLUMNS) {
      const grown = new Int32Array(this[name].length * 2 + 64);
      grown.set(this[name]);
      this[name] = grown;
    }
  }
}
