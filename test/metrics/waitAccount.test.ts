/** Where waiting comes from, computed by hand on two nodes of four. */
import { expect, test } from "vitest";
import { simulate } from "../../src/cli/simulate.ts";
import { drain } from "../../src/metrics/quantiles.ts";
import { longestWaitingSteps, waitAccountSteps } from "../../src/metrics/waitAccount.ts";
import { causeWords } from "../../src/model/causeWords.ts";
import { slurmReasonCode } from "../../src/model/reasons.ts";
import { SLURM_REASONS } from "../../src/model/slurm/reasons.ts";
import { causeCodeOf, reasonsOf, WAIT_CAUSES, type WaitCause } from "../../src/model/waitCauses.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { mustRead, small } from "../scenario/scenarios.ts";

const MINUTE = 60_000;

function accountOf(more: object, toMs: number, bins = 1) {
  const document = mustRead({
    ...small,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] },
    teams: [{ id: "red" }],
    ...more,
  });
  const chunks: Chunk[] = [];
  const { open, world } = simulate(document, undefined, {
    checks: true,
    onChunk: (chunk) => chunks.push(chunk),
  });
  const record = { chunks, open };
  const account = drain(waitAccountSteps(world, record, { fromMs: 0, toMs, bins }));
  const minutes = (of: Float64Array, cause: WaitCause, bin = 0) =>
    of[WAIT_CAUSES.indexOf(cause) * bins + bin]! / MINUTE;
  return { account, minutes, world, record };
}

const job = (id: string, submitMin: number, gpus: number, workMin: number) => ({
  id,
  submitMs: submitMin * MINUTE,
  gpus,
  workMs: workMin * MINUTE,
  limitMs: workMin * MINUTE,
  team: "red",
});

const fcfs = {
  pools: [{ id: "all", policy: { preset: "lab", settings: { order: "fcfs", backfill: "none" } } }],
};

test("six idle devices answer for a job that is too large and for one that may not pass it, by what they ask for", () => {
  const jobs = [job("a", 0, 2, 10), job("big", 0, 8, 10), job("small", 0, 4, 10)];
  const { account, minutes, world, record } = accountOf(
    { ...fcfs, workload: { jobs } },
    20 * MINUTE,
  );
  // The large one for ten minutes; the small one, at the head by then, for the next ten, when nothing is free.
  expect(minutes(account.waited, "size")).toBe(120);
  expect(minutes(account.waited, "order")).toBe(40);
  expect(minutes(account.idle, "size")).toBeCloseTo((6 * 10 * 8) / 12, 9);
  expect(minutes(account.idle, "order")).toBeCloseTo((6 * 10 * 4) / 12, 9);
  expect(account.spare[0]).toBe(0);
  const size = WAIT_CAUSES.indexOf("size");
  const first = drain(
    longestWaitingSteps(world, record, size, { fromMs: 0, toMs: 20 * MINUTE }, 1),
  );
  expect(first).toEqual([{ jobIdx: 1, deviceMs: 80 * MINUTE }]);
});

test("idle devices of a drained node are closed, those that its job still holds are not idle; without demand the others are spare", () => {
  const { account } = accountOf(
    {
      ...fcfs,
      horizonMs: 20 * MINUTE,
      workload: { jobs: [job("a", 0, 4, 10)] },
      interventions: [{ kind: "drain", atMs: 5 * MINUTE, nodes: ["n-000"] }],
    },
    20 * MINUTE,
    4,
  );
  expect(Array.from(account.closed, (ms) => ms / MINUTE)).toEqual([0, 0, 20, 20]);
  expect(Array.from(account.spare, (ms) => ms / MINUTE)).toEqual([20, 20, 20, 20]);
});

test("every reason has a cause, and limits of Slurm are quotas", () => {
  for (const reason of SLURM_REASONS)
    expect(WAIT_CAUSES[causeCodeOf(slurmReasonCode(reason))]).toBeDefined();
  expect(WAIT_CAUSES[causeCodeOf(slurmReasonCode("AssocGrpGRES"))]).toBe("quota");
  const drainedOrReserved =
    "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions";
  const cause = WAIT_CAUSES[causeCodeOf(slurmReasonCode(drainedOrReserved))]!;
  expect(causeWords(cause, "GPU").label).toBe("down, drained or reserved");
  expect(reasonsOf("closed")).not.toContain(`slurm:${drainedOrReserved}`);
  expect(reasonsOf("notReady")).toContain("slurm:Dependency");
});
