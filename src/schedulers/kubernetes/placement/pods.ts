/**
 * Pods on nodes, one row each, in two lists: by node (for preemption) and by job. What they ask for is summed a node, for scoring. Rows follow from what jobs hold: a
 * job that gave something back is compared with its holdings. A pod that leaves stays in its row until the engine has taken its devices back. O(1) a pod.
 */
import { Grant } from "../../../engine/grant.ts";
import type { PoolView } from "../../../engine/view.ts";
import type { PodShapes } from "./shapes.ts";
import { CPU, MEMORY } from "./shapes.ts";

export interface PodBook {
  /** Rows in use or free: 0 … used−1. */
  used: number;
  /** Counts what may matter to whoever looks at all pods now and then: pods that came, went, were told to leave or are asked for, and nodes that changed. */
  changes: number;
  firstFree: number;
  /** −1 in a free row, whose `nodeNext` is the next free one. */
  jobIdx: Int32Array;
  /** Row of the component table. */
  row: Int32Array;
  node: Int32Array;
  /** Told to leave, and gone at this time (ms); 0 = stays. */
  leaveMs: Float64Array;
  startMs: Float64Array;
  nodeNext: Int32Array;
  nodePrev: Int32Array;
  jobNext: Int32Array;
  jobPrev: Int32Array;
  headOfNode: Int32Array;
  headOfJob: Map<number, number>;
  /** By node: what its pods count for in scores. */
  cpuMilli: Float64Array;
  memMiB: Float64Array;
}

export function createPods(nodeCount: number): PodBook {
  return {
    used: 0,
    changes: 0,
    firstFree: -1,
    ...columns(64),
    headOfNode: new Int32Array(nodeCount).fill(-1),
    headOfJob: new Map(),
    cpuMilli: new Float64Array(nodeCount),
    memMiB: new Float64Array(nodeCount),
  };
}

function columns(size: number) {
  return {
    jobIdx: new Int32Array(size),
    row: new Int32Array(size),
    node: new Int32Array(size),
    leaveMs: new Float64Array(size),
    startMs: new Float64Array(size),
    nodeNext: new Int32Array(size),
    nodePrev: new Int32Array(size),
    jobNext: new Int32Array(size),
    jobPrev: new Int32Array(size),
  };
}

/** A copy that shares nothing. O(pods + nodes). */
export function copyPods(book: PodBook): PodBook {
  const cut = Math.max(1, book.used);
  return {
    used: book.used,
    changes: book.changes,
    firstFree: book.firstFree,
    jobIdx: book.jobIdx.slice(0, cut),
    row: book.row.slice(0, cut),
    node: book.node.slice(0, cut),
    leaveMs: book.leaveMs.slice(0, cut),
    startMs: book.startMs.slice(0, cut),
    nodeNext: book.nodeNext.slice(0, cut),
    nodePrev: book.nodePrev.slice(0, cut),
    jobNext: book.jobNext.slice(0, cut),
    jobPrev: book.jobPrev.slice(0, cut),
    headOfNode: book.headOfNode.slice(),
    headOfJob: new Map(book.headOfJob),
    cpuMilli: book.cpuMilli.slice(),
    memMiB: book.memMiB.slice(),
  };
}

/** A pod is bound. */
export function addPod(
  book: PodBook,
  shapes: PodShapes,
  jobIdx: number,
  row: number,
  node: number,
  startMs: number,
): number {
  const pod = freeRow(book);
  book.changes++;
  book.jobIdx[pod] = jobIdx;
  book.row[pod] = row;
  book.node[pod] = node;
  book.leaveMs[pod] = 0;
  book.startMs[pod] = startMs;
  const onNode = book.headOfNode[node]!;
  book.nodeNext[pod] = onNode;
  book.nodePrev[pod] = -1;
  if (onNode >= 0) book.nodePrev[onNode] = pod;
  book.headOfNode[node] = pod;
  const ofJob = book.headOfJob.get(jobIdx) ?? -1;
  book.jobNext[pod] = ofJob;
  book.jobPrev[pod] = -1;
  if (ofJob >= 0) book.jobPrev[ofJob] = pod;
  book.headOfJob.set(jobIdx, pod);
  count(book, shapes, pod, 1);
  return pod;
}

