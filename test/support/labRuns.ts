/** Whole runs for tests of the lab's parts: what came of them by name, and whether snapshots and slices leave them as they are. */
import { expect } from "vitest";
import type { Presets } from "../../src/engine/pool.ts";
import { Simulation, type SimulationOptions } from "../../src/engine/simulation.ts";
import { GAUGES, type Gauge } from "../../src/model/lab/gauges.ts";
import type { World } from "../../src/model/world.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { jobNamed } from "./world.ts";

const ALL = { untilMs: Number.POSITIVE_INFINITY, maxEvents: Number.POSITIVE_INFINITY };

/** Runs to the end, with invariants checked after each instant. */
export function runAll(
  world: World,
  options: SimulationOptions = {},
  presets: Presets = schedulerOf,
): { simulation: Simulation; chunk: Chunk } {
  const simulation = new Simulation(world, presets, { checks: true, ...options });
  simulation.advance(ALL);
  return { simulation, chunk: simulation.takeChunk() };
}

/** Begin and end of each closed run of a job, in order. */
export function runsOf(world: World, chunk: Chunk, name: string): [number, number][] {
  const jobIdx = jobNamed(world, name);
  const { runs } = chunk;
  return [...runs.jobIdx].flatMap((job, i): [number, number][] =>
    job === jobIdx && runs.run[i]! > 0 ? [[runs.startMs[i]!, runs.endMs[i]!]] : [],
  );
}

/** Time and value of each change of a gauge. */
export function gaugeOf(chunk: Chunk, name: Gauge, subject = 0): [number, number][] {
  const { kind, atMs, value, subject: subjects } = chunk.gauges;
  return [...kind].flatMap((code, i): [number, number][] =>
    code === GAUGES.indexOf(name) && subjects[i] === subject ? [[atMs[i]!, value[i]!]] : [],
  );
}

/** In slices, with a snapshot at each, going back at each to the one before, the run is the same to the bit. */
export function sameWithSnapshots(world: World): void {
  const straight = runAll(world).simulation.digest();
  const sliced = new Simulation(world, schedulerOf, { checks: true });
  while (sliced.advance({ ...ALL, maxEvents: 3 }) === "more") sliced.takeChunk();
  expect(sliced.digest()).toBe(straight);
  const back = new Simulation(world, schedulerOf, { checks: true });
  for (let slice = 1; back.advance({ ...ALL, maxEvents: 4 }) === "more"; slice++) {
    const nowMs = back.nowMs;
    back.takeChunk();
    if (slice % 2 === 1) continue;
    back.rewind(world, nowMs);
    back.advance({ ...ALL, untilMs: nowMs });
  }
  expect(back.digest()).toBe(straight);
}
