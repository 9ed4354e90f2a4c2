/**
 * A small cluster under Slurm for stories: four nodes of eight GPUs, two partitions, multifactor priorities with fair share between two
 * accounts, a QOS that preempts another, a maintenance reservation, dependencies and an array. At hour 1 the machine is full.
 */
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { HOUR, MINUTE } from "./scenarios.ts";

const CONF = `ClusterName=lab
SlurmctldHost=head
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
GresTypes=gpu
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_continue
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=4000
PriorityWeightJobSize=500
PriorityWeightPartition=200
PriorityWeightQOS=2000
PriorityMaxAge=1-00:00:00
PriorityCalcPeriod=00:05:00
PriorityDecayHalfLife=7-00:00:00
PreemptType=preempt/qos
PreemptMode=REQUEUE
AccountingStorageEnforce=associations,qos
NodeName=n[1-4] CPUs=64 RealMemory=512000 Gres=gpu:8 State=UNKNOWN
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=2-00:00:00 State=UP
PartitionName=debug Nodes=n4 MaxTime=1:00:00 PriorityJobFactor=4 State=UP
`;

const ACCOUNTING = `sacctmgr -i add account vision fairshare=60
sacctmgr -i add account language fairshare=40
sacctmgr -i add user ada account=vision fairshare=2
sacctmgr -i add user ben account=vision fairshare=1
sacctmgr -i add user cleo account=language
sacctmgr -i add qos high priority=100 preempt=low
sacctmgr -i add qos low priority=10
sacctmgr -i modify user ada set qos+=high,low
sacctmgr -i modify user ben set qos+=high,low
sacctmgr -i modify user cleo set qos+=high,low
`;

const job = (
  id: string,
  submitMs: number,
  gpus: number,
  hours: number,
  who: readonly [string, string],
  tier: string,
  more: object = {},
) => ({
  id,
  name: `${id}-run`,
  submitMs,
  workMs: hours * HOUR,
  limitMs: Math.ceil(hours * 1.5) * HOUR,
  user: who[0],
  team: who[1],
  tier,
  slurm: gpus > 8 ? { minNodes: gpus / 8, gpusPerNode: 8 } : { gpusPerNode: gpus },
  ...more,
});

const ADA = ["ada", "vision"] as const;
const BEN = ["ben", "vision"] as const;
const CLEO = ["cleo", "language"] as const;

export const SLURM: ScenarioInput = {
  version: 1,
  title: "Four nodes under Slurm",
  question: "Why does a job with a free node wait?",
  cluster: {
    nodeGroups: [{ id: "n", count: 4, names: "n[1-4]", gpus: 8, cpus: 64, memGiB: 500 }],
  },
  tiers: [
    { id: "high", name: "high", letter: "H" },
    { id: "normal", name: "normal", letter: "N" },
    { id: "low", name: "low", letter: "L" },
  ],
  teams: [{ id: "vision" }, { id: "language" }],
  queues: ["main", "debug"],
  pools: [
    {
      id: "gpu",
      policy: {
        preset: "slurm",
        slurm: { conf: CONF, accounting: ACCOUNTING },
      },
    },
  ],
  workload: {
    jobs: [
      job("101", 0, 16, 4, ADA, "normal"),
      job("102", 5 * MINUTE, 8, 3, CLEO, "low"),
      job("103", 8 * MINUTE, 4, 2, BEN, "normal"),
      job("104", 20 * MINUTE, 32, 2, ADA, "normal"),
      job("105", 25 * MINUTE, 8, 1, CLEO, "normal"),
      job("106", 30 * MINUTE, 2, 1, BEN, "normal"),
      job("107", 35 * MINUTE, 1, 1, BEN, "normal", {
        after: [{ job: "103", kind: "afterOk" }],
      }),
      job("108", 40 * MINUTE, 4, 1, CLEO, "normal", {
        array: { count: 4, atOnce: 2 },
      }),
      job("109", 90 * MINUTE, 8, 1, ADA, "high"),
      job("110", 95 * MINUTE, 16, 2, BEN, "normal"),
    ],
  },
  interventions: [
    {
      atMs: 10 * MINUTE,
      kind: "reserve",
      name: "maint-n4",
      startMs: 6 * HOUR,
      endMs: 7 * HOUR,
      nodes: "n4",
      users: ["root"],
      flags: ["MAINT"],
    },
  ],
};
