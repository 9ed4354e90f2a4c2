/** The policies that cells run under, and the worlds they share: one node of eight GPUs, minutes instead of hours. */
import { MINUTE_MS } from "../../model/units.ts";
import type { ScenarioInput } from "../schema.ts";
import type { PolicyInput } from "./cell.ts";

type Job = NonNullable<NonNullable<ScenarioInput["workload"]>["jobs"]>[number];

export const CLUSTER: ScenarioInput["cluster"] = {
  nodeGroups: [{ id: "n", count: 1, gpus: 8, cpus: 64 }],
};

/** A job of so many pods with so many GPUs each, which may run a little longer than it does. */
export function pods(
  id: string,
  atMin: number,
  members: number,
  gpusPerMember: number,
  workMin: number,
  more: Partial<Job> = {},
): Job {
  return {
    id,
    submitMs: Math.round(atMin * MINUTE_MS),
    workMs: workMin * MINUTE_MS,
    limitMs: (workMin + 2) * MINUTE_MS,
    components: [{ members, gpusPerMember }],
    ...more,
  };
}

const SLURM_CONF = `ClusterName=lab
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName=n-000 CPUs=64 Gres=gpu:8
PartitionName=main Nodes=ALL Default=YES MaxTime=UNLIMITED State=UP
`;

const SLURM_QOS = `add qos critical priority=300
add qos high priority=200
modify qos normal set priority=100
add qos low priority=0
`;

/** Slurm with these lines more in slurm.conf, and these commands of sacctmgr. */
export function slurm(lines: readonly string[] = [], accounting = SLURM_QOS): PolicyInput {
  const conf = `${SLURM_CONF}${lines.map((line) => `${line}\n`).join("")}`;
  return { preset: "slurm", slurm: { conf, gres: "", topology: "", accounting } };
}

/** QOS of the tiers, of which the first two stop those of `low`. */
export const SLURM_PREEMPT = [
  "PriorityType=priority/multifactor",
  "PriorityWeightQOS=10000",
  "PreemptType=preempt/qos",
];

export function slurmQos(lowMore = ""): string {
  return SLURM_QOS.replace("critical priority=300", "critical priority=300 preempt=low")
    .replace("high priority=200", "high priority=200 preempt=low")
    .replace("low priority=0", `low priority=0${lowMore}`);
}

export interface QueueOf {
  readonly name: string;
  /** Nominal quota, of each flavor where there are several. */
  readonly gpus: number | Readonly<Record<string, number>>;
  readonly cohort?: string;
  readonly strategy?: "BestEffortFIFO" | "StrictFIFO";
  /** Lines of `preemption`. */
  readonly preemption?: readonly string[];
}

/** A flavor, with lines of its `spec`. */
export function flavor(name: string, spec: readonly string[] = []): string {
  const lines = [
    "apiVersion: kueue.x-k8s.io/v1beta2",
    "kind: ResourceFlavor",
    "metadata:",
    `  name: ${name}`,
    ...(spec.length > 0 ? ["spec:", ...spec.map((line) => `  ${line}`)] : []),
    "",
  ];
  return lines.join("\n");
}

/** Kueue with a ClusterQueue and a LocalQueue of each name, and with objects more than the one flavor of all GPUs. */
export function kueue(
  queues: readonly QueueOf[],
  settings: Readonly<Record<string, string | number | boolean>> = {},
  objects: readonly string[] = [flavor("gpus")],
): PolicyInput {
  return {
    preset: "kueue",
    settings,
    yaml: [...objects, ...queues.map(queueText)].join("---\n"),
  };
}

function queueText({ name, gpus, cohort, strategy, preemption }: QueueOf): string {
  const lines = [
    "apiVersion: kueue.x-k8s.io/v1beta2",
    "kind: ClusterQueue",
    "metadata:",
    `  name: ${name}`,
    "spec:",
    ...(cohort ? [`  cohortName: ${cohort}`] : []),
    ...(strategy ? [`  queueingStrategy: ${strategy}`] : []),
    "  resourceGroups:",
    "    - coveredResources: [nvidia.com/gpu]",
    "      flavors:",
    ...Object.entries(typeof gpus === "number" ? { gpus } : gpus).flatMap(([name, quota]) => [
      `        - name: ${name}`,
      "          resources:",
      "            - name: nvidia.com/gpu",
      `              nominalQuota: ${quota}`,
    ]),
    ...(preemption ? ["  preemption:", ...preemption.map((line) => `    ${line}`)] : []),
    "---",
    "apiVersion: kueue.x-k8s.io/v1beta2",
    "kind: LocalQueue",
    "metadata:",
    `  name: ${name}`,
    "spec:",
    `  clusterQueue: ${name}`,
    "",
  ];
  return lines.join("\n");
}

/** One queue that every job goes to, with the whole cluster as its quota. */
export function oneQueue(more: Omit<QueueOf, "name" | "gpus"> = {}): PolicyInput {
  return kueue([{ name: "default", gpus: 8, ...more }]);
}

export const EASY: PolicyInput = { preset: "lab", settings: { order: "fcfs", backfill: "easy" } };

export function preset(
  name: string,
  settings: Readonly<Record<string, string | number | boolean>> = {},
  yaml?: string,
): PolicyInput {
  return { preset: name, settings, ...(yaml === undefined ? {} : { yaml }) };
}
