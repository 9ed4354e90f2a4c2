/** The entries of a list in ascending order, worked out as they are asked for: O(n) to begin with and O(log n) for each, where sorting them all would be O(n·log n). `heap` is used up. */
export function* ascending<T>(heap: T[], compare: (left: T, right: T) => number): Iterable<T> {
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(heap, at, compare);
  while (heap.length > 0) {
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length > 0) {
      heap[0] = last;
      sink(heap, 0, compare);
    }
    yield first;
  }
}

function sink<T>(heap: T[], from: number, compare: (left: T, right: T) => number): void {
  for (let at = from; ; ) {
    let least = at;
    for (let child = 2 * at + 1; child <= 2 * at + 2 && child < heap.length; child++)
      if (compare(heap[child]!, heap[least]!) < 0) least = child;
    if (least === at) return;
    const kept = heap[at]!;
    heap[at] = heap[least]!;
    heap[least] = kept;
    at = least;
  }
}
