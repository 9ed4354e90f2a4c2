/**
 * Nodes as a session sees them: a sketch that trials change and undo exactly, and scores by part that are worked out again only for nodes that have changed
 * since. Loading compares with what was there, so scores outlive sessions. Derived from the view: no part of a scheduler's state. Loading O(nodes), O(devices) with
 * parts of devices; the best node of the pool O(nodes changed since × log nodes), of a list O(its nodes).
 */
import type { PoolView } from "../../../engine/view.ts";
import { NodeStateCode } from "../../../model/states.ts";
import {
  type Capacity,
  createSketch,
  loadSketch,
  membersOn,
  type Sketch,
} from "../../placement/capacity.ts";
import type { Part } from "../../placement/shapes.ts";
import { type Amounts, totalOf } from "./amounts.ts";
import { BestNode } from "./bestNode.ts";
import { RoomTally } from "./roomTally.ts";

/** Score of a node for one more member of a part, 0 or more; only asked where it fits. */
export type Scoring = (sketch: Sketch, part: Part, node: number) => number;

/** What a node's devices were before a trial touched it. */
interface SavedParts {
  readonly used: Uint16Array;
  readonly slices: Uint8Array;
}

/** Values of one entry of `#saved`: node, free devices, CPU and memory. */
const ENTRY = 4;

interface Scores {
  readonly best: BestNode;
  /** How much of the log of changes it has seen. */
  seen: number;
}

interface Followed {
  readonly mine: readonly number[] | null;
  readonly mineSeen: number;
  readonly theirs: readonly number[] | null;
  readonly theirsSeen: number;
}

/** Parts whose scores are kept; when there are more all are dropped. */
const MOST_PARTS = 512;
/** Changes after which everything is worked out anew. */
const LOG_PER_NODE = 4;

export class NodeBoard {
  readonly sketch: Sketch;
  readonly #scores = new Map<Part, Scores>();
  readonly #scoring: Scoring;
  /** Nodes that have changed, in order. */
  #log: number[] = [];
  /** Where each trial under way begins in `#saved`, the innermost last. */
  #trials: number[] = [];
  /** What nodes were before they were touched, oldest first; undone backwards, so a node may stand in it more than once. */
  readonly #saved: number[] = [];
  /** Beside it, with parts of devices. */
  readonly #savedParts: SavedParts[] = [];
  /** By node: the last undoing that has come by it. */
  readonly #undone: Int32Array;
  #undoings = 0;
  #withParts = false;
  #total: Amounts | null = null;
  readonly #tally: RoomTally;
  /** How much of the log of changes it has seen; −1: nothing, all is to be counted. */
  #tallySeen = -1;
  /** The logs of the two boards and how much of each was seen when this one was last equal to another. */
  #followed: Followed = { mine: null, mineSeen: 0, theirs: null, theirsSeen: 0 };

  constructor(view: PoolView, scoring: Scoring) {
    this.sketch = createSketch(view);
    this.#scoring = scoring;
    this.#undone = new Int32Array(view.cluster.nodeCount);
    this.#tally = new RoomTally(view.cluster);
  }

