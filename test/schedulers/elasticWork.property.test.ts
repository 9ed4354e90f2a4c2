/** Elastic jobs hold allowed sizes, and get no more work done than was asked of them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MINUTE_MS } from "../../src/model/units.ts";
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { ran, runs } from "./fields/ran.ts";
import { type Job, machine, pools } from "./fields/words.ts";

type Elastic = NonNullable<Job["elastic"]>;

const elasticJob = (id: string, members: number, elastic: Partial<Elastic>): Job => ({
  id,
  submitMs: 0,
  workMs: 60 * MINUTE_MS,
  components: [{ members, gpusPerMember: 1 }],
  elastic: { minMembers: 1, maxMembers: members, restart: "none", ...elastic },
});

const document = (gpus: number, jobs: Job[], settings = {}): ScenarioInput => ({
  version: 1,
  cluster: machine(1, gpus),
  pools: pools(settings),
  workload: { jobs },
});

describe("members that no allowed size has a place for", () => {
  const small: Job = { id: "B", submitMs: MINUTE_MS, gpus: 2, workMs: 10 * MINUTE_MS };

  test("are left to others: eight asked for, six allowed, two run a smaller job meanwhile", () => {
    const run = ran(document(8, [elasticJob("A", 8, { allowed: [2, 4, 6] }), small]));
    expect(runs("A", "B")(run)).toEqual({ A: "0-4800", B: "60-660" });
    expect(run.metrics.gpuHours.withoutProgress).toBe(0);
    expect(run.metrics.gpuHours.useful).toBeCloseTo(run.metrics.gpuHours.offered, 3);
  });

  test("are not asked for under DeepSpeed's rule either", () => {
    const deepspeed = { microBatches: [2, 4], maxBatch: 32 };
    const run = ran(document(8, [elasticJob("A", 7, { deepspeed }), small]));
    const { useful, offered } = run.metrics.gpuHours;
    expect(runs("B")(run)).toEqual({ B: "60-660" });
    expect(useful).toBeCloseTo(offered, 3);
  });

  test("grow from the smallest allowed size where fewer are asked for", () => {
    const run = ran(
      document(8, [elasticJob("A", 2, { maxMembers: 8, allowed: [4, 8] })], { growElastic: false }),
    );
    expect(runs("A")(run)).toEqual({ A: "0-1800" });
    expect(run.metrics.gpuHours.useful).toBeCloseTo(run.metrics.gpuHours.offered, 3);
  });
});

test("whatever sizes are allowed, work done is work asked while members come and go freely and none of it is lost", () => {
  const someJob = fc.record({
    members: fc.integer({ min: 1, max: 9 }),
    more: fc.integer({ min: 0, max: 6 }),
    allowed: fc.uniqueArray(fc.integer({ min: 1, max: 15 }), { maxLength: 4 }),
    submitMs: fc.integer({ min: 0, max: 90 }).map((minutes) => minutes * MINUTE_MS),
    workMs: fc.integer({ min: 1, max: 60 }).map((minutes) => minutes * MINUTE_MS),
    rigid: fc.boolean(),
  });
  const settings = fc.record({
    growElastic: fc.boolean(),
    startSmall: fc.boolean(),
    elasticEveryMs: fc.constantFrom(0, 2 * MINUTE_MS),
    backfill: fc.constantFrom("none", "easy", "conservative", "skip"),
  });
  fc.assert(
    fc.property(fc.array(someJob, { minLength: 1, maxLength: 6 }), settings, (drafts, chosen) => {
      const jobs = drafts.map(({ members, more, allowed, submitMs, workMs, rigid }, at): Job => {
        const id = `J${at}`;
        if (rigid) return { id, submitMs, workMs, gpus: members, limitMs: workMs };
        const maxMembers = members + more;
        const inRange = allowed.filter((size) => size <= maxMembers);
        const sizes = inRange.length > 0 ? { allowed: inRange } : {};
        return { ...elasticJob(id, members, { maxMembers, ...sizes }), submitMs, workMs };
      });
      const { gpuHours, finished } = ran(document(15, jobs, chosen)).metrics;
      expect(finished).toBe(jobs.length);
      expect(gpuHours.withoutProgress).toBe(0);
      expect(Math.abs(gpuHours.useful - gpuHours.offered)).toBeLessThan(0.01);
    }),
    { numRuns: 60, endOnFailure: true },
  );
});
