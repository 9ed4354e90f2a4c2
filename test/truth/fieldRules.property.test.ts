import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type {
  FieldCase,
  FieldJob,
  FieldPolicy,
  FieldRun,
} from "../../src/cli/conformance/fieldCaseFile.ts";
import { compareRun } from "../../src/cli/conformance/fieldCaseRun.ts";
import { fieldSchedule } from "./oracle/fieldRules.ts";

const job = fc.record(
  {
    submit: fc.integer({ min: 0, max: 60 }),
    tasks: fc.integer({ min: 1, max: 3 }),
    gpus: fc.integer({ min: 0, max: 4 }),
    cpus: fc.constantFrom(0, 0, 1, 2, 3),
    distinct: fc.boolean(),
    runtime: fc.integer({ min: 1, max: 40 }),
    slack: fc.constantFrom(0, 0, 5, 20),
    prio: fc.constantFrom(0, 0, 1, 5),
    user: fc.constantFrom("a", "b", "c"),
    tagged: fc.constantFrom(false, false, false, true),
    preemptible: fc.constantFrom(true, true, true, false),
    back: fc.constantFrom(0, 0, 0, 0, 1, 2),
  },
  { requiredKeys: ["submit", "tasks", "gpus", "runtime", "slack", "back"] },
);

const node = fc.record({
  gpus: fc.integer({ min: 2, max: 8 }),
  cpus: fc.integer({ min: 8, max: 16 }),
  tagged: fc.boolean(),
  downUntil: fc.constantFrom(0, 0, 0, 30),
});

function cases(policy: fc.Arbitrary<FieldPolicy>, withWindows: boolean) {
  const window = fc.record({
    all: fc.boolean(),
    start: fc.integer({ min: 5, max: 60 }),
    length: fc.integer({ min: 1, max: 30 }),
    ahead: fc.integer({ min: 0, max: 60 }),
    kill: fc.boolean(),
  });
  return fc
    .record({
      policy,
      nodes: fc.array(node, { minLength: 1, maxLength: 4 }),
      jobs: fc.array(job, { minLength: 1, maxLength: 14 }),
      maint: fc.array(window, { maxLength: withWindows ? 2 : 0 }),
    })
    .map((drawn) => toCase(drawn));
}

interface Drawn {
  readonly policy: FieldPolicy;
  readonly nodes: readonly { gpus: number; cpus: number; tagged: boolean; downUntil: number }[];
  readonly jobs: readonly (Partial<FieldJob> & {
    runtime: number;
    slack: number;
    back: number;
    tagged?: boolean;
  })[];
  readonly maint: readonly {
    all: boolean;
    start: number;
    length: number;
    ahead: number;
    kill: boolean;
  }[];
}

function toCase({ policy, nodes, jobs, maint }: Drawn): { one: FieldCase; policy: FieldPolicy } {
  const list = nodes.map(({ gpus, cpus, tagged, downUntil }, n) => ({
    id: `n${n}`,
    gpus,
    cpus,
    tags: tagged ? ["x"] : [],
    ...(downUntil > 0 ? { down: [[0, downUntil] as const] } : {}),
  }));
  const made = jobs.map(
    ({ slack, back, tagged, ...rest }, j): FieldJob => ({
      ...rest,
      // A task asks for something.
      cpus: rest.gpus === 0 ? Math.max(1, rest.cpus ?? 0) : (rest.cpus ?? 0),
      id: `j${j}`,
      limit: rest.runtime + slack,
      tags: tagged === true ? ["x"] : [],
      ...(back > 0 && back <= j ? { after: `j${j - back}` } : {}),
    }),
  );
  // Jobs that no empty cluster could hold are refused by the product and wait for ever here: they are left out.
  const fits = (one: FieldJob) =>
    list
      .filter((at) => (one.tags ?? []).every((tag) => at.tags.includes(tag)))
      .reduce((sum, at) => {
        const most = Math.min(
          one.gpus! > 0 ? Math.floor(at.gpus / one.gpus!) : NEVER,
          (one.cpus ?? 0) > 0 ? Math.floor(at.cpus / one.cpus!) : NEVER,
        );
        return sum + (one.distinct === true ? Math.min(1, most) : most);
      }, 0) >= (one.tasks ?? 1);
  const kept = made.filter(fits);
  const ids = new Set(kept.map(({ id }) => id));
  const usable = kept.map(({ after, ...rest }) =>
    after !== undefined && ids.has(String(after)) ? { ...rest, after } : rest,
  );
  const windows = maint.map(({ all, start, length, ahead, kill }) => ({
    nodes: all ? ("all" as const) : ["n0"],
    start,
    end: start + length,
    announced: Math.max(0, start - ahead),
    kill,
  }));
  const cluster = { nodes: list, maint: windows };
  return { one: { id: "drawn", kind: "drawn", scenario: { cluster, jobs: usable } }, policy };
}
const NEVER = Number.POSITIVE_INFINITY;

