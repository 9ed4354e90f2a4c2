/**
 * Which node one pod gets. Nodes are looked at in order from where the last search ended, until enough of them have room (percentageOfNodesToScore: 100 at least);
 * of these the best score wins, and among equals a hash of seed and pod, where upstream throws dice. What is nominated there for pods at least as important counts as
 * taken. Scores are kept by shape and node until the node changes, and a shape that found nothing is looked for only on nodes on which something has grown since, so a
 * search costs O(nodes) comparisons and a repeated failure O(nodes that grew); the outcome is that of a full search. Source: kubernetes/kubernetes
 * `pkg/scheduler/schedule_one.go` (findNodesThatPassFilters, numFeasibleNodesToFind, selectHost).
 */
import { mix32 } from "../../../base/mix32.ts";
import type { PoolView } from "../../../engine/view.ts";
import { nodeScore } from "../../../scheduling/kubernetes/kubeScheduler/nodeScore.ts";
import type { NodeOffer } from "../../../scheduling/kubernetes/kubeScheduler/preempt.ts";
import { membersOn } from "../../../scheduling/placement/capacity.ts";
import type { Victim } from "./offers.ts";
import { allows } from "./pin.ts";
import { hasPodOn } from "./pods.ts";
import { CPU, GPU, MEMORY, type PodShape, type PodShapes } from "./shapes.ts";
import type { Entry, PlacementState } from "./state.ts";

/** What is remembered of nodes: derived, dropped with every copy of the state. */
export interface Known {
  /** By node: counts its changes. */
  readonly version: Int32Array;
  readonly scores: Map<number, { readonly version: Int32Array; readonly score: Int16Array }>;
  /** Nodes on which something has grown, one after the other; the oldest are dropped. */
  grown: number[];
  /** Number of the first of them. */
  grownFrom: number;
  /** By shape: everything up to this number has been looked at, and no node had room. */
  readonly failedAt: Map<number, number>;
  /** Nodes that have changed in any way, and by priority and shape how far preemption has looked in vain. */
  touched: number[];
  touchedFrom: number;
  readonly spared: Map<string, number>;
  /** By priority and shape: what nodes offer to a pod that looks for victims. */
  readonly offers: Map<string, KeptOffers>;
  /** Searches by full sweep and by what has grown: for tests and the bench. */
  sweeps: number;
  repeats: number;
  /** Test only: every search is a full sweep. */
  always: boolean;
}

/** Scores of more shapes than this are not kept. */
const SHAPES_MOST = 256;
const GROWN_MOST = 8_192;
/** Offers to more priorities and shapes than this are not kept. */
const OFFERS_MOST = 64;
const NO_ROOM = -1;

export function createKnown(nodeCount: number): Known {
  return {
    version: new Int32Array(nodeCount).fill(1),
    scores: new Map(),
    grown: [],
    grownFrom: 0,
    failedAt: new Map(),
    touched: [],
    touchedFrom: 0,
    spared: new Map(),
    offers: new Map(),
    sweeps: 0,
    repeats: 0,
    always: false,
  };
}

/** Something on the node has changed; `grew`: there may be more room. O(1). */
export function touchNode(known: Known, node: number, grew: boolean): void {
  known.version[node] = known.version[node]! + 1;
  known.touched.push(node);
  if (known.touched.length >= 2 * GROWN_MOST) {
    known.touchedFrom += GROWN_MOST;
    known.touched = known.touched.slice(GROWN_MOST);
  }
  if (!grew) return;
  known.grown.push(node);
  if (known.grown.length < 2 * GROWN_MOST) return;
  known.grownFrom += GROWN_MOST;
  known.grown = known.grown.slice(GROWN_MOST);
}

/** Everything may have changed. O(nodes). */
export function touchAll(known: Known): void {
  known.scores.clear();
  known.failedAt.clear();
  known.spared.clear();
  known.offers.clear();
}

/** What nodes offer at the version of them that stands beside. */
interface KeptOffers {
  readonly version: Int32Array;
  readonly offers: (NodeOffer<Victim> | null)[];
}

