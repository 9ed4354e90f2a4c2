/** Preemption among equals never sends jobs round in circles, whatever the order. */
import { expect, test } from "vitest";
import { LAB_ORDERS } from "../../../src/model/policy.ts";
import { ran } from "../fields/ran.ts";
import { doc, job, machine, pools } from "../fields/words.ts";

const ROUNDS_OFF = { roundMs: 0 };

/** Forty jobs of three teams, one every ten seconds, on devices for a few of them. */
const jobs = Array.from({ length: 40 }, (_, at) =>
  job(`J${at}`, 10 * at, 60 + ((at * 37) % 240), {
    gpus: 1 + ((at * 7) % 6),
    team: ["A", "B", "C"][(at * 5) % 3]!,
  }),
);

test.each(LAB_ORDERS)("under %s no job is started to be stopped again and again", (order) => {
  const settings = { order, ...ROUNDS_OFF, preemption: "requeue", newerEqual: true };
  const teams = ["A", "B", "C"].map((id) => ({ id }));
  const { metrics, chunks } = ran(doc(machine(1, 8), jobs, { teams, pools: pools(settings) }));
  const most = new Map<number, number>();
  for (const { runs } of chunks)
    for (const jobIdx of runs.jobIdx) most.set(jobIdx, (most.get(jobIdx) ?? 0) + 1);
  expect(metrics.finished).toBe(jobs.length);
  // Each eviction lets an older job through.
  expect(Math.max(...most.values())).toBeLessThanOrEqual(10);
});
