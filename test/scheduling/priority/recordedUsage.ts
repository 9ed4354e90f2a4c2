/** Recorded runs fed into usage: a recording's associations, its runs as charges, and its ticks. */
import { readFileSync } from "node:fs";
import type {
  PriorityConfig,
  SlurmAssociation,
  SlurmQos,
  TresAmounts,
} from "../../../src/model/slurm/config.ts";
import {
  defaultAssociation,
  defaultConfig,
  defaultQos,
} from "../../../src/model/slurm/defaults.ts";
import {
  type AssociationTree,
  associationOf,
  associationsOf,
} from "../../../src/scheduling/accounting/associations.ts";
import { billableTres } from "../../../src/scheduling/accounting/billing.ts";
import { chargeEnd, chargeStart, type Usage } from "../../../src/scheduling/accounting/usage.ts";
import { nextTickMs, runTicks, startUsage } from "../../../src/scheduling/priority/ticks.ts";

export interface RecordedJob {
  readonly id: string;
  readonly user: string;
  readonly account?: string;
  readonly qos?: string;
  readonly partition?: string;
  readonly submitSec: number;
  readonly nodes: number;
  readonly gpusPerNode: number;
  readonly cpusPerTask?: number;
  readonly nice?: number;
  readonly timeLimitSec: number;
}

export interface SshareLine {
  readonly Account: string;
  readonly User: string | null;
  readonly [column: string]: unknown;
}

export type SprioLine = { readonly id: string } & Readonly<Record<string, unknown>>;

export interface Snapshot {
  readonly offsetSec: number;
  readonly sshare: readonly SshareLine[];
  readonly sprio?: readonly SprioLine[];
  readonly sprioNormalised?: readonly SprioLine[];
}

export interface Recording {
  readonly config: {
    readonly slurmConf: string[];
    readonly partitions: string[];
    readonly sacctmgr: string[];
  };
  readonly jobs: readonly RecordedJob[];
  readonly results: Readonly<
    Record<string, { readonly segments: readonly { startSec: number; endSec: number }[] }>
  >;
  readonly snapshots: { readonly runA: readonly Snapshot[] };
  readonly limitCheckPhaseSec: { readonly runA: number };
}