/** The offers kept under a key, empty where there are none yet. */
export function keptOffers(known: Known, key: string): KeptOffers {
  let kept = known.offers.get(key);
  if (kept === undefined) {
    if (known.offers.size >= OFFERS_MOST) known.offers.clear();
    kept = { version: new Int32Array(known.version.length), offers: [] };
    known.offers.set(key, kept);
  }
  return kept;
}

/** Nodes that a search stops at: 50 per cent less one for each 125 nodes, 5 at least, never below 100 nodes. */
function nodesEnough(nodes: number, percent: number): number {
  if (nodes < 100 || percent >= 100) return nodes;
  const adaptive = percent === 0 ? Math.max(5, 50 - Math.trunc(nodes / 125)) : percent;
  return Math.max(100, Math.trunc((nodes * adaptive) / 100));
}

const ties: number[] = [];
const asked: number[] = [];
const has: number[] = [];
const used: number[] = [];

/** The node for one pod of the entry; −1 where none has room. */
export function findNode(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  entry: Entry,
): number {
  const { known } = state;
  const shapeIdx = shapes.ofRow[entry.row]!;
  const from = known.failedAt.get(shapeIdx);
  const enough = nodesEnough(view.nodes.length, state.config.nodesScoredPercent);
  const end = known.grownFrom + known.grown.length;
  const canRepeat = from !== undefined && from >= known.grownFrom && !known.always;
  if (canRepeat && end - from <= view.nodes.length) {
    known.repeats++;
    if (from === end) return -1;
    return repeat(view, state, shapes, entry, from, enough);
  }
  return sweep(view, state, shapes, entry, enough);
}

function sweep(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  entry: Entry,
  enough: number,
): number {
  const { known } = state;
  known.sweeps++;
  const { nodes } = view;
  const shapeIdx = shapes.ofRow[entry.row]!;
  const shape = shapes.list[shapeIdx]!;
  let best = NO_ROOM;
  let found = 0;
  let looked = 0;
  let anyRoom = false;
  let at = state.startAt % nodes.length;
  ties.length = 0;
  for (; looked < nodes.length && found < enough; looked++) {
    const node = nodes[at]!;
    at = at + 1 === nodes.length ? 0 : at + 1;
    const score = scoreOf(view, state, shape, shapeIdx, node);
    if (score === NO_ROOM) continue;
    anyRoom = true;
    if (!isOpenTo(view, state, shapes, entry, node)) continue;
    found++;
    best = noteScore(node, score, best);
  }
  if (found > 0) state.startAt = at;
  else if (!anyRoom) known.failedAt.set(shapeIdx, known.grownFrom + known.grown.length);
  return found === 0 ? -1 : chosen(view, entry);
}

/** Only nodes that grew since the shape's failure may have room. */
function repeat(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  entry: Entry,
  from: number,
  enough: number,
): number {
  const { known } = state;
  const shapeIdx = shapes.ofRow[entry.row]!;
  const shape = shapes.list[shapeIdx]!;
  const fitting = new Set<number>();
  for (let i = from - known.grownFrom; i < known.grown.length; i++) {
    const node = known.grown[i]!;
    if (scoreOf(view, state, shape, shapeIdx, node) !== NO_ROOM) fitting.add(node);
  }
  if (fitting.size === 0) {
    known.failedAt.set(shapeIdx, known.grownFrom + known.grown.length);
    return -1;
  }
  if (fitting.size >= enough) return sweep(view, state, shapes, entry, enough);
  let best = NO_ROOM;
  ties.length = 0;
  for (const node of inOrder(view, state, fitting)) {
    if (!isOpenTo(view, state, shapes, entry, node)) continue;
    best = noteScore(node, scoreOf(view, state, shape, shapeIdx, node), best);
  }
  return ties.length === 0 ? -1 : chosen(view, entry);
}

/** As a sweep would meet them. */
function inOrder(view: PoolView, state: PlacementState, nodes: ReadonlySet<number>): number[] {
  const { startAt } = state;
  const first = view.nodes[startAt % view.nodes.length]!;
  return [...nodes].sort((a, b) => Number(a < first) - Number(b < first) || a - b);
}

