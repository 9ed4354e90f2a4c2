import { expect, test } from "vitest";
import { Demand } from "../../src/timeline/demand.ts";
import { syntheticRecord } from "../../src/timeline/syntheticRecord.ts";

const record = syntheticRecord({ nodes: 8, gpusPerNode: 8, rects: 2_000, chunks: 7 });
const demand = new Demand();
demand.update(record.chunks);

/** Jobs that wait at a time by looking at every wait. */
function waitingByHand(atMs: number): number {
  let count = 0;
  for (const { waits } of record.chunks) {
    for (let i = 0; i < waits.fromMs.length; i++)
      if (waits.fromMs[i]! <= atMs && atMs < waits.toMs[i]!) count += 1;
  }
  return count;
}

test("work waits at a time exactly where a wait is open then", () => {
  let both = 0;
  for (const { waits } of record.chunks) {
    for (let i = 0; i < Math.min(40, waits.fromMs.length); i++) {
      for (const atMs of [waits.fromMs[i]!, waits.toMs[i]!, waits.toMs[i]! + 1]) {
        const waiting = waitingByHand(atMs) > 0;
        expect(demand.waitsAt(atMs), `${atMs} ms`).toBe(waiting);
        both |= waiting ? 1 : 2;
      }
    }
  }
  expect(both).toBe(3);
});

test("a pixel is marked exactly where some job waits during it, however short", () => {
  const pxPerMs = 1 / 400_000;
  const out = new Uint8Array(300);
  demand.mark(pxPerMs, 100, 0, 300, record.knownMs, out);
  const last = Math.floor(record.chunks.at(-1)!.toMs * pxPerMs) - 101;
  for (let x = 0; x < Math.min(300, last); x++) {
    let waits = false;
    for (const chunk of record.chunks) {
      for (let i = 0; i < chunk.waits.fromMs.length; i++) {
        waits ||=
          chunk.waits.fromMs[i]! <= (x + 101) / pxPerMs &&
          chunk.waits.toMs[i]! > (x + 100) / pxPerMs;
      }
    }
    expect(out[x], `pixel ${x}`).toBe(waits ? 1 : 0);
  }
  expect(out).toContain(0);
  expect(out).toContain(1);
});

test("a change reads again only from where chunks differ, and the result is that of reading all", () => {
  const other = [...record.chunks.slice(0, 3), record.chunks[5]!];
  const moved = new Demand();
  moved.update(record.chunks);
  moved.update(other);
  const fresh = new Demand();
  fresh.update(other);
  let waiting = 0;
  for (let atMs = 0; atMs < record.knownMs; atMs += record.knownMs / 5_000) {
    expect(moved.waitsAt(atMs)).toBe(fresh.waitsAt(atMs));
    waiting += fresh.waitsAt(atMs) ? 1 : 0;
  }
  expect(waiting).toBeGreaterThan(0);
  expect(waiting).toBeLessThan(5_000);
});
