/**
 * A Slurm configuration, read and resolved: what `slurm.conf`, `gres.conf`, `topology.conf` and the accounting commands of a
 * policy say, with every default filled in (`scenario/slurm/`). Everything here is by name; a scheduler resolves names to numbers
 * of its pool in `init`. Times are milliseconds; `Infinity` stands for UNLIMITED / INFINITE.
 *
 * Defaults are those of Slurm 22.05. Names follow slurm.conf(5), sacctmgr(1).
 */

/** Amounts by TRES name as Slurm writes it: `cpu`, `mem` (MiB), `node`, `billing`, `gres/gpu`, `gres/gpu:a100`. */
export type TresAmounts = Readonly<Record<string, number>>;

export interface SlurmConfig {
  readonly schedulerType: "backfill" | "builtin";
  readonly scheduler: SchedulerParameters;
  readonly priority: PriorityConfig;
  readonly preemption: PreemptionConfig;
  readonly select: SelectConfig;
  readonly life: LifeConfig;
  readonly enforce: EnforceConfig;
  /** In the order of slurm.conf; nodes of the pool without a line of their own follow with the defaults. */
  readonly nodes: readonly SlurmNode[];
  readonly partitions: readonly SlurmPartition[];
  readonly qos: readonly SlurmQos[];
  /** A tree in preorder: entry 0 is the account `root`. Empty: nothing was said, accounts follow from the teams of the scenario. */
  readonly associations: readonly SlurmAssociation[];
  /** topology.conf, leaves and above; empty without `TopologyPlugin=topology/tree`. */
  readonly switches: readonly SlurmSwitch[];
}

/** `SchedulerParameters`, by the names of slurm.conf in camel case. */
export interface SchedulerParameters {
  readonly defaultQueueDepth: number;
  readonly partitionJobDepth: number;
  readonly schedIntervalMs: number;
  readonly schedMinIntervalMs: number;
  readonly batchSchedDelayMs: number;
  readonly schedMaxJobStart: number;
  readonly maxSchedTimeMs: number;
  readonly defer: boolean;
  readonly deferBatch: boolean;
  readonly assocLimitStop: boolean;
  readonly ignorePreferValidation: boolean;
  readonly bfIntervalMs: number;
  readonly bfWindowMs: number;
  readonly bfResolutionMs: number;
  readonly bfMaxJobTest: number;
  readonly bfMaxJobStart: number;
  readonly bfMaxJobUser: number;
  readonly bfMaxJobUserPart: number;
  readonly bfMaxJobPart: number;
  readonly bfMaxJobAssoc: number;
  readonly bfMaxJobArrayResv: number;
  readonly bfContinue: boolean;
  readonly bfMinAgeReserveMs: number;
  readonly bfMinPrioReserve: number;
  readonly bfJobPartCountReserve: number;
  readonly bfOneResvPerJob: boolean;
  readonly bfAllowMagneticSlot: boolean;
  readonly bfNodeSpaceSize: number;
  readonly bfYieldIntervalMs: number;
  readonly bfMaxTimeMs: number;
  readonly bfWindowLinearMs: number;
  readonly killInvalidDepend: boolean;
  readonly maxDependDepth: number;
  readonly preemptReorderCount: number;
  readonly preemptStrictOrder: boolean;
  readonly preemptYoungestFirst: boolean;
  readonly packSerialAtEnd: boolean;
  readonly maxSwitchWaitMs: number;
  readonly enableUserTop: boolean;
  readonly reduceCompletingFrag: boolean;
  readonly noBackupScheduling: boolean;
}

