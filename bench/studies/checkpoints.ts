/**
 * What failures leave of a job's time, through the whole product: outages drawn from the document, checkpoints at Young's, Daly's and fixed intervals, against
 * the exact curve for failures without memory: τ / (M e^(R/M) (e^((τ+δ)/M) − 1)), with τ between checkpoints, δ a checkpoint, R a restore, M between
 * failures. One device of two is in use; the other is there at once when it fails.
 */
import { intervalOf } from "../../src/metrics/replications.ts";
import { dalyMs, youngMs } from "../../src/model/lab/checkpointInterval.ts";
import { runLab } from "./labRuns.ts";
import { type Study, table } from "./study.ts";

const HOUR_MS = 3_600_000;
const SEEDS = 60;
const SEGMENTS = 200;

interface Case {
  readonly costMs: number;
  readonly mtbfMs: number;
  readonly restoreMs: number;
}

const CASES: readonly Case[] = [30, 300].flatMap((costSec) =>
  [1.8, 7.9, 24].flatMap((hours) =>
    [0, 240].map((restoreSec) => ({
      costMs: costSec * 1_000,
      mtbfMs: hours * HOUR_MS,
      restoreMs: restoreSec * 1_000,
    })),
  ),
);

function exact({ costMs, mtbfMs, restoreMs }: Case, everyMs: number): number {
  const segment = Math.expm1((everyMs + costMs) / mtbfMs);
  return everyMs / (mtbfMs * Math.exp(restoreMs / mtbfMs) * segment);
}

function efficiency({ costMs, mtbfMs, restoreMs }: Case, everyMs: number, seed: number): number {
  const workMs = SEGMENTS * everyMs;
  const { lastEndMs } = runLab(
    {
      seed,
      cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 1 }] },
      failures: [{ of: "node", mtbfMs, repairMs: 1 }],
      workload: {
        jobs: [
          {
            id: "job",
            submitMs: 0,
            gpus: 1,
            workMs,
            checkpoint: { every: everyMs, costMs, restoreMs },
          },
        ],
      },
      horizonMs: 10 * workMs,
    },
    {},
  );
  return workMs / lastEndMs[0]!;
}

export const checkpoints: Study = {
  name: "checkpoints",
  run(_folder, say) {
    const rows: string[][] = [];
    for (const one of CASES) {
      say(`checkpoints: ${one.costMs / 1_000} s, ${one.mtbfMs / HOUR_MS} h`);
      const intervals = [
        ["Young", Math.round(youngMs(one.costMs, one.mtbfMs))],
        ["Daly", Math.round(dalyMs(one.costMs, one.mtbfMs))],
        ["1,800 s", 1_800_000],
      ] as const;
      for (const [name, everyMs] of intervals) {
        const runs = Array.from({ length: SEEDS }, (_, seed) => efficiency(one, everyMs, seed + 1));
        const { mean, halfWidth } = intervalOf(runs);
        const truth = exact(one, everyMs);
        rows.push([
          `${one.costMs / 1_000}`,
          `${one.mtbfMs / HOUR_MS}`,
          `${one.restoreMs / 1_000}`,
          name,
          truth.toFixed(4),
          `${mean.toFixed(4)} ± ${halfWidth.toFixed(4)}`,
          Math.abs(mean - truth) <= halfWidth ? "yes" : "no",
        ]);
      }
    }
    const head = ["δ, s", "M, h", "R, s", "interval", "exact", "simulated, 95 %", "holds it"];
    return table(head, rows);
  },
};
