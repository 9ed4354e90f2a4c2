/**
 * Places a whole job: all its parts, under one leaf or in one NVSwitch domain where it must be, by one of the rules. All or
 * nothing. For a job of one part the answer is exact: it is found if there is one.
 */
import type { Cluster } from "../../model/cluster.ts";
import type { LabPlacement } from "../../model/policy.ts";
import { isScored } from "../../model/policy.ts";
import type { Capacity, Sketch } from "./capacity.ts";
import { buildIndex, createSketch, loadSketch, membersOn, takePlacing } from "./capacity.ts";
import { fewestSets } from "./fewestSets.ts";
import { Placing } from "./placing.ts";
import type { Domain } from "./rules.ts";
import { ANYWHERE, partFits, placePart } from "./rules.ts";
import { placeScored } from "./scored.ts";
import type { Part, Shape } from "./shapes.ts";
import { partOrder } from "./slices.ts";

/** Members of each part that are to be placed; null = all of them. */
export type Wanted = Int32Array | null;

/** Wholly free devices that they need together. O(parts). */
export function gpusWanted(shape: Shape, wanted: Wanted): number {
  if (wanted === null) return shape.gpusWhole;
  let gpus = 0;
  for (let part = 0; part < shape.parts.length; part++) {
    const { shareMilli, mig, gpus: each } = shape.parts[part]!;
    if (shareMilli === 0 && mig === 0) gpus += wanted[part]! * each;
  }
  return gpus;
}

interface Scratch {
  sketch: Sketch | null;
  /** Per leaf or NVSwitch domain: members that fit, or devices free; and whether it has been used. */
  room: Float64Array;
}
const scratches = new WeakMap<Cluster, Scratch>();

/** The leaf or NVSwitch domain of each node that a job must stay in; null where it may be anywhere. */
export function wishDomains(shape: Shape, cluster: Cluster): Int32Array | null {
  if (cluster.flat || shape.wish === "none") return null;
  if (shape.wish === "nvswitch") return cluster.nvswitchOfNode;
  return cluster.hasFabric ? cluster.leafOfNode : null;
}

/** Fills `into` with a place for the job and returns true, or returns false. O(nodes tried). */
export function placeShape(
  capacity: Capacity,
  shape: Shape,
  wanted: Wanted,
  rule: LabPlacement,
  into: Placing,
): boolean {
  for (let i = 0; i < shape.faster.length; i++) {
    if (placeShape(capacity, shape.faster[i]!, wanted, rule, into)) return true;
  }
  into.clear();
  const domains = wishDomains(shape, capacity.cluster);
  if (domains !== null) return placeInOneDomain(capacity, shape, wanted, rule, domains, into);
  return placeParts(capacity, shape, wanted, rule, ANYWHERE, into);
}

/** The same on some nodes of a sketch alone, without its index. O(the pool's nodes). */
export function placeWithin(
  sketch: Sketch,
  nodes: Int32Array,
  shape: Shape,
  rule: LabPlacement,
  into: Placing,
  wanted: Wanted = null,
): boolean {
  const all = sketch.nodes;
  sketch.nodes = nodes;
  buildIndex(sketch);
  const found = placeShape(sketch, shape, wanted, rule, into);
  sketch.nodes = all;
  return found;
}

function placeParts(
  capacity: Capacity,
  shape: Shape,
  wanted: Wanted,
  rule: LabPlacement,
  domain: Domain,
  into: Placing,
): boolean {
  if (shape.parts.length === 1) {
    return placeOne(capacity, 0, shape, wantedOf(shape.parts[0]!, 0, wanted), rule, domain, into);
  }
  const scratch = scratchOf(capacity.cluster);
  scratch.sketch ??= createSketch(capacity);
  const sketch = scratch.sketch;
  loadSketch(sketch, capacity, true);
  for (const partIdx of partOrder(shape.parts, capacity.cluster)) {
    const part = shape.parts[partIdx]!;
    buildIndex(sketch);
    const own = onePlacing;
    own.clear();
    if (!placeOne(sketch, partIdx, shape, wantedOf(part, partIdx, wanted), rule, domain, own)) {
      into.clear();
      return false;
    }
    takePlacing(sketch, own, shape.parts);
    for (let row = 0; row < own.length; row++) {
      into.push(
        own.part[row]!,
        own.node[row]!,
        own.members[row]!,
        own.device[row]!,
        own.milli[row]!,
      );
    }
  }
  return true;
}

