/**
 * What scheduling costs: the engine against a bare event loop over the same arrivals and ends, all in one process, so that the ratios
 * hold on any machine. Then growth with jobs, nodes and queue length, and what the record of a job weighs. `--quick` leaves out
 * the million.
 */
import { Simulation } from "../../src/engine/simulation.ts";
import type { World } from "../../src/model/world.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { readScenario } from "../../src/scenario/read.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { expand } from "../../src/workload/expand.ts";
import { bareLoop, type Schedule } from "./bareLoop.ts";
import { flat, type Machine, nodes } from "./machines.ts";
import { makeWorkload, type WorkloadShape } from "./workload.ts";

interface Measured {
  readonly coldMs: number;
  readonly warmMs: number;
  readonly bareMs: number;
  readonly events: number;
  readonly rectsPerJob: number;
  readonly bytesPerJob: number;
  readonly waitMeanSec: number;
  readonly jobBytes: number;
}

interface Case {
  readonly machine: Machine;
  readonly backfill: "none" | "easy" | "conservative";
  readonly jobs: number;
  readonly load: number;
}

/** Processor time of this process: other work on the machine disturbs it less than the wall clock. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const quick = process.argv.includes("--quick");

function worldOf({ machine, backfill, jobs, load }: Case): World {
  const shape: WorkloadShape = {
    jobs,
    devices: machine.devices,
    largest: machine.largest,
    load,
    seed: 7,
  };
  const parsed = makeWorkload(shape);
  const identity = { name: "bench", format: "swf", sha256: "0".repeat(64), bytes: 0 };
  const scenario = readScenario({
    version: 1,
    cluster: machine.cluster,
    pools: [{ id: "all", policy: { settings: { order: "fcfs", backfill, depth: 1_000 } } }],
    workload: { trace: identity },
  });
  if (!scenario.ok) throw new Error(scenario.error[0]?.message);
  const world = expand(scenario.value, parsed);
  if (!world.ok) throw new Error(world.error[0]?.message);
  return world.value;
}

interface Ran {
  readonly ms: number;
  readonly events: number;
  readonly rects: number;
  readonly bytes: number;
  readonly schedule: Schedule;
  readonly startMs: Float64Array;
}

function runOnce(world: World): Ran {
  const { count } = world.jobs;
  const endMs = new Float64Array(count);
  const startMs = new Float64Array(count);
  let rects = 0;
  let bytes = 0;
  const fromMs = cpuMs();
  const simulation = new Simulation(world, schedulerOf, { snapshots: false });
  let spentMs = 0;
  let more = true;
  while (more) {
    more = simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: 20_000 }) === "more";
    const pausedMs = cpuMs();
    if (!more || simulation.chunkDue) {
      const chunk = simulation.takeChunk();
      rects += chunk.rects.jobIdx.length;
      bytes += bytesOf(chunk);
      for (let row = 0; row < chunk.runs.jobIdx.length; row++) {
        endMs[chunk.runs.jobIdx[row]!] = chunk.runs.endMs[row]!;
        startMs[chunk.runs.jobIdx[row]!] = chunk.runs.startMs[row]!;
      }
    }
    spentMs += cpuMs() - pausedMs;
  }
  const ms = cpuMs() - fromMs - spentMs;
  const schedule = {
    submitMs: world.jobs.at.submitMs,
    endMs,
    devices: world.jobs.at.gpuTotal,
  };
  return { ms, events: simulation.events, rects, bytes, schedule, startMs };
}

function bytesOf(chunk: Chunk): number {
  const tables = [
    chunk.rects,
    chunk.runs,
    chunk.waits,
    chunk.decisions,
    chunk.nodeSpans,
    chunk.series,
  ];
  return tables
    .flatMap((table) => Object.values(table as Record<string, ArrayBufferView>))
    .reduce((sum, column) => sum + column.byteLength, 0);
}

/** Columns of jobs and components, and their numbers as names, which ids and names share. */
function jobBytes({ jobs }: World): number {
  const tables = [jobs.at, jobs.components] as readonly Record<string, ArrayBufferView>[];
  const columns = tables.flatMap((table) => Object.values(table));
  return [...new Set([...columns, jobs.ids.numbers, jobs.names.numbers])].reduce(
    (sum, column) => sum + column.byteLength,
    0,
  );
}

