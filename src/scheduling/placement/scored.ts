/**
 * Placements that score every node and take the best, member by member: FGD and the policies it was compared with (Weng et al., ATC 2023),
 * as the artifact of the paper defines them. Scores are whole numbers from 0 to 100, cut off after the point; ties go to the lower node.
 *
 * - fgd: least growth of fragmentation (`fragmentation.ts`), squeezed by a sigmoid; of the devices of a node, for a share, the one with least.
 * - dotProduct (Tetris, here turned round): smallest product of what is free and what is asked for, CPUs and GPUs, each part of the largest node.
 * - weightedBestFit: least CPUs and GPUs left after placing, half each.
 * - gpuPacking: GPUs in use before free GPUs on nodes in use before free nodes.
 * - gpuClustering: nodes where only members of the same kind run, then mixed ones with the kind, then idle ones, then others; fuller first.
 * - random: a node that fits, drawn by a hash of what is free and of what is asked for: no dice, so equal states choose alike.
 *
 * Where a share goes on its node is the tightest device, for `random` a hashed one. O(nodes + devices) a member; scores of nodes that did
 * not change are kept. FGD assumes that the mix of the workload stays; GPU packing knows no CPUs and strands GPUs beside busy ones.
 */
import pow from "@stdlib/math-base-special-pow";
import { never } from "../../base/assert.ts";
import type { Cluster } from "../../model/cluster.ts";
import type { ScoredPlacement } from "../../model/policy.ts";
import { WHOLE_DEVICE } from "../../model/units.ts";
import type { Capacity, Sketch } from "./capacity.ts";
import { createSketch, loadSketch, membersOn, takePlacing } from "./capacity.ts";
import type { FragBook } from "./fragmentation.ts";
import { bookOf, fragmentationOf, milliOf } from "./fragmentation.ts";
import { Placing } from "./placing.ts";
import type { Domain } from "./rules.ts";
import type { ClassMix, Part } from "./shapes.ts";
import { choosePlace, chosen, FIRST_SLICE } from "./slices.ts";

const MOST = 100;
const LOWEST = Number.NEGATIVE_INFINITY;

/** Scores of one part under one rule, by node, each for a version of the node. */
interface Known {
  readonly version: Int32Array;
  readonly score: Float64Array;
  /** For shares: the device of its node (number within it). */
  readonly device: Int16Array;
}
const knownOf = new WeakMap<Part, Map<string, Known>>();
const sketches = new WeakMap<Cluster, Sketch>();
const one = new Placing(1);

/** Appends a place for `wanted` members; the caller has made sure that they fit. Returns how many it placed. */
export function placeScored(
  capacity: Capacity,
  partIdx: number,
  parts: readonly Part[],
  wanted: number,
  rule: ScoredPlacement,
  domain: Domain,
  mix: ClassMix,
  into: Placing,
): number {
  const part = parts[partIdx]!;
  let from = capacity;
  if (wanted > 1) {
    const sketch = sketches.get(capacity.cluster) ?? createSketch(capacity);
    sketches.set(capacity.cluster, sketch);
    loadSketch(sketch, capacity, true);
    from = sketch;
  }
  const first = into.length;
  // Beside a member of its own the others may be, also where nobody else is let on the node.
  const beside = part.exclusive === null ? part : { ...part, exclusive: null };
  const shared = beside === part ? parts : parts.with(partIdx, beside);
  for (let member = 0; member < wanted; member++) {
    const node = bestNode(from, part, rule, domain, mix, beside, into, first);
    if (node < 0) return member;
    one.clear();
    placeMember(from, partIdx, part, node, rule, mix, one);
    if (wanted > 1) takePlacing(from as Sketch, one, shared);
    append(into, first, one);
  }
  return wanted;
}

/** Members of whole devices on one node share a row. */
function append(into: Placing, first: number, from: Placing): void {
  if (from.device[0]! < 0) {
    for (let row = first; row < into.length; row++) {
      if (into.node[row] !== from.node[0] || into.device[row]! >= 0) continue;
      into.members[row] = into.members[row]! + from.members[0]!;
      return;
    }
  }
  into.push(from.part[0]!, from.node[0]!, from.members[0]!, from.device[0]!, from.milli[0]!);
}

function bestNode(
  capacity: Capacity,
  part: Part,
  rule: ScoredPlacement,
  domain: Domain,
  mix: ClassMix,
  beside: Part,
  taken: Placing,
  firstTaken: number,
): number {
  const { nodes } = capacity;
  const looksAtOwn = part.exclusive !== null || part.ownNode;
  const fits = (node: number): boolean => {
    if (domain.of !== null && domain.of[node] !== domain.id) return false;
    let isOwn = false;
    for (let row = firstTaken; looksAtOwn && row < taken.length; row++)
      isOwn ||= taken.node[row] === node;
    if (isOwn && part.ownNode) return false;
    return membersOn(capacity, node, isOwn ? beside : part, 1) > 0;
  };
  if (rule === "random") return drawNode(capacity, part, fits);
  const book = bookOf(mix, capacity.cluster);
  book.follow(capacity);
  const known = knownScores(part, rule, capacity.cluster);
  // What runs on a node decides here too, so nothing is kept.
  const fresh = rule === "gpuClustering";
  let best = -1;
  let bestScore = LOWEST;
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!;
    if (!fits(node)) continue;
    if (fresh || known.version[node] !== book.version[node]) {
      known.version[node] = book.version[node]!;
      known.score[node] = scoreOf(capacity, node, part, rule, book, known);
    }
    if (known.score[node]! > bestScore) {
      best = node;
      bestScore = known.score[node]!;
    }
  }
  return best;
}

