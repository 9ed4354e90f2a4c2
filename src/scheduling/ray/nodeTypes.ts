/**
 * Which worker groups the autoscaler (v2) adds nodes of, for what found no room on nodes that are there or come: one fresh node after the other, each of the kind that scores best
 * with what fits on it: no GPUs where none is asked for, most kinds of resources used, then use of the least and of the average resource (its amount times the third power of the part
 * used). Gangs go first, each whole or not at all, then calls, most constrained first. A kind is never added beyond its most. O(nodes added × kinds × demands). Source:
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

/** A node that has been added and may take more. */
interface Added {
  readonly kind: number;
  readonly room: Float64Array;
  /** Gangs that keep their bundles apart and have one here. */
  readonly apart: Set<number>;
}

const ROUNDING = 1e-9;

/**
 * Nodes to add, by kind. `gangs` are placed whole; `calls` as far as it goes. `units`: by resource, what one of its amounts is in Ray's own units (GPUs, CPUs, bytes), in which uses are
 * compared.
 */
export function nodesToAdd(
  gangs: readonly (readonly Demand[])[],
  calls: readonly Demand[],
  kinds: readonly NodeKind[],
  units: ArrayLike<number>,
): number[] {
  const added: Added[] = [];
  const counts = kinds.map(() => 0);
  for (const [gang, demands] of gangs.entries()) {
    const before = added.map(({ room }) => room.slice());
    const countsBefore = [...counts];
    if (serve(demands, gang, kinds, counts, added, units)) continue;
    // Whole or not at all: what was added for it is taken back.
    added.length = before.length;
    for (const [idx, room] of before.entries()) {
      added[idx]!.room.set(room);
      added[idx]!.apart.delete(gang);
    }
    for (const [kind, count] of countsBefore.entries()) counts[kind] = count;
  }
  const sorted = [...calls].sort((one, other) => moreConstrained(one, other, units));
  serve(sorted, -1, kinds, counts, added, units);
  return counts;
}

/** Most constrained first: more kinds of resources, then more of them. */
function moreConstrained(
  { request: one }: Demand,
  { request: other }: Demand,
  units: ArrayLike<number>,
): number {
  const kindsAsked = (request: RayRequest) => Array.from(request).filter((r) => r > 0).length;
  const sum = (request: RayRequest) =>
    Array.from(request).reduce((all, amount, r) => all + amount * units[r]!, 0);
  return kindsAsked(other) - kindsAsked(one) || sum(other) - sum(one);
}

function serve(
  demands: readonly Demand[],
  gang: number,
  kinds: readonly NodeKind[],
  counts: number[],
  added: Added[],
  units: ArrayLike<number>,
): boolean {
  const left = demands.map(({ count }) => count);
  for (const node of added) fill(node, demands, left, gang, true);
  while (left.some((count) => count > 0)) {
    const kind = bestKind(demands, left, gang, kinds, counts, units);
    if (kind < 0) return false;
    const node = freshNode(kind, kinds);
    fill(node, demands, left, gang, true);
    added.push(node);
    counts[kind] = counts[kind]! + 1;
  }
  return true;
}

const freshNode = (kind: number, kinds: readonly NodeKind[]): Added => ({
  kind,
  room: kinds[kind]!.total.slice(),
  apart: new Set(),
});

/** The kind whose fresh node scores best with what is left; −1 where none takes anything. */
function bestKind(
  demands: readonly Demand[],
  left: readonly number[],
  gang: number,
  kinds: readonly NodeKind[],
  counts: readonly number[],
  units: ArrayLike<number>,
): number {
  let best = -1;
  let bestScore: readonly number[] = [];
  for (const [kind, { total, left: mayAdd }] of kinds.entries()) {
    if (counts[kind]! >= mayAdd) continue;
    const node = freshNode(kind, kinds);
    const asked = fill(node, demands, [...left], gang, false);
    if (asked === null) continue;
    const score = scoreOf(total, node.room, asked, units);
    if (best >= 0 && !isMore(score, bestScore)) continue;
    best = kind;
    bestScore = score;
  }
  return best;
}

/** Puts what fits on a node, demand by demand; which resources that asks for, null where nothing fits. */
function fill(
  node: Added,
  demands: readonly Demand[],
  left: number[],
  gang: number,
  isReal: boolean,
): Uint8Array | null {
  let asked: Uint8Array | null = null;
  for (const [idx, { request, apart, kinds }] of demands.entries()) {
    if (kinds[node.kind] === 0) continue;
    const most = apart ? Math.min(1, left[idx]!) : left[idx]!;
    if (most === 0 || (apart && node.apart.has(gang))) continue;
    const count = fitting(node.room, request, most);
    if (count === 0) continue;
    asked ??= new Uint8Array(node.room.length);
    for (let r = 0; r < node.room.length; r++) {
      if (request[r]! > 0) asked[r] = 1;
      node.room[r] = node.room[r]! - count * request[r]!;
    }
    left[idx] = left[idx]! - count;
    if (apart) node.apart.add(gang);
  }
  if (!isReal) node.apart.clear();
  return asked;
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
