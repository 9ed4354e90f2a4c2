/**
 * One ClusterQueue's waiting workloads: priority first, then time, then name. A cycle takes its head. StrictFIFO tries the same head for ever; nothing behind it is considered. BestEffortFIFO
 * (the default) parks a head that is refused, with all of its shape, until something that matters changes, and tries the next: skip-ahead without a reservation, so a large head can starve.
 * A head that waits for its own victims stays head. Workloads of one shape stand in one line, and lines that are not parked in a heap by their first: adding and taking are O(log n),
 * parking a shape O(log shapes), waking O(shapes·log shapes), however many wait. Where LocalQueues are ordered by use, which changes while they wait, the head is looked for
 * among the lines: O(shapes). Source: kubernetes-sigs/kueue `pkg/cache/queue/cluster_queue.go`; docs "Cluster Queue: Queueing strategy".
 */
import { compareQueued, type Workload } from "./workloads.ts";

export interface Pending extends Workload {
  /** Workloads of one shape are refused together: same amounts, priority and rules, and of one LocalQueue where use orders these. */
  readonly shape: string;
}

/** The workloads of one shape, as a binary heap. */
interface Line<P extends Pending> {
  readonly shape: string;
  readonly heap: P[];
  /** Place among the lines to be tried; −1 = parked. */
  at: number;
}

/** Plain data; a snapshot copies the lists. */
export interface PendingQueue<P extends Pending = Pending> {
  readonly strict: boolean;
  readonly lines: Map<string, Line<P>>;
  /** Lines to be tried, as a binary heap by their first. */
  readonly active: Line<P>[];
  /** Shapes that have been refused, those that nobody waits in included. */
  readonly parkedShapes: Set<string>;
  count: number;
}

/** What the LocalQueue of a workload has used, weighted; lower first. */
export type UsedBy<P> = (workload: P) => number;

export function pendingQueue<P extends Pending>(strict: boolean): PendingQueue<P> {
  return { strict, lines: new Map(), active: [], parkedShapes: new Set(), count: 0 };
}

export function addPending<P extends Pending>(queue: PendingQueue<P>, workload: P): void {
  queue.count++;
  const { shape } = workload;
  const line = queue.lines.get(shape);
  if (line) {
    push(line.heap, workload);
    if (line.at >= 0) rise(queue.active, line.at);
    return;
  }
  const made: Line<P> = { shape, heap: [workload], at: -1 };
  queue.lines.set(shape, made);
  if (!queue.parkedShapes.has(shape)) activate(queue.active, made);
}

/** Takes a workload out wherever it stands; false where it does not wait here. O(log n) for the first of its shape, else O(those of its shape). */
export function removePending<P extends Pending>(queue: PendingQueue<P>, workload: P): boolean {
  const line = queue.lines.get(workload.shape);
  if (line?.heap[0]?.name === workload.name) {
    pop(line.heap);
    queue.count--;
    settle(queue, line);
    return true;
  }
  const at = line?.heap.findIndex(({ name }) => name === workload.name) ?? -1;
  if (!line || at < 0) return false;
  queue.count--;
  takeOut(line.heap, at);
  settle(queue, line);
  return true;
}

/** The workload that the next cycle looks at; null where none is to be tried. It stays where it is. */
export function headOf<P extends Pending>(queue: PendingQueue<P>, usedBy?: UsedBy<P>): P | null {
  return headLine(queue, usedBy)?.heap[0] ?? null;
}

/** The head has its quota, or is gone. */
export function takeHead<P extends Pending>(queue: PendingQueue<P>, usedBy?: UsedBy<P>): P {
  const line = headLine(queue, usedBy)!;
  const head = pop(line.heap);
  queue.count--;
  settle(queue, line);
  return head;
}

/** The head has been refused: what StrictFIFO keeps, BestEffortFIFO parks. True where it is parked. */
export function refuseHead<P extends Pending>(queue: PendingQueue<P>, usedBy?: UsedBy<P>): boolean {
  const line = headLine(queue, usedBy);
  return line !== null && parkShape(queue, line.shape);
}

/** The same for a head that may have others before it by now. */
export function parkShape(queue: PendingQueue, shape: string): boolean {
  const line = queue.lines.get(shape);
  if (queue.strict || !line || line.at < 0) return false;
  queue.parkedShapes.add(shape);
  deactivate(queue.active, line);
  return true;
}

