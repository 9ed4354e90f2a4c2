/** Runs of the lab for studies: a document in, begin and end of every run out. */
import { Simulation } from "../../src/engine/simulation.ts";
import type { SettingValue } from "../../src/model/policy.ts";
import type { World } from "../../src/model/world.ts";
import { readScenario } from "../../src/scenario/read.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { expand } from "../../src/workload/expand.ts";

export type Given = Readonly<Record<string, SettingValue>>;

/** One stretch in which a job held its devices. */
export interface Stretch {
  readonly jobIdx: number;
  readonly startMs: number;
  readonly endMs: number;
}

export interface Ran {
  readonly world: World;
  readonly stretches: readonly Stretch[];
  /** By job: first start and last end. */
  readonly firstStartMs: Float64Array;
  readonly lastEndMs: Float64Array;
  readonly evictions: number;
}

/** Runs a document under these settings of the lab to its end. Throws where the document is none. */
export function runLab(document: object, settings: Given): Ran {
  const scenario = readScenario({
    version: 1,
    ...document,
    pools: [{ id: "all", policy: { settings } }],
  });
  if (!scenario.ok) throw new Error(`${scenario.error[0]?.place} ${scenario.error[0]?.message}`);
  const expanded = expand(scenario.value);
  if (!expanded.ok) throw new Error(expanded.error[0]?.message);
  const world = expanded.value;
  const stretches: Stretch[] = [];
  const firstStartMs = new Float64Array(world.jobs.count).fill(Number.POSITIVE_INFINITY);
  const lastEndMs = new Float64Array(world.jobs.count);
  const simulation = new Simulation(world, schedulerOf, { snapshots: false });
  for (let more = true; more; ) {
    more = simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: 50_000 }) === "more";
    const { runs } = simulation.takeChunk();
    for (let row = 0; row < runs.jobIdx.length; row++) {
      if (runs.run[row]! <= 0) continue;
      const jobIdx = runs.jobIdx[row]!;
      const startMs = runs.startMs[row]!;
      const endMs = runs.endMs[row]!;
      stretches.push({ jobIdx, startMs, endMs });
      firstStartMs[jobIdx] = Math.min(firstStartMs[jobIdx]!, startMs);
      lastEndMs[jobIdx] = Math.max(lastEndMs[jobIdx]!, endMs);
    }
  }
  const evictions =
    stretches.length - firstStartMs.filter((ms) => ms < Number.POSITIVE_INFINITY).length;
  return { world, stretches, firstStartMs, lastEndMs, evictions };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** The value below which this part of the values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

/** A small generator of its own (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
