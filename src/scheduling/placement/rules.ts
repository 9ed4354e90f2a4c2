/**
 * The placement rules for the members of one part of a job. Each rule says in which order nodes are tried; all of them agree
 * on whether the members fit. Ties go to the lower node number. Nodes are found through the free index, bucket by bucket of
 * equally many free devices.
 *
 * - first fit: nodes in order of number.
 * - best fit: the fullest node that holds all that is left; if there is none, fill the fullest that holds a member, and again.
 * - fewest nodes: the same, but fill the emptiest node.
 * - pack: the fullest node that holds the whole job; if there is none, nodes that hold most members first, each as far as it goes.
 * - pack member by member: fill the fullest node that holds a member, and again.
 * - worst fit: fill the emptiest node, and again.
 * - spread: member by member onto the node with most devices free at that moment.
 */
import { never } from "../../base/assert.ts";
import type { FreeIndex } from "../../engine/view.ts";
import type { LabPlacement, ScoredPlacement } from "../../model/policy.ts";
import type { Capacity } from "./capacity.ts";
import { membersOn } from "./capacity.ts";
import { takeShares, takeSlices } from "./parts.ts";
import type { Placing } from "./placing.ts";
import type { Part } from "./shapes.ts";

/** Nodes to stay in: those whose entry in `of` is `id`; everywhere with `of` null. */
export interface Domain {
  of: Int32Array | null;
  id: number;
}
export const ANYWHERE: Domain = { of: null, id: 0 };

/**
 * Whether `wanted` members fit. O(devices of a node) for plain devices anywhere; where CPUs, memory or a domain count too, the nodes with enough free devices
 * besides; O(nodes) for members without whole devices.
 */
export function partFits(capacity: Capacity, part: Part, wanted: number, domain: Domain): boolean {
  if (wanted === 0) return true;
  if (part.gpus > 0 && part.shareMilli === 0 && part.mig === 0)
    return wholeDevicesFit(capacity, part, wanted, domain);
  const nodes = capacity.nodes;
  let members = 0;
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!;
    if (domain.of !== null && domain.of[node] !== domain.id) continue;
    members += membersOn(capacity, node, part, wanted);
    if (members >= wanted) return true;
  }
  return false;
}

/** First by devices alone, bucket by bucket; then, where something else counts, node by node of those buckets. */
function wholeDevicesFit(capacity: Capacity, part: Part, wanted: number, domain: Domain): boolean {
  const index = capacity.freeIndex;
  if (part.gpus * (part.ownNode ? wanted : 1) > capacity.gpusFreeTotal) return false;
  let members = 0;
  for (let free = index.maxFree; free >= part.gpus && members < wanted; free--) {
    const nodes = index.countWith(free);
    if (nodes > 0) members += nodes * (part.ownNode ? 1 : Math.floor(free / part.gpus));
  }
  if (members < wanted || (part.devicesOnly && domain.of === null)) return members >= wanted;
  members = 0;
  for (let free = index.maxFree; free >= part.gpus; free--) {
    for (let node = index.nextNode(free, -1); node >= 0; node = index.nextNode(free, node)) {
      if (domain.of !== null && domain.of[node] !== domain.id) continue;
      members += membersOn(capacity, node, part, wanted);
      if (members >= wanted) return true;
    }
  }
  return false;
}

/** Appends a place for `wanted` members by the rule; the caller has made sure that they fit. Returns how many it placed. */
export function placePart(
  capacity: Capacity,
  partIdx: number,
  part: Part,
  wanted: number,
  rule: Exclude<LabPlacement, ScoredPlacement>,
  domain: Domain,
  into: Placing,
): number {
  switch (rule) {
    case "firstFit":
      return firstFit(capacity, partIdx, part, wanted, domain, into);
    case "spread":
      if (part.ownNode) return byFree(false, capacity, partIdx, part, wanted, domain, into);
      // Members without devices leave the order of the nodes as it is.
      return holdsDevices(part)
        ? spread(capacity, partIdx, part, wanted, domain, into)
        : fill(false, capacity, partIdx, part, wanted, domain, into);
    case "packPod":
      return fill(true, capacity, partIdx, part, wanted, domain, into);
    case "worstFit":
      return fill(false, capacity, partIdx, part, wanted, domain, into);
    case "pack":
      return pack(capacity, partIdx, part, wanted, domain, into);
    case "fewestNodes":
      return part.ownNode
        ? byFree(true, capacity, partIdx, part, wanted, domain, into)
        : byFree(false, capacity, partIdx, part, wanted, domain, into);
    case "bestFit":
    case "sameLeaf":
    case "fewestLeaves":
    case "sameNvswitch":
      return byFree(true, capacity, partIdx, part, wanted, domain, into);
    default:
      return never(rule);
  }
}