function placeOne(
  capacity: Capacity,
  partIdx: number,
  shape: Shape,
  wanted: number,
  rule: LabPlacement,
  domain: Domain,
  into: Placing,
): boolean {
  const part = shape.parts[partIdx]!;
  if (!partFits(capacity, part, wanted, domain)) return false;
  const { cluster } = capacity;
  const apart = domain.of === null;
  if ((rule === "sameLeaf" || rule === "fewestLeaves") && apart && cluster.leafCount > 1) {
    const { leafOfNode, leafCount } = cluster;
    const most = rule === "fewestLeaves" ? wanted : 0;
    placeByDomain(capacity, partIdx, part, wanted, leafOfNode, leafCount, most, into);
  } else if (rule === "sameNvswitch" && apart && cluster.nvswitchCount > 0) {
    const { nvswitchOfNode, nvswitchCount } = cluster;
    placeByDomain(capacity, partIdx, part, wanted, nvswitchOfNode, nvswitchCount, 0, into);
  } else if (isScored(rule)) {
    const { parts, mix } = shape;
    return placeScored(capacity, partIdx, parts, wanted, rule, domain, mix, into) === wanted;
  } else placePart(capacity, partIdx, part, wanted, rule, domain, into);
  return true;
}

/**
 * The tightest leaf (or NVSwitch domain) that holds all members; else the one with most room, all of it, and again with what is left. With
 * `exact` > 0 the fewest that hold so many are chosen together, those with least left over. Nodes without a domain come last.
 */
function placeByDomain(
  capacity: Capacity,
  partIdx: number,
  part: Part,
  wanted: number,
  domainOf: Int32Array,
  count: number,
  exact: number,
  into: Placing,
): void {
  const room = scratchOf(capacity.cluster).room;
  sumRoom(capacity, part, wanted, domainOf, count, room);
  const set = exact > 0 ? fewestSets(room, count, exact) : [];
  let left = wanted;
  while (left > 0) {
    let next = set.shift() ?? tightest(room, count, left);
    if (next < 0) next = roomiest(room, count);
    domainScratch.of = domainOf;
    domainScratch.id = room[next]! > 0 ? next : NO_DOMAIN;
    const most = room[next]! > 0 ? Math.min(left, room[next]!) : left;
    left -= placePart(capacity, partIdx, part, most, "bestFit", domainScratch, into);
    room[next] = 0;
  }
}

/** What `nvswitchOfNode` has for a node in no domain. */
const NO_DOMAIN = -1;

function placeInOneDomain(
  capacity: Capacity,
  shape: Shape,
  wanted: Wanted,
  rule: LabPlacement,
  domains: Int32Array,
  into: Placing,
): boolean {
  const count = shape.wish === "leaf" ? capacity.cluster.leafCount : capacity.cluster.nvswitchCount;
  const room = scratchOf(capacity.cluster).room;
  const part = shape.parts[0]!;
  const least = wantedOf(part, 0, wanted);
  sumRoom(capacity, part, Number.MAX_SAFE_INTEGER, domains, count, room);
  // Domains by room for the first part, tightest first; a job of one part is placed in the first that has enough.
  for (;;) {
    const domain = tightest(room, count, least);
    if (domain < 0) return false;
    const chosen: Domain = { of: domains, id: domain };
    room[domain] = -1;
    if (placeParts(capacity, shape, wanted, rule, chosen, into)) return true;
  }
}

/** Members of a part that fit in each domain, at most `most` counted on a node. */
function sumRoom(
  capacity: Capacity,
  part: Part,
  most: number,
  domains: Int32Array,
  count: number,
  room: Float64Array,
): void {
  room.fill(0, 0, count);
  for (let i = 0; i < capacity.nodes.length; i++) {
    const node = capacity.nodes[i]!;
    const domain = domains[node]!;
    if (domain >= 0) room[domain] = room[domain]! + membersOn(capacity, node, part, most);
  }
}

function tightest(room: Float64Array, count: number, least: number): number {
  let best = -1;
  for (let domain = 0; domain < count; domain++) {
    if (room[domain]! >= least && (best < 0 || room[domain]! < room[best]!)) best = domain;
  }
  return best;
}

function roomiest(room: Float64Array, count: number): number {
  let best = 0;
  for (let domain = 1; domain < count; domain++) if (room[domain]! > room[best]!) best = domain;
  return best;
}

function wantedOf(part: Part, partIdx: number, wanted: Wanted): number {
  return wanted === null ? part.members : wanted[partIdx]!;
}

const onePlacing = new Placing();
const domainScratch: Domain = { of: null, id: 0 };

function scratchOf(cluster: Cluster): Scratch {
  let scratch = scratches.get(cluster);
  if (scratch === undefined) {
    scratch = {
      sketch: null,
      room: new Float64Array(Math.max(1, cluster.leafCount, cluster.nvswitchCount)),
    };
    scratches.set(cluster, scratch);
  }
  return scratch;
}
