/**
 * Which worker groups the autoscaler (v2) adds nodes of: what waits is put on nodes that are there or come, first ones first, and then on fresh ones, each of the kind that scores best
 * with what fits on it: no GPUs where none is asked for, most kinds of resources used, then use of the least and of the average resource (its amount times the third power of the part
 * used). Gangs go first, each whole or not at all, then calls, most constrained first. A kind is never added beyond its most. O(demands × (nodes + nodes added × kinds)). Source:
 * ray-project/ray `python/ray/autoscaler/v2/scheduler.py`.
 */
import { GPU, type RayRequest } from "./resources.ts";

export interface Demand {
  readonly request: RayRequest;
  readonly count: number;
  /** Each on a node of its own: STRICT_SPREAD. */
  readonly apart: boolean;
  /** By kind of node: 1 where labels and models are what it asks for. */
  readonly kinds: Uint8Array;
}

export interface NodeKind {
  readonly total: Float64Array;
  /** Nodes that may still be added. */
  readonly left: number;
}

/** A node that is there, or comes, with what is free on it. */
export interface RoomyNode {
  readonly kind: number;
  readonly room: Float64Array;
  /** Somebody who waits is to go there. */
  used: boolean;
}

export interface NodesAsked {
  /** Gangs of one class are one and the same list. */
  readonly gangs: readonly (readonly Demand[])[];
  readonly calls: readonly Demand[];
  readonly kinds: readonly NodeKind[];
  /** Changed: what is put there is taken off, and marked. */
  readonly there: readonly RoomyNode[];
  /** By resource, what one of its amounts is in Ray's own units (GPUs, CPUs, bytes), in which uses are compared. */
  readonly units: ArrayLike<number>;
}

const ROUNDING = 1e-9;

/** Nodes to add, by kind. */
export function nodesToAdd(asked: NodesAsked): number[] {
  const plan = new Plan(asked);
  const refused = new Set<readonly Demand[]>();
  for (const demands of asked.gangs) {
    // Where one finds no room another of the same class finds none either: what is free only gets less.
    if (refused.has(demands)) continue;
    plan.begin();
    if (!plan.serve(demands, true)) {
      plan.undo();
      refused.add(demands);
    }
  }
  const { units } = asked;
  const calls = [...asked.calls].sort((one, other) => moreConstrained(one, other, units));
  plan.begin();
  plan.serve(calls, false);
  return plan.counts;
}

/** Most constrained first: more kinds of resources, then more of them. */
function moreConstrained(
  { request: one }: Demand,
  { request: other }: Demand,
  units: ArrayLike<number>,
): number {
  const kindsAsked = (request: RayRequest) =>
    Array.from(request).filter((amount) => amount > 0).length;
  const sum = (request: RayRequest) =>
    Array.from(request).reduce((all, amount, r) => all + amount * units[r]!, 0);
  return kindsAsked(other) - kindsAsked(one) || sum(other) - sum(one);
}

class Plan {
  readonly counts: number[];
  readonly #asked: NodesAsked;
  readonly #nodes: RoomyNode[];
  /** Of the gang under way: nodes before it, rooms before it, nodes that have one of its bundles that keep apart. */
  #nodesBefore = 0;
  #countsBefore: number[] = [];
  #roomsBefore = new Map<RoomyNode, { readonly room: Float64Array; readonly used: boolean }>();
  #apart = new Set<RoomyNode>();

  constructor(asked: NodesAsked) {
    this.#asked = asked;
    this.#nodes = [...asked.there];
    this.counts = asked.kinds.map(() => 0);
  }

  begin(): void {
    this.#nodesBefore = this.#nodes.length;
    this.#countsBefore = [...this.counts];
    this.#roomsBefore.clear();
    this.#apart = new Set();
  }

