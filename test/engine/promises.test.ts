/** Promised starts are counted by gauges as jobs start, as the metrics count them afterwards. */
import { expect, test } from "vitest";
import { simulate } from "../../src/cli/simulate.ts";
import { type Gauge, GaugeCode } from "../../src/model/lab/gauges.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { mustRead } from "../scenario/scenarios.ts";

/** Three jobs that need all GPUs, one after the other; the second runs past its limit. */
function run(settings: object) {
  const job = { gpus: 2, submitMs: 0, workMs: 100_000, limitMs: 100_000 };
  const scenario = mustRead({
    version: 1,
    killAtLimit: false,
    cluster: { flat: true, nodeGroups: [{ id: "n", count: 1, gpus: 2 }] },
    pools: [{ id: "all", policy: { settings } }],
    workload: {
      jobs: [
        { id: "a", ...job },
        { id: "b", ...job, limitMs: 60_000 },
        { id: "c", ...job },
      ],
    },
  } as Parameters<typeof mustRead>[0]);
  const chunks: Chunk[] = [];
  const { metrics } = simulate(scenario, undefined, {
    checks: true,
    onChunk: (chunk) => chunks.push(chunk),
  });
  const last = (gauge: Gauge) =>
    chunks
      .flatMap(({ gauges }) =>
        [...gauges.value].filter((_, row) => gauges.kind[row] === GaugeCode[gauge]),
      )
      .at(-1) ?? 0;
  return { metrics, kept: last("promisesKept"), broken: last("promisesBroken") };
}

test.each([
  ["EASY", { backfill: "easy" }],
  ["the walk", { backfill: "reservations", reservations: 1 }],
])(
  "%s keeps the first promise and breaks the second, made by a limit that was passed",
  (_, settings) => {
    const { metrics, kept, broken } = run(settings);
    expect({ kept, broken }).toEqual({ kept: 1, broken: 1 });
    expect(metrics.promises).toEqual({ kept, broken });
  },
);

test("conservative backfill promises both at once, and the limit that was passed breaks the last", () => {
  const { metrics, kept, broken } = run({ backfill: "conservative" });
  expect({ kept, broken }).toEqual({ kept: 1, broken: 1 });
  expect(metrics.promises).toEqual({ kept, broken });
});

test("without reservations there is no gauge of promises", () => {
  expect(run({ backfill: "none" })).toMatchObject({ kept: 0, broken: 0 });
});