  /** Becomes equal to a capacity. */
  load(from: Capacity, withParts: boolean): void {
    const { sketch } = this;
    this.#withParts = withParts;
    if (sketch.nodes !== from.nodes) this.#forget();
    const { gpusFree, cpuMilliFree, memMiBFree, nodeState } = sketch;
    const theirs = from.gpusFree;
    const { cpuMilliFree: theirCpu, memMiBFree: theirMem, nodeState: theirState } = from;
    for (let node = 0; node < gpusFree.length; node++) {
      const same =
        gpusFree[node] === theirs[node] &&
        cpuMilliFree[node] === theirCpu[node] &&
        memMiBFree[node] === theirMem[node];
      if (nodeState[node] !== theirState[node]) this.#statesChanged();
      else if (same && (!withParts || this.#sameParts(from, node))) continue;
      this.#log.push(node);
    }
    loadSketch(sketch, from, withParts);
    this.#begin();
  }

  /** Becomes equal to another board: takes over what has changed on either since it last did. O(that); O(nodes) where one has begun anew. */
  follow(other: NodeBoard, withParts: boolean): void {
    const theirs = other.#log;
    const since = this.#followed;
    const known = since.mine === this.#log && since.theirs === theirs;
    if (!known || this.#withParts !== withParts || this.sketch.nodes !== other.sketch.nodes)
      this.load(other.sketch, withParts);
    else {
      const mineEnd = this.#log.length;
      for (let at = since.mineSeen; at < mineEnd; at++) this.#takeOver(other, this.#log[at]!);
      for (let at = since.theirsSeen; at < theirs.length; at++) this.#takeOver(other, theirs[at]!);
      this.sketch.gpusFreeTotal = other.sketch.gpusFreeTotal;
      this.sketch.ownAtDevices.set(other.sketch.ownAtDevices);
      this.sketch.kindsOn = other.sketch.kindsOn;
      this.#begin();
    }
    this.#followed = {
      mine: this.#log,
      mineSeen: this.#log.length,
      theirs,
      theirsSeen: theirs.length,
    };
  }

  #takeOver({ sketch: from }: NodeBoard, node: number): void {
    const { sketch } = this;
    const differs = sketch.nodeState[node] !== from.nodeState[node];
    if (!differs && this.#sameOn(from, node)) return;
    if (differs) this.#statesChanged();
    sketch.nodeState[node] = from.nodeState[node]!;
    this.refresh(from, node);
  }

  /** No trial is under way; what has changed too often is forgotten. */
  #begin(): void {
    this.#trials.length = 0;
    this.#saved.length = 0;
    this.#savedParts.length = 0;
    if (this.#log.length > LOG_PER_NODE * this.sketch.gpusFree.length) this.#forget();
  }

  #sameOn(from: Capacity, node: number): boolean {
    const { gpusFree, cpuMilliFree, memMiBFree } = this.sketch;
    return (
      gpusFree[node] === from.gpusFree[node] &&
      cpuMilliFree[node] === from.cpuMilliFree[node] &&
      memMiBFree[node] === from.memMiBFree[node] &&
      (!this.#withParts || this.#sameParts(from, node))
    );
  }

  #sameParts({ deviceUsed, sliceUsed }: Capacity, node: number): boolean {
    const { sketch } = this;
    const { deviceBase } = sketch.cluster;
    for (let device = deviceBase[node]!; device < deviceBase[node + 1]!; device++) {
      if (sketch.deviceUsed[device] !== deviceUsed[device]) return false;
      if (sketch.sliceUsed[device] !== sliceUsed[device]) return false;
    }
    return true;
  }

  /** What the open nodes have in all. O(1), O(nodes) after one has opened or closed. */
  get total(): Amounts {
    const { cluster, nodes, nodeState } = this.sketch;
    this.#total ??= totalOf(cluster, nodes, (node) => nodeState[node] === NodeStateCode.open);
    return this.#total;
  }

  #statesChanged(): void {
    this.#total = null;
    this.#tallySeen = -1;
  }

