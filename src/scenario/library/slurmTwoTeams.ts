/**
 * A teaching cluster under Slurm: 16 nodes of 8 H100 on 4 leaf switches, two accounts with 70 and 30 shares, three QOS of which
 * `high` preempts `low` by requeue, and a maintenance window tomorrow at 08:00. At night three nodes are idle and `protein-fold`,
 * which asks for two, waits all the same: its limit of 24 h reaches into the window, though its work takes 4 h. `scontrol update`
 * with a shorter limit, the marked action, starts it at once.
 *
 *     Tue 08:02  pretrain starts on 6 nodes, eval-pretrain waits for it (afterok); a sweep of vision runs 8 tasks at once
 *     Tue 10:46  prod-retrain (QOS high) preempts backlog-embed (QOS low), which is queued again
 *     Wed 00:00  protein-fold is submitted with --time=1-0
 *     Wed 08:00  maintenance on all nodes, until 12:00
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../model/units.ts";
import type { ScenarioInput } from "../schema.ts";
import type { LibraryEntry } from "./entry.ts";

const TITLE = "Slurm: idle GPUs and a job that waits";
const QUESTION =
  "GPUs are idle and the job waits: which of Slurm’s rules holds it, and what would start it?";
const CURSOR_MS = 17 * HOUR_MS;
const USERS = 6;

type Class = NonNullable<NonNullable<ScenarioInput["workload"]>["synthetic"]>[number];
type Job = NonNullable<NonNullable<ScenarioInput["workload"]>["jobs"]>[number];

const CONF = `# A small GPU cluster: 16 nodes on 4 leaf switches, two accounts, three QOS.
ClusterName=teach

# Two schedulers: the main one at every event, backfill once a minute, looking 3 days ahead.
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=60,bf_window=4320,bf_resolution=300,bf_max_job_test=300,bf_continue

# Jobs get cores and GPUs, on as few leaf switches as possible.
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
TopologyPlugin=topology/tree
GresTypes=gpu

# QOS first, then fair share, then waiting time.
PriorityType=priority/multifactor
PriorityWeightQOS=100000
PriorityWeightFairshare=20000
PriorityWeightAge=5000
PriorityMaxAge=1-0
PriorityDecayHalfLife=1-0

# QOS high may stop jobs of QOS low, which are queued again.
PreemptType=preempt/qos
PreemptMode=REQUEUE

# The limits below hold.
AccountingStorageEnforce=limits

NodeName=gpu[01-16] CPUs=128 Sockets=2 CoresPerSocket=64 RealMemory=2097152 Gres=gpu:h100:8
PartitionName=main Nodes=ALL Default=YES DefaultTime=4:00:00 MaxTime=2-0 TRESBillingWeights=CPU=0,GRES/gpu=1.0
`;

const TOPOLOGY = `SwitchName=leaf1 Nodes=gpu[01-04]
SwitchName=leaf2 Nodes=gpu[05-08]
SwitchName=leaf3 Nodes=gpu[09-12]
SwitchName=leaf4 Nodes=gpu[13-16]
SwitchName=spine Switches=leaf[1-4]
`;

const ACCOUNTING = `# Who may stop whom, and how many GPUs one user may hold with QOS high.
modify qos normal set priority=100
add qos high priority=1000 preempt=low maxtresperuser=gres/gpu=48
add qos low priority=10 gracetime=60

# Shares: vision 70, language 30.
add account vision fairshare=70
add account language fairshare=30
add user ${usersOf("vision")} account=vision
add user ${usersOf("language")} account=language
`;

export const slurmTwoTeams: LibraryEntry = {
  id: "slurm-two-teams",
  title: TITLE,
  question: QUESTION,
  openAt: { cursorMs: CURSOR_MS, select: "protein-fold" },
  suggest: {
    label: "Lower the limit of protein-fold to 6 hours",
    intervention: {
      kind: "update",
      atMs: CURSOR_MS,
      job: "protein-fold",
      limitMs: 6 * HOUR_MS,
      note: "scontrol update jobid=… timelimit=6:00:00",
    },
  },
  document: {
    version: 1,
    title: TITLE,
    question: QUESTION,
    seed: 7,
    calendarStart: "2026-03-03T08:00:00",
    cluster: {
      nodeGroups: [
        { id: "gpu", count: 16, names: "gpu[01-16]", gpus: 8, cpus: 128, memGiB: 2_048 },
      ],
      switches: [
        { name: "leaf1", nodes: "gpu[01-04]" },
        { name: "leaf2", nodes: "gpu[05-08]" },
        { name: "leaf3", nodes: "gpu[09-12]" },
        { name: "leaf4", nodes: "gpu[13-16]" },
        { name: "spine", switches: ["leaf1", "leaf2", "leaf3", "leaf4"] },
      ],
    },
    tiers: [
      { id: "high", name: "high", letter: "H" },
      { id: "normal", name: "normal", letter: "N" },
      { id: "low", name: "low", letter: "L" },
    ],
    teams: [
      { id: "vision", shares: 70 },
      { id: "language", shares: 30 },
    ],
    queues: ["main"],
    pools: [
      {
        id: "all",
        policy: {
          preset: "slurm",
          slurm: { conf: CONF, gres: "", topology: TOPOLOGY, accounting: ACCOUNTING },
        },
      },
    ],
    workload: {
      jobs: [
        job("pretrain", "language", 1, "normal", 2, { nodes: 6 }, 10 * 60, 14 * 60),
        {
          ...job("eval-pretrain", "language", 1, "normal", 3, { nodes: 1 }, 45, 90),
          after: [{ job: "pretrain" }],
        },
        job("backlog-embed", "language", 2, "low", 4, { nodes: 4 }, 5 * 60, 8 * 60),
        {
          ...job("sweep", "vision", 2, "low", 6, { nodes: 1, gpusPerNode: 1 }, 50, 80),
          array: { count: 60, atOnce: 8 },
        },
        job("prod-retrain", "vision", 3, "high", 165, { nodes: 4 }, 100, 150),
        job("hotfix-train", "language", 4, "high", 430, { nodes: 3 }, 80, 120),
        job("protein-fold", "vision", 1, "normal", 16 * 60, { nodes: 2 }, 4 * 60, 24 * 60),
      ],
      synthetic: [
        classOf("vision-normal", "vision", "normal", 3, [1, 2, 4, 8, 16], 70),
        classOf("vision-low", "vision", "low", 1.8, [1, 4, 8], 55),
        classOf("language-normal", "language", "normal", 2.4, [4, 8, 8, 16], 75),
        classOf("language-low", "language", "low", 1.2, [8, 8, 16], 60),
      ],
    },
    interventions: [
      {
        kind: "reserve",
        atMs: 0,
        name: "maintenance",
        startMs: DAY_MS,
        endMs: DAY_MS + 4 * HOUR_MS,
        nodes: "ALL",
        users: ["root"],
        flags: ["MAINT"],
        note: "Firmware of all switches",
      },
    ],
  },
};

function usersOf(account: string): string {
  return Array.from({ length: USERS }, (_, user) => `${account}-u${user + 1}`).join(",");
}

/** Whole nodes unless GPUs are given; minutes. */
function job(
  id: string,
  team: string,
  user: number,
  tier: string,
  submit: number,
  size: { readonly nodes: number; readonly gpusPerNode?: number },
  work: number,
  limit: number,
): Job {
  return {
    id,
    name: id,
    team,
    user: `${team}-u${user}`,
    tier,
    submitMs: submit * MINUTE_MS,
    nodes: size.nodes,
    gpusPerNode: size.gpusPerNode ?? 8,
    cpusPerGpu: 8,
    workMs: work * MINUTE_MS,
    limitMs: limit * MINUTE_MS,
  };
}

function classOf(
  id: string,
  team: string,
  tier: string,
  perHour: number,
  sizes: readonly number[],
  medianMin: number,
): Class {
  return {
    id,
    tier,
    teams: [{ value: team, weight: 1 }],
    users: USERS,
    arrivals: { perHour, pattern: "diurnal", peakHour: 11, dayNight: 0.9 },
    untilMs: 34 * HOUR_MS,
    gpus: sizes.map((value) => ({ value, weight: 1 })),
    wholeNodesFrom: 8,
    cpusPerGpu: 8,
    work: {
      medianMs: medianMin * MINUTE_MS,
      spread: 2,
      leastMs: 10 * MINUTE_MS,
      mostMs: 6 * HOUR_MS,
    },
    limitFactor: [1.2, 2.5],
    names: tier === "low" ? ["scrape-embed", "backlog-eval"] : ["finetune", "ablation", "distill"],
  };
}
