/**
 * The run that is shown as tables: its jobs, their runs, and the numbers over time, for the stretch on screen or for all of it. Times are milliseconds of
 * simulated time from the start of the run; a value that is not known yet is empty. O(record).
 */
import { nameOf } from "../../../model/jobs.ts";
import { GAUGES } from "../../../model/lab/gauges.ts";
import { START_REASONS, STOP_REASONS } from "../../../model/reasons.ts";
import { END_STATES } from "../../../model/states.ts";
import { DEVICE_PARTS } from "../../../model/units.ts";
import type { Stage } from "../../../protocol/messages.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import type { Future } from "../../../store/runData.ts";
import { subjectName } from "../../../timeline/gaugeWords.ts";
import type { TimeWindow } from "../../../timeline/viewport.ts";
import type { DataTable } from "./columns.ts";
import { TableBuilder } from "./columns.ts";

export const TABLES = ["jobs", "runs", "series", "gauges"] as const;
export type TableName = (typeof TABLES)[number];

export const TABLE_WORDS: Readonly<Record<TableName, string>> = {
  jobs: "Jobs: one row a job",
  runs: "Runs: one row each time a job ran",
  series: "Held and waited for, by tier: one row a change",
  gauges: "Gauges: one row a change",
};

export interface RunOf {
  readonly stage: Stage;
  readonly future: Future;
  readonly scenario: Scenario | null;
  readonly window: TimeWindow;
}

export function runTable(name: TableName, run: RunOf): DataTable {
  switch (name) {
    case "jobs":
      return jobsTable(run);
    case "runs":
      return runsTable(run);
    case "series":
      return seriesTable(run);
    case "gauges":
      return gaugesTable(run);
  }
}

/** Reference work is kept in 1/65,536 ms. */
const WORK_UNIT = 65_536;

const JOB_COLUMNS = [
  ["job_id", "text"],
  ["name", "text"],
  ["user", "text"],
  ["team", "text"],
  ["tier", "text"],
  ["gpus", "whole"],
  ["submit_ms", "number"],
  ["work_ms", "number"],
  ["limit_ms", "number"],
] as const;

function jobCells({ jobs, teams, tiers }: Stage, jobIdx: number): (string | number | null)[] {
  const { at } = jobs;
  return [
    nameOf(jobs.ids, jobIdx),
    nameOf(jobs.names, jobIdx),
    jobs.users[at.user[jobIdx]!] ?? "",
    teams[at.team[jobIdx]!]?.id ?? "",
    tiers[at.tier[jobIdx]!]?.id ?? "",
    at.gpuTotal[jobIdx]!,
    at.submitMs[jobIdx]!,
    Math.round(at.workQ16[jobIdx]! / WORK_UNIT),
    at.limitMs[jobIdx]!,
  ];
}

interface Life {
  firstMs: number;
  lastMs: number | null;
  runs: number;
  endState: number;
}

function jobsTable({ stage, future, window }: RunOf): DataTable {
  const lives = livesOf(future);
  const table = new TableBuilder([
    ...JOB_COLUMNS,
    ["first_start_ms", "number"],
    ["last_end_ms", "number"],
    ["wait_ms", "number"],
    ["runs", "whole"],
    ["state", "text"],
  ]);
  const { submitMs } = stage.jobs.at;
  for (let jobIdx = 0; jobIdx < stage.jobs.count; jobIdx++) {
    const life = lives.get(jobIdx);
    const submit = submitMs[jobIdx]!;
    if (submit >= window.toMs || (life?.lastMs ?? Number.POSITIVE_INFINITY) < window.fromMs)
      continue;
    const started = life !== undefined && life.runs > 0;
    table.add(
      ...jobCells(stage, jobIdx),
      started ? life.firstMs : null,
      life?.lastMs ?? null,
      started ? life.firstMs - submit : null,
      life?.runs ?? 0,
      life === undefined ? "waiting" : (END_STATES[life.endState] ?? ""),
    );
  }
  return table.table();
}

/** First start, last end and number of runs of each job that left the queue. */
function livesOf({ chunks, open }: Future): Map<number, Life> {
  const lives = new Map<number, Life>();
  for (const { runs } of chunks) {
    for (let row = 0; row < runs.jobIdx.length; row++) {
      const life = lifeOf(lives, runs.jobIdx[row]!, runs.startMs[row]!);
      if (runs.run[row]! > 0) life.runs = Math.max(life.runs, runs.run[row]!);
      life.lastMs = runs.endMs[row]!;
      life.endState = runs.endState[row]!;
    }
  }
  for (const [jobIdx, startMs] of openStarts(open)) {
    const life = lifeOf(lives, jobIdx, startMs);
    life.runs += 1;
    life.lastMs = null;
    life.endState = 0;
  }
  return lives;
}

