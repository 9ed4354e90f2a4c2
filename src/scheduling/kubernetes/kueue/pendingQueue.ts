/**
 * One ClusterQueue's waiting workloads: priority first, then time, then name. A cycle takes its head. StrictFIFO tries the same head for ever; nothing behind it is considered. BestEffortFIFO
 * (the default) parks a head that is refused, with all of its shape, until something that matters changes, and tries the next: skip-ahead without a reservation, so a large head can starve.
 * A head that waits for its own victims stays head. Taking and adding are O(log n), parking a whole shape O(1) a workload, waking O(n·log n). Source: kubernetes-sigs/kueue
 * `pkg/cache/queue/cluster_queue.go`; docs "Cluster Queue: Queueing strategy".
 */
import { compareQueued, type Workload } from "./workloads.ts";

export interface Pending extends Workload {
  /** Workloads of one shape are refused together: same amounts, priority and rules. */
  readonly shape: string;
}

/** Plain data; a snapshot copies the lists. */
export interface PendingQueue<P extends Pending = Pending> {
  readonly strict: boolean;
  /** A binary heap. */
  readonly heap: P[];
  readonly parked: P[];
  readonly parkedShapes: Set<string>;
}

export function pendingQueue<P extends Pending>(strict: boolean): PendingQueue<P> {
  return { strict, heap: [], parked: [], parkedShapes: new Set() };
}

export function addPending<P extends Pending>(queue: PendingQueue<P>, workload: P): void {
  if (queue.parkedShapes.has(workload.shape)) queue.parked.push(workload);
  else push(queue.heap, workload);
}

/** The workload that the next cycle looks at; null where none is to be tried. It stays where it is. */
export function headOf<P extends Pending>(queue: PendingQueue<P>): P | null {
  for (;;) {
    const head = queue.heap[0];
    if (!head) return null;
    if (!queue.parkedShapes.has(head.shape)) return head;
    queue.parked.push(pop(queue.heap));
  }
}

/** The head has its quota, or is gone. */
export function takeHead<P extends Pending>(queue: PendingQueue<P>): P {
  return pop(queue.heap);
}

/** The head has been refused: what StrictFIFO keeps, BestEffortFIFO parks. */
export function refuseHead(queue: PendingQueue): void {
  const head = queue.heap[0];
  if (queue.strict || !head) return;
  queue.parkedShapes.add(head.shape);
  queue.parked.push(pop(queue.heap));
}

/** Something that matters has changed (quota freed, queue edited): everything parked is tried again. */
export function wakeParked<P extends Pending>(queue: PendingQueue<P>): void {
  queue.parkedShapes.clear();
  for (const workload of queue.parked.splice(0)) push(queue.heap, workload);
}

function push<P extends Pending>(heap: P[], workload: P): void {
  heap.push(workload);
  for (let at = heap.length - 1; at > 0; ) {
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
  for (let at = 0; ; ) {
    const left = 2 * at + 1;
    let least = at;
    for (const child of [left, left + 1])
      if (child < heap.length && compareQueued(heap[child]!, heap[least]!) < 0) least = child;
    if (least === at) return first;
    swap(heap, least, at);
    at = least;
  }
}

function swap<P>(heap: P[], one: number, other: number): void {
  const kept = heap[one]!;
  heap[one] = heap[other]!;
  heap[other] = kept;
}
