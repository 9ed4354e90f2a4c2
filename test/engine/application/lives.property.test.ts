import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Presets } from "../../../src/engine/pool.ts";
import { Simulation } from "../../../src/engine/simulation.ts";
import { JobFlag } from "../../../src/model/jobs.ts";
import type { JobLife } from "../../../src/model/lab/jobLife.ts";
import { EndStateCode, MemberStateCode } from "../../../src/model/states.ts";
import { SPEED_ONE } from "../../../src/model/units.ts";
import type { World } from "../../../src/model/world.ts";
import { type Chunk, DecisionKindCode, memberStateOf } from "../../../src/record/shapes.ts";
import { randomScheduler } from "../../support/randomScheduler.ts";
import { randomWorldSpec } from "../../support/randomWorld.ts";
import { fcfs } from "../../support/testScheduler.ts";
import { type WorldSpec, worldOf } from "../../support/world.ts";
import { elastic } from "./lives.ts";

const NEVER = Number.POSITIVE_INFINITY;
const presetsOf =
  (world: { readonly pools?: readonly unknown[] }): Presets =>
  (name) =>
    name === "order" ? fcfs : randomScheduler(7, world.pools?.length, name === "own");
const runs = { numRuns: 200, endOnFailure: true };

const shortMs = fc.integer({ min: 0, max: 3_000 });
const life: fc.Arbitrary<Partial<JobLife>> = fc
  .record({
    startupMs: fc.oneof(fc.constant(0), shortMs),
    checkpoint: fc.option(
      fc.record({
        everyMs: fc.oneof(fc.constant(NEVER), fc.integer({ min: 1, max: 6_000 })),
        costMs: fc.oneof(fc.constant(0), shortMs),
        sizeGiB: fc.constantFrom(0, 0.5, 2),
        location: fc.constantFrom("shared" as const, "node" as const),
        restoreMs: fc.oneof(fc.constant(0), shortMs),
        onSignal: fc.boolean(),
      }),
    ),
    group: fc.constantFrom("none", "torchrun", "horovod", "free"),
    rendezvousMs: shortMs,
    maxRestarts: fc.constantFrom(0, 2, 1_000_000),
    session: fc.option(
      fc.record({
        activeMs: fc.integer({ min: 1, max: 8_000 }),
        idleTimeoutMs: fc.constantFrom(NEVER, 2_000),
      }),
      { freq: 6 },
    ),
    collectiveTimeoutMs: fc.constantFrom(NEVER, 0, 4_000),
    requeueAtLimit: fc.boolean(),
  })
  .map(({ group, rendezvousMs, maxRestarts, session, ...rest }) => {
    const restart = group === "free" ? "none" : (group as "torchrun" | "horovod");
    return {
      ...rest,
      session: session ?? null,
      elastic: group === "none" ? null : elastic(5, { rendezvousMs, maxRestarts, restart }),
    };
  });

const lively: fc.Arbitrary<WorldSpec> = randomWorldSpec.chain((spec) =>
  fc
    .array(fc.option(life, { freq: 5 }), {
      minLength: spec.jobs.length,
      maxLength: spec.jobs.length,
    })
    .map((lives) => ({
      ...spec,
      storage: { writeGBps: 1, readGBps: 2 },
      jobs: spec.jobs.map((job, i) => (lives[i] ? { ...job, life: lives[i] } : job)),
    })),
);

function simulate(simulation: Simulation, maxEvents: number, before: readonly Chunk[] = []) {
  const chunks = [...before];
  for (;;) {
    const state = simulation.advance({ untilMs: NEVER, maxEvents });
    chunks.push(simulation.takeChunk());
    if (state === "done") return { chunks, digest: simulation.digest(), rows: rowsOf(chunks) };
  }
}

function rowsOf(chunks: readonly Chunk[]): Record<string, number[]> {
  const rows: Record<string, number[]> = {};
  for (const chunk of chunks)
    for (const table of ["rects", "runs", "decisions", "gauges", "series"] as const)
      for (const [column, values] of Object.entries(chunk[table]))
        rows[`${table}.${column}`] = (rows[`${table}.${column}`] ?? []).concat(Array.from(values));
  return rows;
}

const fresh = (spec: WorldSpec) => new Simulation(worldOf(spec), presetsOf(spec), { checks: true });

describe("jobs with lives of their own, whatever a scheduler does", () => {
  test("break no invariant: nobody has done more than was asked, or saved more than was done", () => {
    fc.assert(
      fc.property(lively, (spec) => {
        const world = worldOf(spec);
        const { chunks } = simulate(
          new Simulation(world, presetsOf(spec), { checks: true }),
          NEVER,
        );
        expect(chunks).toHaveLength(1);
      }),
      runs,
    );
  });

  test("leave a record that does not depend on slices, chunks and snapshots", () => {
    fc.assert(
      fc.property(lively, fc.integer({ min: 1, max: 40 }), (spec, maxEvents) => {
        const whole = simulate(fresh(spec), NEVER);
        const slices = simulate(fresh(spec), maxEvents);
        expect(slices.digest).toBe(whole.digest);
        expect(slices.rows).toEqual(whole.rows);
      }),
      runs,
    );
  });

  test("do the same again after going back", () => {
    fc.assert(
      fc.property(lively, fc.integer({ min: 0, max: 60_000 }), (spec, backMs) => {
        const simulation = fresh(spec);
        const straight = simulate(simulation, 10);
        const { keepChunks } = simulation.rewind(worldOf(spec), backMs);
        const again = simulate(simulation, 7, straight.chunks.slice(0, keepChunks));
        expect(again.digest).toBe(straight.digest);
        expect(again.rows).toEqual(straight.rows);
      }),
      runs,
    );
  });
});

