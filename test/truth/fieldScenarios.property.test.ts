import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FieldCase, FieldRun } from "../../src/cli/conformance/fieldCaseFile.ts";
import { compareRun } from "../../src/cli/conformance/fieldCaseRun.ts";
import { FieldRules } from "./fieldRules.ts";
import { fieldScenarios, type RuleScenario } from "./fieldScenarios.ts";

/** The reader's own comparison, against what the rules say of every job. Numbers over all jobs are defined where all jobs end. */
function difference({ cluster, jobs, policy }: RuleScenario): string | null {
  const { starts, ends, ...numbers } = new FieldRules(cluster, jobs, policy).run();
  const allEnd = jobs.every(({ id }) => ends[id] !== undefined);
  const run: FieldRun = {
    role: "expected",
    label: "by the written rules",
    policy,
    starts: Object.fromEntries(jobs.map(({ id }) => [id, starts[id] ?? []])),
    ends,
    ...(allEnd
      ? numbers
      : { evictions: numbers.evictions, lost_gpu_minutes: numbers.lost_gpu_minutes }),
  };
  const one: FieldCase = { id: "drawn", kind: "drawn", scenario: { cluster, jobs } };
  return compareRun(one, run);
}

describe("the lab and the written rules of the field cases", () => {
  test("agree on every start, end and number of any mix of terms", () => {
    fc.assert(
      fc.property(fieldScenarios, (scenario) => {
        expect(difference(scenario)).toBeNull();
      }),
      { numRuns: 250, endOnFailure: true },
    );
  });

  test("agree where a job that fits nowhere waits at the head of a strict queue", () => {
    const nodes = [{ id: "n0", gpus: 8 }];
    const jobs = [
      { id: "a", gpus: 4, runtime: 30 },
      { id: "never", gpus: 9, runtime: 30 },
      { id: "b", gpus: 4, runtime: 30 },
    ];
    const outcome = new FieldRules({ nodes }, jobs, { mode: "strict" }).run();
    expect(outcome.starts).toEqual({ a: [0] });
    expect(difference({ cluster: { nodes }, jobs, policy: { mode: "strict" } })).toBeNull();
  });

  test.each([
    {
      stopped: "long before",
      jobs: [
        { id: "older", submit: 1, gpus: 1, runtime: 20, user: "a" },
        { id: "newer", submit: 2, gpus: 1, runtime: 20, user: "b" },
        { id: "urgent", submit: 15, gpus: 1, runtime: 5, prio: 1, user: "b" },
      ],
      starts: { older: [10, 20], newer: [10, 20, 40] },
    },
    {
      stopped: "by the last pass, as it started",
      jobs: [
        { id: "older", submit: 1, gpus: 1, runtime: 10, user: "a" },
        { id: "old", submit: 1, gpus: 1, runtime: 10, user: "a" },
        { id: "newer", submit: 2, gpus: 1, runtime: 20, user: "b" },
      ],
      starts: { older: [10], old: [20], newer: [10, 20, 30] },
    },
  ])("let a job be stopped in the minute in which it starts again, $stopped stopped", (given) => {
    const cluster = { pool: 1 };
    const jobs = [{ id: "first", gpus: 1, runtime: 10, prio: 5, user: "a" }, ...given.jobs];
    const policy = {
      mode: "skip",
      order: "fair",
      half_life: 10_080,
      preempt: "priority",
      newer_equal: true,
    } as const;
    const { starts } = new FieldRules(cluster, jobs, policy).run();
    expect(starts).toMatchObject(given.starts);
    expect(difference({ cluster, jobs, policy })).toBeNull();
  });

  test("of two equal victims stop the one that the document lists first, whenever it came", () => {
    const cluster = { nodes: [{ id: "n", gpus: 4 }] };
    const jobs = [
      { id: "listed first", gpus: 2, runtime: 10, submit: 1 },
      { id: "came first", gpus: 2, runtime: 10 },
      { id: "before both", gpus: 4, runtime: 2, prio: 1 },
      { id: "urgent", gpus: 2, runtime: 3, prio: 1, submit: 4 },
    ];
    const policy = { mode: "skip", preempt: "priority" } as const;
    const { starts } = new FieldRules(cluster, jobs, policy).run();
    expect(starts).toMatchObject({ "listed first": [2, 7], "came first": [2] });
    expect(difference({ cluster, jobs, policy })).toBeNull();
  });

  test("put who has used nothing before who has used a little many half-lives ago", () => {
    const cluster = { pool: 1 };
    const jobs = [
      { id: "once", gpus: 1, runtime: 10, user: "a" },
      { id: "long", submit: 1, gpus: 1, runtime: 290, user: "b" },
      { id: "of a", submit: 2, gpus: 1, runtime: 5, user: "a" },
      { id: "of c", submit: 3, gpus: 1, runtime: 5, user: "c" },
    ];
    const policy = { mode: "skip", order: "fair", half_life: 10, max_test: 1 } as const;
    const { starts } = new FieldRules(cluster, jobs, policy).run();
    expect(starts).toMatchObject({ long: [10], "of c": [300], "of a": [305] });
    expect(difference({ cluster, jobs, policy })).toBeNull();
  });

  test("plan a job without a GPU on the CPUs that are not kept for GPUs, whoever holds the GPUs then", () => {
    const cluster = { nodes: [{ id: "n0", gpus: 2, cpus: 4 }] };
    const jobs = [
      { id: "gpus", gpus: 2, runtime: 100 },
      { id: "first", gpus: 0, cpus: 2, runtime: 50 },
      { id: "next", gpus: 0, cpus: 2, runtime: 50 },
    ];
    const policy = { mode: "backfill", depth: 2, cpu_reserve_per_gpu: 1 } as const;
    const { starts } = new FieldRules(cluster, jobs, policy).run();
    expect(starts).toEqual({ gpus: [0], first: [0], next: [50] });
    expect(difference({ cluster, jobs, policy })).toBeNull();
  });

  test("tell a window that nobody announced from one that was announced", () => {
    const nodes = [{ id: "n0", gpus: 8 }];
    const jobs = [{ id: "a", gpus: 4, runtime: 30 }];
    const maint = [{ nodes: "all" as const, start: 10, end: 20, kill: true }];
    const policy = { mode: "skip" as const };
    const surprised = new FieldRules({ nodes, maint }, jobs, policy).run();
    expect(surprised).toMatchObject({ starts: { a: [0, 20] }, evictions: 1, lost_gpu_minutes: 40 });
    expect(difference({ cluster: { nodes, maint }, jobs, policy })).toBeNull();
    const told = maint.map((window) => ({ ...window, announced: 0 }));
    expect(new FieldRules({ nodes, maint: told }, jobs, policy).run().starts).toEqual({ a: [20] });
    expect(difference({ cluster: { nodes, maint: told }, jobs, policy })).toBeNull();
  });
});
