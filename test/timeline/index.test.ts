import { expect, test } from "vitest";
import { buildPart, type Part, RowIndex } from "../../src/timeline/rowIndex.ts";
import { type RowUnits, rowUnitsOf } from "../../src/timeline/rowUnits.ts";
import { createHolders, holdersAt, nodeStatesAt } from "../../src/timeline/stateAt.ts";
import { syntheticRecord } from "../../src/timeline/syntheticRecord.ts";

const record = syntheticRecord({ nodes: 16, gpusPerNode: 8, rects: 6_000, chunks: 11 });
const { cluster } = record.stage;
const units = rowUnitsOf(cluster);

function indexed(chunks = record.chunks): RowIndex {
  const index = new RowIndex(units);
  index.update(chunks, record.open);
  index.finish();
  return index;
}

/** Who holds each device at a time, by looking at every rectangle. */
function holdersByHand(atMs: number): number[] {
  const jobs = Array.from({ length: cluster.deviceCount }, () => -1);
  for (const { rects } of [...record.chunks, record.open]) {
    for (let i = 0; i < rects.startMs.length; i++) {
      if (rects.startMs[i]! > atMs || rects.endMs[i]! <= atMs) continue;
      jobs.fill(rects.jobIdx[i]!, rects.device[i]!, rects.device[i]! + rects.deviceCount[i]!);
    }
  }
  return jobs;
}

test("who holds each device at any time is what the rectangles say", () => {
  const index = indexed();
  const holders = createHolders(cluster);
  for (let i = 0; i <= 40; i++) {
    const atMs = Math.floor((record.knownMs * i) / 40);
    holdersAt(index.parts, units, atMs, holders);
    expect([...holders.jobOfDevice]).toEqual(holdersByHand(atMs));
  }
});

test("a job holds its devices at its start and no longer at its end", () => {
  const index = indexed();
  const holders = createHolders(cluster);
  const { rects } = record.chunks[3]!;
  holdersAt(index.parts, units, rects.startMs[0]!, holders);
  expect(holders.jobOfDevice[rects.device[0]!]).toBe(rects.jobIdx[0]);
  holdersAt(index.parts, units, rects.endMs[0]!, holders);
  expect(holders.jobOfDevice[rects.device[0]!]).not.toBe(rects.jobIdx[0]);
});

test("merging leaves few parts and loses no rectangle", () => {
  const index = indexed();
  const rects = [...record.chunks, record.open].reduce(
    (sum, chunk) => sum + chunk.rects.startMs.length,
    0,
  );
  expect(index.entryCount).toBe(rects);
  expect(index.parts.length).toBeLessThanOrEqual(2 + 3 + 1);
});

test("a future that shares the first chunks shares their parts", () => {
  const first = indexed(record.chunks.slice(0, 4));
  const second = indexed([...record.chunks.slice(0, 4), record.chunks[6]!]);
  expect(second.parts[0]).toBe(first.parts[0]);
});

/** The part of rectangles (start, end, job, first device, devices) that one chunk holds. */
function partOf(
  rects: readonly (readonly [number, number, number, number, number])[],
  rowUnits: RowUnits,
): Part {
  const column = (at: 0 | 1 | 2 | 3 | 4) => rects.map((rect) => rect[at]);
  const work = buildPart(
    {
      startMs: Float64Array.from(column(0)),
      endMs: Float64Array.from(column(1)),
      jobIdx: Uint32Array.from(column(2)),
      device: Uint32Array.from(column(3)),
      deviceCount: Uint16Array.from(column(4)),
      bits: new Uint16Array(rects.length).fill(2),
    },
    rowUnits,
  );
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

test("of several jobs on one device the last to start is shown, and the other again when it has gone", () => {
  const part = partOf(
    [
      [5, 15, 2, 3, 1],
      [0, 20, 1, 3, 1],
    ],
    units,
  );
  const holders = createHolders(cluster);
  const shown = [2, 5, 10, 15, 17, 20].map((atMs) => {
    holdersAt([part], units, atMs, holders);
    return [holders.jobOfDevice[3], holders.heldCount];
  });
  expect(shown).toEqual([
    [1, 1],
    [2, 1],
    [2, 1],
    [1, 1],
    [1, 1],
    [-1, 0],
  ]);
});

test("rectangles of a flat machine stand in every band that they cover", () => {
  const flat = syntheticRecord({ nodes: 8, gpusPerNode: 16, rects: 10, flat: true });
  const bands = rowUnitsOf(flat.stage.cluster);
  const part = partOf([[5, 9, 7, 10, 40]], bands);
  expect(part.count).toBe(4);
  expect([...part.rows].map((rows) => [rows & 255, rows >> 8])).toEqual([
    [10, 6],
    [0, 16],
    [0, 16],
    [0, 2],
  ]);
});

test("a drained node is closed during its span only", () => {
  const { nodeSpans } = record.chunks[1]!;
  const holders = createHolders(cluster);
  nodeStatesAt(record.chunks, record.open, nodeSpans.startMs[0]!, holders);
  expect(holders.stateOfNode[nodeSpans.node[0]!]).toBe(nodeSpans.state[0]);
  nodeStatesAt(record.chunks, record.open, nodeSpans.endMs[0]!, holders);
  expect(holders.stateOfNode[nodeSpans.node[0]!]).toBe(0);
});