describe("device time of a job", () => {
  test("is useful, lost, overhead and idle time, and the useful part is exactly the work of a completed job of fixed size", () => {
    fc.assert(
      fc.property(lively, (drawn) => {
        const spec = {
          ...drawn,
          changes: (drawn.changes ?? []).filter((change) => change.kind !== "policy"),
          pools: drawn.pools!.map(() => ({ preset: "order", settings: {} })),
          jobs: drawn.jobs.map((drawnJob) => {
            const job = {
              ...drawnJob,
              flags: drawnJob.flags! & ~JobFlag.service,
              components: drawnJob.components.map((part) => ({
                ...part,
                minMembers: part.members,
              })),
            };
            return job.life ? { ...job, life: { ...job.life, elastic: null, session: null } } : job;
          }),
        };
        const world = worldOf(spec);
        const { chunks } = simulate(new Simulation(world, presetsOf(spec), { checks: true }), 15);
        for (const account of accountsOf(world, chunks)) {
          const { useful, lost, overhead, idle, held } = account;
          expect(useful + lost + overhead + idle).toBe(held);
          if (account.completed)
            expect(useful * SPEED_ONE).toBe(world.jobs.at.workQ16[account.jobIdx]!);
          else
            expect(useful * SPEED_ONE).toBeLessThanOrEqual(world.jobs.at.workQ16[account.jobIdx]!);
        }
      }),
      runs,
    );
  });
});

interface Account {
  readonly jobIdx: number;
  useful: number;
  lost: number;
  overhead: number;
  idle: number;
  held: number;
  completed: boolean;
}

/** Time of the first device of each closed run, by what it came to. Runs of jobs whose devices are all there from begin to end. */
function accountsOf(world: World, chunks: readonly Chunk[]): Account[] {
  const accounts: Account[] = [];
  for (let jobIdx = 0; jobIdx < world.jobs.count; jobIdx++) {
    const steps = stepsOf(chunks, jobIdx);
    const account = { jobIdx, useful: 0, lost: 0, overhead: 0, idle: 0, held: 0, completed: false };
    let pending = 0;
    for (const step of steps) {
      if (step.kind === "saved") {
        account.useful += pending;
        pending = 0;
      } else if (step.kind === "unsaved") {
        account.lost += account.useful;
        account.useful = 0;
      } else if (step.kind === "end") {
        account.completed = step.endState === EndStateCode.completed;
        if (account.completed || step.endState === EndStateCode.failed) account.useful += pending;
        else account.lost += pending;
        pending = 0;
      } else {
        account.held += step.ms;
        if (step.state === MemberStateCode.running) pending += step.ms;
        else if (step.state === MemberStateCode.held || step.state === MemberStateCode.stalled)
          account.idle += step.ms;
        else account.overhead += step.ms;
      }
    }
    if (account.held > 0 && pending === 0) accounts.push(account);
  }
  return accounts;
}

type StepOfJob =
  | { readonly atMs: number; readonly rank: number; readonly kind: "saved" }
  | { readonly atMs: number; readonly rank: number; readonly kind: "unsaved" }
  | {
      readonly atMs: number;
      readonly rank: number;
      readonly kind: "end";
      readonly endState: number;
    }
  | {
      readonly atMs: number;
      readonly rank: number;
      readonly kind: "stretch";
      readonly state: number;
      readonly ms: number;
    };

/** In order of their ends; at one instant stretches come first, then what was saved, then ends, then what was lost. */
function stepsOf(chunks: readonly Chunk[], jobIdx: number): StepOfJob[] {
  const steps: StepOfJob[] = [];
  const seen = new Set<number>();
  for (const { rects, decisions, runs: rows } of chunks) {
    rects.jobIdx.forEach((job, i) => {
      // One device stands for all: they do the same at the same time.
      if (job !== jobIdx || seen.has(rects.startMs[i]!)) return;
      seen.add(rects.startMs[i]!);
      const ms = rects.endMs[i]! - rects.startMs[i]!;
      const state = memberStateOf(rects.bits[i]!);
      steps.push({ atMs: rects.endMs[i]!, rank: 0, kind: "stretch", state, ms });
    });
    decisions.jobIdx.forEach((job, i) => {
      if (job !== jobIdx) return;
      const atMs = decisions.atMs[i]!;
      if (decisions.kind[i] === DecisionKindCode.saved)
        steps.push({ atMs, rank: 1, kind: "saved" });
      if (decisions.kind[i] === DecisionKindCode.unsaved)
        steps.push({ atMs, rank: 3, kind: "unsaved" });
    });
    rows.jobIdx.forEach((job, i) => {
      if (job !== jobIdx || rows.run[i] === 0) return;
      steps.push({ atMs: rows.endMs[i]!, rank: 2, kind: "end", endState: rows.endState[i]! });
    });
  }
  return steps.sort((a, b) => a.atMs - b.atMs || a.rank - b.rank);
}