function firstFit(
  capacity: Capacity,
  partIdx: number,
  part: Part,
  wanted: number,
  domain: Domain,
  into: Placing,
): number {
  const { freeIndex, nodes } = capacity;
  const least = leastFree(part);
  let left = wanted;
  if (least > 0 && freeIndex.maxFree - least < nodes.length) {
    const first = openCursors(freeIndex, least);
    for (let node = first; node >= 0 && left > 0; node = lowestNext(freeIndex, least)) {
      left -= take(capacity, partIdx, part, node, left, domain, into);
    }
  } else {
    for (let i = 0; i < nodes.length && left > 0; i++) {
      left -= take(capacity, partIdx, part, nodes[i]!, left, domain, into);
    }
  }
  return wanted - left;
}

/** Next node of each bucket of the free index; −1 where there is none. The buckets together are gone through in order of number. */
let cursors = new Int32Array(16);

function openCursors(index: FreeIndex, least: number): number {
  if (cursors.length <= index.maxFree) cursors = new Int32Array(index.maxFree * 2);
  for (let free = least; free <= index.maxFree; free++) cursors[free] = index.nextNode(free, -1);
  return lowestNext(index, least);
}

/** The lowest node that is left, which then is no longer; −1 if none. O(buckets). */
function lowestNext(index: FreeIndex, least: number): number {
  let lowest = -1;
  let bucket = -1;
  for (let free = least; free <= index.maxFree; free++) {
    const node = cursors[free]!;
    if (node >= 0 && (lowest < 0 || node < lowest)) {
      lowest = node;
      bucket = free;
    }
  }
  if (bucket >= 0) cursors[bucket] = index.nextNode(bucket, lowest);
  return lowest;
}

/**
 * Nodes in order of their free devices, the fullest or the emptiest first, until all members have a place. Where one node holds
 * all that are left, the tightest such node takes them.
 */
function byFree(
  fullest: boolean,
  capacity: Capacity,
  partIdx: number,
  part: Part,
  wanted: number,
  domain: Domain,
  into: Placing,
): number {
  const index = capacity.freeIndex;
  const least = leastFree(part);
  let left = wanted;
  for (let step = 0; step <= index.maxFree - least && left > 0; step++) {
    const free = fullest ? least + step : index.maxFree - step;
    let node = index.nextNode(free, -1);
    for (; node >= 0 && left > 0; node = index.nextNode(free, node)) {
      // The buckets that are not used up yet lie above the fullest-first cursor and below the other one.
      const from = fullest ? Math.max(free, leastFor(part, left)) : leastFor(part, left);
      const to = fullest ? index.maxFree : free;
      const holder = holderOf(capacity, part, left, from, to, free, node - 1, domain);
      if (holder >= 0)
        return wanted - (left - take(capacity, partIdx, part, holder, left, domain, into));
      left -= take(capacity, partIdx, part, node, left, domain, into);
    }
  }
  return wanted - left;
}

/** Nodes in order of their free devices, the fullest or the emptiest first, each as far as it goes. */
function fill(
  fullest: boolean,
  capacity: Capacity,
  partIdx: number,
  part: Part,
  wanted: number,
  domain: Domain,
  into: Placing,
): number {
  const index = capacity.freeIndex;
  const least = leastFree(part);
  let left = wanted;
  for (let step = 0; step <= index.maxFree - least && left > 0; step++) {
    const free = fullest ? least + step : index.maxFree - step;
    for (
      let node = index.nextNode(free, -1);
      node >= 0 && left > 0;
      node = index.nextNode(free, node)
    ) {
      left -= take(capacity, partIdx, part, node, left, domain, into);
    }
  }
  return wanted - left;
}

/**
 * The node with the fewest free devices that holds all `left` members, among the nodes with `from … to` devices free; of those
 * with exactly `cursor` free only nodes above `after` (the others have been used up). −1 if none, or if members need own nodes.
 */
function holderOf(
  capacity: Capacity,
  part: Part,
  left: number,
  from: number,
  to: number,
  cursor: number,
  after: number,
  domain: Domain,
): number {
  if (part.ownNode) return -1;
  const index = capacity.freeIndex;
  for (let free = from; free <= to; free++) {
    let node = index.nextNode(free, free === cursor ? after : -1);
    for (; node >= 0; node = index.nextNode(free, node)) {
      if (domain.of !== null && domain.of[node] !== domain.id) continue;
      if (membersOn(capacity, node, part, left) >= left) return node;
    }
  }
  return -1;
}

/** Members by node, of the job that is being packed. */
let membersByNode = new Int32Array(16);