/** Something that matters has changed (quota freed, queue edited): everything parked is tried again. True where anything was. */
export function wakeParked<P extends Pending>(queue: PendingQueue<P>): boolean {
  if (queue.parkedShapes.size === 0) return false;
  let any = false;
  for (const shape of queue.parkedShapes) {
    const line = queue.lines.get(shape);
    if (!line) continue;
    activate(queue.active, line);
    any = true;
  }
  queue.parkedShapes.clear();
  return any;
}

/** A copy that shares only the workloads. O(those that wait). */
export function copyPending<P extends Pending>(queue: PendingQueue<P>): PendingQueue<P> {
  const lines = new Map<string, Line<P>>();
  for (const [shape, { heap, at }] of queue.lines)
    lines.set(shape, { shape, heap: heap.slice(), at });
  const active = queue.active.map(({ shape }) => lines.get(shape)!);
  const { strict, count } = queue;
  return { strict, lines, active, parkedShapes: new Set(queue.parkedShapes), count };
}

function headLine<P extends Pending>(queue: PendingQueue<P>, usedBy?: UsedBy<P>): Line<P> | null {
  const first = queue.active[0] ?? null;
  if (!first || !usedBy) return first;
  let best = first;
  let bestUse = usedBy(first.heap[0]!);
  for (const line of queue.active) {
    const use = usedBy(line.heap[0]!);
    if (use > bestUse || (use === bestUse && compareLines(line, best) >= 0)) continue;
    best = line;
    bestUse = use;
  }
  return best;
}

/** The first of a line has changed: its place, or its end. */
function settle<P extends Pending>(queue: PendingQueue<P>, line: Line<P>): void {
  if (line.heap.length === 0) {
    queue.lines.delete(line.shape);
    if (line.at >= 0) deactivate(queue.active, line);
  } else if (line.at >= 0) {
    sink(queue.active, line.at);
    rise(queue.active, line.at);
  }
}

function compareLines<P extends Pending>(left: Line<P>, right: Line<P>): number {
  return compareQueued(left.heap[0]!, right.heap[0]!);
}

function activate<P extends Pending>(active: Line<P>[], line: Line<P>): void {
  line.at = active.length;
  active.push(line);
  rise(active, line.at);
}

function deactivate<P extends Pending>(active: Line<P>[], line: Line<P>): void {
  const { at } = line;
  const last = active.pop()!;
  line.at = -1;
  if (last === line) return;
  active[at] = last;
  last.at = at;
  sink(active, at);
  rise(active, last.at);
}

function rise<P extends Pending>(active: Line<P>[], from: number): void {
  for (let at = from; at > 0; ) {
    const above = (at - 1) >> 1;
    if (compareLines(active[above]!, active[at]!) <= 0) return;
    swapLines(active, above, at);
    at = above;
  }
}

function sink<P extends Pending>(active: Line<P>[], from: number): void {
  for (let at = from; ; ) {
    const least = leastOf(active, at, compareLines);
    if (least === at) return;
    swapLines(active, least, at);
    at = least;
  }
}

function swapLines<P extends Pending>(active: Line<P>[], one: number, other: number): void {
  swap(active, one, other);
  active[one]!.at = one;
  active[other]!.at = other;
}

function push<P extends Pending>(heap: P[], workload: P): void {
  heap.push(workload);
  lift(heap, heap.length - 1);
}

function lift(heap: Pending[], from: number): void {
  for (let at = from; at > 0; ) {
    const above = (at - 1) >> 1;
    if (compareQueued(heap[above]!, heap[at]!) <= 0) return;
    swap(heap, above, at);
    at = above;
  }
}

function pop<P extends Pending>(heap: P[]): P {
  const first = heap[0]!;
  const last = heap.pop()!;
  if (heap.length === 0) return first;
  heap[0] = last;
  lower(heap, 0);
  return first;
}

/** Takes out whoever stands at a place. O(log n). */
function takeOut(heap: Pending[], at: number): void {
  const last = heap.pop()!;
  if (at === heap.length) return;
  heap[at] = last;
  lift(heap, at);
  lower(heap, at);
}

function lower(heap: Pending[], from: number): void {
  for (let at = from; ; ) {
    const least = leastOf(heap, at, compareQueued);
    if (least === at) return;
    swap(heap, least, at);
    at = least;
  }
}

/** The smallest of an entry and the two below it. */
function leastOf<T>(heap: readonly T[], at: number, compare: (left: T, right: T) => number) {
  let least = at;
  for (let child = 2 * at + 1; child <= 2 * at + 2 && child < heap.length; child++)
    if (compare(heap[child]!, heap[least]!) < 0) least = child;
  return least;
}

function swap<T>(heap: T[], one: number, other: number): void {
  const kept = heap[one]!;
  heap[one] = heap[other]!;
  heap[other] = kept;
}