export interface PriorityConfig {
  readonly type: "basic" | "multifactor";
  readonly weightAge: number;
  readonly weightAssoc: number;
  readonly weightFairshare: number;
  readonly weightJobSize: number;
  readonly weightPartition: number;
  readonly weightQos: number;
  readonly weightTres: TresAmounts;
  readonly maxAgeMs: number;
  readonly calcPeriodMs: number;
  /** 0 = no decay. */
  readonly decayHalfLifeMs: number;
  readonly usageResetPeriod:
    | "NONE"
    | "NOW"
    | "DAILY"
    | "WEEKLY"
    | "MONTHLY"
    | "QUARTERLY"
    | "YEARLY";
  readonly favorSmall: boolean;
  readonly accrueAlways: boolean;
  readonly calculateRunning: boolean;
  /** FAIR_TREE is the default; `NO_FAIR_TREE` = the classic formula. */
  readonly fairTree: boolean;
  readonly smallRelativeToTime: boolean;
  readonly maxTres: boolean;
  readonly noNormalAssoc: boolean;
  readonly noNormalPart: boolean;
  readonly noNormalQos: boolean;
  readonly noNormalTres: boolean;
  readonly incrOnly: boolean;
  /** `FairShareDampeningFactor`, ≥ 1. */
  readonly fairShareDampening: number;
}

export type PreemptMode = "off" | "cancel" | "requeue" | "suspend" | "within";

export interface PreemptionConfig {
  readonly type: "none" | "qos" | "partition_prio";
  readonly mode: PreemptMode;
  readonly gang: boolean;
  /** Jobs of one QOS may preempt each other (`WITHIN` beside another mode). */
  readonly within: boolean;
  readonly exemptMs: number;
  readonly timeSliceMs: number;
}

export interface SelectConfig {
  /** `linear`: whole nodes only. */
  readonly type: "cons_tres" | "linear";
  /** What is counted besides GPUs: `CR_CPU` CPUs, `CR_Core` whole cores, `CR_*_Memory` memory. */
  readonly unit: "cpu" | "core" | "socket";
  readonly memory: boolean;
  readonly lln: boolean;
  readonly packNodes: boolean;
  readonly oneTaskPerCore: boolean;
  readonly topologyTree: boolean;
  /** `TopologyParam=TopoOptional`: only jobs that ask for switches are placed by topology. */
  readonly topologyOptional: boolean;
}

export interface LifeConfig {
  readonly overTimeLimitMs: number;
  readonly killWaitMs: number;
  readonly messageTimeoutMs: number;
  readonly slurmdTimeoutMs: number;
  readonly jobRequeue: boolean;
  /** `AuthInfo=cred_expire`: a requeued job is held back for this long and a second (manual: 120 s). */
  readonly credExpireMs: number;
  readonly completeWaitMs: number;
  readonly inactiveLimitMs: number;
  readonly batchStartTimeoutMs: number;
  readonly returnToService: number;
}

export interface EnforceConfig {
  readonly associations: boolean;
  readonly limits: boolean;
  readonly qos: boolean;
  readonly safe: boolean;
  /** `EnforcePartLimits`. */
  readonly partLimits: "no" | "any" | "all";
  readonly maxJobCount: number;
  readonly maxArraySize: number;
}

export interface SlurmNode {
  readonly name: string;
  readonly cpus: number;
  readonly sockets: number;
  readonly coresPerSocket: number;
  readonly threadsPerCore: number;
  readonly realMemoryMiB: number;
  readonly weight: number;
  readonly features: readonly string[];
  /** GPUs by type, in the order of their indices; type "" = untyped. Shards are counted apart. */
  readonly gres: readonly SlurmGres[];
  readonly state: "up" | "down" | "drain" | "fail" | "future";
}

export interface SlurmGres {
  /** `gpu`, `shard`, or another name that only counts. */
  readonly name: string;
  readonly type: string;
  readonly count: number;
}