/** O(nodes × distinct numbers of members). */
function pack(
  capacity: Capacity,
  partIdx: number,
  part: Part,
  wanted: number,
  domain: Domain,
  into: Placing,
): number {
  const { freeIndex, nodes } = capacity;
  const together = wanted === 1 ? { ...part, ownNode: false } : part;
  const holder = holderOf(
    capacity,
    together,
    wanted,
    leastFor(part, wanted),
    freeIndex.maxFree,
    -1,
    -1,
    domain,
  );
  if (holder >= 0) return take(capacity, partIdx, part, holder, wanted, domain, into);
  if (membersByNode.length < nodes.length) membersByNode = new Int32Array(nodes.length * 2);
  let most = 0;
  for (let i = 0; i < nodes.length; i++) {
    membersByNode[i] = roomOn(capacity, nodes[i]!, part, wanted, domain);
    most = Math.max(most, membersByNode[i]!);
  }
  let left = wanted;
  while (most > 0 && left > 0) {
    let next = 0;
    for (let i = 0; i < nodes.length && left > 0; i++) {
      if (membersByNode[i] === most) {
        left -= take(capacity, partIdx, part, nodes[i]!, left, domain, into);
      } else if (membersByNode[i]! < most) next = Math.max(next, membersByNode[i]!);
    }
    most = next;
  }
  return wanted - left;
}

let slotsAtLevel = new Int32Array(16);

/**
 * Water-filling: a node with f devices free offers its members at levels f, f−g, f−2g, …; the `wanted` highest are taken.
 */
function spread(
  capacity: Capacity,
  partIdx: number,
  part: Part,
  wanted: number,
  domain: Domain,
  into: Placing,
): number {
  const levels = Math.max(capacity.freeIndex.maxFree, wanted) + 1;
  if (slotsAtLevel.length < levels) slotsAtLevel = new Int32Array(levels * 2);
  slotsAtLevel.fill(0, 0, levels);
  const step = Math.max(1, leastFree(part));
  for (let i = 0; i < capacity.nodes.length; i++) {
    const node = capacity.nodes[i]!;
    const members = roomOn(capacity, node, part, wanted, domain);
    for (
      let level = topLevel(capacity, part, node, members), m = 0;
      m < members;
      m++, level -= step
    ) {
      slotsAtLevel[level] = slotsAtLevel[level]! + 1;
    }
  }
  let level = levels;
  let above = 0;
  while (level > 0 && above + slotsAtLevel[level - 1]! <= wanted) above += slotsAtLevel[--level]!;
  // All slots at `level` and above are taken, and of the level below it the first `atLevel` nodes.
  let atLevel = wanted - above;
  let placed = 0;
  for (let i = 0; i < capacity.nodes.length; i++) {
    const node = capacity.nodes[i]!;
    const members = roomOn(capacity, node, part, wanted, domain);
    if (members === 0) continue;
    const top = topLevel(capacity, part, node, members);
    let taken = top < level ? 0 : Math.min(members, Math.floor((top - level) / step) + 1);
    if (atLevel > 0 && taken < members && top - taken * step === level - 1) {
      taken++;
      atLevel--;
    }
    if (taken > 0) placed += take(capacity, partIdx, part, node, taken, domain, into);
  }
  return placed;
}

function topLevel(capacity: Capacity, part: Part, node: number, members: number): number {
  return leastFree(part) > 0 ? capacity.gpusFree[node]! : members;
}

function roomOn(
  capacity: Capacity,
  node: number,
  part: Part,
  most: number,
  domain: Domain,
): number {
  if (domain.of !== null && domain.of[node] !== domain.id) return 0;
  return membersOn(capacity, node, part, most);
}

/** Whether members take devices, whole or in parts. */
function holdsDevices(part: Part): boolean {
  return part.gpus > 0 || part.shareMilli > 0 || part.sliceTable !== null;
}

/** The smallest number of wholly free devices with which a node can hold a member, and `members` members. */
function leastFree(part: Part): number {
  return part.shareMilli > 0 || part.sliceTable !== null ? 0 : part.gpus;
}
function leastFor(part: Part, members: number): number {
  return leastFree(part) * members;
}

/** Places up to `most` members on a node and returns how many. */
function take(
  capacity: Capacity,
  partIdx: number,
  part: Part,
  node: number,
  most: number,
  domain: Domain,
  into: Placing,
): number {
  const members = roomOn(capacity, node, part, most, domain);
  if (members === 0) return 0;
  if (part.shareMilli > 0) return takeShares(capacity, partIdx, part, node, members, into);
  if (part.sliceTable !== null) return takeSlices(capacity, partIdx, part, node, members, into);
  into.push(partIdx, node, members);
  return members;
}