function noteScore(node: number, score: number, best: number): number {
  if (score < best) return best;
  if (score > best) ties.length = 0;
  ties.push(node);
  return score;
}

/** One of those with the best score. */
function chosen(view: PoolView, entry: Entry): number {
  if (ties.length === 1) return ties[0]!;
  return ties[mix32(view.world.seed ?? 0, entry.row, entry.left) % ties.length]!;
}

/** Score of a node for one pod of the shape, whoever it is; −1 where there is no room. O(1) while the node stays as it is. */
function scoreOf(
  view: PoolView,
  state: PlacementState,
  shape: PodShape,
  shapeIdx: number,
  node: number,
): number {
  const { known } = state;
  let kept = known.scores.get(shapeIdx);
  if (kept === undefined) {
    if (known.scores.size >= SHAPES_MOST) known.scores.clear();
    const count = known.version.length;
    kept = { version: new Int32Array(count), score: new Int16Array(count) };
    known.scores.set(shapeIdx, kept);
  }
  if (kept.version[node] === known.version[node]) return kept.score[node]!;
  const score =
    membersOn(view, node, shape.part, 1) < 1 ? NO_ROOM : scoreNode(view, state, shape, node);
  kept.version[node] = known.version[node]!;
  kept.score[node] = score;
  return score;
}

function scoreNode(view: PoolView, state: PlacementState, shape: PodShape, node: number): number {
  const { resourceAt, strategy, resources } = state.config;
  const { cluster } = view;
  const group = cluster.groups[cluster.nodeGroup[node]!]!;
  const gpus = cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!;
  for (let i = 0; i < resourceAt.length; i++) {
    const at = resourceAt[i]!;
    asked[i] = at < 0 ? 0 : shape.counted[at]!;
    has[i] =
      at === CPU
        ? group.cpusPerNode * 1_000
        : at === MEMORY
          ? group.memMiBPerNode
          : at === GPU
            ? gpus
            : 0;
    used[i] =
      at === CPU
        ? state.pods.cpuMilli[node]!
        : at === MEMORY
          ? state.pods.memMiB[node]!
          : at === GPU
            ? gpus - view.gpusFree[node]!
            : 0;
  }
  return nodeScore(strategy, resources, has, used, asked);
}

/** Whether a node with room has it for this entry: not kept for others, and no pod of its own there where they keep apart. */
export function isOpenTo(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  entry: Entry,
  node: number,
): boolean {
  if (entry.pin !== null && !allows(entry.pin, entry.domainsLeft, node)) return false;
  if (shapes.apart[entry.row] === 1 && hasPodOn(state.pods, entry.jobIdx, entry.row, node))
    return false;
  if (state.nominations.length === 0) return true;
  const { part, request } = shapes.list[shapes.ofRow[entry.row]!]!;
  const kept = keptOn(state, shapes, entry, node);
  if (kept === null) return true;
  return (
    (request[GPU] === 0 || request[GPU] + kept[GPU]! <= view.gpusFree[node]!) &&
    (part.cpuMilli === 0 || part.cpuMilli + kept[CPU]! <= view.cpuMilliFree[node]!) &&
    (part.memMiB === 0 || part.memMiB + kept[MEMORY]! <= view.memMiBFree[node]!)
  );
}

/** What is nominated to a node for others at least as important as the entry; null = nothing. O(nominations). */
export function keptOn(
  state: PlacementState,
  shapes: PodShapes,
  entry: Pick<Entry, "row" | "priority">,
  node: number,
): number[] | null {
  let kept: number[] | null = null;
  for (const nomination of state.nominations) {
    if (nomination.node !== node || nomination.row === entry.row) continue;
    const other = state.entries.get(nomination.row);
    if (other === undefined || other.priority < entry.priority) continue;
    const { request } = shapes.list[shapes.ofRow[nomination.row]!]!;
    kept ??= [0, 0, 0];
    for (let at = 0; at < kept.length; at++) kept[at] = kept[at]! + request[at]!;
  }
  return kept;
}
