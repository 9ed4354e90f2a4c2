/**
 * A small run for panels: first come first served with aggressive backfill on whole GPUs, recorded in the shapes of the record.
 * It is not the engine; it only makes columns that belong together (waits end where runs start, series follow both).
 */

import { allocate, sliceColumns, Table } from "../../src/base/columns.ts";
import type { Cluster } from "../../src/model/cluster.ts";
import { COMPONENT_SHAPE, JOB_SHAPE, type NameList } from "../../src/model/jobs.ts";
import { WaitReasonCode } from "../../src/model/reasons.ts";
import { EndStateCode } from "../../src/model/states.ts";
import { DEVICE_PARTS } from "../../src/model/units.ts";
import type { Stage } from "../../src/protocol/messages.ts";
import {
  type Chunk,
  DECISION_SHAPE,
  DecisionKindCode,
  GAUGE_SHAPE,
  NODE_SPAN_SHAPE,
  type OpenSet,
  RECT_SHAPE,
  RUN_SHAPE,
  rectBits,
  SERIES_SHAPE,
  WAIT_SHAPE,
} from "../../src/record/shapes.ts";
import { DEFAULT_TIERS } from "../../src/scenario/defaultTiers.ts";
import { type Scenario, scenarioSchema } from "../../src/scenario/schema.ts";
import type { Future } from "../../src/store/runData.ts";

export interface FixtureJob {
  readonly submitMs: number;
  readonly gpus: number;
  readonly workMs: number;
  readonly limitMs: number;
  readonly tier: number;
  readonly name: string;
  readonly user?: number;
}

export const GPUS_PER_NODE = 8;

export function fixtureCluster(nodes: number): Cluster {
  return {
    nodeCount: nodes,
    deviceCount: nodes * GPUS_PER_NODE,
    nodeNames: Array.from(
      { length: nodes },
      (_, index) => `node-${String(index + 1).padStart(2, "0")}`,
    ),
    nodeGroup: new Uint16Array(nodes),
    groups: [
      {
        id: "h100",
        gpuModel: "H100",
        gpuMemMiB: 81_920,
        gpusPerNode: GPUS_PER_NODE,
        cpusPerNode: 96,
        memMiBPerNode: 1_048_576,
        numaDomains: 2,
        labels: {},
      },
    ],
    deviceBase: Int32Array.from({ length: nodes + 1 }, (_, index) => index * GPUS_PER_NODE),
    leafCount: Math.ceil(nodes / 8),
    spineCount: 1,
    leafOfNode: Int32Array.from({ length: nodes }, (_, index) => index >> 3),
    spineOfLeaf: new Int32Array(Math.ceil(nodes / 8)),
    leafNames: Array.from({ length: Math.ceil(nodes / 8) }, (_, index) => `L${index + 1}`),
    nvswitchOfNode: Int32Array.from({ length: nodes }, (_, index) => index),
    nvswitchCount: nodes,
    hasFabric: true,
    flat: false,
    deviceWord: "GPU",
  };
}

function names(values: readonly (string | number)[]): NameList {
  const numbers = new Float64Array(values.length).fill(-1);
  const texts = new Map<number, string>();
  values.forEach((value, index) => {
    if (typeof value === "number") numbers[index] = value;
    else texts.set(index, value);
  });
  return { numbers, texts };
}

export function fixtureStage(nodes: number, jobs: readonly FixtureJob[]): Stage {
  const at = allocate(JOB_SHAPE, jobs.length + 1);
  const components = allocate(COMPONENT_SHAPE, jobs.length);
  jobs.forEach((job, index) => {
    at.submitMs[index] = job.submitMs;
    at.beginMs[index] = job.submitMs;
    at.workQ16[index] = job.workMs * 65_536;
    at.limitMs[index] = job.limitMs;
    at.tier[index] = job.tier;
    at.user[index] = job.user ?? 0;
    at.gpuTotal[index] = job.gpus;
    at.firstComponent[index] = index;
    components.members[index] = Math.max(1, job.gpus / GPUS_PER_NODE);
    components.minMembers[index] = components.members[index]!;
    components.gpus[index] = Math.min(job.gpus, GPUS_PER_NODE);
    components.ownNode[index] = job.gpus >= GPUS_PER_NODE ? 1 : 0;
  });
  at.firstComponent[jobs.length] = jobs.length;
  return {
    generation: 1,
    cluster: fixtureCluster(nodes),
    jobs: {
      count: jobs.length,
      at,
      components,
      ids: names(jobs.map((_, index) => index + 1)),
      names: names(jobs.map((job) => job.name)),
      users: ["ada", "ben", "cleo"],
      gpuModels: ["H100"],
    },
    tiers: DEFAULT_TIERS,
    teams: [{ id: "vision", name: "vision", shares: 1 }],
    queues: ["all"],
    poolIds: ["all"],
    poolOfJob: new Uint8Array(jobs.length),
    importNotes: [],
  };
}

