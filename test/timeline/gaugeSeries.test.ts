import { expect, test } from "vitest";
import { GaugeCode } from "../../src/model/lab/gauges.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { GaugeSeries, statsOver, valueAt } from "../../src/timeline/gaugeSeries.ts";

function chunk(rows: readonly (readonly [atMs: number, subject: number, value: number])[]): Chunk {
  return {
    gauges: {
      atMs: Float64Array.from(rows, ([atMs]) => atMs),
      kind: Uint8Array.from(rows, () => GaugeCode.borrowed),
      subject: Uint16Array.from(rows, ([, subject]) => subject),
      value: Float64Array.from(rows, ([, , value]) => value),
    },
  } as unknown as Chunk;
}
const first = chunk([
  [10, 0, 8],
  [10, 3, 1],
  [30, 0, 0],
]);
const second = chunk([[50, 0, 24]]);

test("a value holds until the next one, across chunks, and before the first nothing is known", () => {
  const series = new GaugeSeries();
  series.update([first, second]);
  const steps = series.get(GaugeCode.borrowed, 0)!;
  expect([9, 10, 29, 30, 49, 50, 900].map((atMs) => valueAt(steps, atMs))).toEqual([
    Number.NaN,
    8,
    8,
    0,
    0,
    24,
    24,
  ]);
  expect(series.subjects(GaugeCode.borrowed)).toEqual([0, 3]);
  expect(series.subjects(GaugeCode.lent)).toEqual([]);
});

test("mean is over the time that is known, least and most over all that holds within", () => {
  const series = new GaugeSeries();
  series.update([first, second]);
  const steps = series.get(GaugeCode.borrowed, 0)!;
  // 8 for 20, 0 for 20, 24 for 10.
  expect(statsOver(steps, 0, 60)).toEqual({ least: 0, mean: 8, most: 24 });
  expect(statsOver(steps, 35, 45)).toEqual({ least: 0, mean: 0, most: 0 });
  expect(statsOver(steps, 0, 10).mean).toBeNaN();
});

test("a latency without end counts for the most and not for the mean", () => {
  const series = new GaugeSeries();
  series.update([
    chunk([
      [0, 0, 4],
      [10, 0, Number.POSITIVE_INFINITY],
      [20, 0, 6],
    ]),
  ]);
  const steps = series.get(GaugeCode.borrowed, 0)!;
  expect(statsOver(steps, 0, 30)).toEqual({ least: 4, mean: 5, most: Number.POSITIVE_INFINITY });
  expect(steps.most).toBe(6);
});

test("another future is read from its beginning, a longer one goes on", () => {
  const series = new GaugeSeries();
  series.update([first]);
  series.update([first, second]);
  expect(series.get(GaugeCode.borrowed, 0)!.values).toEqual([8, 0, 24]);
  series.update([second]);
  expect(series.get(GaugeCode.borrowed, 0)!.values).toEqual([24]);
  expect(series.get(GaugeCode.borrowed, 3)).toBeUndefined();
});
