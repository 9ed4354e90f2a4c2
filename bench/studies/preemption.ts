/**
 * What preemption costs and what it gives, model by model: sixteen nodes of eight GPUs full of training that always waits for more, and urgent jobs
 * that come at random. And the closed form (τ/2 + R)/MTBP beside one gang that is stopped at random times.
 */
import { Simulation } from "../../src/engine/simulation.ts";
import { EndStateCode, MemberStateCode } from "../../src/model/states.ts";
import type { World } from "../../src/model/world.ts";
import { type Chunk, DecisionKindCode, memberStateOf } from "../../src/record/shapes.ts";
import { readScenario } from "../../src/scenario/read.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { expand } from "../../src/workload/expand.ts";
import { dice, type Given, mean, quantile } from "./labRuns.ts";
import { type Study, table } from "./study.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NODES = 16;
const GPUS = 8;
const DAYS = 14;
const SEEDS = [1, 2, 3, 4, 5];
/** Dollars for a GPU-hour. */
const PRICE = 2;
const EVERY_MS = 15 * MINUTE_MS;
const RESTORE_MS = 4 * MINUTE_MS;
const SAVE_MS = MINUTE_MS;

const BASE: Given = { order: "tiers", backfill: "easy", placement: "fewestNodes" };

interface Model {
  readonly name: string;
  readonly settings: Given;
  /** What training jobs are beside their size. */
  readonly life: object;
}

const saves = { every: EVERY_MS, costMs: 0, restoreMs: RESTORE_MS };
const MODELS: readonly Model[] = [
  { name: "none", settings: { preemption: "none" }, life: { checkpoint: saves } },
  { name: "wait for completion", settings: { preemption: "wait" }, life: { checkpoint: saves } },
  { name: "cancel", settings: { preemption: "cancel" }, life: { checkpoint: saves } },
  {
    name: "requeue, nothing saved",
    settings: { preemption: "requeue" },
    life: { checkpoint: { ...saves, every: "never" } },
  },
  { name: "requeue", settings: { preemption: "requeue" }, life: { checkpoint: saves } },
  {
    name: "requeue, whole nodes",
    settings: { preemption: "requeue", preemptUnit: "node" },
    life: { checkpoint: saves },
  },
  {
    name: "requeue, youngest",
    settings: { preemption: "requeue", victims: "youngest" },
    life: { checkpoint: saves },
  },
  {
    name: "requeue, least lost work",
    settings: { preemption: "requeue", victims: "leastLostWork" },
    life: { checkpoint: saves },
  },
  {
    name: "graceful, 2 min",
    settings: { preemption: "graceful", graceMs: 2 * MINUTE_MS },
    life: { checkpoint: { ...saves, costMs: SAVE_MS, every: "never", onSignal: true } },
  },
  { name: "suspend", settings: { preemption: "suspend" }, life: { checkpoint: saves } },
  {
    name: "elastic, shrink first",
    settings: { preemption: "requeue" },
    life: { checkpoint: saves, elastic: { restart: "torchrun", rendezvousMs: MINUTE_MS } },
  },
  {
    name: "single devices, rigid gangs",
    settings: { preemption: "requeue", preemptUnit: "device" },
    life: { checkpoint: saves, collectiveTimeoutMs: 30 * MINUTE_MS },
  },
];

function exponential(roll: () => number, meanMs: number): number {
  return Math.max(1, Math.round(-meanMs * Math.log(1 - roll())));
}

function job(id: string, submitMs: number, nodes: number, workMs: number, more: object): object {
  return {
    id,
    submitMs,
    workMs,
    limitMs: Math.ceil(("elastic" in more ? 10 : 1.5) * workMs),
    components: [{ members: nodes, gpusPerMember: GPUS, ownNode: true }],
    ...more,
  };
}

/** Training for two weeks' worth of the cluster, all of it waiting from the begin; an urgent job of one or two nodes every three hours. */
function contended(seed: number, life: Model["life"]): object {
  const roll = dice(seed);
  const jobs: object[] = [];
  let askedMs = 0;
  while (askedMs < NODES * DAYS * DAY_MS) {
    const nodes = 2 ** Math.floor(roll() * 3);
    const workMs = Math.round(HOUR_MS * (4 + 44 * roll()));
    const elastic =
      "elastic" in life
        ? { elastic: { ...(life.elastic as object), minMembers: 1, maxMembers: nodes } }
        : {};
    jobs.push(
      job(`train-${jobs.length}`, 0, nodes, workMs, { tier: "normal", ...life, ...elastic }),
    );
    askedMs += nodes * workMs;
  }
  for (let atMs = exponential(roll, 3 * HOUR_MS); atMs < DAYS * DAY_MS; ) {
    const workMs = Math.round(HOUR_MS * (0.25 + 0.75 * roll()));
    const nodes = roll() < 0.7 ? 1 : 2;
    jobs.push(job(`urgent-${jobs.length}`, atMs, nodes, workMs, { tier: "critical" }));
    atMs += exponential(roll, 3 * HOUR_MS);
  }
  return { cluster: { nodeGroups: [{ id: "n", count: NODES, gpus: GPUS }] }, workload: { jobs } };
}