interface Holding {
  readonly device: number;
  readonly count: number;
}

/** Runs the jobs and returns a future in `parts` chunks; nothing after `untilMs` is known. */
export function fixtureFuture(stage: Stage, parts = 4, untilMs = Number.POSITIVE_INFINITY): Future {
  const { at, count } = stage.jobs;
  const tables = {
    rects: new Table(RECT_SHAPE),
    runs: new Table(RUN_SHAPE),
    waits: new Table(WAIT_SHAPE),
    decisions: new Table(DECISION_SHAPE),
    series: new Table(SERIES_SHAPE),
  };
  const free = new Uint8Array(stage.cluster.deviceCount).fill(1);
  const running: {
    job: number;
    startMs: number;
    endMs: number;
    held: Holding[];
    backfilled: boolean;
  }[] = [];
  const queue: number[] = [];
  const order = Array.from({ length: count }, (_, job) => job).sort(
    (a, b) => at.submitMs[a]! - at.submitMs[b]!,
  );
  const marks: { atMs: number; rows: Record<string, number> }[] = [];
  let next = 0;
  let nowMs = 0;
  const lastSeries = stage.tiers.map(() => "");
  const decide = (kind: number, job: number, reason: number, value: number) => {
    const table = tables.decisions;
    table.reserve(1);
    const row = table.length++;
    table.at.atMs[row] = nowMs;
    table.at.kind[row] = kind;
    table.at.reason[row] = reason;
    table.at.jobIdx[row] = job;
    table.at.value[row] = value;
  };
  const reasonOf = new Map<number, number>();
  const planOf = new Map<number, number>();
  for (;;) {
    const submitMs = next < order.length ? at.submitMs[order[next]!]! : Number.POSITIVE_INFINITY;
    const endMs = running.reduce(
      (least, entry) => Math.min(least, entry.endMs),
      Number.POSITIVE_INFINITY,
    );
    const nextMs = Math.min(submitMs, endMs);
    if (!Number.isFinite(nextMs) || nextMs > untilMs) break;
    nowMs = nextMs;
    for (let index = running.length - 1; index >= 0; index--) {
      const entry = running[index]!;
      if (entry.endMs > nowMs) continue;
      running.splice(index, 1);
      for (const held of entry.held) {
        free.fill(1, held.device, held.device + held.count);
        const row = tables.rects.length;
        tables.rects.reserve(1);
        tables.rects.length++;
        tables.rects.at.startMs[row] = entry.startMs;
        tables.rects.at.endMs[row] = entry.endMs;
        tables.rects.at.jobIdx[row] = entry.job;
        tables.rects.at.device[row] = held.device;
        tables.rects.at.deviceCount[row] = held.count;
        tables.rects.at.bits[row] = rectBits(2, EndStateCode.completed, 0);
      }
      const row = tables.runs.length;
      tables.runs.reserve(1);
      tables.runs.length++;
      tables.runs.at.startMs[row] = entry.startMs;
      tables.runs.at.endMs[row] = entry.endMs;
      tables.runs.at.jobIdx[row] = entry.job;
      tables.runs.at.run[row] = 1;
      tables.runs.at.devices[row] = at.gpuTotal[entry.job]!;
      tables.runs.at.endState[row] = EndStateCode.completed;
      tables.runs.at.startReason[row] = entry.backfilled ? 1 : 0;
      tables.runs.at.stopReason[row] = 1;
    }
    while (next < order.length && at.submitMs[order[next]!]! <= nowMs) queue.push(order[next++]!);
    let passed = false;
    for (let index = 0; index < queue.length; ) {
      const job = queue[index]!;
      const held = take(free, at.gpuTotal[job]!);
      if (!held) {
        const reason = passed ? WaitReasonCode.reservation : WaitReasonCode.resources;
        if (reasonOf.get(job) !== reason) {
          reasonOf.set(job, reason);
          decide(DecisionKindCode.wait, job, reason, 0);
        }
        if (!passed) {
          const ends = running
            .map((entry) => entry.startMs + at.limitMs[entry.job]!)
            .sort((a, b) => a - b);
          const plan = ends[Math.min(ends.length - 1, 2)] ?? nowMs;
          if (planOf.get(job) !== plan) {
            planOf.set(job, plan);
            decide(DecisionKindCode.plan, job, 0, plan);
          }
        }
        passed = true;
        index++;
        continue;
      }
      queue.splice(index, 1);
      decide(DecisionKindCode.start, job, passed ? 1 : 0, 0);
      running.push({
        job,
        startMs: nowMs,
        endMs: nowMs + at.workQ16[job]! / 65_536,
        held,
        backfilled: passed,
      });
      tables.waits.reserve(1);
      const row = tables.waits.length++;
      tables.waits.at.fromMs[row] = at.submitMs[job]!;
      tables.waits.at.toMs[row] = nowMs;
      tables.waits.at.jobIdx[row] = job;
    }
    for (let tier = 0; tier < stage.tiers.length; tier++) {
      const held = running
        .filter((entry) => at.tier[entry.job] === tier)
        .reduce((sum, entry) => sum + at.gpuTotal[entry.job]!, 0);
      const waiting = queue.filter((job) => at.tier[job] === tier);
      const waited = waiting.reduce((sum, job) => sum + at.gpuTotal[job]!, 0);
      const text = `${held} ${waiting.length} ${waited}`;
      if (lastSeries[tier] === text) continue;
      lastSeries[tier] = text;
      tables.series.reserve(1);
      const row = tables.series.length++;
      tables.series.at.atMs[row] = nowMs;
      tables.series.at.tier[row] = tier;
      tables.series.at.heldParts[row] = held * DEVICE_PARTS;
      tables.series.at.jobsWaiting[row] = waiting.length;
      tables.series.at.waitedParts[row] = waited * DEVICE_PARTS;
    }
    marks.push({
      atMs: nowMs,
      rows: Object.fromEntries(Object.entries(tables).map(([key, table]) => [key, table.length])),
    });
  }
  const chunks = cut(tables, marks, parts);
  const open: OpenSet = {
    atMs: nowMs,
    rects: allocate(
      RECT_SHAPE,
      running.reduce((sum, entry) => sum + entry.held.length, 0),
    ),
    waits: allocate(WAIT_SHAPE, queue.length),
    nodeSpans: allocate(NODE_SPAN_SHAPE, 0),
  };
  let row = 0;
  for (const entry of running) {
    for (const held of entry.held) {
      open.rects.startMs[row] = entry.startMs;
      open.rects.endMs[row] = Number.POSITIVE_INFINITY;
      open.rects.jobIdx[row] = entry.job;
      open.rects.device[row] = held.device;
      open.rects.deviceCount[row] = held.count;
      open.rects.bits[row++] = 2;
    }
  }
  queue.forEach((job, index) => {
    open.waits.fromMs[index] = at.submitMs[job]!;
    open.waits.toMs[index] = Number.POSITIVE_INFINITY;
    open.waits.jobIdx[index] = job;
  });
  const done = queue.length === 0 && running.length === 0;
  return {
    scenario: null,
    generation: 1,
    chunks,
    open,
    knownMs: nowMs,
    endMs: done ? nowMs : nowMs * 1.5,
    done,
    digest: done ? "9f3c41d7" : "",
    refused: {},
  };
}

