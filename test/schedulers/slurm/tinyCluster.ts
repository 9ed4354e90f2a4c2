/**
 * Slurm on a tiny cluster, for tests of single rules: four nodes of 64 CPUs and 8 GPUs under a prompt scheduler, a check of time
 * limits at 24 s, 54 s, …. Lines of slurm.conf with the same first word take the place of the standard ones. The scenario is read, run and
 * checked by the code that users run.
 */
import { readRecording } from "../../../src/cli/conformance/slurmTruthFile.ts";
import { runRecording } from "../../../src/cli/conformance/slurmTruthRun.ts";
import { scenarioOf } from "../../../src/cli/conformance/slurmTruthScenario.ts";
import { readScenario } from "../../../src/scenario/read.ts";
import type { Scenario } from "../../../src/scenario/schema.ts";

const CONF = [
  "AuthInfo=cred_expire=5",
  "GresTypes=gpu",
  "AccountingStorageTRES=gres/gpu",
  "SelectType=select/cons_tres",
  "SelectTypeParameters=CR_CPU",
  "SchedulerParameters=bf_interval=1,bf_resolution=1,bf_continue,sched_interval=1,sched_min_interval=0,batch_sched_delay=0",
  "PriorityType=priority/basic",
  "KillWait=2",
  "MessageTimeout=30",
  "AccountingStorageEnforce=associations,limits,qos",
];
const NODES = ["NodeName=n[1-4] CPUs=64 SocketsPerBoard=2 CoresPerSocket=32 Gres=gpu:8"];
const PARTITIONS = ["PartitionName=main Nodes=ALL Default=YES DefaultTime=10"];

/** QOS `low` < `normal` < `high`, which preempts both. */
export const QOS = [
  "add qos low,high",
  "modify qos low set priority=10",
  "modify qos normal set priority=20",
  "modify qos high set priority=100 preempt=low,normal",
  "modify user alice,bob,carol set qos=low,normal,high defaultqos=normal",
];

export interface TinyRun {
  readonly conf?: readonly string[];
  readonly partitions?: readonly string[];
  readonly nodes?: readonly string[];
  readonly accounting?: readonly string[];
  readonly topology?: readonly string[];
  readonly jobs: readonly Readonly<Record<string, unknown>>[];
  /** Options that recordings do not have, by job (`job.slurm` of the document). */
  readonly slurm?: Readonly<Record<string, object>>;
  readonly horizonSec?: number;
  /** At second: command. */
  readonly commands?: readonly (readonly [number, string])[];
}

/** One node, all GPUs, 300 s of limit, alice: what a job has that says nothing else. */
const JOB = { nodes: 1, gpusPerNode: 8, timeLimitSec: 300, user: "alice" };

/** The run is watched for so long where nothing else is said. */
const HORIZON_SEC = 900;

/** What became of each job: its runs as `start-end nodes state`, seconds suspended in brackets. */
export function runsOf(run: TinyRun): Record<string, string[]> {
  const { jobs } = outcomeOf(run);
  return Object.fromEntries(
    [...jobs].map(([id, job]) => [
      id,
      job.runs.map(({ startMs, endMs, gpuIdx, endState, suspensions }) => {
        const nodes = [...gpuIdx.keys()].sort().join(",");
        const asleep = suspensions
          .filter(([from, to]) => to > from)
          .map(([from, to]) => ` (${sec(from)}-${sec(to)})`)
          .join("");
        return `${sec(startMs)}-${sec(endMs)} ${nodes} ${endState}${asleep}`;
      }),
    ]),
  );
}

/** Why each job waited, in order. */
export function reasonsOf(run: TinyRun): Record<string, string[]> {
  const { jobs } = outcomeOf(run);
  return Object.fromEntries(
    [...jobs].map(([id, job]) => [id, job.reasons.map((each) => each.reason)]),
  );
}

export function outcomeOf(run: TinyRun): ReturnType<typeof runRecording> {
  const { scenario, questions } = scenarioFor(run);
  return runRecording(scenario, questions);
}

/** The scenario that a user would open. */
export function scenarioFor(
  run: TinyRun,
): Pick<ReturnType<typeof scenarioOf>, "scenario" | "questions"> {
  const own = run.conf ?? [];
  const heads = new Set(own.map((line) => line.split("=")[0]));
  const { scenario, questions } = scenarioOf(
    readRecording({
      schema: "slurm-truth/1",
      scenario: "tiny",
      cluster: {},
      config: {
        slurmConf: [...CONF.filter((line) => !heads.has(line.split("=")[0])), ...own],
        nodes: run.nodes ?? NODES,
        partitions: run.partitions ?? PARTITIONS,
        gresConf: null,
        topologyConf: run.topology ?? null,
        sacctmgr: [
          "add account acct",
          "add user alice,bob,carol account=acct",
          ...(run.accounting ?? []),
        ],
      },
      toleranceSec: 0,
      jobs: run.jobs.map((job) => ({ ...JOB, ...job })),
      commands: (run.commands ?? []).map(([atSec, cmd]) => ({ atSec, cmd })),
      results: {},
    }),
  );
  const pools = scenario.pools.map((pool) => ({
    ...pool,
    policy: { ...pool.policy, settings: { ...pool.policy.settings, controllerStartMs: -6_000 } },
  }));
  const jobs = scenario.workload.jobs.map((job) => ({
    ...job,
    slurm: { ...job.slurm, ...run.slurm?.[job.id] },
  }));
  const workload = { ...scenario.workload, jobs };
  const document = {
    ...scenario,
    pools,
    workload,
    horizonMs: 1_000 * (run.horizonSec ?? HORIZON_SEC),
  };
  return { scenario: must(readScenario(document)), questions };
}

function must(read: ReturnType<typeof readScenario>): Scenario {
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

const sec = (ms: number): string => (Number.isFinite(ms) ? String(ms / 1_000) : "");
