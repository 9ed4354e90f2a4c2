/**
 * What Slurm's two schedulers cost: the preset `slurm` against the lab's EASY and the bare event loop over the same arrivals, all in
 * one process, so that the ratios hold on any machine. Then growth with the queue, the nodes, `bf_max_job_test` and the users whose
 * fair share each tick computes anew; and how many backfill passes were computed and how many could not differ. `--quick`: a quarter of the jobs.
 */
import { addPresets } from "../../src/cli/presets.ts";
import { Simulation } from "../../src/engine/simulation.ts";
import type { World } from "../../src/model/world.ts";
import { readScenario } from "../../src/scenario/read.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { expand } from "../../src/workload/expand.ts";
import { bareLoop, type Schedule } from "../engine/bareLoop.ts";
import { flat, type Machine, nodes } from "../engine/machines.ts";
import { makeWorkload } from "../engine/workload.ts";

addPresets();

interface Case {
  readonly machine: Machine;
  readonly policy: "easy" | "slurm basic" | "slurm";
  readonly jobs: number;
  readonly load: number;
  readonly users: number;
  /** `bf_max_job_test`; null = Slurm's default. */
  readonly tests: number | null;
}

interface Measured {
  readonly cpuMs: number;
  readonly bareMs: number;
  readonly waitMeanSec: number;
  readonly computed: number;
  readonly skipped: number;
}

/** What the page and the program begin with. */
const SELECT = ["SelectType=select/cons_tres", "SelectTypeParameters=CR_Core"];
const MULTIFACTOR = [
  "PriorityType=priority/multifactor",
  "PriorityWeightFairshare=10000",
  "PriorityWeightAge=1000",
];

/** Processor time of this process: other work on the machine disturbs it less than the wall clock. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function policyOf({ policy, tests }: Case): object {
  if (policy === "easy") return { settings: { order: "fcfs", backfill: "easy" } };
  const conf = [
    ...SELECT,
    ...(policy === "slurm" ? MULTIFACTOR : ["PriorityType=priority/basic"]),
    ...(tests === null ? [] : [`SchedulerParameters=bf_max_job_test=${tests}`]),
  ];
  return { preset: "slurm", slurm: { conf: conf.join("\n") } };
}

function worldOf(one: Case): World {
  const { machine, jobs, load, users } = one;
  const shape = { jobs, devices: machine.devices, largest: machine.largest, load, users, seed: 7 };
  const scenario = readScenario({
    version: 1,
    cluster: machine.cluster,
    pools: [{ id: "all", policy: policyOf(one) }],
    workload: { trace: { name: "bench", format: "swf", sha256: "0".repeat(64), bytes: 0 } },
  });
  if (!scenario.ok) throw new Error(scenario.error[0]?.message);
  const world = expand(scenario.value, makeWorkload(shape));
  if (!world.ok) throw new Error(world.error[0]?.message);
  return world.value;
}

/** The quickest of three runs of a world: the first warm the program up. */
function measure(one: Case): Measured {
  const world = worldOf(one);
  const ran = [0, 1, 2].map(() => {
    globalThis.gc?.();
    return runOnce(world);
  });
  return ran.reduce((best, each) => (each.cpuMs < best.cpuMs ? each : best));
}

function runOnce(world: World): Measured {
  const { count, at } = world.jobs;
  const endMs = new Float64Array(count);
  let waitedMs = 0;
  let spentMs = 0;
  const simulation = new Simulation(world, schedulerOf, { snapshots: false });
  const fromMs = cpuMs();
  for (let more = true; more; ) {
    const limits = { untilMs: Number.POSITIVE_INFINITY, maxEvents: 20_000 };
    more = simulation.advance(limits) === "more";
    if (more && !simulation.chunkDue) continue;
    const pausedMs = cpuMs();
    const { runs } = simulation.takeChunk();
    for (const [row, job] of runs.jobIdx.entries()) {
      endMs[job] = runs.endMs[row]!;
      waitedMs += runs.startMs[row]! - at.submitMs[job]!;
    }
    spentMs += cpuMs() - pausedMs;
  }
  const ms = cpuMs() - fromMs - spentMs;
  const lastMs = endMs.reduce((most, each) => Math.max(most, each), 0);
  const tables = simulation.tables(0, lastMs);
  const schedule = { submitMs: at.submitMs, endMs, devices: at.gpuTotal };
  return {
    cpuMs: ms,
    bareMs: bareLoopMs(schedule),
    waitMeanSec: waitedMs / count / 1_000,
    computed: tables?.passesComputed ?? 0,
    skipped: tables?.passesSkipped ?? 0,
  };
}