function take(free: Uint8Array, need: number): Holding[] | null {
  const held: Holding[] = [];
  let left = need;
  const whole = need >= GPUS_PER_NODE;
  for (let node = 0; node < free.length / GPUS_PER_NODE && left > 0; node++) {
    const from = node * GPUS_PER_NODE;
    const freeHere = free.subarray(from, from + GPUS_PER_NODE).reduce((sum, bit) => sum + bit, 0);
    if (whole ? freeHere < GPUS_PER_NODE : freeHere < left) continue;
    let taken = 0;
    for (let device = from; device < from + GPUS_PER_NODE && left > 0; device++) {
      if (!free[device]) continue;
      const last = held.at(-1);
      if (last && taken > 0 && last.device + last.count === device)
        held[held.length - 1] = { device: last.device, count: last.count + 1 };
      else held.push({ device, count: 1 });
      taken++;
      left--;
    }
  }
  if (left > 0) return null;
  for (const part of held) free.fill(0, part.device, part.device + part.count);
  return held;
}

type Tables = {
  rects: Table<typeof RECT_SHAPE>;
  runs: Table<typeof RUN_SHAPE>;
  waits: Table<typeof WAIT_SHAPE>;
  decisions: Table<typeof DECISION_SHAPE>;
  series: Table<typeof SERIES_SHAPE>;
};

