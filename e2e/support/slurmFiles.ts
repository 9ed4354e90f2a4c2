/** The files of a small Slurm cluster and what its sacct would print: made here, so that nobody's site is in the project. */
import type { GivenFile } from "./files.ts";

const file = (name: string, lines: readonly string[]): GivenFile => ({
  name,
  buffer: Buffer.from(`${lines.join("\n")}\n`),
});

export const slurmConf = file("slurm.conf", [
  "# Site configuration",
  "ClusterName=harbour",
  "SlurmctldHost=head",
  "SchedulerType=sched/backfill",
  "SchedulerParameters=bf_interval=30,bf_continue,bf_max_job_test=200",
  "SelectType=select/cons_tres",
  "SelectTypeParameters=CR_Core",
  "TopologyPlugin=topology/tree",
  "GresTypes=gpu",
  "Licenses=solver:4",
  "NodeName=dock[1-4] CPUs=64 Sockets=2 CoresPerSocket=32 RealMemory=512000 Gres=gpu:8",
  "PartitionName=gpu Nodes=ALL Default=YES MaxTime=2-0 State=UP",
  "PartitionName=short Nodes=dock[1-2] MaxTime=60 PriorityTier=5 State=UP",
]);

export const gresConf = file("gres.conf", [
  "NodeName=dock[1-4] Name=gpu Type=h100 File=/dev/nvidia[0-7]",
]);

export const topologyConf = file("topology.conf", [
  "SwitchName=left Nodes=dock[1-2]",
  "SwitchName=right Nodes=dock[3-4]",
  "SwitchName=top Switches=left,right",
]);

export const accountingText = file("accounts.txt", [
  "sacctmgr -i add qos high priority=100",
  "sacctmgr -i add account reef fairshare=3",
]);

export const brokenConf = file("slurm.conf", [
  "ClusterName=x",
  "NodeName=n[1-2] CPUs=4",
  "KillWait=never",
]);

const COLUMNS =
  "JobID|JobName|User|Account|Partition|QOS|State|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|ReqTRES|AllocTRES|NodeList|ExitCode";

/** Jobs one after the other, ten minutes apart; one in four goes to the partition `short`, one in five to a partition that the cluster lacks. */
export const sacctOutput = file("sacct.txt", [
  COLUMNS,
  ...Array.from({ length: 40 }, (_, number) => sacctRow(number)),
]);

function sacctRow(number: number): string {
  const submit = 6 * 60 + number * 10;
  const gpus = [1, 4, 8, 16][number % 4]!;
  const nodes = Math.max(1, gpus / 8);
  const partition = number % 5 === 0 ? "night" : number % 4 === 0 ? "short" : "gpu";
  const minutes = partition === "short" ? 20 : 20 + (number % 7) * 30;
  const tres = `cpu=${gpus},gres/gpu=${gpus},node=${nodes}`;
  const [at, start, end] = [submit, submit + 5, submit + 5 + minutes].map(clock);
  return [
    1_000 + number,
    `job${number}`,
    "kim",
    number % 2 === 0 ? "reef" : "tide",
    partition,
    number % 6 === 0 ? "high" : "normal",
    "COMPLETED",
    at,
    at,
    start,
    end,
    minutes * 60,
    minutes + 30,
    nodes,
    gpus,
    tres,
    tres,
    "dock1",
    "0:0",
  ].join("|");
}

function clock(minute: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `2026-03-${two(2 + Math.floor(minute / 1_440))}T${two(Math.floor(minute / 60) % 24)}:${two(minute % 60)}:00`;
}
