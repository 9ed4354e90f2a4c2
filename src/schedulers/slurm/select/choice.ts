/**
 * A placement: the nodes of a job, ascending, with what it takes on each. One buffer is filled again and again; a running job
 * keeps a trimmed copy, which is what it gives back at its end and in every plan of the future.
 */
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
  byType = new Int32Array(0);
  types = 0;
  /** Whole nodes: with all devices. */
  exclusive = false;
  exclusiveUser = false;
  /** Leaf switches under which the nodes lie; 0 without a tree. */
  switchesUsed = 0;

  constructor(room = 64) {
    this.node = new Int32Array(room);
    this.cpus = new Int32Array(room);
    this.gpus = new Int32Array(room);
    this.shards = new Int32Array(room);
    this.memMiB = new Int32Array(room);
    this.tasks = new Int32Array(room);
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
    const copy = new Choice(0);
    for (const name of COLUMNS) copy[name] = this[name].slice(0, this.length);
    copy.length = this.length;
    copy.types = this.types;
    copy.byType = this.byType.slice(0, this.length * this.types);
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

const COLUMNS = ["node", "cpus", "gpus", "shards", "memMiB", "tasks"] as const;