function measure(one: Case): Measured {
  const world = worldOf(one);
  globalThis.gc?.();
  const cold = runOnce(world);
  globalThis.gc?.();
  const warm = runOnce(world);
  bareLoop(cold.schedule);
  const bareFrom = cpuMs();
  const sum = bareLoop(cold.schedule);
  const bareMs = cpuMs() - bareFrom;
  if (!Number.isFinite(sum)) throw new Error("the bare loop lost count");
  const { submitMs } = world.jobs.at;
  const waited = cold.startMs.reduce((total, startMs, job) => total + startMs - submitMs[job]!, 0);
  return {
    coldMs: cold.ms,
    warmMs: warm.ms,
    bareMs,
    events: cold.events,
    rectsPerJob: cold.rects / one.jobs,
    bytesPerJob: cold.bytes / one.jobs,
    waitMeanSec: waited / one.jobs / 1_000,
    jobBytes: jobBytes(world) / one.jobs,
  };
}

const results: object[] = [];
const columns = [
  "machine",
  "policy",
  "jobs",
  "load",
  "cold ms",
  "warm ms",
  "bare ms",
  "ratio",
  "µs/job",
  "mean wait s",
  "rects/job",
  "record B/job",
  "job B/job",
];
const widths = [10, 13, 9, 5, 9, 9, 8, 7, 7, 12, 10, 13, 11];

function row(cells: readonly (string | number)[]): void {
  const text = cells.map((cell, index) => String(cell).padStart(widths[index] ?? 8)).join(" ");
  process.stdout.write(`${text}\n`);
}

function report(one: Case): void {
  const found = measure(one);
  const policy = one.backfill === "none" ? "fcfs" : one.backfill;
  const ratio = found.warmMs / found.bareMs;
  row([
    one.machine.name,
    policy,
    one.jobs,
    one.load,
    found.coldMs.toFixed(0),
    found.warmMs.toFixed(0),
    found.bareMs.toFixed(1),
    ratio.toFixed(1),
    ((found.warmMs * 1_000) / one.jobs).toFixed(2),
    found.waitMeanSec.toFixed(0),
    found.rectsPerJob.toFixed(2),
    found.bytesPerJob.toFixed(0),
    found.jobBytes.toFixed(0),
  ]);
  results.push({
    machine: one.machine.name,
    policy,
    jobs: one.jobs,
    load: one.load,
    ratio,
    ...found,
  });
}

function section(title: string, cases: readonly Case[]): void {
  process.stdout.write(`\n${title}\n`);
  row(columns);
  for (const one of cases) report(one);
}

const sizes = quick ? [100_000] : [100_000, 1_000_000];
const usual = { load: 0.85, jobs: 100_000, machine: flat, backfill: "easy" } as const;
section(
  "FCFS and EASY against a bare event loop",
  [flat, nodes(128)].flatMap((machine) =>
    (["none", "easy"] as const).flatMap((backfill) =>
      sizes.map((jobs) => ({ ...usual, machine, backfill, jobs })),
    ),
  ),
);
section(
  "growth with nodes (EASY, 100,000 jobs)",
  [16, 128, 1_024].map((count) => ({ ...usual, machine: nodes(count) })),
);
section(
  "growth with the queue (EASY, flat, 20,000 jobs, rising load)",
  [0.7, 0.85, 1, 1.5, 3].map((load) => ({ ...usual, jobs: 20_000, load })),
);
section(
  "overload (EASY, 100,000 jobs, load 1.1: the queue grows to thousands)",
  [flat, nodes(128)].map((machine) => ({ ...usual, machine, load: 1.1 })),
);
section(
  "conservative backfill (20,000 jobs, depth 1,000)",
  [flat, nodes(128)].flatMap((machine) =>
    [0.85, 0.95, 1.1].map((load) => ({
      machine,
      load,
      jobs: 20_000,
      backfill: "conservative" as const,
    })),
  ),
);
process.stdout.write(
  `\n${JSON.stringify({ bench: "engine", node: process.version, platform: process.platform, results })}\n`,
);
