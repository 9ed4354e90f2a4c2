/** Composes what a run is made of, scenario → world → engine with its schedulers → record → metrics, and runs it to its end. */

import { Simulation } from "../engine/simulation.ts";
import { ENGINE_VERSION } from "../engine/version.ts";
import { MetricsAccumulator } from "../metrics/accumulator.ts";
import type { RunMetrics } from "../metrics/runMetrics.ts";
import { LIMITS } from "../model/limits.ts";
import type { World } from "../model/world.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";
import type { Scenario } from "../scenario/schema.ts";
import { schedulerOf } from "../schedulers/registry.ts";
import { expand } from "../workload/expand.ts";
import type { ParsedWorkload } from "../workload/parsed.ts";
import { tooLongRun } from "../workload/problems.ts";
import { fellShort } from "./fail.ts";

export interface SimulateOptions {
  /** Whole-state invariants after each instant. */
  readonly checks: boolean;
  /** Called with each stretch of the record as it is complete. */
  readonly onChunk?: (chunk: Chunk) => void;
}

export interface SimulationOutcome {
  readonly world: World;
  readonly metrics: RunMetrics;
  /** What still runs or waits where the run was cut off; empty after a run to its last end. */
  readonly open: OpenSet;
  readonly digest: string;
  readonly engine: number;
  readonly events: number;
  /** Backfill passes of pools under Slurm; null without such a pool. */
  readonly backfillPasses: { readonly computed: number; readonly skipped: number } | null;
}

const EVENTS_A_SLICE = 20_000;

/** Runs a scenario to its end. Fails with the problems of the scenario where it cannot be expanded. */
export function simulate(
  scenario: Scenario,
  trace: ParsedWorkload | undefined,
  options: SimulateOptions,
): SimulationOutcome {
  const expanded = expand(scenario, trace);
  if (!expanded.ok) throw fellShort(expanded.error);
  const world = expanded.value;
  const simulation = new Simulation(world, schedulerOf, {
    checks: options.checks,
    snapshots: false,
  });
  const accumulator = new MetricsAccumulator(world);
  const take = () => {
    const chunk = simulation.takeChunk();
    accumulator.add(chunk);
    options.onChunk?.(chunk);
  };
  const budget = { untilMs: LIMITS.horizonMs, maxEvents: EVENTS_A_SLICE };
  let before = -1;
  while (simulation.advance(budget) === "more") {
    if (simulation.events === before) throw fellShort([tooLongRun()]);
    before = simulation.events;
    if (simulation.chunkDue) take();
  }
  take();
  const open = simulation.openSet();
  return {
    world,
    metrics: accumulator.finish(open),
    open,
    digest: simulation.digest(),
    engine: ENGINE_VERSION,
    events: simulation.events,
    backfillPasses: backfillPasses(simulation),
  };
}

function backfillPasses(simulation: Simulation): SimulationOutcome["backfillPasses"] {
  let computed = 0;
  let skipped = 0;
  let any = false;
  for (let pool = 0; pool < simulation.world.pools.length; pool++) {
    const tables = simulation.tables(pool, simulation.nowMs);
    if (tables === null) continue;
    any = true;
    computed += tables.passesComputed;
    skipped += tables.passesSkipped;
  }
  return any ? { computed, skipped } : null;
}
