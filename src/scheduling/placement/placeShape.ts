/**
 * Places a whole job: all its parts, under one leaf or in one NVSwitch domain where it must be, by one of the rules. All or
 * nothing. For a job of one part the answer is exact: it is found if there is one.
 */
import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import type { Cluster } from "../../model/cluster.ts";
import type { LabPlacement } from "../../model/policy.ts";
import type { Capacity, Sketch } from "./capacity.ts";
import { buildIndex, createSketch, loadSketch, membersOn, takePlacing } from "./capacity.ts";
import { Placing } from "./placing.ts";
import type { Domain } from "./rules.ts";
import { ANYWHERE, partFits, placePart } from "./rules.ts";
import type { Part, Shape } from "./shapes.ts";

/** Members of each part that are to be placed; null = all of them. */
export type Wanted = Int32Array | null;

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
  into.clear();
  const domains = wishDomains(shape, capacity.cluster);
  if (domains !== null) return placeInOneDomain(capacity, shape, wanted, rule, domains, into);
  return placeParts(capacity, shape, wanted, rule, ANYWHERE, into);
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
    return placeOne(
      capacity,
      0,
      shape.parts[0]!,
      wantedOf(shape.parts[0]!, 0, wanted),
      rule,
      domain,
      into,
    );
  }
  const scratch = scratchOf(capacity.cluster);
  scratch.sketch ??= createSketch(capacity);
  const sketch = scratch.sketch;
  loadSketch(sketch, capacity, true);
  for (let partIdx = 0; partIdx < shape.parts.length; partIdx++) {
    const part = shape.parts[partIdx]!;
    buildIndex(sketch);
    const own = onePlacing;
    own.clear();
    if (!placeOne(sketch, partIdx, part, wantedOf(part, partIdx, wanted), rule, domain, own)) {
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
  part: Part,
  wanted: number,
  rule: LabPlacement,
  domain: Domain,
  into: Placing,
): boolean {
  if (!partFits(capacity, part, wanted, domain)) return false;
  if (rule === "sameLeaf" && domain.of === null && capacity.cluster.leafCount > 1) {
    placeByLeaf(capacity, partIdx, part, wanted, into);
  } else placePart(capacity, partIdx, part, wanted, rule, domain, into);
  return true;
}

/** The tightest leaf that holds all members; else the leaf with most room, all of it, and again with what is left. */
function placeByLeaf(
  capacity: Capacity,
  partIdx: number,
  part: Part,
  wanted: number,
  into: Placing,
): void {
  const leafOf = capacity.cluster.leafOfNode;
  const room = scratchOf(capacity.cluster).room;
  sumRoom(capacity, part, wanted, leafOf, capacity.cluster.leafCount, room);
  let left = wanted;
  while (left > 0) {
    let leaf = tightest(room, capacity.cluster.leafCount, left);
    if (leaf < 0) leaf = roomiest(room, capacity.cluster.leafCount);
    domainScratch.of = leafOf;
    domainScratch.id = leaf;
    left -= placePart(
      capacity,
      partIdx,
      part,
      Math.min(left, room[leaf]!),
      "bestFit",
      domainScratch,
      into,
    );
    room[leaf] = 0;
  }
}

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
    if (placeParts(capacity, shape, wanted, rule === "sameLeaf" ? "bestFit" : rule, chosen, into))
      return true;
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

/** Turns a placing on the present state into a grant of named devices. False if a node has fewer free than placed. */
export function grantPlacing(view: PoolView, shape: Shape, placing: Placing, into: Grant): boolean {
  into.clear();
  for (let row = 0; row < placing.length; row++) {
    const node = placing.node[row]!;
    const partIdx = placing.part[row]!;
    const part = shape.parts[partIdx]!;
    const members = placing.members[row]!;
    const device = placing.device[row]!;
    if (device >= 0) {
      into.push(
        partIdx,
        node,
        device - view.cluster.deviceBase[node]!,
        1,
        placing.milli[row]!,
        members,
      );
    } else if (part.shareMilli > 0 || part.mig > 0) {
      if (!grantOwnDevices(view, node, partIdx, part, members, into)) return false;
    } else if (!view.takeDevices(node, members * part.gpus, partIdx, members, into)) return false;
  }
  return true;
}

/** Members that ask for a part of a device, each on a free device of its own; a MIG slice starts at the device's first place. */
function grantOwnDevices(
  view: PoolView,
  node: number,
  partIdx: number,
  part: Part,
  members: number,
  into: Grant,
): boolean {
  const share = part.mig > 0 ? FIRST_SLICE : part.shareMilli;
  ownDevices.clear();
  if (!view.takeDevices(node, members, partIdx, members, ownDevices)) return false;
  for (let row = 0; row < ownDevices.length; row++) {
    for (let device = 0; device < ownDevices.count[row]!; device++) {
      into.push(partIdx, node, ownDevices.first[row]! + device, 1, share, 1);
    }
  }
  return true;
}

/** `Grant.part` of a MIG slice that starts at 0. */
const FIRST_SLICE = 1_001;
const ownDevices = new Grant();
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
