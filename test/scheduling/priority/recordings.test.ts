/** What `sshare` and `sprio` of a real Slurm 22.05.8 showed, number by number, from the recorded starts and ends alone. */
import { describe, expect, it } from "vitest";
import { fairShareOf } from "../../../src/scheduling/priority/fairShare.ts";
import {
  ageTerm,
  fixedTerms,
  multifactorPriority,
  type PriorityJob,
  type PriorityScale,
  priorityScale,
  sprioRow,
} from "../../../src/scheduling/priority/multifactor.ts";
import { sshareRows } from "../../../src/scheduling/priority/sshare.ts";
import {
  allocated,
  controllerStartMs,
  priorityOf,
  qosOf,
  type RecordedJob,
  type Recording,
  recording,
  replay,
  type Snapshot,
  type SshareLine,
} from "./recordedUsage.ts";

interface Tally {
  same: number;
  readonly other: string[];
}

/** Run A of 08 had its ticks at the end of a second, run B (same phase) at the start of the next: its AGE of 85 at t=75 says so. */
const EARLIER_MS: Readonly<Record<string, number>> = { "08-multifactor": 100 };

function play(name: string, look: Parameters<typeof replay>[2]): void {
  const of = recording(name);
  const startMs = controllerStartMs(of.limitCheckPhaseSec.runA) - (EARLIER_MS[name] ?? 0);
  replay(of, startMs, look);
}

function compare(tally: Tally, place: string, shown: unknown, computed: number, within: number) {
  const number = shown === "inf" ? Number.POSITIVE_INFINITY : Number(shown);
  const nothing = shown === null && Number.isNaN(computed);
  if (nothing) return;
  if (number === computed || Math.abs(number - computed) <= within) tally.same++;
  else tally.other.push(`${place}: ${number} / ${computed}`);
}

const SSHARE = [
  ["NormShares", "normShares"],
  ["RawUsage", "rawUsage"],
  ["NormUsage", "normUsage"],
  ["EffectvUsage", "effectvUsage"],
  ["FairShare", "fairShare"],
  ["LevelFS", "levelFs"],
] as const;

function sshareTally(name: string): Tally {
  const tally: Tally = { same: 0, other: [] };
  play(name, (snapshot, usage) => {
    const rows = sshareRows(usage);
    for (const line of snapshot.sshare) {
      const row = rows.find(
        (each) => each.account === line.Account && each.user === (line.User ?? ""),
      )!;
      for (const [shown, computed] of SSHARE) {
        const place = `${snapshot.offsetSec} ${line.Account}/${line.User} ${shown}`;
        compare(tally, place, line[shown as keyof SshareLine], row[computed], 0.51e-6);
      }
    }
  });
  return tally;
}

function factorsOf(of: Recording): Map<string, number> {
  return new Map(
    of.config.partitions.map((line) => [
      /PartitionName=(\S+)/.exec(line)![1]!,
      Number(/PriorityJobFactor=(\d+)/.exec(line)?.[1] ?? 1),
    ]),
  );
}

function asked(of: Recording, job: RecordedJob): PriorityJob {
  const qos = qosOf(of).find((each) => each.name === (job.qos ?? "normal"))!;
  return {
    nodes: job.nodes,
    cpus: job.nodes * (job.cpusPerTask ?? 1),
    limitMs: job.timeLimitSec * 1000,
    nice: job.nice ?? 0,
    assocPriority: 0,
    qosPriority: qos.priority,
    partitionFactor: factorsOf(of).get(job.partition ?? "main")!,
    tres: allocated(job),
    partitionTres: {},
  };
}

function scaleOf(of: Recording): PriorityScale {
  return priorityScale(
    priorityOf(of),
    { nodes: 4, cpus: 256 },
    {
      qos: qosOf(of).map((each) => each.priority),
      assocs: [0],
      partitions: [...factorsOf(of).values()],
    },
  );
}

const SPRIO = [
  ["PRIORITY", "priority"],
  ["AGE", "age"],
  ["ASSOC", "assoc"],
  ["FAIRSHARE", "fairshare"],
  ["JOBSIZE", "jobSize"],
  ["PARTITION", "partitionFactor"],
  ["QOS", "qos"],
  ["NICE", "nice"],
] as const;

function sprioTally(name: string): Tally {
  const tally: Tally = { same: 0, other: [] };
  const of = recording(name);
  const scale = scaleOf(of);
  const { config } = scale;
  play(name, (snapshot: Snapshot, usage, assoc) => {
    for (const line of snapshot.sprio ?? []) {
      const job = of.jobs.find((each) => each.id === line.id)!;
      const wants = asked(of, job);
      const age = ageTerm(config, job.submitSec * 1000, usage.lastTickSec * 1000);
      const fairShare = fairShareOf(usage, assoc(job));
      const priority = multifactorPriority(config, fixedTerms(scale, wants), age, fairShare);
      const row = sprioRow(scale, wants, { jobIdx: 0, partition: "", priority, age, fairShare });
      for (const [shown, computed] of SPRIO) {
        const place = `${snapshot.offsetSec} ${line.id} ${shown}`;
        const within = shown === "PRIORITY" ? 0 : 0.5;
        compare(tally, place, line[shown], row[computed], within);
      }
    }
  });
  return tally;
}

describe("sshare of run A: every number of every snapshot", () => {
  it.each([
    ["08-multifactor", 450],
    ["09a-fair-tree", 1500],
    ["09b-classic-fairshare", 1660],
    ["09c-billing-usagefactor", 76],
    ["13g-grptresmins", 114],
  ])("%s: %i numbers", (name, count) => {
    expect(sshareTally(name)).toEqual({ same: count, other: [] });
  });
});

describe("sprio of run A: every number of every snapshot", () => {
  it.each([
    ["08-multifactor", 336],
    ["09a-fair-tree", 416],
    ["09b-classic-fairshare", 416],
  ])("%s: %i numbers", (name, count) => {
    expect(sprioTally(name)).toEqual({ same: count, other: [] });
  });
});
