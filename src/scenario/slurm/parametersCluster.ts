/** The fields of `PartitionName` and `NodeName` lines that a run heeds: slurm.conf(5) of Slurm 22.05. */
import type { Parameter, ParameterRow } from "./parameterKinds.ts";
import { KIND, parameterOf } from "./parameterKinds.ts";
import { OWN_PREEMPT_MODES, PREEMPT_MODE_HELP } from "./preemptMode.ts";

/** Priorities of partitions are numbers of 16 bits. */
const SIXTEEN_BITS = { is: "integer", least: 0, most: 65_533, endless: false } as const;

const partition: readonly ParameterRow[] = [
  [
    "Nodes",
    { is: "special", help: "Use a host list, node sets, or ALL." },
    "",
    "nodes",
    "Nodes of the partition; ALL = every node.",
  ],
  ["Default", KIND.boolean, "NO", "isDefault", "Whether jobs go here that name no partition."],
  [
    "State",
    { is: "choice", values: { UP: "up", DOWN: "down", DRAIN: "drain", INACTIVE: "inactive" } },
    "UP",
    "state",
    "Whether jobs are taken and started: DOWN takes but does not start, DRAIN starts but does not take, INACTIVE neither.",
  ],
  [
    "PriorityTier",
    SIXTEEN_BITS,
    "1",
    "priorityTier",
    "Jobs of a partition of a higher tier are considered, and may preempt, before those of a lower.",
  ],
  [
    "PriorityJobFactor",
    SIXTEEN_BITS,
    "1",
    "priorityJobFactor",
    "The partition's part in the priority of its jobs.",
  ],
  ["MaxTime", KIND.timeInMinutes, "UNLIMITED", "maxTimeMs", "Longest time limit of a job."],
  [
    "DefaultTime",
    KIND.timeInMinutes,
    "",
    "defaultTimeMs",
    "Time limit of a job that names none; MaxTime when not set.",
  ],
  ["MinNodes", KIND.count, "0", "minNodes", "Least nodes of a job."],
  ["MaxNodes", KIND.countOrEndless, "UNLIMITED", "maxNodes", "Most nodes of a job."],
  [
    "MaxCPUsPerNode",
    KIND.countOrEndless,
    "UNLIMITED",
    "maxCpusPerNode",
    "CPUs of a node that jobs of this partition may hold together.",
  ],
  [
    "OverSubscribe",
    {
      is: "special",
      help: "Use NO, EXCLUSIVE, YES or FORCE, the last two with a number of jobs where wanted (FORCE:4).",
    },
    "NO",
    ["overSubscribe", "overSubscribeMost"],
    "Whether jobs may share CPUs: EXCLUSIVE gives whole nodes, FORCE:n lets n jobs share.",
    { aliases: ["Shared"] },
  ],
  [
    "PreemptMode",
    { is: "special", help: PREEMPT_MODE_HELP, offers: OWN_PREEMPT_MODES },
    "",
    "preemptMode",
    "What happens to jobs of this partition that give way; the cluster's PreemptMode when not set.",
  ],
  [
    "GraceTime",
    KIND.seconds,
    "0",
    "graceMs",
    "Seconds that a preempted job gets to end by itself.",
  ],
  [
    "OverTimeLimit",
    KIND.minutesOrEndless,
    "",
    "overTimeLimitMs",
    "Minutes that a job may run past its limit; the cluster's OverTimeLimit when not set.",
  ],
  ["LLN", KIND.boolean, "NO", "lln", "Jobs go to the least loaded nodes."],
  [
    "ExclusiveUser",
    KIND.boolean,
    "NO",
    "exclusiveUser",
    "A node holds jobs of one user at a time.",
  ],
  ["DisableRootJobs", KIND.boolean, "NO", "disableRootJobs", "User root may not submit here."],
  [
    "AllowAccounts",
    { is: "special", help: "Use a list of accounts, or ALL." },
    "ALL",
    "allowAccounts",
    "Accounts that may use the partition.",
  ],
  ["DenyAccounts", KIND.names, "", "denyAccounts", "Accounts that may not use the partition."],
  [
    "AllowQos",
    { is: "special", help: "Use a list of QOS, or ALL." },
    "ALL",
    "allowQos",
    "QOS that may use the partition.",
  ],
  ["DenyQos", KIND.names, "", "denyQos", "QOS that may not use the partition."],
  ["QOS", KIND.text, "", "qos", "A QOS whose limits hold for every job of the partition."],
  [
    "DefMemPerCPU",
    KIND.memory,
    "0",
    "defMemPerCpuMiB",
    "Memory, in MiB, that a job gets for each CPU when it names none.",
  ],
  [
    "DefMemPerNode",
    KIND.memory,
    "0",
    "defMemPerNodeMiB",
    "Memory, in MiB, that a job gets on each node when it names none; 0 = all of it.",
  ],
  [
    "JobDefaults",
    { is: "special", help: "Use DefCpuPerGPU=n and DefMemPerGPU=n." },
    "",
    ["defCpuPerGpu", "defMemPerGpuMiB"],
    "CPUs and memory that a job gets for each GPU when it names none.",
  ],
  [
    "TRESBillingWeights",
    KIND.tresWeights,
    "",
    "tresBillingWeights",
    "What a job is billed for each TRES; only CPUs count when not set.",
  ],
];

const node: readonly ParameterRow[] = [
  ["CPUs", KIND.atLeastOne, "1", "cpus", "Logical processors of the node.", { aliases: ["Procs"] }],
  [
    "Sockets",
    KIND.atLeastOne,
    "1",
    "sockets",
    "Processor sockets of the node.",
    { aliases: ["SocketsPerBoard"] },
  ],
  ["CoresPerSocket", KIND.atLeastOne, "1", "coresPerSocket", "Cores of a socket."],
  ["ThreadsPerCore", KIND.atLeastOne, "1", "threadsPerCore", "Logical processors of a core."],
  ["RealMemory", KIND.memory, "1", "realMemoryMiB", "Memory of the node in MiB."],
  ["Weight", KIND.count, "1", "weight", "Nodes of lower weight are taken first."],
  [
    "Features",
    KIND.names,
    "",
    "features",
    "Words that jobs can ask for with --constraint.",
    { aliases: ["Feature"] },
  ],
  [
    "Gres",
    { is: "special", help: "Use name:count or name:type:count, such as gpu:8 or gpu:a100:8." },
    "",
    "gres",
    "GPUs and other generic resources of the node.",
  ],
  [
    "State",
    {
      is: "choice",
      values: {
        UNKNOWN: "up",
        UP: "up",
        IDLE: "up",
        CLOUD: "up",
        DOWN: "down",
        DRAIN: "drain",
        DRAINED: "drain",
        FAIL: "fail",
        FAILING: "fail",
        FUTURE: "future",
      },
    },
    "UNKNOWN",
    "state",
    "Whether the node is there at the start.",
  ],
];

/** Fields of a `PartitionName` line. */
export const PARTITION_PARAMETERS: readonly Parameter[] = partition.map((row) =>
  parameterOf("partition", row),
);

/** Fields of a `NodeName` line. */
export const NODE_PARAMETERS: readonly Parameter[] = node.map((row) => parameterOf("node", row));
