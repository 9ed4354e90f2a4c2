/**
 * When members of a job fit on nodes, found node by node: on each node the times are sought at which it can hold one member, two
 * members, … for the whole duration, and the first time at which enough nodes can is counted out. The steps of a node are few,
 * so this beats trying one time after the other on all nodes.
 *
 *     node 0  ──▓▓▓▓▓▓────      ▓ starts from which on it has room long enough
 *     node 1  ▓▓▓──▓▓▓▓▓▓
 *     node 2  ─────────▓▓       two members fit from the first column on that has two ▓
 */
import type { Capacity } from "../placement/capacity.ts";
import type { Part } from "../placement/shapes.ts";
import type { Steps } from "./steps.ts";
import { stepAt } from "./steps.ts";

/**
 * First starts of the windows found that open later than the search begins, and last starts of those that close; sorted apart before they are
 * counted. Most windows open at once or stay open, and need not be sorted.
 */
let firstMs = new Float64Array(256);
let lastMs = new Float64Array(256);
let openAtOnce = 0;
let openLater = 0;
let closing = 0;

/**
 * The earliest time from `fromMs` on and before `beforeMs` at which all members of a part fit for `durationMs`, wherever they
 * are; `Infinity` if there is none. O(steps of the nodes × members on a node + windows · log windows).
 */
export function earliestOnNodes(
  ofNode: readonly Steps[],
  { nodes, nodeState, cluster }: Capacity,
  part: Part,
  durationMs: number,
  fromMs: number,
  beforeMs: number,
): number {
  openAtOnce = 0;
  openLater = 0;
  closing = 0;
  let earliestMs = Number.POSITIVE_INFINITY;
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!;
    if (nodeState[node] !== 0 || part.groupFits[cluster.nodeGroup[node]!] === 0) continue;
    const steps = ofNode[node]!;
    const need = needOn(part, node);
    if (part.members === 1) {
      const untilMs = Math.min(beforeMs, earliestMs);
      const atMs = firstWindow(steps, need, durationMs, fromMs, untilMs, Number.POSITIVE_INFINITY);
      if (atMs < earliestMs) earliestMs = atMs;
      continue;
    }
    const most = part.ownNode ? 1 : part.members;
    const holds = need === part ? most : Math.min(most, membersOnEmpty(part, need));
    for (let members = 1; members <= holds; members++) {
      const count = need === part ? members : 1;
      if (!addWindows(steps, need, count, durationMs, fromMs, beforeMs)) break;
    }
  }
  return part.members === 1 ? earliestMs : earliestOverlap(part.members, fromMs);
}

/** What a member needs on a node: all of it, where it shares its nodes with nobody. */
export function needOn(part: Part, node: number): Part {
  const cluster = part.exclusive;
  if (cluster === null) return part;
  const group = cluster.groups[cluster.nodeGroup[node]!]!;
  return {
    ...part,
    gpus: cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!,
    cpuMilli: group.cpusPerNode * 1_000,
    memMiB: group.memMiBPerNode,
  };
}

/** Members that a whole node holds. */
function membersOnEmpty(part: Part, whole: Part): number {
  let members = part.members;
  if (part.gpus > 0) members = Math.min(members, Math.floor(whole.gpus / part.gpus));
  if (part.cpuMilli > 0) members = Math.min(members, Math.floor(whole.cpuMilli / part.cpuMilli));
  if (part.memMiB > 0) members = Math.min(members, Math.floor(whole.memMiB / part.memMiB));
  return members;
}

/**
 * The earliest start from `fromMs` on and before `beforeMs` from which on a node can hold one member for `durationMs`, or until
 * `untilMs` if that comes first; `Infinity` if there is none.
 */
export function firstWindow(
  steps: Steps,
  part: Part,
  durationMs: number,
  fromMs: number,
  beforeMs: number,
  untilMs: number,
): number {
  const { length, times } = steps;
  let startMs = -1;
  for (let at = stepAt(steps, fromMs); at < length; at++) {
    const atMs = times[at]!;
    if (startMs >= 0 && (atMs >= startMs + durationMs || atMs >= untilMs)) return startMs;
    if (!holds(steps, at, part, 1)) startMs = -1;
    else if (startMs < 0) startMs = Math.max(fromMs, atMs);
    if (startMs < 0 ? atMs >= beforeMs : startMs >= beforeMs) return Number.POSITIVE_INFINITY;
  }
  return startMs >= 0 ? startMs : Number.POSITIVE_INFINITY;
}

/** Adds the windows of one more member on a node; false if it can never hold so many at once. */
function addWindows(
  steps: Steps,
  part: Part,
  members: number,
  durationMs: number,
  fromMs: number,
  beforeMs: number,
): boolean {
  const { length, times } = steps;
  let startMs = -1;
  let any = false;
  for (let at = stepAt(steps, fromMs); at < length; at++) {
    if (holds(steps, at, part, members)) {
      any = true;
      if (startMs < 0) startMs = Math.max(fromMs, times[at]!);
    } else if (startMs >= 0) {
      pushWindow(startMs, times[at]! - Math.max(1, durationMs), fromMs);
      startMs = -1;
    }
    if (startMs < 0 && times[at]! >= beforeMs) return any;
  }
  if (startMs >= 0) pushWindow(startMs, Number.POSITIVE_INFINITY, fromMs);
  return any;
}

function pushWindow(first: number, last: number, fromMs: number): void {
  if (last < first) return;
  if (first <= fromMs) openAtOnce++;
  else {
    if (openLater === firstMs.length) firstMs = grown(firstMs);
    firstMs[openLater++] = first;
  }
  if (last === Number.POSITIVE_INFINITY) return;
  if (closing === lastMs.length) lastMs = grown(lastMs);
  lastMs[closing++] = last;
}

/** The first time that lies in `wanted` windows at once. */
function earliestOverlap(wanted: number, fromMs: number): number {
  if (openAtOnce + openLater < wanted) return Number.POSITIVE_INFINITY;
  // All that are open at once still are at the time from which on they are looked for.
  if (openAtOnce >= wanted) return fromMs;
  const firsts = firstMs.subarray(0, openLater).sort();
  const lasts = lastMs.subarray(0, closing).sort();
  let closed = 0;
  for (let later = wanted - openAtOnce; later <= openLater; later++) {
    const atMs = firsts[later - 1]!;
    while (closed < closing && lasts[closed]! < atMs) closed++;
    if (openAtOnce + later - closed >= wanted) return atMs;
  }
  return Number.POSITIVE_INFINITY;
}

function holds(steps: Steps, at: number, part: Part, members: number): boolean {
  if (steps.gpus[at]! < members * part.gpus) return false;
  if (part.devicesOnly) return true;
  return (
    (part.cpuMilli === 0 || steps.cpuMilli[at]! >= members * part.cpuMilli) &&
    (part.memMiB === 0 || steps.memMiB[at]! >= members * part.memMiB)
  );
}

function grown(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(array.length * 2);
  larger.set(array);
  return larger;
}
