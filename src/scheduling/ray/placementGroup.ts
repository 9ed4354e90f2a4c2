/**
 * Placement groups of Ray: all bundles or none. Bundles go scarce resources first (GPU, custom by name, object store, memory, CPU), largest first, equal ones as listed. A node
 * scores for a bundle by the part of what is available that stays free, summed over what the bundle asks for, so the emptiest wins; equal nodes go by name. PACK fills the
 * best node with whatever of the rest fits, then goes on to the next; SPREAD takes nodes not chosen yet first; STRICT_PACK wants one node for the sum; STRICT_SPREAD a node each.
 * A group that fails is retried, but for a few that never can. O(bundles × nodes). Pathology: PACK puts bundles without GPUs on GPU nodes.
 * Source: ray-project/ray `src/ray/raylet/scheduling/policy/bundle_scheduling_policy`, `scorer`.
 */
import { covers, type RayNode, type RayResources, sumOf, without } from "./resources.ts";

export type GroupStrategy = "PACK" | "SPREAD" | "STRICT_PACK" | "STRICT_SPREAD";

export interface GroupPlacement {
  readonly status: "placed" | "pending" | "infeasible";
  /** Name of the node of each bundle, in the order given; empty unless placed. */
  readonly nodes: readonly string[];
}

/** Where the bundles go. `softTarget` is a node that STRICT_PACK prefers. */
export function placeGroup(
  strategy: GroupStrategy,
  bundles: readonly RayResources[],
  nodes: readonly RayNode[],
  softTarget?: string,
): GroupPlacement {
  if (nodes.length === 0) return INFEASIBLE;
  if (strategy === "STRICT_PACK") return strictPack(bundles, nodes, softTarget);
  if (strategy === "STRICT_SPREAD" && bundles.length > nodes.length) return INFEASIBLE;
  const order = scarceFirst(bundles);
  const chosen =
    strategy === "PACK" ? pack(order, bundles, nodes) : spread(order, bundles, nodes, strategy);
  if (!chosen) return PENDING;
  return { status: "placed", nodes: bundles.map((_, idx) => chosen.get(idx)!) };
}

const INFEASIBLE: GroupPlacement = { status: "infeasible", nodes: [] };
const PENDING: GroupPlacement = { status: "pending", nodes: [] };

type Chosen = Map<number, string>;

interface Room {
  readonly name: string;
  available: RayResources;
}

function strictPack(
  bundles: readonly RayResources[],
  nodes: readonly RayNode[],
  softTarget: string | undefined,
): GroupPlacement {
  const sum = sumOf(bundles);
  if (!nodes.some(({ total }) => covers(total, sum))) return INFEASIBLE;
  const target = nodes.find(({ name, available }) => name === softTarget && covers(available, sum));
  const node = target ?? bestRoom(nodes, sum);
  return node ? { status: "placed", nodes: bundles.map(() => node.name) } : PENDING;
}

function pack(
  order: readonly number[],
  bundles: readonly RayResources[],
  nodes: readonly RayNode[],
): Chosen | null {
  const unused = new Set<Room>(nodes.map(({ name, available }) => ({ name, available })));
  const chosen: Chosen = new Map();
  let rest = order;
  while (rest.length > 0) {
    const room = bestRoom([...unused], bundles[rest[0]!]!);
    if (!room) return null;
    unused.delete(room);
    rest = rest.filter((idx) => !take(room, idx, bundles[idx]!, chosen));
  }
  return chosen;
}

function spread(
  order: readonly number[],
  bundles: readonly RayResources[],
  nodes: readonly RayNode[],
  strategy: "SPREAD" | "STRICT_SPREAD",
): Chosen | null {
  const unused = new Set<Room>(nodes.map(({ name, available }) => ({ name, available })));
  const used = new Set<Room>();
  const chosen: Chosen = new Map();
  for (const idx of order) {
    const fresh = bestRoom([...unused], bundles[idx]!);
    const room = fresh ?? (strategy === "SPREAD" ? bestRoom([...used], bundles[idx]!) : null);
    if (!room) return null;
    take(room, idx, bundles[idx]!, chosen);
    unused.delete(room);
    used.add(room);
  }
  return chosen;
}

function take(room: Room, idx: number, bundle: RayResources, chosen: Chosen): boolean {
  if (!covers(room.available, bundle)) return false;
  room.available = without(room.available, bundle);
  chosen.set(idx, room.name);
  return true;
}

/** The room with the largest part left free beside the request, or null where it fits nowhere. */
function bestRoom<T extends Room | RayNode>(rooms: readonly T[], request: RayResources): T | null {
  let best: T | null = null;
  let bestScore = -1;
  for (const room of rooms) {
    if (!covers(room.available, request)) continue;
    const score = freePart(room.available, request);
    if (best && (score < bestScore || (score === bestScore && room.name > best.name))) continue;
    best = room;
    bestScore = score;
  }
  return best;
}

function freePart(available: RayResources, request: RayResources): number {
  let score = 0;
  for (const [name, asked] of Object.entries(request)) {
    const free = available[name] ?? 0;
    if (asked > 0 && free > 0) score += (free - asked) / free;
  }
  return score;
}

const LAST = ["object_store_memory", "memory", "CPU"];

/** Indexes of the bundles in the order they are placed. */
function scarceFirst(bundles: readonly RayResources[]): number[] {
  const known = new Set(["GPU", ...LAST]);
  const custom = [...new Set(bundles.flatMap((bundle) => Object.keys(bundle)))]
    .filter((name) => !known.has(name))
    .sort();
  const keys = ["GPU", ...custom, ...LAST];
  return [...bundles.keys()].sort((left, right) => {
    for (const key of keys) {
      const more = (bundles[right]![key] ?? 0) - (bundles[left]![key] ?? 0);
      if (more !== 0) return more;
    }
    return left - right;
  });
}
