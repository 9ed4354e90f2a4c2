/** The keys of slurm.conf that hold for the whole cluster, as far as a run heeds them: slurm.conf(5) of Slurm 22.05. */
import type { Parameter, ParameterRow } from "./parameterKinds.ts";
import { KIND, parameterOf } from "./parameterKinds.ts";
import { PRIORITY_ROWS } from "./parametersPriority.ts";
import { PREEMPT_MODE_HELP, PREEMPT_MODES } from "./preemptMode.ts";

const scheduling: readonly ParameterRow[] = [
  [
    "SchedulerType",
    {
      is: "choice",
      values: {
        "sched/backfill": "backfill",
        backfill: "backfill",
        "sched/builtin": "builtin",
        builtin: "builtin",
      },
    },
    "sched/backfill",
    "schedulerType",
    "Whether a second scheduler plans starts for waiting jobs and lets later jobs use the room before them.",
  ],
  [
    "SchedulerParameters",
    { is: "special", help: "Use a list of options such as bf_interval=30,bf_continue." },
    "",
    [],
    "Options of the two schedulers; each has an entry of its own here.",
  ],
  [
    "SelectType",
    {
      is: "choice",
      values: {
        "select/cons_tres": "cons_tres",
        "select/cons_res": "cons_tres",
        "select/linear": "linear",
        cons_tres: "cons_tres",
        cons_res: "cons_tres",
        linear: "linear",
      },
    },
    "select/linear",
    "select.type",
    "Whether jobs get parts of nodes (CPUs, GPUs, memory) or whole nodes only.",
    {
      sinceNote: "select/cons_tres from Slurm 23.11, which has no select/cons_res any more.",
    },
  ],
  [
    "SelectTypeParameters",
    {
      is: "special",
      help: "Use CR_CPU, CR_Core, CR_Socket, CR_Memory, one of the first three with _Memory, and CR_LLN, CR_Pack_Nodes, CR_ONE_TASK_PER_CORE.",
    },
    "CR_CPU",
    ["select.unit", "select.memory", "select.lln", "select.packNodes", "select.oneTaskPerCore"],
    "What is counted on a node besides GPUs, and how work is laid on nodes.",
    {
      sinceNote:
        "Slurm 22.05 wants it stated with select/cons_tres; newer versions take CR_Core_Memory.",
    },
  ],
  [
    "TopologyPlugin",
    {
      is: "choice",
      values: {
        "topology/none": false,
        "topology/default": false,
        "topology/flat": false,
        "topology/tree": true,
        tree: true,
        none: false,
      },
    },
    "topology/none",
    "select.topologyTree",
    "Whether topology.conf tells which nodes hang on which switch.",
    {
      sinceNote:
        "topology/none is called topology/default from 23.11 and topology/flat later; topology/block came with 23.11.",
    },
  ],
  [
    "TopologyParam",
    { is: "special", help: "Use a list of options such as TopoOptional." },
    "",
    "select.topologyOptional",
    "TopoOptional: only jobs that ask for switches are placed by topology.",
  ],
  [
    "EnforcePartLimits",
    {
      is: "choice",
      values: { NO: "no", FALSE: "no", ANY: "any", ALL: "all", YES: "all", TRUE: "all" },
    },
    "NO",
    "enforce.partLimits",
    "Whether a job past the limits of its partitions is refused when submitted instead of waiting.",
  ],
  [
    "AccountingStorageEnforce",
    {
      is: "special",
      help: "Use a list of associations, limits, nojobs, nosteps, qos, safe, wckeys, or all or none.",
    },
    "none",
    ["enforce.associations", "enforce.limits", "enforce.qos", "enforce.safe"],
    "What of the accounting holds: known associations, their limits, allowed QOS; safe starts no job that could not end within its limits.",
  ],
  [
    "MaxJobCount",
    KIND.atLeastOne,
    "10000",
    "enforce.maxJobCount",
    "Jobs that the controller keeps at once; further ones are refused.",
  ],
  [
    "MaxArraySize",
    { is: "integer", least: 0, most: 4_000_001, endless: false },
    "1001",
    "enforce.maxArraySize",
    "One more than the largest index of an array.",
  ],
];