function cut(
  tables: Tables,
  marks: readonly { atMs: number; rows: Record<string, number> }[],
  parts: number,
): Chunk[] {
  const chunks: Chunk[] = [];
  let before: Record<string, number> = { rects: 0, runs: 0, waits: 0, decisions: 0, series: 0 };
  let fromMs = 0;
  for (let part = 1; part <= parts; part++) {
    const mark = marks[Math.floor((marks.length * part) / parts) - 1];
    if (!mark) continue;
    const rows = mark.rows;
    chunks.push({
      fromMs,
      toMs: mark.atMs,
      rects: sliceColumns<typeof RECT_SHAPE>(tables.rects.at, before.rects!, rows.rects!),
      runs: sliceColumns<typeof RUN_SHAPE>(tables.runs.at, before.runs!, rows.runs!),
      waits: sliceColumns<typeof WAIT_SHAPE>(tables.waits.at, before.waits!, rows.waits!),
      decisions: sliceColumns<typeof DECISION_SHAPE>(
        tables.decisions.at,
        before.decisions!,
        rows.decisions!,
      ),
      series: sliceColumns<typeof SERIES_SHAPE>(tables.series.at, before.series!, rows.series!),
      nodeSpans: allocate(NODE_SPAN_SHAPE, 0),
      gauges: allocate(GAUGE_SHAPE, 0),
    });
    before = rows;
    fromMs = mark.atMs;
  }
  return chunks;
}

/** Jobs of a busy machine: repeatable without a generator of random numbers. */
export function busyJobs(count: number, everyMs: number): FixtureJob[] {
  const sizes = [8, 1, 4, 16, 2, 32, 8, 64, 1, 16, 4, 128];
  const nameList = [
    "moe-16x8",
    "rank-serve",
    "diffusion",
    "vit-huge",
    "asr-large",
    "llm-13b",
    "profile",
  ];
  return Array.from({ length: count }, (_, index) => {
    const gpus = sizes[(index * 7 + (index >> 3)) % sizes.length]!;
    const workMs = (1 + ((index * 37) % 11)) * 1_200_000;
    return {
      submitMs: index * everyMs + ((index * 7_919) % 977) * 100,
      gpus,
      workMs,
      limitMs: Math.ceil((workMs * (1.2 + ((index * 13) % 5) * 0.3)) / 600_000) * 600_000,
      tier: gpus >= 64 ? 2 : (index * 5 + (index >> 2)) % 4,
      name: nameList[index % nameList.length]!,
      user: index % 3,
    };
  });
}

export function fixtureScenario(nodes: number): Scenario {
  return scenarioSchema.parse({
    version: 1,
    title: "Fixture",
    cluster: { nodeGroups: [{ id: "h100", count: nodes, gpus: GPUS_PER_NODE }] },
    interventions: [
      {
        atMs: 33_300_000,
        kind: "policy",
        policy: { preset: "lab", settings: { backfill: "none" } },
      },
      { atMs: 50_400_000, kind: "drain", nodes: ["node-03"] },
    ],
  });
}