function knownScores(part: Part, rule: string, cluster: Cluster): Known {
  let byRule = knownOf.get(part);
  if (byRule === undefined) {
    byRule = new Map();
    knownOf.set(part, byRule);
  }
  let known = byRule.get(rule);
  if (known === undefined) {
    known = {
      version: new Int32Array(cluster.nodeCount),
      score: new Float64Array(cluster.nodeCount),
      device: new Int16Array(cluster.nodeCount),
    };
    byRule.set(rule, known);
  }
  return known;
}

function scoreOf(
  capacity: Capacity,
  node: number,
  part: Part,
  rule: Exclude<ScoredPlacement, "random">,
  book: FragBook,
  known: Known,
): number {
  const count = book.readLeft(capacity, node);
  switch (rule) {
    case "fgd":
      return fgdScore(capacity, node, part, book, count, known);
    case "dotProduct": {
      const { cpu, gpu } = freeParts(capacity, node, book.left, count);
      const asked = askedParts(capacity.cluster, part);
      return Math.floor(MOST * (1 - (cpu * asked.cpu + gpu * asked.gpu) / 2));
    }
    case "weightedBestFit": {
      const { cpu, gpu } = freeParts(capacity, node, book.left, count);
      const asked = askedParts(capacity.cluster, part);
      return Math.floor(MOST * (1 - (cpu - asked.cpu) / 2 - (gpu - asked.gpu) / 2));
    }
    case "gpuPacking":
      return packingScore(part, book.left, count);
    case "gpuClustering":
      return clusteringScore(capacity, node, part, book.left, count);
    default:
      return never(rule);
  }
}

/** Growth of fragmentation turned into 0 … 100: 50 = none. */
function squeezed(before: number, after: number): number {
  return Math.floor(MOST / (1 + pow(Math.E, (after - before) / WHOLE_DEVICE)));
}

function fgdScore(
  capacity: Capacity,
  node: number,
  part: Part,
  { classes, left, ofNode }: FragBook,
  count: number,
  known: Known,
): number {
  const group = capacity.cluster.nodeGroup[node]!;
  const cpu = capacity.cpuMilliFree[node]! - part.cpuMilli;
  const milli = milliOf(part);
  const after = () => fragmentationOf(classes, group, cpu, left, count);
  if (part.gpus === 0 || milli === WHOLE_DEVICE) {
    let wanted = part.gpus;
    for (let i = 0; i < count && wanted > 0; i++) {
      if (left[i] !== WHOLE_DEVICE) continue;
      left[i] = 0;
      wanted--;
    }
    return squeezed(ofNode[node]!, after());
  }
  let best = LOWEST;
  for (let i = 0; i < count; i++) {
    const own = left[i]!;
    if (own < milli || mayNotShare(capacity, node, i, part)) continue;
    left[i] = own - milli;
    const score = squeezed(ofNode[node]!, after());
    left[i] = own;
    if (score <= best) continue;
    best = score;
    known.device[node] = i;
  }
  return best;
}

/** What is free of CPUs and devices, as parts of the largest node. */
function freeParts(capacity: Capacity, node: number, left: Int32Array, count: number) {
  const most = largest(capacity.cluster);
  let gpu = 0;
  for (let i = 0; i < count; i++) gpu += left[i]!;
  return { cpu: capacity.cpuMilliFree[node]! / most.cpuMilli, gpu: gpu / most.gpuMilli };
}

function askedParts(cluster: Cluster, part: Part) {
  const most = largest(cluster);
  return { cpu: part.cpuMilli / most.cpuMilli, gpu: (part.gpus * milliOf(part)) / most.gpuMilli };
}

const largestOf = new WeakMap<Cluster, { cpuMilli: number; gpuMilli: number }>();
function largest(cluster: Cluster): { cpuMilli: number; gpuMilli: number } {
  let most = largestOf.get(cluster);
  if (most === undefined) {
    most = { cpuMilli: 1, gpuMilli: 1 };
    for (const { cpusPerNode, gpusPerNode } of cluster.groups) {
      most.cpuMilli = Math.max(most.cpuMilli, cpusPerNode * 1_000);
      most.gpuMilli = Math.max(most.gpuMilli, gpusPerNode * WHOLE_DEVICE);
    }
    largestOf.set(cluster, most);
  }
  return most;
}