const life: readonly ParameterRow[] = [
  [
    "OverTimeLimit",
    KIND.minutesOrEndless,
    "0",
    "life.overTimeLimitMs",
    "Minutes that a job may run past its time limit.",
  ],
  [
    "KillWait",
    KIND.seconds,
    "30",
    "life.killWaitMs",
    "Seconds between SIGTERM and SIGKILL at the end of a time limit.",
  ],
  [
    "MessageTimeout",
    KIND.secondsFromOne,
    "10",
    "life.messageTimeoutMs",
    "Seconds that a message between daemons may take.",
  ],
  [
    "SlurmdTimeout",
    KIND.seconds,
    "300",
    "life.slurmdTimeoutMs",
    "Seconds without an answer after which a node is DOWN; 0 = never.",
  ],
  [
    "JobRequeue",
    KIND.boolean,
    "1",
    "life.jobRequeue",
    "Whether jobs may be requeued that do not say so themselves.",
  ],
  [
    "AuthInfo",
    { is: "special", help: "Use options such as cred_expire=120." },
    "cred_expire=120",
    "life.credExpireMs",
    "cred_expire: seconds that a job's credential is valid; a requeued job is held back for this long and one more.",
    { aliases: ["CryptoInfo"] },
  ],
  [
    "CompleteWait",
    KIND.seconds,
    "0",
    "life.completeWaitMs",
    "Seconds to wait for a completing job before others are placed.",
  ],
  [
    "InactiveLimit",
    KIND.seconds,
    "0",
    "life.inactiveLimitMs",
    "Seconds after which an allocation whose command does not answer is ended.",
    {
      standing: "approximated",
      differs: "it is about interactive allocations, of which there are none",
    },
  ],
  [
    "BatchStartTimeout",
    KIND.seconds,
    "10",
    "life.batchStartTimeoutMs",
    "Seconds that the start of a batch job may take beside its prolog.",
    { standing: "approximated", differs: "starts do not fail" },
  ],
  [
    "ReturnToService",
    { is: "integer", least: 0, most: 2, endless: false },
    "0",
    "life.returnToService",
    "When a node that was DOWN comes back: 0 by an administrator, 1 when it had not answered, 2 when it registers.",
  ],
];

const preemption: readonly ParameterRow[] = [
  [
    "PreemptType",
    {
      is: "choice",
      values: {
        "preempt/none": "none",
        none: "none",
        "preempt/qos": "qos",
        qos: "qos",
        "preempt/partition_prio": "partition_prio",
        partition_prio: "partition_prio",
      },
    },
    "preempt/none",
    "preemption.type",
    "What makes a job give way to another: its QOS, or its partition's PriorityTier.",
  ],
  [
    "PreemptMode",
    {
      is: "special",
      help: PREEMPT_MODE_HELP,
      offers: PREEMPT_MODES,
    },
    "OFF",
    ["preemption.mode", "preemption.gang", "preemption.within"],
    "What happens to a job that gives way; GANG lets jobs take turns.",
  ],
  [
    "PreemptExemptTime",
    KIND.time,
    "00:00:00",
    "preemption.exemptMs",
    "Run time before which a job is not preempted.",
  ],
  [
    "SchedulerTimeSlice",
    { is: "duration", unitMs: 1_000, least: 5, endless: false },
    "30",
    "preemption.timeSliceMs",
    "Seconds of a turn under GANG.",
  ],
];

/** Stated for the cluster, these hold for every partition that does not state its own. */
const forPartitions: readonly ParameterRow[] = [
  [
    "DefMemPerCPU",
    KIND.memory,
    "0",
    [],
    "Memory, in MiB, that a job gets for each CPU when it names none.",
  ],
  [
    "DefMemPerNode",
    KIND.memory,
    "0",
    [],
    "Memory, in MiB, that a job gets on each node when it names none; 0 = all of it.",
  ],
  [
    "JobDefaults",
    { is: "special", help: "Use DefCpuPerGPU=n and DefMemPerGPU=n." },
    "",
    [],
    "CPUs and memory that a job gets for each GPU when it names none.",
  ],
  ["DisableRootJobs", KIND.boolean, "NO", [], "User root may not submit jobs."],
];

/** Cluster-wide keys in the order of the form. */
export const GLOBAL_PARAMETERS: readonly Parameter[] = [
  ...scheduling,
  ...PRIORITY_ROWS,
  ...preemption,
  ...life,
  ...forPartitions,
].map((row) => parameterOf("global", row));
