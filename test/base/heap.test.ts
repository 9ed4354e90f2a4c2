import fc from "fast-check";
import { expect, test } from "vitest";
import { TimeHeap } from "../../src/base/heap.ts";

interface Entry {
  readonly timeMs: number;
  readonly order: number;
}

function drain(heap: TimeHeap): Entry[] {
  const left: Entry[] = [];
  while (heap.size > 0) {
    left.push({ timeMs: heap.timeMs[0]!, order: heap.order[0]! });
    heap.pop();
  }
  return left;
}

const times = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 400 });
const byTime = (a: Entry, b: Entry) => a.timeMs - b.timeMs || a.order - b.order;

test("entries leave in order of time, equal times in order of their number", () => {
  fc.assert(
    fc.property(times, (list) => {
      const heap = new TimeHeap();
      list.forEach((timeMs, order) => {
        heap.push(timeMs, order, order, 0);
      });
      expect(drain(heap)).toEqual(list.map((timeMs, order) => ({ timeMs, order })).sort(byTime));
    }),
  );
});

test("after a filter the kept entries still leave in order", () => {
  fc.assert(
    fc.property(times, fc.integer({ min: 2, max: 5 }), (list, every) => {
      const heap = new TimeHeap();
      list.forEach((timeMs, order) => {
        heap.push(timeMs, order, order, 0);
      });
      heap.filter((subject) => subject % every === 0);
      const kept = list
        .map((timeMs, order) => ({ timeMs, order }))
        .filter(({ order }) => order % every === 0);
      expect(drain(heap)).toEqual(kept.sort(byTime));
    }),
  );
});

test("a restored heap leaves in the same order as its original", () => {
  const heap = new TimeHeap();
  for (let i = 0; i < 1_000; i++) heap.push((i * 7_919) % 101, i, i, i);
  const copy = new TimeHeap();
  copy.restore(heap.copy());
  expect(drain(copy)).toEqual(drain(heap));
});
