import fc from "fast-check";
import { expect, test } from "vitest";
import { Simulation } from "../../src/engine/simulation.ts";
import { nodeOfDevice } from "../../src/model/cluster.ts";
import { EndStateCode } from "../../src/model/states.ts";
import type { Change, World } from "../../src/model/world.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { DecisionKindCode } from "../../src/record/shapes.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import type { Case } from "./oracle/cases.ts";
import { cases, runLab, worldOfCase } from "./oracle/cases.ts";

const RUNS = { numRuns: 150 };

/** The promises of each job in order, and its start. */
function expectPromisesKept(world: World, chunk: Chunk): void {
  const promised = new Map<number, number>();
  const { decisions, runs } = chunk;
  for (let i = 0; i < decisions.jobIdx.length; i++) {
    if (decisions.kind[i] !== DecisionKindCode.plan) continue;
    const jobIdx = decisions.jobIdx[i]!;
    expect(decisions.value[i]!, `a later promise for job ${jobIdx}`).toBeLessThanOrEqual(
      promised.get(jobIdx) ?? Number.POSITIVE_INFINITY,
    );
    promised.set(jobIdx, decisions.value[i]!);
  }
  for (let i = 0; i < runs.jobIdx.length; i++) {
    if (runs.endState[i] === EndStateCode.refused) continue;
    const latest = promised.get(runs.jobIdx[i]!) ?? Number.POSITIVE_INFINITY;
    expect(runs.startMs[i]!, `job ${runs.jobIdx[i]} of ${world.jobs.count}`).toBeLessThanOrEqual(
      latest,
    );
  }
}

for (const flat of [true, false]) {
  const where = flat ? "a flat machine" : "nodes";
  test(`with limits that are upper bounds, EASY never delays the head of the queue on ${where}`, () => {
    const property = fc.property(cases("easy", flat, "upper"), (one) => {
      const world = worldOfCase({ ...one, setting: { ...one.setting, order: "fcfs" } }, flat);
      expectPromisesKept(world, runLab(world).chunk);
    });
    fc.assert(property, RUNS);
  });

  test(`with limits that are upper bounds, conservative backfill delays nobody on ${where}`, () => {
    const property = fc.property(cases("conservative", flat, "upper"), (one) => {
      const world = worldOfCase(one, flat);
      expectPromisesKept(world, runLab(world).chunk);
    });
    fc.assert(property, RUNS);
  });
}

for (const backfill of ["easy", "conservative"] as const) {
  test(`jobs of two different parts are not delayed either: ${backfill}`, () => {
    const property = fc.property(cases(backfill, false, "upper"), (one) => {
      const fcfs = { ...one, setting: { ...one.setting, order: "fcfs" as const } };
      const world = worldOfCase(fcfs, false, true);
      expectPromisesKept(world, runLab(world).chunk);
    });
    fc.assert(property, RUNS);
  });
}

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc
    .record({
      atMs: fc.integer({ min: 0, max: 120 }),
      kind: fc.constantFrom("drain" as const, "fail" as const, "resume" as const),
      node: fc.integer({ min: 0, max: 5 }),
    })
    .map(({ atMs, kind, node }) => ({ atMs, kind, nodes: [node], source: 0 })),
  { maxLength: 8 },
);

function withChanges(one: Case, list: readonly Change[]): World {
  const world = worldOfCase(one, false);
  const known = list
    .filter((change) => "nodes" in change && change.nodes[0]! < world.cluster.nodeCount)
    .sort((a, b) => a.atMs - b.atMs)
    .map((change, source) => ({ ...change, source }));
  return { ...world, changes: known, horizonMs: 2_000 };
}

for (const backfill of ["none", "easy", "conservative"] as const) {
  test(`nothing starts on a closed node, and every decision is physically possible: ${backfill}`, () => {
    const property = fc.property(cases(backfill, false, "any"), changes, (one, list) => {
      const world = withChanges(one, list);
      const { rects, nodeSpans } = runLab(world).chunk;
      for (let i = 0; i < rects.jobIdx.length; i++) {
        const node = nodeOfDevice(world.cluster, rects.device[i]!);
        for (let span = 0; span < nodeSpans.node.length; span++) {
          if (nodeSpans.node[span] !== node) continue;
          const closed =
            rects.startMs[i]! >= nodeSpans.startMs[span]! &&
            rects.startMs[i]! < nodeSpans.endMs[span]!;
          expect(closed, `a run starts on node ${node} while it is closed`).toBe(false);
        }
      }
    });
    fc.assert(property, RUNS);
  });

  test(`going back to a snapshot and on again gives the same digest: ${backfill}`, () => {
    const property = fc.property(
      cases(backfill, false, "any"),
      changes,
      fc.integer({ min: 1, max: 150 }),
      (one, list, backToMs) => {
        const world = withChanges(one, list);
        const straight = runLab(world).simulation.digest();
        const simulation = new Simulation(world, schedulerOf, { checks: true });
        while (simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: 7 }) === "more")
          simulation.takeChunk();
        simulation.rewind(world, backToMs);
        simulation.advance({
          untilMs: Number.POSITIVE_INFINITY,
          maxEvents: Number.POSITIVE_INFINITY,
        });
        expect(simulation.digest()).toBe(straight);
      },
    );
    fc.assert(property, RUNS);
  });
}

test("members that take devices as they come never break physics, and a run starts only when all hold", () => {
  const property = fc.property(cases("easy", false, "upper"), changes, (one, list) => {
    const world = withChanges(one, list);
    const loose: World = {
      ...world,
      pools: world.pools.map((pool) => ({
        ...pool,
        settings: {
          ...pool.settings,
          settings: { ...pool.settings.settings, gangTogether: false },
        },
      })),
    };
    const { chunk } = runLab(loose);
    for (let i = 0; i < chunk.runs.jobIdx.length; i++) {
      if (chunk.runs.endState[i] !== EndStateCode.completed) continue;
      expect(chunk.runs.devices[i]).toBe(world.jobs.at.gpuTotal[chunk.runs.jobIdx[i]!]);
    }
  });
  fc.assert(property, RUNS);
});