const HALF = MOST / 2;
const THIRD = Math.floor(MOST / 3);

function packingScore(part: Part, left: Int32Array, count: number): number {
  if (part.gpus === 0) return 0;
  let free = 0;
  for (let i = 0; i < count; i++) if (left[i] === WHOLE_DEVICE) free++;
  if (free === count) return Math.max(THIRD - free, free);
  const milli = milliOf(part);
  if (milli === WHOLE_DEVICE) return Math.max(HALF - part.gpus, THIRD);
  let tightest = WHOLE_DEVICE;
  for (let i = 0; i < count; i++) {
    if (left[i]! >= milli && left[i]! < tightest) tightest = left[i]!;
  }
  if (tightest === WHOLE_DEVICE) return HALF - 1;
  return Math.max(HALF, MOST - Math.floor(Math.floor((tightest * MOST) / WHOLE_DEVICE) / 10));
}

function clusteringScore(
  capacity: Capacity,
  node: number,
  part: Part,
  left: Int32Array,
  count: number,
): number {
  if (part.gpus === 0) return 0;
  const kind = milliOf(part) < WHOLE_DEVICE ? 1 : 1 << Math.min(31, part.gpus);
  const kinds = capacity.kindsOn(node);
  const step = MOST / 4;
  const most = largest(capacity.cluster).gpuMilli;
  let all = 0;
  for (let i = 0; i < count; i++) all += left[i]!;
  const fuller = Math.floor((step * (most - all)) / most);
  if ((kinds & kind) !== 0) return fuller + (kinds === kind ? 3 : 2) * step;
  return fuller + (kinds === 0 ? step : 0);
}

function mayNotShare(capacity: Capacity, node: number, i: number, part: Part): boolean {
  const device = capacity.cluster.deviceBase[node]! + i;
  if (part.mig > 0) return capacity.deviceUsed[device] !== 0 && capacity.sliceUsed[device] === 0;
  return (
    capacity.sliceUsed[device] !== 0 || (part.freeDevicesOnly && capacity.deviceUsed[device] !== 0)
  );
}

function placeMember(
  capacity: Capacity,
  partIdx: number,
  part: Part,
  node: number,
  rule: ScoredPlacement,
  mix: ClassMix,
  into: Placing,
): void {
  if (part.shareMilli > 0) {
    const device =
      capacity.cluster.deviceBase[node]! + shareDevice(capacity, node, part, rule, mix);
    into.push(partIdx, node, 1, device, part.shareMilli);
  } else if (part.sliceTable !== null) {
    choosePlace(capacity, node, part, part.rules.slicePacking, (device) => {
      return capacity.sliceUsed[device]!;
    });
    into.push(partIdx, node, 1, chosen.device, FIRST_SLICE + chosen.start);
  } else into.push(partIdx, node, 1);
}

/** The device of a node, as a number within it, that a share goes to. */
function shareDevice(
  capacity: Capacity,
  node: number,
  part: Part,
  rule: ScoredPlacement,
  mix: ClassMix,
): number {
  if (rule === "fgd") return knownScores(part, rule, capacity.cluster).device[node]!;
  const book = bookOf(mix, capacity.cluster);
  const count = book.readLeft(capacity, node);
  let tightest = -1;
  const able: number[] = [];
  for (let i = 0; i < count; i++) {
    if (book.left[i]! < part.shareMilli || mayNotShare(capacity, node, i, part)) continue;
    able.push(i);
    if (tightest < 0 || book.left[i]! < book.left[tightest]!) tightest = i;
  }
  if (rule !== "random") return tightest;
  return able[mixed(stateHash(capacity) ^ (node + 1)) % able.length]!;
}

function drawNode(capacity: Capacity, part: Part, fits: (node: number) => boolean): number {
  const able: number[] = [];
  for (let i = 0; i < capacity.nodes.length; i++) {
    if (fits(capacity.nodes[i]!)) able.push(capacity.nodes[i]!);
  }
  if (able.length === 0) return -1;
  const asked = part.gpus * 7 + part.shareMilli * 131 + part.cpuMilli * 8_191 + part.memMiB;
  return able[mixed(stateHash(capacity) ^ asked) % able.length]!;
}

/** A number that changes with anything that is taken or given back. O(nodes + devices). */
function stateHash({ nodes, cluster, gpusFree, cpuMilliFree, deviceUsed }: Capacity): number {
  let hash = 0;
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!;
    hash = Math.imul(hash ^ gpusFree[node]!, 0x85ebca6b) + cpuMilliFree[node]!;
    const end = cluster.deviceBase[node + 1]!;
    for (let device = cluster.deviceBase[node]!; device < end; device++)
      hash = Math.imul(hash ^ deviceUsed[device]!, 0xc2b2ae35) + 1;
    hash ^= hash >>> 15;
  }
  return hash;
}

/** Bits well mixed, not negative. */
function mixed(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x7feb352d);
  h ^= h >>> 15;
  h = Math.imul(h, 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}