interface Result {
  /** By urgent job, minutes. */
  readonly delays: number[];
  /** GPU-hours of training: held, done again or never finished, spent in starting, restoring, saving, ending and hanging. */
  readonly held: number;
  readonly lost: number;
  readonly overhead: number;
  readonly killed: number;
  readonly preempted: number;
  /** Part of the GPUs idle in the two weeks. */
  readonly idle: number;
}

function ran(document: object, settings: Given): { world: World; chunk: Chunk } {
  const scenario = readScenario({
    version: 1,
    ...document,
    pools: [{ id: "all", policy: { settings } }],
  });
  if (!scenario.ok) throw new Error(`${scenario.error[0]?.place} ${scenario.error[0]?.message}`);
  const world = expand(scenario.value);
  if (!world.ok) throw new Error(world.error[0]?.message);
  const simulation = new Simulation(world.value, schedulerOf, { snapshots: false });
  const everything = { untilMs: Number.POSITIVE_INFINITY, maxEvents: Number.POSITIVE_INFINITY };
  simulation.advance(everything);
  return { world: world.value, chunk: simulation.takeChunk() };
}

function measure({ world, chunk }: { world: World; chunk: Chunk }): Result {
  const { submitMs, tier, workQ16, gpuTotal } = world.jobs.at;
  const firstMs = new Map<number, number>();
  let useful = 0;
  let killed = 0;
  const { runs, rects } = chunk;
  for (let row = 0; row < runs.jobIdx.length; row++) {
    const jobIdx = runs.jobIdx[row]!;
    const before = firstMs.get(jobIdx) ?? Number.POSITIVE_INFINITY;
    firstMs.set(jobIdx, Math.min(before, runs.startMs[row]!));
    if (tier[jobIdx] === 0) continue;
    const end = runs.endState[row];
    if (end === EndStateCode.completed) useful += (workQ16[jobIdx]! / 65_536) * gpuTotal[jobIdx]!;
    if (end === EndStateCode.failed) killed++;
  }
  let held = 0;
  let progress = 0;
  let within = 0;
  for (let row = 0; row < rects.jobIdx.length; row++) {
    const gpuMs = (rects.endMs[row]! - rects.startMs[row]!) * rects.deviceCount[row]!;
    const insideMs = Math.min(rects.endMs[row]!, DAYS * DAY_MS) - rects.startMs[row]!;
    within += Math.max(0, insideMs) * rects.deviceCount[row]!;
    if (tier[rects.jobIdx[row]!] === 0) continue;
    held += gpuMs;
    if (memberStateOf(rects.bits[row]!) === MemberStateCode.running) progress += gpuMs;
  }
  const delays: number[] = [];
  for (const [jobIdx, startMs] of firstMs)
    if (tier[jobIdx] === 0) delays.push((startMs - submitMs[jobIdx]!) / MINUTE_MS);
  return {
    delays,
    held: held / HOUR_MS,
    lost: (progress - useful) / HOUR_MS,
    overhead: (held - progress) / HOUR_MS,
    killed,
    preempted: victims(chunk),
    idle: 1 - within / (NODES * GPUS * DAYS * DAY_MS),
  };
}

/** Jobs that were told to go, suspended, or lost members. */
function victims({ decisions }: Chunk): number {
  const { kind, value } = decisions;
  return [...kind].filter(
    (code, row) =>
      code === DecisionKindCode.evict ||
      code === DecisionKindCode.suspend ||
      (code === DecisionKindCode.resize && value[row]! < 0),
  ).length;
}

/** Jobs that were stopped and never came back. */
function cancelled({ world, chunk }: { world: World; chunk: Chunk }): number {
  const last = new Map<number, number>();
  for (let row = 0; row < chunk.runs.jobIdx.length; row++)
    last.set(chunk.runs.jobIdx[row]!, chunk.runs.endState[row]!);
  return [...last].filter(
    ([jobIdx, end]) => world.jobs.at.tier[jobIdx] !== 0 && end === EndStateCode.preempted,
  ).length;
}