/** A pod is gone. */
function removePod(book: PodBook, shapes: PodShapes, pod: number): void {
  book.changes++;
  count(book, shapes, pod, -1);
  const node = book.node[pod]!;
  const nodeNext = book.nodeNext[pod]!;
  const nodePrev = book.nodePrev[pod]!;
  if (nodePrev >= 0) book.nodeNext[nodePrev] = nodeNext;
  else book.headOfNode[node] = nodeNext;
  if (nodeNext >= 0) book.nodePrev[nodeNext] = nodePrev;
  const jobNext = book.jobNext[pod]!;
  const jobPrev = book.jobPrev[pod]!;
  if (jobPrev >= 0) book.jobNext[jobPrev] = jobNext;
  else if (jobNext >= 0) book.headOfJob.set(book.jobIdx[pod]!, jobNext);
  else book.headOfJob.delete(book.jobIdx[pod]!);
  if (jobNext >= 0) book.jobPrev[jobNext] = jobPrev;
  book.jobIdx[pod] = -1;
  book.nodeNext[pod] = book.firstFree;
  book.firstFree = pod;
}

function count(book: PodBook, shapes: PodShapes, pod: number, sign: number): void {
  const { counted } = shapes.list[shapes.ofRow[book.row[pod]!]!]!;
  const node = book.node[pod]!;
  book.cpuMilli[node] = book.cpuMilli[node]! + sign * counted[CPU];
  book.memMiB[node] = book.memMiB[node]! + sign * counted[MEMORY];
}

function freeRow(book: PodBook): number {
  const free = book.firstFree;
  if (free >= 0) {
    book.firstFree = book.nodeNext[free]!;
    return free;
  }
  if (book.used === book.jobIdx.length) {
    const grown = columns(book.used * 2);
    for (const name of Object.keys(grown) as (keyof typeof grown)[]) grown[name].set(book[name]);
    Object.assign(book, grown);
  }
  return book.used++;
}

/** All pods of a job were told to leave by somebody else and are gone at `atMs`. O(pods of the job). */
export function podsLeave(book: PodBook, jobIdx: number, atMs: number): void {
  for (let pod = book.headOfJob.get(jobIdx) ?? -1; pod >= 0; pod = book.jobNext[pod]!)
    if (book.leaveMs[pod] === 0) book.leaveMs[pod] = Math.max(1, atMs);
}

/** Pods of a component that are bound, those that leave included. O(pods of the job). */
export function boundPods(book: PodBook, jobIdx: number, row: number): number {
  let bound = 0;
  for (let pod = book.headOfJob.get(jobIdx) ?? -1; pod >= 0; pod = book.jobNext[pod]!)
    if (book.row[pod] === row) bound++;
  return bound;
}

/** When it leaves; one that stays is last of all. */
const leavesMs = (book: PodBook, pod: number): number =>
  book.leaveMs[pod]! > 0 ? book.leaveMs[pod]! : Number.MAX_VALUE;

/** Whether a component has a pod on a node, one that leaves included. O(pods of the job). */
export function hasPodOn(book: PodBook, jobIdx: number, row: number, node: number): boolean {
  for (let pod = book.headOfJob.get(jobIdx) ?? -1; pod >= 0; pod = book.jobNext[pod]!)
    if (book.row[pod] === row && book.node[pod] === node) return true;
  return false;
}

const held = new Grant();
const left = new Map<number, number>();

/**
 * Drops the pods that a job no longer holds and adds those of which the book does not know; `touched` hears of each such node and shape. Of several on one node the
 * one whose grace ends first goes first, then the youngest. O(what it holds + pods).
 */
export function settlePods(
  view: PoolView,
  book: PodBook,
  shapes: PodShapes,
  jobIdx: number,
  touched: (node: number, shapeIdx: number) => void,
): void {
  const { nodeCount } = view.cluster;
  const first = view.jobs.at.firstComponent[jobIdx]!;
  held.clear();
  view.holdings(jobIdx, held);
  left.clear();
  for (let at = 0; at < held.length; at++) {
    const key = (first + held.component[at]!) * nodeCount + held.node[at]!;
    left.set(key, (left.get(key) ?? 0) + held.members[at]!);
  }
  const pods: number[] = [];
  for (let pod = book.headOfJob.get(jobIdx) ?? -1; pod >= 0; pod = book.jobNext[pod]!)
    pods.push(pod);
  pods.sort(
    (a, b) => leavesMs(book, b) - leavesMs(book, a) || book.startMs[a]! - book.startMs[b]! || a - b,
  );
  for (const pod of pods) {
    const row = book.row[pod]!;
    const node = book.node[pod]!;
    const key = row * nodeCount + node;
    const stays = left.get(key) ?? 0;
    if (stays > 0) left.set(key, stays - 1);
    else {
      removePod(book, shapes, pod);
      touched(node, shapes.ofRow[row]!);
    }
  }
  for (const [key, members] of left) {
    const row = Math.floor(key / nodeCount);
    for (let i = 0; i < members; i++)
      addPod(
        book,
        shapes,
        jobIdx,
        row,
        key % nodeCount,
        view.startMs(jobIdx) < Number.POSITIVE_INFINITY ? view.startMs(jobIdx) : view.nowMs,
      );
    if (members > 0) touched(key % nodeCount, shapes.ofRow[row]!);
  }
}