  #forget(): void {
    this.#scores.clear();
    this.#log = [];
    this.#statesChanged();
  }

  /** Nodes by free devices, as of now. O(nodes changed since), O(nodes) after one has opened or closed. */
  get tally(): RoomTally {
    const { sketch } = this;
    const log = this.#log;
    if (this.#tallySeen < 0) this.#tally.count(sketch);
    else
      for (let at = this.#tallySeen; at < log.length; at++)
        this.#tally.move(log[at]!, sketch.gpusFree[log[at]!]!);
    this.#tallySeen = log.length;
    return this.#tally;
  }

  /** A trial begins, inside another or not: what it touches can be undone. */
  begin(): void {
    this.#trials.push(this.#saved.length);
  }

  /** The trial has succeeded; one around it can still be undone. */
  keep(): void {
    this.#trials.pop();
    if (this.#trials.length > 0) return;
    this.#saved.length = 0;
    this.#savedParts.length = 0;
  }

  /** To be called before a node of the sketch is changed in a trial. O(1), O(devices of the node) with parts. */
  touch(node: number): void {
    const trials = this.#trials;
    if (trials.length === 0) return;
    const saved = this.#saved;
    // Twice in a row in one trial: what it was is known.
    const isKnown = saved.length > trials[trials.length - 1]!;
    if (isKnown && saved[saved.length - ENTRY] === node) return;
    const { sketch } = this;
    saved.push(node, sketch.gpusFree[node]!, sketch.cpuMilliFree[node]!, sketch.memMiBFree[node]!);
    if (!this.#withParts) return;
    const { deviceBase } = sketch.cluster;
    this.#savedParts.push({
      used: sketch.deviceUsed.slice(deviceBase[node]!, deviceBase[node + 1]!),
      slices: sketch.sliceUsed.slice(deviceBase[node]!, deviceBase[node + 1]!),
    });
  }

  /** Back to where the trial began. */
  undo(): void {
    const { sketch } = this;
    const saved = this.#saved;
    const from = this.#trials.pop()!;
    const undoing = ++this.#undoings;
    for (let at = saved.length - ENTRY; at >= from; at -= ENTRY) {
      const node = saved[at]!;
      sketch.gpusFreeTotal += saved[at + 1]! - sketch.gpusFree[node]!;
      sketch.gpusFree[node] = saved[at + 1]!;
      sketch.cpuMilliFree[node] = saved[at + 2]!;
      sketch.memMiBFree[node] = saved[at + 3]!;
      if (this.#withParts) this.#undoParts(node);
      if (this.#undone[node] !== undoing) this.changed(node);
      this.#undone[node] = undoing;
    }
    saved.length = from;
  }

  #undoParts(node: number): void {
    const { used, slices } = this.#savedParts.pop()!;
    const first = this.sketch.cluster.deviceBase[node]!;
    this.sketch.deviceUsed.set(used, first);
    this.sketch.sliceUsed.set(slices, first);
  }

  /** A node takes over what a capacity says of it. O(devices of the node). */
  refresh(from: Capacity, node: number): void {
    const { sketch } = this;
    sketch.gpusFreeTotal += from.gpusFree[node]! - sketch.gpusFree[node]!;
    sketch.gpusFree[node] = from.gpusFree[node]!;
    sketch.cpuMilliFree[node] = from.cpuMilliFree[node]!;
    sketch.memMiBFree[node] = from.memMiBFree[node]!;
    if (this.#withParts) {
      const first = sketch.cluster.deviceBase[node]!;
      const end = sketch.cluster.deviceBase[node + 1]!;
      sketch.deviceUsed.set(from.deviceUsed.subarray(first, end), first);
      sketch.sliceUsed.set(from.sliceUsed.subarray(first, end), first);
    }
    this.changed(node);
  }

  /** The node is not what it was: its scores are worked out anew. */
  changed(node: number): void {
    this.#log.push(node);
  }

  /** The scores of all nodes for one more member of a part, as of now. */
  bestFor(part: Part): BestNode {
    let scores = this.#scores.get(part);
    if (scores === undefined) {
      if (this.#scores.size >= MOST_PARTS) this.#scores.clear();
      scores = { best: new BestNode(this.sketch.gpusFree.length), seen: this.#log.length };
      const { nodes } = this.sketch;
      for (let i = 0; i < nodes.length; i++)
        scores.best.put(nodes[i]!, this.#scoreOf(part, nodes[i]!));
      this.#scores.set(part, scores);
      return scores.best;
    }
    for (; scores.seen < this.#log.length; scores.seen++) {
      const node = this.#log[scores.seen]!;
      if (scores.best.has(node)) scores.best.put(node, this.#scoreOf(part, node));
    }
    return scores.best;
  }

  #scoreOf(part: Part, node: number): number {
    return membersOn(this.sketch, node, part, 1) > 0 ? this.#scoring(this.sketch, part, node) : -1;
  }
}