function lifeOf(lives: Map<number, Life>, jobIdx: number, startMs: number): Life {
  let life = lives.get(jobIdx);
  if (!life) {
    life = { firstMs: startMs, lastMs: null, runs: 0, endState: 0 };
    lives.set(jobIdx, life);
  }
  return life;
}

/** Jobs that hold devices at the end of the record, with the time of their first open rectangle. */
function openStarts(open: Future["open"]): Map<number, number> {
  const starts = new Map<number, number>();
  if (!open) return starts;
  const { jobIdx, startMs } = open.rects;
  for (let row = 0; row < jobIdx.length; row++) {
    const known = starts.get(jobIdx[row]!) ?? Number.POSITIVE_INFINITY;
    starts.set(jobIdx[row]!, Math.min(known, startMs[row]!));
  }
  return starts;
}

function runsTable({ stage, future, window }: RunOf): DataTable {
  const table = new TableBuilder([
    ...JOB_COLUMNS,
    ["run", "whole"],
    ["start_ms", "number"],
    ["end_ms", "number"],
    ["length_ms", "number"],
    ["devices", "whole"],
    ["end_state", "text"],
    ["start_reason", "text"],
    ["stop_reason", "text"],
  ]);
  for (const { runs } of future.chunks) {
    for (let row = 0; row < runs.jobIdx.length; row++) {
      const startMs = runs.startMs[row]!;
      const endMs = runs.endMs[row]!;
      if (runs.run[row] === 0 || endMs <= window.fromMs || startMs >= window.toMs) continue;
      table.add(
        ...jobCells(stage, runs.jobIdx[row]!),
        runs.run[row]!,
        startMs,
        endMs,
        endMs - startMs,
        runs.devices[row]!,
        END_STATES[runs.endState[row]!] ?? "",
        START_REASONS[runs.startReason[row]!] ?? "",
        STOP_REASONS[runs.stopReason[row]!] ?? "",
      );
    }
  }
  for (const [jobIdx, startMs] of openStarts(future.open)) {
    if (startMs >= window.toMs || future.knownMs <= window.fromMs) continue;
    const gpus = stage.jobs.at.gpuTotal[jobIdx]!;
    table.add(...jobCells(stage, jobIdx), null, startMs, null, null, gpus, "running", "", "");
  }
  return table.table();
}

/** The values that hold at the beginning of the stretch come first, at its beginning. */
function seriesTable({ stage, future, window }: RunOf): DataTable {
  const table = new TableBuilder([
    ["at_ms", "number"],
    ["tier", "text"],
    ["gpus_held", "number"],
    ["jobs_waiting", "whole"],
    ["gpus_waited_for", "number"],
  ]);
  const before = new Map<number, readonly number[]>();
  let begun = false;
  const put = (atMs: number, tier: number, values: readonly number[]): void =>
    table.add(atMs, stage.tiers[tier]?.id ?? "", ...values);
  const begin = (): void => {
    if (!begun) for (const [tier, values] of before) put(window.fromMs, tier, values);
    begun = true;
  };
  for (const { series } of future.chunks) {
    for (let row = 0; row < series.atMs.length; row++) {
      const atMs = series.atMs[row]!;
      const tier = series.tier[row]!;
      const held = series.heldParts[row]! / DEVICE_PARTS;
      const waited = series.waitedParts[row]! / DEVICE_PARTS;
      const values = [held, series.jobsWaiting[row]!, waited];
      if (atMs < window.fromMs) before.set(tier, values);
      else if (atMs < window.toMs) {
        begin();
        put(atMs, tier, values);
      }
    }
  }
  begin();
  return table.table();
}

function gaugesTable({ stage, future, scenario, window }: RunOf): DataTable {
  const table = new TableBuilder([
    ["at_ms", "number"],
    ["gauge", "text"],
    ["subject", "text"],
    ["value", "number"],
    ["unit", "text"],
  ]);
  for (const { gauges } of future.chunks) {
    for (let row = 0; row < gauges.atMs.length; row++) {
      const atMs = gauges.atMs[row]!;
      const gauge = GAUGES[gauges.kind[row]!];
      if (gauge === undefined || atMs < window.fromMs || atMs >= window.toMs) continue;
      const subject = subjectName(gauge, gauges.subject[row]!, stage, scenario);
      table.add(atMs, gauge, subject, gauges.value[row]!, GAUGE_UNITS[gauge] ?? "count");
    }
  }
  return table.table();
}

const GAUGE_UNITS: Readonly<Record<string, string>> = {
  borrowed: "gpus",
  lent: "gpus",
  price: "credits_per_gpu_hour",
  credits: "credits",
  demand: "requests_per_s",
  latency: "ms",
  uplink: "share",
  fragmentation: "share",
  quotaNominal: "cpus_gib_or_count",
  quotaUsed: "cpus_gib_or_count",
  quotaBorrowed: "cpus_gib_or_count",
  quotaLent: "cpus_gib_or_count",
};