export interface SlurmPartition {
  readonly name: string;
  readonly isDefault: boolean;
  /** Names of nodes; null = ALL. */
  readonly nodes: readonly string[] | null;
  readonly state: "up" | "down" | "drain" | "inactive";
  readonly priorityTier: number;
  readonly priorityJobFactor: number;
  readonly maxTimeMs: number;
  /** Limit of a job that names none; null = MaxTime. */
  readonly defaultTimeMs: number | null;
  readonly minNodes: number;
  readonly maxNodes: number;
  readonly maxCpusPerNode: number;
  readonly overSubscribe: "no" | "exclusive" | "yes" | "force";
  /** Jobs that may share a resource (`FORCE:4`). */
  readonly overSubscribeMost: number;
  /** null = the cluster's. */
  readonly preemptMode: PreemptMode | null;
  readonly graceMs: number;
  /** null = the cluster's `OverTimeLimit`. */
  readonly overTimeLimitMs: number | null;
  readonly lln: boolean;
  readonly exclusiveUser: boolean;
  readonly disableRootJobs: boolean;
  readonly allowAccounts: readonly string[] | null;
  readonly denyAccounts: readonly string[];
  readonly allowQos: readonly string[] | null;
  readonly denyQos: readonly string[];
  /** Partition QOS: its limits hold for every job of the partition. */
  readonly qos: string | null;
  readonly defMemPerCpuMiB: number;
  readonly defMemPerNodeMiB: number;
  readonly defCpuPerGpu: number;
  readonly defMemPerGpuMiB: number;
  readonly tresBillingWeights: TresAmounts | null;
}

/** Limits that a QOS or an association can have; absent = none. */
export interface SlurmLimits {
  readonly grpJobs?: number;
  readonly grpJobsAccrue?: number;
  readonly grpSubmitJobs?: number;
  readonly grpTres?: TresAmounts;
  readonly grpTresMins?: TresAmounts;
  readonly grpTresRunMins?: TresAmounts;
  readonly grpWallMs?: number;
  readonly maxJobs?: number;
  readonly maxJobsPerUser?: number;
  readonly maxJobsPerAccount?: number;
  readonly maxJobsAccruePerUser?: number;
  readonly maxJobsAccruePerAccount?: number;
  readonly maxSubmitJobs?: number;
  readonly maxSubmitJobsPerUser?: number;
  readonly maxSubmitJobsPerAccount?: number;
  readonly maxTresPerJob?: TresAmounts;
  readonly maxTresPerNode?: TresAmounts;
  readonly maxTresPerUser?: TresAmounts;
  readonly maxTresPerAccount?: TresAmounts;
  readonly maxTresMinsPerJob?: TresAmounts;
  readonly maxTresRunMinsPerUser?: TresAmounts;
  readonly maxTresRunMinsPerAccount?: TresAmounts;
  readonly minTresPerJob?: TresAmounts;
  readonly maxWallMs?: number;
  readonly minPrioThreshold?: number;
}

export interface SlurmQos extends SlurmLimits {
  readonly name: string;
  readonly priority: number;
  /** QOS that this one preempts. */
  readonly preempt: readonly string[];
  /** null = the cluster's. */
  readonly preemptMode: PreemptMode | null;
  /** `WITHIN` beside another mode: its jobs may preempt each other. */
  readonly preemptWithin?: boolean;
  readonly preemptExemptMs: number | null;
  readonly graceMs: number;
  readonly usageFactor: number;
  readonly usageThreshold: number;
  readonly limitFactor: number;
  readonly denyOnLimit: boolean;
  readonly noReserve: boolean;
  readonly noDecay: boolean;
  readonly overPartQos: boolean;
  readonly enforceUsageThreshold: boolean;
  readonly partitionMaxNodes: boolean;
  readonly partitionMinNodes: boolean;
  readonly partitionTimeLimit: boolean;
  readonly requiresReservation: boolean;
}

export interface SlurmAssociation extends SlurmLimits {
  /** Index of the parent; −1 for `root`. */
  readonly parent: number;
  readonly account: string;
  /** "" = the account itself. */
  readonly user: string;
  /** "" = any partition. */
  readonly partition: string;
  /** Raw shares; "parent" = `fairshare=parent`. */
  readonly shares: number | "parent";
  readonly priority: number;
  readonly qos: readonly string[] | null;
  readonly defaultQos: string | null;
  /** The account that a user's jobs get when they name none. */
  readonly isDefault: boolean;
}

export interface SlurmSwitch {
  readonly name: string;
  /** Names of nodes below a leaf; empty above. */
  readonly nodes: readonly string[];
  /** Names of switches below. */
  readonly switches: readonly string[];
  /** Kilobits a second; only its order matters. */
  readonly linkSpeed: number;
}
