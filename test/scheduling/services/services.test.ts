import { describe, expect, it } from "vitest";
import { Simulation } from "../../../src/engine/simulation.ts";
import type { World } from "../../../src/model/world.ts";
import { type Chunk, GAUGES, type Gauge } from "../../../src/record/shapes.ts";
import { serviceStep } from "../../../src/schedulers/lab/walk/serviceStep.ts";
import { serviceWorld } from "../../support/serviceWorld.ts";
import { steppingScheduler } from "../../support/stepScheduler.ts";

const scheduler = steppingScheduler([serviceStep]);

function run(world: World, options = {}): { simulation: Simulation; chunk: Chunk } {
  const simulation = new Simulation(world, () => scheduler, { checks: true, ...options });
  simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: Number.POSITIVE_INFINITY });
  return { simulation, chunk: simulation.takeChunk() };
}

function gauge(chunk: Chunk, name: Gauge): [number, number][] {
  const kind = GAUGES.indexOf(name);
  const rows: [number, number][] = [];
  chunk.gauges.kind.forEach((k, i) => {
    if (k === kind) rows.push([chunk.gauges.atMs[i]!, chunk.gauges.value[i]!]);
  });
  return rows;
}

const cluster = { nodes: 2, gpus: 4 };

describe("services", () => {
  it("scales with demand: at 50 % of a request a second each, two replicas for each request a second", () => {
    const world = serviceWorld(
      {
        min: 1,
        max: 8,
        coldStartMs: 3_000,
        demand: [
          [0, 0.5],
          [10_000, 2],
          [30_000, 1],
        ],
      },
      { cluster, jobs: [], horizonMs: 60_000 },
    );
    const { chunk } = run(world);
    expect(gauge(chunk, "replicasWanted")).toEqual([
      [0, 1],
      [10_000, 4],
      [30_000, 2],
    ]);
    expect(gauge(chunk, "replicasServing")).toEqual([
      [0, 0],
      [3_000, 1],
      [13_000, 4],
      [30_000, 2],
    ]);
  });
});
