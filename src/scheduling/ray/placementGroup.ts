/**
 * Placement groups of Ray: all bundles or none. Bundles go scarce resources first (GPU, custom in order, object store, memory, CPU), largest first, equal ones as listed. A node
 * scores for a bundle by the part of what is available that stays free, summed over what the bundle asks for, so the emptiest wins; equal nodes go by index. PACK fills the
 * best node with whatever of the rest fits, then goes on to the next; SPREAD takes nodes not chosen yet first; STRICT_PACK wants one node for the sum; STRICT_SPREAD a node each.
 * A group that fails is retried, but for a few that never can. O(bundles × nodes); spread groups of equal bundles O(nodes log nodes). Pathology: PACK puts bundles without GPUs on GPU nodes.
 * Source: ray-project/ray `src/ray/raylet/scheduling/policy/bundle_scheduling_policy`, `scorer`.
 */
import type { RayStrategy } from "../../model/kubernetes/rayRequest.ts";
import {
  CPU,
  covers,
  FIRST_CUSTOM,
  GPU,
  isIn,
  MEMORY,
  type NodeMask,
  type RayNodes,
  type RayRequest,
  STORE,
  sumOf,
} from "./resources.ts";

export interface GroupPlacement {
  readonly status: "placed" | "pending" | "infeasible";
  /** Index of the node of each bundle, in the order given; empty unless placed. */
  readonly nodes: readonly number[];
}

export interface GroupAsk {
  readonly strategy: RayStrategy;
  readonly bundles: readonly RayRequest[];
  /** A node that STRICT_PACK prefers; −1 = none. */
  readonly softTarget: number;
  /** Nodes that are there and bear the labels asked for. */
  readonly mask: NodeMask;
  /** By bundle, where bundles ask for different labels; absent: `mask` for all. */
  readonly maskOf?: (bundle: number) => NodeMask;
}

const INFEASIBLE: GroupPlacement = { status: "infeasible", nodes: [] };
const PENDING: GroupPlacement = { status: "pending", nodes: [] };

/** Bundles to nodes, as far as they have been chosen. */
type Chosen = Map<number, number>;

/** Where the bundles go. */
export function placeGroup(ask: GroupAsk, nodes: RayNodes): GroupPlacement {
  const { strategy, bundles } = ask;
  if (isInfeasible(ask, nodes)) return INFEASIBLE;
  if (strategy === "STRICT_PACK") return strictPack(ask, nodes);
  const order = scarceFirst(bundles, nodes.width);
  const chosen = strategy === "PACK" ? pack(order, ask, nodes) : spread(order, ask, nodes);
  if (!chosen) return PENDING;
  return { status: "placed", nodes: bundles.map((_, bundle) => chosen.get(bundle)!) };
}

/** Whether the policy gives up on a group: no node at all, none that would ever hold all of a STRICT_PACK group, fewer than a STRICT_SPREAD group has bundles. O(nodes). */
export function isInfeasible({ strategy, bundles, mask }: GroupAsk, nodes: RayNodes): boolean {
  const there = countIn(mask, nodes.count);
  if (there === 0) return true;
  if (strategy === "STRICT_SPREAD") return bundles.length > there;
  if (strategy !== "STRICT_PACK") return false;
  const sum = sumOf(bundles, nodes.width);
  for (let node = 0; node < nodes.count; node++)
    if (isIn(mask, node) && covers(nodes, nodes.total, node, sum)) return false;
  return true;
}

function countIn(mask: NodeMask, count: number): number {
  if (mask === null) return count;
  let there = 0;
  for (let node = 0; node < count; node++) there += mask[node]!;
  return there;
}

const maskFor = (ask: GroupAsk, bundle: number): NodeMask => ask.maskOf?.(bundle) ?? ask.mask;

function strictPack({ bundles, softTarget, mask }: GroupAsk, nodes: RayNodes): GroupPlacement {
  const sum = sumOf(bundles, nodes.width);
  const targeted =
    softTarget >= 0 && isIn(mask, softTarget) && covers(nodes, nodes.available, softTarget, sum);
  const node = targeted ? softTarget : bestNode(nodes, sum, mask, null);
  return node < 0 ? PENDING : { status: "placed", nodes: bundles.map(() => node) };
}

function pack(order: readonly number[], ask: GroupAsk, nodes: RayNodes): Chosen | null {
  const { bundles } = ask;
  const used = new Set<number>();
  const chosen: Chosen = new Map();
  let rest = order;
  while (rest.length > 0) {
    const node = bestNode(nodes, bundles[rest[0]!]!, maskFor(ask, rest[0]!), used);
    if (node < 0) return null;
    used.add(node);
    const left = roomOf(nodes, node);
    rest = rest.filter((bundle) => {
      if (!isIn(maskFor(ask, bundle), node) || !take(left, bundles[bundle]!)) return true;
      chosen.set(bundle, node);
      return false;
    });
  }
  return chosen;
}

