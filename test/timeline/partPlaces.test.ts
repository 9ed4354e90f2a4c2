import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MemberStateCode } from "../../src/model/states.ts";
import type { Stage } from "../../src/protocol/messages.ts";
import { type Chunk, type OpenSet, rectBits } from "../../src/record/shapes.ts";
import { PartPlaces } from "../../src/timeline/partPlaces.ts";
import { syntheticRecord } from "../../src/timeline/syntheticRecord.ts";

const { stage } = syntheticRecord({ nodes: 1, gpusPerNode: 8, rects: 40 });
interface Share {
  readonly jobIdx: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly part: number;
}
const bitsOf = (part: number) => rectBits(MemberStateCode.running, 0, part);

function chunk(shares: readonly Share[]): Chunk {
  return {
    rects: {
      startMs: Float64Array.from(shares, (share) => share.startMs),
      endMs: Float64Array.from(shares, (share) => share.endMs),
      jobIdx: Uint32Array.from(shares, (share) => share.jobIdx),
      device: new Uint32Array(shares.length),
      deviceCount: new Uint16Array(shares.length).fill(1),
      bits: Uint16Array.from(shares, (share) => bitsOf(share.part)),
    },
  } as unknown as Chunk;
}
const place = (places: PartPlaces, share: Share) =>
  places.placeOf(0, bitsOf(share.part), share.jobIdx, share.startMs);

describe("parts of a device on its row", () => {
  test("halves that run together lie beside each other; who comes later takes what is free", () => {
    const shares = [
      { jobIdx: 1, startMs: 0, endMs: 50, part: 500 },
      { jobIdx: 2, startMs: 10, endMs: 90, part: 500 },
      { jobIdx: 3, startMs: 60, endMs: 99, part: 500 },
    ];
    const places = new PartPlaces();
    places.update(stage, [chunk(shares)], null);
    expect(shares.map((share) => place(places, share))).toMatchObject([
      { from: 0, to: 500 },
      { from: 500, to: 1000 },
      { from: 0, to: 500 },
    ]);
  });

  test("a job stays where it is from one state to the next", () => {
    const shares = [
      { jobIdx: 1, startMs: 0, endMs: 20, part: 400 },
      { jobIdx: 2, startMs: 0, endMs: 30, part: 300 },
      { jobIdx: 2, startMs: 30, endMs: 80, part: 300 },
    ];
    const places = new PartPlaces();
    places.update(stage, [chunk(shares.slice(0, 2))], null);
    places.update(stage, [chunk(shares)], null);
    expect(place(places, shares[2]!)).toMatchObject({ from: 400, to: 700 });
  });

  test("MIG instances stand at their place, a whole device has none", () => {
    const places = new PartPlaces();
    places.update(stage, [], null);
    expect(places.placeOf(0, bitsOf(1_001 + 4), 0, 0)).toMatchObject({ from: 500 });
    expect(places.placeOf(0, bitsOf(0), 0, 0)).toBeNull();
  });

  test("what is open has a place that what closes later does not lose", () => {
    const open = { jobIdx: 5, startMs: 5, endMs: Number.POSITIVE_INFINITY, part: 250 };
    const closed = { jobIdx: 4, startMs: 0, endMs: 9, part: 250 };
    const places = new PartPlaces();
    const openSet = (shares: readonly Share[]) => chunk(shares) as unknown as OpenSet;
    places.update(stage, [], openSet([open]));
    expect(place(places, open)).toMatchObject({ from: 0 });
    places.update(stage, [chunk([closed])], openSet([open]));
    expect(place(places, closed)).toMatchObject({ from: 0 });
    expect(place(places, open)).toMatchObject({ from: 250 });
  });

  test("every part keeps its size and stays within the row", () => {
    const share = fc.record({
      jobIdx: fc.nat(30),
      startMs: fc.nat(100),
      length: fc.integer({ min: 1, max: 50 }),
      part: fc.integer({ min: 1, max: 1_000 }),
    });
    fc.assert(
      fc.property(fc.array(share, { maxLength: 30 }), (drawn) => {
        const shares = drawn
          .map(({ length, ...one }) => ({ ...one, endMs: one.startMs + length }))
          .sort((a, b) => a.endMs - b.endMs);
        const places = new PartPlaces();
        places.update(stage as Stage, [chunk(shares)], null);
        for (const one of shares) {
          const { from, to } = place(places, one)!;
          expect(from).toBeGreaterThanOrEqual(0);
          expect(to).toBeLessThanOrEqual(1_000);
        }
      }),
      { endOnFailure: true },
    );
  });
});