  /** Back to where the gang began. */
  undo(): void {
    this.#nodes.length = this.#nodesBefore;
    for (const [kind, count] of this.#countsBefore.entries()) this.counts[kind] = count;
    for (const [node, { room, used }] of this.#roomsBefore) {
      node.room.set(room);
      node.used = used;
    }
  }

  /** Puts demands on nodes. Whole: false at the first that finds none; else what finds none is left out. */
  serve(demands: readonly Demand[], whole: boolean): boolean {
    const left = demands.map(({ count }) => count);
    for (const node of this.#nodes) {
      if (left.every((count) => count === 0)) return true;
      this.#fill(node, demands, left);
    }
    while (left.some((count) => count > 0)) {
      const kind = this.#bestKind(demands, left);
      if (kind < 0) return !whole;
      const node = this.#fresh(kind);
      this.#fill(node, demands, left);
      this.#nodes.push(node);
      this.counts[kind] = this.counts[kind]! + 1;
    }
    return true;
  }

  #fresh(kind: number): RoomyNode {
    return { kind, room: this.#asked.kinds[kind]!.total.slice(), used: false };
  }

  /** The kind whose fresh node scores best with what is left; −1 where none takes anything. */
  #bestKind(demands: readonly Demand[], left: readonly number[]): number {
    const { kinds, units } = this.#asked;
    let best = -1;
    let bestScore: readonly number[] = [];
    for (const [kind, { total, left: mayAdd }] of kinds.entries()) {
      if (this.counts[kind]! >= mayAdd) continue;
      const node = this.#fresh(kind);
      const asked = this.#fill(node, demands, [...left]);
      this.#apart.delete(node);
      if (asked === null) continue;
      const score = scoreOf(total, node.room, asked, units);
      if (best >= 0 && !isMore(score, bestScore)) continue;
      best = kind;
      bestScore = score;
    }
    return best;
  }

  /** Puts what fits on a node, demand by demand; which resources that asks for, null where nothing fits. */
  #fill(node: RoomyNode, demands: readonly Demand[], left: number[]): Uint8Array | null {
    let asked: Uint8Array | null = null;
    for (const [idx, { request, apart, kinds }] of demands.entries()) {
      const most = apart ? Math.min(1, left[idx]!) : left[idx]!;
      if (most === 0 || kinds[node.kind] !== 1 || (apart && this.#apart.has(node))) continue;
      const count = fitting(node.room, request, most);
      if (count === 0) continue;
      if (!this.#roomsBefore.has(node))
        this.#roomsBefore.set(node, { room: node.room.slice(), used: node.used });
      asked ??= new Uint8Array(node.room.length);
      for (let r = 0; r < node.room.length; r++) {
        if (request[r]! > 0) asked[r] = 1;
        node.room[r] = node.room[r]! - count * request[r]!;
      }
      node.used = true;
      left[idx] = left[idx]! - count;
      if (apart) this.#apart.add(node);
    }
    return asked;
  }
}

function fitting(room: Float64Array, request: RayRequest, most: number): number {
  let count = most;
  for (let r = 0; r < room.length && count > 0; r++)
    if (request[r]! > 0) count = Math.min(count, Math.floor((room[r]! + ROUNDING) / request[r]!));
  return Math.max(0, count);
}

function scoreOf(
  total: Float64Array,
  room: Float64Array,
  asked: Uint8Array,
  units: ArrayLike<number>,
): number[] {
  const uses: number[] = [];
  let kindsUsed = 0;
  for (let r = 0; r < total.length; r++) {
    const all = total[r]!;
    if (all === 0) continue;
    kindsUsed += asked[r]!;
    const part = (all - room[r]!) / all;
    uses.push(all * units[r]! * part * part * part);
  }
  const gpuOk = total[GPU]! > 0 && asked[GPU] === 0 ? 0 : 1;
  const mean = uses.reduce((sum, use) => sum + use, 0) / Math.max(1, uses.length);
  return [gpuOk, kindsUsed, uses.length === 0 ? 0 : Math.min(...uses), mean];
}

function isMore(score: readonly number[], other: readonly number[]): boolean {
  const at = score.findIndex((value, idx) => value !== other[idx]);
  return at >= 0 && score[at]! > other[at]!;
}