function expectSame({ one, policy }: { one: FieldCase; policy: FieldPolicy }): void {
  const jobs = one.scenario.jobs!;
  if (jobs.length === 0) return;
  const { starts, ends, evictions } = fieldSchedule(one.scenario.cluster, jobs, policy);
  if (ends.some((end) => end === NEVER)) return;
  const run: FieldRun = {
    role: "expected",
    label: "by the slow rules",
    policy,
    starts: Object.fromEntries(jobs.map(({ id }, j) => [id, starts[j]!])),
    ends: Object.fromEntries(jobs.map(({ id }, j) => [id, ends[j]!])),
    evictions,
  };
  expect(compareRun(one, run)).toBeNull();
}

const mode = fc.constantFrom(
  { mode: "strict" },
  { mode: "skip" },
  { mode: "backfill", depth: 1 },
  { mode: "backfill", depth: 2 },
  { mode: "backfill", depth: 1_000_000 },
  { mode: "backfill", depth: 3, window: 15 },
) as fc.Arbitrary<FieldPolicy>;
const place = fc.constantFrom<"first" | "pack" | "packpod" | "spread">(
  "first",
  "pack",
  "packpod",
  "spread",
);
const RUNS = { numRuns: 200, endOnFailure: true };

describe("the product and a slow second implementation of the field rules agree on", () => {
  test("modes and places", () => {
    const policy = fc.tuple(mode, place).map(([one, where]) => ({ ...one, place: where }));
    fc.assert(fc.property(cases(policy, false), expectSame), RUNS);
  });

  test("jobs looked at and tasks of a user", () => {
    const policy = fc
      .tuple(mode, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 3, max: 6 }), fc.boolean())
      .map(([one, tested, most, users]) => ({
        ...one,
        ...(users ? { user_max: most } : { max_test: tested }),
      }));
    fc.assert(fc.property(cases(policy, false), expectSame), RUNS);
  });

  test("announced and unannounced windows", () => {
    fc.assert(fc.property(cases(mode, true), expectSame), RUNS);
  });

  test("preemption", () => {
    const policy = fc
      .record({
        one: mode,
        where: place,
        victims: fc.constantFrom<"minjobs" | "youngest">("minjobs", "youngest"),
        newer_equal: fc.boolean(),
        ckpt: fc.constantFrom(undefined, 5, 7),
      })
      .map(({ one, where, ckpt, ...rest }) => ({
        ...one,
        place: where,
        preempt: "priority" as const,
        ...rest,
        ...(ckpt === undefined ? {} : { ckpt }),
      }));
    fc.assert(fc.property(cases(policy, false), expectSame), RUNS);
  });

  test("fair order", () => {
    const policy = fc.tuple(mode, fc.constantFrom(10, 60, 10_080)).map(([one, half]) => ({
      ...one,
      order: "fair" as const,
      half_life: half,
    }));
    fc.assert(fc.property(cases(policy, false), expectSame), RUNS);
  });
});