/** Short schedules are gone through often: the clock of processor time is coarse. */
function bareLoopMs(schedule: Schedule): number {
  const times = Math.ceil(2_000_000 / schedule.submitMs.length);
  let sum = bareLoop(schedule);
  const fromMs = cpuMs();
  for (let time = 0; time < times; time++) sum += bareLoop(schedule);
  const ms = cpuMs() - fromMs;
  if (!Number.isFinite(sum)) throw new Error("the bare loop lost count");
  return ms / times;
}

const results: object[] = [];
const columns = [
  "machine",
  "policy",
  "jobs",
  "load",
  "users",
  "bf_max_job_test",
  "cpu ms",
  "µs/job",
  "to EASY",
  "to bare",
  "mean wait s",
  "computed",
  "skipped",
];
const widths = [10, 12, 8, 5, 6, 16, 8, 8, 8, 8, 12, 9, 9];

function row(cells: readonly (string | number)[]): void {
  const text = cells.map((cell, index) => String(cell).padStart(widths[index] ?? 8)).join(" ");
  process.stdout.write(`${text}\n`);
}

/** Each case beside EASY on the same arrivals, where that was measured before it. */
function report(cases: readonly Case[]): void {
  row(columns);
  let easy: Measured | null = null;
  for (const one of cases) {
    const found = measure(one);
    if (one.policy === "easy") easy = found;
    const toEasy = easy === null ? Number.NaN : found.cpuMs / easy.cpuMs;
    const toBare = found.cpuMs / found.bareMs;
    row([
      one.machine.name,
      one.policy,
      one.jobs,
      one.load,
      one.users,
      one.policy === "easy" ? "" : (one.tests ?? "default"),
      found.cpuMs.toFixed(0),
      ((found.cpuMs * 1_000) / one.jobs).toFixed(1),
      easy === null ? "" : toEasy.toFixed(1),
      toBare.toFixed(0),
      found.waitMeanSec.toFixed(0),
      found.computed,
      found.skipped,
    ]);
    const ratios = easy === null ? { toBare } : { toEasy, toBare };
    results.push({ ...one, machine: one.machine.name, ...ratios, ...found });
  }
}

function section(title: string, cases: readonly Case[]): void {
  process.stdout.write(`\n${title}\n`);
  report(cases);
}

const jobs = process.argv.includes("--quick") ? 1_000 : 4_000;
const usual: Case = { machine: flat, policy: "slurm", jobs, load: 0.85, users: 100, tests: null };
const easyBeside = (one: Case): Case[] => [{ ...one, policy: "easy" }, one];

section(
  "Slurm against EASY and a bare event loop",
  [flat, nodes(128)].flatMap((machine) => [
    { ...usual, machine, policy: "easy" },
    { ...usual, machine, policy: "slurm basic" },
    { ...usual, machine },
  ]),
);
section(
  "growth with the queue (rising load)",
  [flat, nodes(128)].flatMap((machine) =>
    [0.7, 1, 1.5].flatMap((load) => easyBeside({ ...usual, machine, load, jobs: jobs / 2 })),
  ),
);
section(
  "growth with nodes",
  [16, 64, 256].flatMap((count) => easyBeside({ ...usual, machine: nodes(count), jobs: jobs / 2 })),
);
section(
  "growth with bf_max_job_test (load 1.5: hundreds of jobs wait)",
  [flat, nodes(128)].flatMap((machine) =>
    [10, 100, 1_000].map((tests) => ({ ...usual, machine, load: 1.5, jobs: jobs / 2, tests })),
  ),
);
section(
  "ticks of the priority plugin: users (load 0.95)",
  [1, 100, 1_000, 10_000].flatMap((users) => [
    { ...usual, users, load: 0.95, policy: "slurm basic" as const },
    { ...usual, users, load: 0.95 },
  ]),
);
process.stdout.write(
  `\n${JSON.stringify({ bench: "slurm", node: process.version, platform: process.platform, results })}\n`,
);