function spread(order: readonly number[], ask: GroupAsk, nodes: RayNodes): Chosen | null {
  const { bundles } = ask;
  const strict = ask.strategy === "STRICT_SPREAD";
  const used = new Set<number>();
  const rooms = new Map<number, Float64Array>();
  const chosen: Chosen = new Map();
  let ranked: Ranked | null = null;
  for (const [at, bundle] of order.entries()) {
    const request = bundles[bundle]!;
    const mask = maskFor(ask, bundle);
    // Equal bundles find the nodes not chosen yet in one and the same order.
    if (ranked === null || !isSame(ranked, request, mask)) {
      ranked = rankFresh(nodes, request, mask, used);
      if (strict && ranked.order.length < equalFrom(order, at, ask, ranked)) return null;
    }
    let node = ranked.order[ranked.next] ?? -1;
    if (node >= 0) ranked.next++;
    else if (!strict) node = bestUsed(rooms, request, mask);
    if (node < 0) return null;
    used.add(node);
    chosen.set(bundle, node);
    if (strict) continue;
    let room = rooms.get(node);
    if (room === undefined) {
      room = roomOf(nodes, node);
      rooms.set(node, room);
    }
    take(room, request);
  }
  return chosen;
}

/** How many bundles from a place of the order on are equal to those ranked. */
function equalFrom(order: readonly number[], from: number, ask: GroupAsk, ranked: Ranked): number {
  let at = from;
  while (at < order.length && isSame(ranked, ask.bundles[order[at]!]!, maskFor(ask, order[at]!)))
    at++;
  return at - from;
}

interface Ranked {
  readonly request: RayRequest;
  readonly mask: NodeMask;
  readonly order: readonly number[];
  next: number;
}

function isSame(ranked: Ranked, request: RayRequest, mask: NodeMask): boolean {
  if (ranked.mask !== mask) return false;
  if (ranked.request === request) return true;
  for (let r = 0; r < request.length; r++) if (ranked.request[r] !== request[r]) return false;
  return true;
}

function rankFresh(
  nodes: RayNodes,
  request: RayRequest,
  mask: NodeMask,
  used: ReadonlySet<number>,
): Ranked {
  const order: number[] = [];
  const score = new Float64Array(nodes.count);
  for (let node = 0; node < nodes.count; node++) {
    if (!isIn(mask, node) || used.has(node) || !covers(nodes, nodes.available, node, request))
      continue;
    score[node] = freePart(nodes.available, node * nodes.width, request, nodes.width);
    order.push(node);
  }
  order.sort((one, other) => score[other]! - score[one]! || one - other);
  return { request, mask, order, next: 0 };
}

function bestUsed(
  rooms: ReadonlyMap<number, Float64Array>,
  request: RayRequest,
  mask: NodeMask,
): number {
  let best = -1;
  let bestScore = -1;
  for (const [node, room] of rooms) {
    if (!isIn(mask, node) || !holds(room, request)) continue;
    const score = freePart(room, 0, request, room.length);
    if (best >= 0 && (score < bestScore || (score === bestScore && node > best))) continue;
    best = node;
    bestScore = score;
  }
  return best;
}

const roomOf = ({ available, width }: RayNodes, node: number): Float64Array =>
  available.slice(node * width, (node + 1) * width);

const ROUNDING = 1e-9;

function holds(room: Float64Array, request: RayRequest): boolean {
  for (let r = 0; r < room.length; r++)
    if (request[r]! > 0 && request[r]! > room[r]! + ROUNDING) return false;
  return true;
}

function take(room: Float64Array, request: RayRequest): boolean {
  if (!holds(room, request)) return false;
  for (let r = 0; r < room.length; r++) room[r] = room[r]! - request[r]!;
  return true;
}

/** The node with the largest part left free beside the request; −1 where it fits nowhere. */
function bestNode(
  nodes: RayNodes,
  request: RayRequest,
  mask: NodeMask,
  used: ReadonlySet<number> | null,
): number {
  const { available, width } = nodes;
  let best = -1;
  let bestScore = -1;
  for (let node = 0; node < nodes.count; node++) {
    if (!isIn(mask, node) || used?.has(node) || !covers(nodes, available, node, request)) continue;
    const score = freePart(available, node * width, request, width);
    if (score <= bestScore) continue;
    best = node;
    bestScore = score;
  }
  return best;
}

function freePart(
  available: Float64Array,
  base: number,
  request: RayRequest,
  width: number,
): number {
  let score = 0;
  for (let r = 0; r < width; r++) {
    const asked = request[r]!;
    const free = available[base + r]!;
    if (asked > 0 && free > 0) score += (free - asked) / free;
  }
  return score;
}

/** Indexes of the bundles in the order they are placed. */
function scarceFirst(bundles: readonly RayRequest[], width: number): number[] {
  if (bundles.every((bundle) => bundle === bundles[0])) return [...bundles.keys()];
  const keys = [GPU];
  for (let r = FIRST_CUSTOM; r < width; r++) keys.push(r);
  keys.push(STORE, MEMORY, CPU);
  return [...bundles.keys()].sort((left, right) => {
    for (const r of keys) {
      const more = (bundles[right]![r] ?? 0) - (bundles[left]![r] ?? 0);
      if (more !== 0) return more;
    }
    return left - right;
  });
}
