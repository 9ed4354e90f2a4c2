import { expect, test } from "vitest";
import type { Chunk } from "../../src/record/shapes.ts";
import { busiestMs } from "../../src/timeline/busiest.ts";

function chunk(rows: readonly { atMs: number; tier: number; waiting: number }[]): Chunk {
  return {
    series: {
      atMs: Float64Array.from(rows, (row) => row.atMs),
      tier: Uint8Array.from(rows, (row) => row.tier),
      heldParts: new Int32Array(rows.length),
      waitedParts: new Float64Array(rows.length),
      jobsWaiting: Int32Array.from(rows, (row) => row.waiting),
    },
  } as unknown as Chunk;
}

test("the busiest moment is the first at which most jobs of all tiers together wait", () => {
  const chunks = [
    chunk([
      { atMs: 10, tier: 0, waiting: 3 },
      { atMs: 20, tier: 1, waiting: 2 },
    ]),
    chunk([
      { atMs: 30, tier: 0, waiting: 1 },
      { atMs: 40, tier: 1, waiting: 4 },
    ]),
  ];
  expect(busiestMs(chunks)).toBe(20);
});

test("a run in which nobody waits has no busiest moment", () => {
  expect(busiestMs([chunk([{ atMs: 0, tier: 0, waiting: 0 }])])).toBeNull();
  expect(busiestMs([])).toBeNull();
});
