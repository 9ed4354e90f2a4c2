import { expect, test } from "vitest";
import { MemberStateCode } from "../../src/model/states.ts";
import { type Chunk, rectBits } from "../../src/record/shapes.ts";
import { PartPlaces } from "../../src/timeline/partPlaces.ts";
import { partOfRects } from "../../src/timeline/rowIndex.ts";
import { rowUnitsOf } from "../../src/timeline/rowUnits.ts";
import { heldPart, slicesAt } from "../../src/timeline/slicesAt.ts";
import { syntheticRecord } from "../../src/timeline/syntheticRecord.ts";

const { stage } = syntheticRecord({ nodes: 1, gpusPerNode: 8, rects: 1 });
const units = rowUnitsOf(stage.cluster);
const rect = (jobIdx: number, device: number, part: number, startMs: number, endMs: number) => ({
  jobIdx,
  device,
  deviceCount: 1,
  startMs,
  endMs,
  bits: rectBits(MemberStateCode.running, 0, part),
});

test("parts of a device lie beside each other while they are held, and a whole device has none", () => {
  const rects = [rect(1, 0, 250, 0, 50), rect(2, 0, 500, 10, 90), rect(3, 1, 0, 0, 90)];
  const places = new PartPlaces();
  const chunk = {
    rects: {
      startMs: Float64Array.from(rects, (one) => one.startMs),
      endMs: Float64Array.from(rects, (one) => one.endMs),
      jobIdx: Uint32Array.from(rects, (one) => one.jobIdx),
      device: Uint32Array.from(rects, (one) => one.device),
      deviceCount: Uint16Array.from(rects, (one) => one.deviceCount),
      bits: Uint16Array.from(rects, (one) => one.bits),
    },
  } as unknown as Chunk;
  places.update(stage, [chunk], null);
  const at = (ms: number) => slicesAt([partOfRects(rects, units)], units, places, ms);
  expect([...at(20)]).toEqual([
    [
      0,
      [
        { jobIdx: 1, from: 0, to: 250 },
        { jobIdx: 2, from: 250, to: 750 },
      ],
    ],
  ]);
  expect(heldPart(at(20).get(0)!)).toBe(0.75);
  expect(at(50).get(0)).toEqual([{ jobIdx: 2, from: 250, to: 750 }]);
  expect(at(90).size).toBe(0);
});