export function recording(name: string): Recording {
  const url = new URL(`../../truth/slurm/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, "utf8")) as Recording;
}

/** The rule of `src/scheduling/priority/README.md`. */
export function controllerStartMs(phaseSec: number): number {
  return Math.round(phaseSec * 1000) + 300 - 30_000;
}

/** Starts and ends are whole seconds in a recording; they happened some time after. */
const WITHIN_SECOND_MS = 400;

const words = (line: string): string[] => line.split(/\s+/);
const value = (line: string, key: string): string | undefined =>
  words(line)
    .find((word) => word.toLowerCase().startsWith(`${key}=`))
    ?.slice(key.length + 1);

export function qosOf(of: Recording): SlurmQos[] {
  const lines = of.config.sacctmgr;
  const added = lines
    .filter((line) => line.startsWith("add qos"))
    .flatMap((line) => words(line)[2]!.split(","));
  return ["normal", ...added].map((name) => {
    const changes = lines.filter((line) => line.startsWith(`modify qos ${name} set`));
    const said = (key: string): string | undefined =>
      changes.map((line) => value(line, key)).find((each) => each !== undefined);
    return {
      ...defaultQos(name),
      priority: Number(said("priority") ?? 0),
      usageFactor: Number(said("usagefactor") ?? 1),
    };
  });
}

export function treeOf(of: Recording): AssociationTree {
  const entries: SlurmAssociation[] = [{ ...defaultAssociation("root", ""), parent: -1 }];
  for (const line of of.config.sacctmgr) {
    const shares = Number(value(line, "fairshare") ?? 1);
    if (line.startsWith("add account")) {
      const over = value(line, "parent") ?? "root";
      const parent = entries.findIndex((each) => each.account === over && each.user === "");
      entries.push({ ...defaultAssociation(words(line)[2]!, ""), parent, shares });
    }
    if (!line.startsWith("add user")) continue;
    const account = value(line, "account")!;
    const parent = entries.findIndex((each) => each.account === account && each.user === "");
    for (const user of words(line)[2]!.split(",")) {
      entries.push({ ...defaultAssociation(account, user), parent, shares, isDefault: true });
    }
  }
  const jobs = { count: 0, at: {}, users: [] } as unknown as Parameters<typeof associationsOf>[2];
  return associationsOf({ ...defaultConfig(), associations: entries }, [], jobs);
}

export function priorityOf(of: Recording): PriorityConfig {
  const said = new Map(of.config.slurmConf.map((line) => line.split(/=(.*)/) as [string, string]));
  const number = (key: string): number => Number(said.get(key) ?? 0);
  const halfLife: Record<string, number> = { "00:01:00": 60_000, "7-0": 604_800_000, "0": 0 };
  return {
    ...defaultConfig().priority,
    type: "multifactor",
    weightAge: number("PriorityWeightAge"),
    weightFairshare: number("PriorityWeightFairshare"),
    weightJobSize: number("PriorityWeightJobSize"),
    weightPartition: number("PriorityWeightPartition"),
    weightQos: number("PriorityWeightQOS"),
    maxAgeMs: 600_000,
    calcPeriodMs: number("PriorityCalcPeriod") * 60_000,
    decayHalfLifeMs: halfLife[said.get("PriorityDecayHalfLife")!]!,
    fairTree: !(said.get("PriorityFlags") ?? "").includes("NO_FAIR_TREE"),
  };
}

function weightsOf(of: Recording): TresAmounts | null {
  const text = value(of.config.partitions[0]!, "tresbillingweights");
  if (text === undefined) return null;
  return Object.fromEntries(
    text.split(",").map((each) => {
      const [tres, weight] = each.split("=");
      return [tres!.toLowerCase(), Number(weight)];
    }),
  );
}

export function allocated(job: RecordedJob): TresAmounts {
  return {
    cpu: job.nodes * (job.cpusPerTask ?? 1),
    node: job.nodes,
    "gres/gpu": job.nodes * job.gpusPerNode,
  };
}

/** Plays the recorded runs and calls `look` at each snapshot; `startMs`: start of slurmctld. */
export function replay(
  of: Recording,
  startMs: number,
  look: (snapshot: Snapshot, usage: Usage, assoc: (job: RecordedJob) => number) => void,
): void {
  const qos = qosOf(of);
  const tree = treeOf(of);
  const usage = startUsage(tree, priorityOf(of), qos, ["gres/gpu"], startMs);
  const weights = weightsOf(of);
  const assoc = (job: RecordedJob): number =>
    associationOf(tree, job.account ?? "", job.user, "main");
  const events: { readonly atMs: number; readonly run: () => void }[] = [];
  of.jobs.forEach((job, jobIdx) => {
    const tres = allocated(job);
    const billable = billableTres(tres, weights, false);
    const holder = {
      assoc: assoc(job),
      qos: qos.findIndex((each) => each.name === (job.qos ?? "normal")),
      partitionQos: -1,
    };
    for (const { startSec, endSec } of of.results[job.id]!.segments) {
      const startMs = startSec * 1000 + WITHIN_SECOND_MS;
      const endMs = endSec * 1000 + WITHIN_SECOND_MS;
      events.push({
        atMs: startMs,
        run: () => chargeStart(usage, jobIdx, holder, tres, billable, startMs),
      });
      events.push({ atMs: endMs, run: () => chargeEnd(usage, jobIdx, endMs) });
    }
  });
  for (const snapshot of of.snapshots.runA)
    events.push({ atMs: snapshot.offsetSec * 1000, run: () => look(snapshot, usage, assoc) });
  events.sort((a, b) => a.atMs - b.atMs);
  let nextMs = nextTickMs(usage, startMs, startMs);
  for (const event of events) {
    nextMs = runTicks(usage, nextMs, event.atMs);
    event.run();
  }
}
