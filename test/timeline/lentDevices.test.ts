import { expect, test } from "vitest";
import { MemberStateCode } from "../../src/model/states.ts";
import { type Chunk, DecisionKindCode, rectBits } from "../../src/record/shapes.ts";
import { LentDevices } from "../../src/timeline/lentDevices.ts";

type Rect = readonly [
  startMs: number,
  endMs: number,
  jobIdx: number,
  device: number,
  state?: number,
];
type Decision = readonly [atMs: number, kind: "suspend" | "resume", jobIdx: number];
type Run = readonly [endMs: number, jobIdx: number];

function chunk(
  rects: readonly Rect[],
  decisions: readonly Decision[],
  runs: readonly Run[] = [],
): Chunk {
  return {
    rects: {
      startMs: Float64Array.from(rects, ([startMs]) => startMs),
      endMs: Float64Array.from(rects, ([, endMs]) => endMs),
      jobIdx: Uint32Array.from(rects, ([, , jobIdx]) => jobIdx),
      device: Uint32Array.from(rects, ([, , , device]) => device),
      deviceCount: new Uint16Array(rects.length).fill(4),
      bits: Uint16Array.from(rects, ([, , , , state]) =>
        rectBits(state ?? MemberStateCode.running, 0, 0),
      ),
    },
    decisions: {
      atMs: Float64Array.from(decisions, ([atMs]) => atMs),
      kind: Uint8Array.from(decisions, ([, kind]) => DecisionKindCode[kind]),
      jobIdx: Uint32Array.from(decisions, ([, , jobIdx]) => jobIdx),
    },
    runs: {
      endMs: Float64Array.from(runs, ([endMs]) => endMs),
      jobIdx: Uint32Array.from(runs, ([, jobIdx]) => jobIdx),
    },
  } as unknown as Chunk;
}
function lent(...chunks: Chunk[]) {
  const devices = new LentDevices();
  devices.update(chunks);
  return devices
    .rects(null)
    .map(({ startMs, endMs, jobIdx, device }) => [startMs, endMs, jobIdx, device]);
}

test("devices are lent from the suspension to the resumption, in the same chunk or a later one", () => {
  const held: Rect[] = [
    [0, 50, 1, 0],
    [0, 50, 1, 8],
  ];
  const expected = [
    [50, 90, 1, 0],
    [50, 90, 1, 8],
  ];
  expect(
    lent(
      chunk(held, [
        [50, "suspend", 1],
        [90, "resume", 1],
      ]),
    ),
  ).toEqual(expected);
  expect(lent(chunk(held, [[50, "suspend", 1]]), chunk([], [[90, "resume", 1]]))).toEqual(expected);
});

test("a run that ends while it is suspended lends no longer; one that goes on lends without end", () => {
  const suspended = chunk([[0, 50, 1, 0]], [[50, "suspend", 1]], [[70, 1]]);
  expect(lent(suspended)).toEqual([[50, 70, 1, 0]]);
  expect(lent(chunk([[0, 50, 1, 0]], [[50, "suspend", 1]]))).toEqual([
    [50, Number.POSITIVE_INFINITY, 1, 0],
  ]);
});

test("who keeps the devices while suspended has lent nothing", () => {
  const kept = chunk(
    [
      [0, 50, 1, 0],
      [50, 90, 1, 0, MemberStateCode.suspended],
    ],
    [
      [50, "suspend", 1],
      [90, "resume", 1],
    ],
  );
  expect(lent(kept)).toEqual([]);
});
