// A run after a change that joins the run before it is, to the bit, the run that would have been computed to its end.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Simulation } from "../../src/engine/simulation.ts";
import type { World } from "../../src/model/world.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { documentWorld } from "../support/documentWorld.ts";

const MINUTE_MS = 60_000;
const FOREVER = Number.POSITIVE_INFINITY;

const job = fc.record({
  gapMin: fc.integer({ min: 0, max: 40 }),
  gpus: fc.constantFrom(1, 1, 2, 4, 8),
  workMin: fc.integer({ min: 1, max: 60 }),
  slackMin: fc.integer({ min: 0, max: 60 }),
  tier: fc.constantFrom("high", "normal", "low"),
  gang: fc.boolean(),
});

const edit = fc.record({
  atMin: fc.integer({ min: 0, max: 500 }),
  kind: fc.constantFrom("inject", "inject", "cancel", "drain", "drainAndResume", "fail", "retier"),
  of: fc.integer({ min: 0, max: 29 }),
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

const drawn = fc.record({
  jobs: fc.array(job, { minLength: 20, maxLength: 30 }),
  backfill: fc.constantFrom("none", "easy", "easy", "conservative"),
  horizonMin: fc.constantFrom(null, 600),
  before: fc.array(edit, { maxLength: 2 }),
  edit,
  more: edit,
  slice: fc.integer({ min: 3, max: 15 }),
});

function interventionsOf(edits: readonly Edit[]): NonNullable<ScenarioInput["interventions"]> {
  const made = edits.flatMap(({ atMin, kind, of }, index): object[] => {
    const atMs = atMin * MINUTE_MS;
    const nodes = [`n-00${of % 4}`];
    if (kind === "inject") {
      const work = { workMs: (1 + of) * MINUTE_MS, limitMs: (of + 20) * MINUTE_MS };
      return [{ kind, atMs, job: { id: `new-${index}`, gpus: 1 + (of % 5), ...work } }];
    }
    if (kind === "cancel") return [{ kind, atMs, job: `j${of % 20}` }];
    if (kind === "retier") return [{ kind, atMs, job: `j${of % 20}`, tier: "low" }];
    if (kind === "fail") return [{ kind, atMs, nodes }];
    const back = { kind: "resume", atMs: atMs + 30 * MINUTE_MS, nodes };
    return [{ kind: "drain", atMs, nodes }, ...(kind === "drainAndResume" ? [back] : [])];
  });
  return made as NonNullable<ScenarioInput["interventions"]>;
}

function worldOf(
  { jobs, backfill, horizonMin }: typeof drawn extends fc.Arbitrary<infer T> ? T : never,
  edits: readonly Edit[],
): World {
  let submitMs = 0;
  return documentWorld({
    version: 1,
    title: "drawn",
    cluster: { nodeGroups: [{ id: "n", count: 4, gpus: 4 }] },
    pools: [{ id: "all", policy: { settings: { backfill } } }],
    workload: {
      jobs: jobs.map(({ gapMin, gpus, workMin, slackMin, tier, gang }, i) => {
        submitMs += gapMin * MINUTE_MS;
        const workMs = workMin * MINUTE_MS;
        return {
          id: `j${i}`,
          submitMs,
          gpus,
          workMs,
          limitMs: workMs + slackMin * MINUTE_MS,
          tier,
          gang,
        };
      }),
    },
    interventions: interventionsOf(edits),
    ...(horizonMin === null ? {} : { horizonMs: horizonMin * MINUTE_MS }),
  });
}

/** Runs on to the end, taking the rest from the former record where it joins that. */
function runOn(
  simulation: Simulation,
  maxEvents: number,
  kept: readonly Chunk[],
  records: ReadonlyMap<number, readonly Chunk[]>,
): { chunks: Chunk[]; joined: number | null } {
  const chunks = [...kept];
  const ready = simulation.takeReady();
  if (ready) chunks.push(ready.chunk);
  for (;;) {
    const state = simulation.advance({ untilMs: FOREVER, maxEvents });
    chunks.push(simulation.takeChunk());
    if (state === "more") continue;
    const joint = simulation.join();
    if (joint) chunks.push(...records.get(joint.tag)!.slice(joint.fromChunk));
    return { chunks, joined: joint?.fromChunk ?? null };
  }
}

function tablesOf(chunks: readonly Chunk[]): Record<string, number[]> {
  const rows: Record<string, number[]> = {};
  const tables = ["rects", "runs", "waits", "decisions", "nodeSpans", "series", "gauges"] as const;
  for (const chunk of chunks)
    for (const table of tables)
      for (const [column, values] of Object.entries(chunk[table])) {
        const name = `${table}.${column}`;
        rows[name] ??= [];
        for (const value of values) rows[name].push(value);
      }
  return rows;
}

function expectSame(simulation: Simulation, chunks: readonly Chunk[], world: World): void {
  const afresh = new Simulation(world, schedulerOf, { snapshots: false });
  afresh.advance({ untilMs: FOREVER, maxEvents: FOREVER });
  expect(tablesOf(chunks)).toEqual(tablesOf([afresh.takeChunk()]));
  expect(simulation.digest()).toBe(afresh.digest());
  expect(simulation.openSet()).toEqual(afresh.openSet());
  expect(simulation.nowMs).toBe(afresh.nowMs);
  expect(simulation.jobsDone).toBe(afresh.jobsDone);
  expect(simulation.refused).toEqual(afresh.refused);
  for (let i = 1; i < chunks.length; i++) expect(chunks[i]!.fromMs).toBe(chunks[i - 1]!.toMs);
  for (let share = 1; share < 8; share++) {
    const atMs = Math.floor((afresh.nowMs * share) / 8);
    for (const jobIdx of [0, 7, 19, world.jobs.count - 1])
      expect(simulation.explain(jobIdx, atMs)).toEqual(afresh.explain(jobIdx, atMs));
  }
}

test("a run that joins the former one after a change has the record, the digest and the answers of a full run; so have one after a further change, and one that went back", () => {
  let joins = 0;
  fc.assert(
    fc.property(drawn, (spec) => {
      const { before, edit: first, more, slice } = spec;
      const worlds = [before, [...before, first], [...before, first, more]].map((edits) =>
        worldOf(spec, edits),
      );
      const records = new Map<number, readonly Chunk[]>();
      const simulation = new Simulation(worlds[0]!, schedulerOf, { checks: true, joins: true });
      const whole = runOn(simulation, slice, [], records);
      records.set(0, whole.chunks);
      let { chunks } = whole;
      for (const [tag, { atMin }] of [
        [1, first],
        [2, more],
      ] as const) {
        const editMs = atMin * MINUTE_MS;
        const { keepChunks } = simulation.rewind(worlds[tag]!, editMs, tag);
        const next = runOn(simulation, slice + tag, chunks.slice(0, keepChunks), records);
        if (next.joined !== null) joins += 1;
        records.set(tag, next.chunks);
        ({ chunks } = next);
        expectSame(simulation, chunks, worlds[tag]!);
      }
      expect(simulation.formerTag).toBe(1);
      expect(simulation.goBack()).toBe(worlds[1]);
      expectSame(simulation, records.get(1)!, worlds[1]!);
      // Once more the same change: from what went back.
      const { keepChunks } = simulation.rewind(worlds[2]!, more.atMin * MINUTE_MS, 3);
      const again = runOn(simulation, slice, records.get(1)!.slice(0, keepChunks), records);
      expectSame(simulation, again.chunks, worlds[2]!);
    }),
    { numRuns: Number(process.env.JOIN_RUNS ?? 60), endOnFailure: true },
  );
  expect(joins).toBeGreaterThan(15);
});