function modelRow({ name, settings, life }: Model): (string | number)[] {
  const results = SEEDS.map((seed) => {
    const run = ran(contended(seed, life), { ...BASE, ...settings });
    const result = measure(run);
    return { ...result, killed: result.killed + cancelled(run) };
  });
  const of = (read: (result: Result) => number) => mean(results.map(read));
  const delays = results.flatMap((result) => result.delays);
  const wasted = of((result) => result.lost + result.overhead);
  return [
    name,
    mean(delays).toFixed(1),
    quantile(delays, 0.95).toFixed(1),
    of((result) => result.preempted).toFixed(0),
    of((result) => result.killed).toFixed(0),
    of((result) => result.lost).toFixed(0),
    of((result) => result.overhead).toFixed(0),
    `${((100 * wasted) / of((result) => result.held)).toFixed(2)} %`,
    `${(100 * of((result) => result.idle)).toFixed(1)} %`,
    `$ ${(PRICE * wasted).toFixed(0)}`,
  ];
}

const MTBP_HOURS = [0.25, 0.5, 1, 2, 4, 8, 24, 168];

/** One gang has the machine; an urgent job of one second stops it at random times. */
function alone(seed: number, mtbpMs: number, restoreMs: number): object {
  const roll = dice(seed * 1_000 + 7);
  const workMs = Math.min(400 * mtbpMs, 350 * DAY_MS);
  const checkpoint = { every: EVERY_MS, costMs: 0, restoreMs };
  const jobs = [job("train", 0, 1, workMs, { tier: "normal", checkpoint })];
  // With every stop close behind the last nothing would be done: the work may take up to eight times as long.
  for (let i = 0, atMs = 0; atMs < 8 * workMs; i++) {
    atMs += exponential(roll, mtbpMs) + 1_000;
    jobs.push(job(`u${i}`, atMs, 1, 1_000, { tier: "critical" }));
  }
  return { cluster: { nodeGroups: [{ id: "n", count: 1, gpus: GPUS }] }, workload: { jobs } };
}

function lostPart(seed: number, mtbpMs: number, restoreMs: number): number {
  const { world, chunk } = ran(alone(seed, mtbpMs, restoreMs), { ...BASE, preemption: "requeue" });
  let heldMs = 0;
  const { jobIdx, startMs, endMs, deviceCount } = chunk.rects;
  const train = world.jobs.at.tier.subarray(0, world.jobs.count).findIndex((tier) => tier !== 0);
  for (let row = 0; row < jobIdx.length; row++)
    if (jobIdx[row] === train) heldMs += ((endMs[row]! - startMs[row]!) * deviceCount[row]!) / GPUS;
  return 1 - world.jobs.at.workQ16[train]! / 65_536 / heldMs;
}

/** Part of the time lost at random stops, exactly: a run of 1/λ at the mean gets 1/(λ) − E(part of an interval) − restoring done. */
function exactPart(mtbpMs: number, restoreMs: number): number {
  const stay = Math.exp(-EVERY_MS / mtbpMs);
  const kept = (EVERY_MS * stay) / (1 - stay);
  return 1 - (Math.exp(-restoreMs / mtbpMs) * kept) / mtbpMs;
}

function closedRows(say: (line: string) => void): (string | number)[][] {
  const percent = (part: number) => `${(100 * part).toFixed(2)} %`;
  return MTBP_HOURS.flatMap((hours) =>
    [0, RESTORE_MS].map((restoreMs) => {
      const mtbpMs = hours * HOUR_MS;
      const measured = SEEDS.map((seed) => lostPart(seed, mtbpMs, restoreMs));
      const middle = mean(measured);
      const spread = Math.sqrt(mean(measured.map((part) => (part - middle) ** 2)) * 1.25);
      say(`preemption: every ${hours} h, restore ${restoreMs / 1_000} s`);
      return [
        hours,
        restoreMs / MINUTE_MS,
        percent((EVERY_MS / 2 + restoreMs) / mtbpMs),
        percent(exactPart(mtbpMs, restoreMs)),
        `${percent(middle)} ± ${percent((2.776 * spread) / Math.sqrt(SEEDS.length))}`,
      ];
    }),
  );
}

const MODEL_HEAD = [
  "model",
  "delay of urgent jobs, mean min",
  "p95 min",
  "victims",
  "jobs killed",
  "GPU-hours done again or thrown away",
  "GPU-hours to save, end, restore, hang",
  "both, of all compute of training",
  "idle",
  "money",
];
const CLOSED_HEAD = ["MTBP, h", "R, min", "(τ/2 + R)/MTBP", "exact", "measured"];

export const preemption: Study = {
  name: "preemption",
  run(_folder, say) {
    const rows = MODELS.map((model) => {
      say(`preemption: ${model.name}`);
      return modelRow(model);
    });
    return `${table(MODEL_HEAD, rows)}\n\n${table(CLOSED_HEAD, closedRows(say))}`;
  },
};
