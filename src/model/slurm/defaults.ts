/**
 * What holds where a configuration says nothing: the defaults of Slurm 22.05, from slurm.conf(5) and sacctmgr(1) of that version.
 * Each call makes a new record, which a reader then fills.
 */
import type {
  SlurmAssociation,
  SlurmConfig,
  SlurmNode,
  SlurmPartition,
  SlurmQos,
} from "./config.ts";

const ENDLESS = Number.POSITIVE_INFINITY;
const DAY_MS = 86_400_000;

/** A configuration without nodes, partitions and associations; QOS `normal` is always there. */
export function defaultConfig(): SlurmConfig {
  return {
    schedulerType: "backfill",
    scheduler: defaultScheduler(),
    priority: defaultPriority(),
    preemption: {
      type: "none",
      mode: "off",
      gang: false,
      within: false,
      exemptMs: 0,
      timeSliceMs: 30_000,
    },
    select: {
      type: "linear",
      unit: "cpu",
      memory: false,
      lln: false,
      packNodes: false,
      oneTaskPerCore: false,
      topologyTree: false,
      topologyOptional: false,
    },
    life: {
      overTimeLimitMs: 0,
      killWaitMs: 30_000,
      messageTimeoutMs: 10_000,
      slurmdTimeoutMs: 300_000,
      jobRequeue: true,
      credExpireMs: 120_000,
      completeWaitMs: 0,
      inactiveLimitMs: 0,
      batchStartTimeoutMs: 10_000,
      returnToService: 0,
    },
    enforce: {
      associations: false,
      limits: false,
      qos: false,
      safe: false,
      partLimits: "no",
      maxJobCount: 10_000,
      maxArraySize: 1_001,
    },
    nodes: [],
    partitions: [],
    qos: [defaultQos("normal")],
    associations: [],
    switches: [],
  };
}

function defaultScheduler(): SlurmConfig["scheduler"] {
  return {
    defaultQueueDepth: 100,
    partitionJobDepth: 0,
    schedIntervalMs: 60_000,
    schedMinIntervalMs: 0.002,
    batchSchedDelayMs: 3_000,
    schedMaxJobStart: 0,
    maxSchedTimeMs: 5_000,
    defer: false,
    deferBatch: false,
    assocLimitStop: false,
    ignorePreferValidation: false,
    bfIntervalMs: 30_000,
    bfWindowMs: DAY_MS,
    bfResolutionMs: 60_000,
    bfMaxJobTest: 500,
    bfMaxJobStart: 0,
    bfMaxJobUser: 0,
    bfMaxJobUserPart: 0,
    bfMaxJobPart: 0,
    bfMaxJobAssoc: 0,
    bfMaxJobArrayResv: 20,
    bfContinue: false,
    bfMinAgeReserveMs: 0,
    bfMinPrioReserve: 0,
    bfJobPartCountReserve: 0,
    bfOneResvPerJob: false,
    bfAllowMagneticSlot: false,
    bfNodeSpaceSize: 1_001,
    bfYieldIntervalMs: 2_000,
    bfMaxTimeMs: 30_000,
    bfWindowLinearMs: 0,
    killInvalidDepend: false,
    maxDependDepth: 10,
    preemptReorderCount: 1,
    preemptStrictOrder: false,
    preemptYoungestFirst: false,
    packSerialAtEnd: false,
    maxSwitchWaitMs: 300_000,
    enableUserTop: false,
    reduceCompletingFrag: false,
    noBackupScheduling: false,
  };
}

function defaultPriority(): SlurmConfig["priority"] {
  return {
    type: "basic",
    weightAge: 0,
    weightAssoc: 0,
    weightFairshare: 0,
    weightJobSize: 0,
    weightPartition: 0,
    weightQos: 0,
    weightTres: {},
    maxAgeMs: 7 * DAY_MS,
    calcPeriodMs: 300_000,
    decayHalfLifeMs: 7 * DAY_MS,
    usageResetPeriod: "NONE",
    favorSmall: false,
    accrueAlways: false,
    calculateRunning: false,
    fairTree: true,
    smallRelativeToTime: false,
    maxTres: false,
    noNormalAssoc: false,
    noNormalPart: false,
    noNormalQos: false,
    noNormalTres: false,
    incrOnly: false,
    fairShareDampening: 1,
  };
}

/** A node of which only the name is known: one CPU, 1 MiB. */
export function defaultNode(name: string): SlurmNode {
  return {
    name,
    cpus: 1,
    sockets: 1,
    coresPerSocket: 1,
    threadsPerCore: 1,
    realMemoryMiB: 1,
    weight: 1,
    features: [],
    gres: [],
    state: "up",
  };
}

/** A partition of no nodes. */
export function defaultPartition(name: string): SlurmPartition {
  return {
    name,
    isDefault: false,
    nodes: [],
    state: "up",
    priorityTier: 1,
    priorityJobFactor: 1,
    maxTimeMs: ENDLESS,
    defaultTimeMs: null,
    minNodes: 0,
    maxNodes: ENDLESS,
    maxCpusPerNode: ENDLESS,
    overSubscribe: "no",
    overSubscribeMost: 1,
    preemptMode: null,
    graceMs: 0,
    overTimeLimitMs: null,
    lln: false,
    exclusiveUser: false,
    disableRootJobs: false,
    allowAccounts: null,
    denyAccounts: [],
    allowQos: null,
    denyQos: [],
    qos: null,
    defMemPerCpuMiB: 0,
    defMemPerNodeMiB: 0,
    defCpuPerGpu: 0,
    defMemPerGpuMiB: 0,
    tresBillingWeights: null,
  };
}

/** A QOS without limits, of priority 0. */
export function defaultQos(name: string): SlurmQos {
  return {
    name,
    priority: 0,
    preempt: [],
    preemptMode: null,
    preemptExemptMs: null,
    graceMs: 0,
    usageFactor: 1,
    usageThreshold: 0,
    limitFactor: 1,
    denyOnLimit: false,
    noReserve: false,
    noDecay: false,
    overPartQos: false,
    enforceUsageThreshold: false,
    partitionMaxNodes: false,
    partitionMinNodes: false,
    partitionTimeLimit: false,
    requiresReservation: false,
  };
}

/** An association with one share; `parent` is set by who puts it into the tree. */
export function defaultAssociation(account: string, user: string): SlurmAssociation {
  return {
    parent: -1,
    account,
    user,
    partition: "",
    shares: 1,
    priority: 0,
    qos: null,
    defaultQos: null,
    isDefault: false,
  };
}
