/**
 * The parts of the document that the policy lab adds: what a job does in its life, what it asks of a node, who may use how much, services
 * and their demand, failures, windows, the network and the shared filesystem. All are optional; a document without them means what it meant before.
 */
import * as z from "zod/mini";
import { JOB_KINDS } from "../model/jobs.ts";
import { LIMITS } from "../model/limits.ts";
import { MEASURED_MODELS } from "../model/network/models.ts";
import { count, durationMs, name, timeMs } from "./schemaParts.ts";

const positive = z.number().check(z.gt(0), z.lte(1_000_000_000));
const amount = z.number().check(z.gte(0), z.lte(1_000_000_000_000));
const gpuCount = count(0, LIMITS.devices);
const names = z.array(name).check(z.maxLength(4_096));

/** Saving the state of a job: how often, what it costs, where it lies. */
const checkpoint = z.strictObject({
  /** Run time between the end of one checkpoint and the begin of the next; `young` and `daly` derive it from cost and failure rate. */
  every: z._default(z.union([durationMs, z.enum(["young", "daly", "never"])]), "never"),
  /** Pause while it is written, where no filesystem bandwidth is modelled. */
  costMs: z._default(timeMs, 0),
  /** With `cluster.storage`: written at the bandwidth that all writers share, instead of `costMs`. */
  sizeGiB: z.optional(amount),
  /** `shared`: restart anywhere. `node`: only the same nodes can resume it, and it is lost with one of them. */
  location: z._default(z.enum(["shared", "node"]), "shared"),
  /** Reading the state back before work goes on. */
  restoreMs: z._default(timeMs, 0),
  /** The job saves when it is told to stop, if the grace is long enough. */
  onSignal: z._default(z.boolean(), false),
});

/** A job that runs with different numbers of members of its first component. */
const elastic = z.strictObject({
  minMembers: count(1, LIMITS.membersPerJob),
  maxMembers: count(1, LIMITS.membersPerJob),
  /** Allowed numbers; absent: all from least to most. */
  allowed: z.optional(
    z.array(count(1, LIMITS.membersPerJob)).check(z.minLength(1), z.maxLength(4_096)),
  ),
  /** DeepSpeed's rule (elasticity v0.1) instead of `allowed`. */
  deepspeed: z.optional(
    z.strictObject({
      microBatches: z.array(count(1, 1_000_000)).check(z.minLength(1), z.maxLength(64)),
      maxBatch: count(1, 10_000_000),
    }),
  ),
  /** What a change of members costs: `torchrun` and `horovod` as those restart, `none` = members join and leave freely. */
  restart: z._default(z.enum(["torchrun", "horovod", "none"]), "torchrun"),
  /** Pause to form a group again, restore included. */
  rendezvousMs: z._default(timeMs, 60_000),
  /** torchrun: restarts by failure that it survives. */
  maxRestarts: z._default(count(0, 1_000_000), 1_000_000),
  /** Part of linear speed-up that stays with each doubling of the members: 1 = linear. */
  scaling: z._default(z.number().check(z.gt(0), z.lte(1)), 1),
  /** Measured speed by number of members, relative to `members` of the component; between them a straight line. */
  throughput: z.optional(
    z
      .array(z.strictObject({ members: count(1, LIMITS.membersPerJob), speed: positive }))
      .check(z.minLength(1), z.maxLength(64)),
  ),
});

/** An interactive session: used for `activeMs`, then idle until somebody ends it. */
const session = z.strictObject({
  activeMs: durationMs,
  /** Ended after being idle so long; absent: it stays to its time limit. */
  idleTimeoutMs: z.optional(durationMs),
});

/** Communication of a training step. Speeds are set by it only where `cluster.network` is given. */
const traffic = z.strictObject({
  /** A model that was measured, in place of all numbers here; what comes after the name is its batch size. */
  model: z.optional(z.enum(MEASURED_MODELS)),
  /** Computing in one step (ms). */
  stepMs: z.optional(positive),
  /** Bytes each member puts into the all-reduce of a step, GiB. */
  allReduceGiB: z.optional(amount),
  algorithm: z._default(z.enum(["ring", "tree"]), "ring"),
  /** Order of the members: `ranked` leaves each node once; `random` as they came, at worst each next to one elsewhere. */
  order: z._default(z.enum(["ranked", "random"]), "ranked"),
  /** Part of the communication that hides behind computing, 0 to 1. */
  overlap: z._default(z.number().check(z.gte(0), z.lte(1)), 0),
});

/** What a job does in its life and asks of its nodes; the same for jobs that are spelled out and for classes of drawn jobs. */
export const lifeFields = {
  /** Image pull and container start before each run. */
  startupMs: z.optional(timeMs),
  checkpoint: z.optional(checkpoint),
  elastic: z.optional(elastic),
  session: z.optional(session),
  /** Should be done by then: from submission. */
  deadlineInMs: z.optional(durationMs),
  /** Credits it offers for one GPU-hour in an auction. */
  bid: z.optional(amount),
  /** Larger goes first where the order asks for it; absent: 0. */
  priority: z.optional(z.number().check(z.gte(-1_000_000_000_000), z.lte(1_000_000_000_000))),
  traffic: z.optional(traffic),
  /** A gang that has lost members hangs so long, then it fails. */
  collectiveTimeoutMs: z.optional(durationMs),
  /** Told to end, it holds its devices so much longer than its grace: a process that cannot be killed. */
  hangsOnEndMs: z.optional(durationMs),
  /** At its time limit it is queued again and goes on from what is saved. */
  requeueAtLimit: z.optional(z.boolean()),
  /** It may be evicted so often; absent: no limit. */
  maxEvictions: z.optional(count(0, 1_000_000)),
  /** Whole nodes: nobody else runs on its nodes. */
  exclusive: z.optional(z.boolean()),
  /** Labels that its nodes must have. */
  labels: z.optional(z.record(name, name)),
  /** Any of these GPU models, with the speed of each (1 = as `workMs` says). */
  gpuModels: z.optional(
    z
      .array(z.strictObject({ model: name, speed: z._default(positive, 1) }))
      .check(z.minLength(1), z.maxLength(32)),
  ),
  /** Speed of the whole job when a member's GPUs lie in different NUMA domains (1 = no matter); CPUs have no domain. */
  remoteNumaSpeed: z.optional(z.number().check(z.gt(0), z.lte(1))),
};

export const LIFE_KEYS = Object.keys(lifeFields) as (keyof typeof lifeFields)[];

/** Only of a job that is spelled out: it comes as so many stages, each after the last, the work shared evenly. */
export const stages = z.optional(count(2, 10_000));

/** Columns of the table of tiers beside its name. */
export const tierFields = {
  /** Kinds of job that belong here if they name no tier. */
  kinds: z.optional(z.array(z.enum(JOB_KINDS)).check(z.maxLength(JOB_KINDS.length))),
  /** Tiers whose jobs its jobs may preempt; absent: every tier below. */
  mayPreempt: z.optional(z.array(name).check(z.maxLength(LIMITS.tiers))),
  /** How its jobs are preempted; absent: as the policy says. */
  preemptMode: z.optional(z.enum(["cancel", "requeue", "suspend", "graceful", "wait"])),
  /** Grace of its jobs; absent: as the policy says. */
  graceMs: z.optional(timeMs),
  /** GPUs that lower tiers may use only while they can be taken back. */
  guaranteedGpus: z.optional(gpuCount),
  /** Never more than this many GPUs at once. */
  capGpus: z.optional(gpuCount),
  /** The wait that its users expect. */
  targetWaitMs: z.optional(durationMs),
  /** What a device-hour of its jobs counts as past usage; absent: 1, 0 = it is free. */
  usageFactor: z.optional(z.number().check(z.gte(0), z.lte(1_000_000))),
};

export const teamFields = {
  /** Team above it, for Fair Tree and quotas. */
  parent: z.optional(name),
  /** GPUs it is entitled to. */
  quotaGpus: z.optional(gpuCount),
  /** GPUs beyond its quota that it may use while others leave them idle; absent: as many as there are. */
  borrowGpus: z.optional(gpuCount),
  /** GPUs of its quota that others may use; absent: all. */
  lendGpus: z.optional(gpuCount),
  /** Auction: credits at the begin and at each refill. */
  budget: z.optional(amount),
};

/** A ceiling: for one name, or for each of its kind. */
export const limitRule = z.strictObject({
  per: z.enum(["user", "team", "tier"]),
  /** Absent: each has this limit. */
  name: z.optional(name),
  gpus: z.optional(gpuCount),
  /** GPU-hours within `periodMs` (a window that ends now); absent period: for ever. */
  gpuHours: z.optional(amount),
  periodMs: z.optional(durationMs),
  /** Jobs that run at the same time. */
  jobs: z.optional(count(0, LIMITS.jobs)),
  /** Members (tasks) of jobs that run at the same time. */
  members: z.optional(count(0, LIMITS.devices)),
});

/** At most `jobs` evictions of a group within `periodMs`. */
export const disruptionBudget = z.strictObject({
  per: z.enum(["user", "team", "tier"]),
  name: z.optional(name),
  jobs: count(0, LIMITS.jobs),
  periodMs: z._default(durationMs, 3_600_000),
});

/** Random outages, drawn before the run, for each unit by itself: exponential times between failures, log-normal repairs. */
export const failureRule = z.strictObject({
  of: z.enum(["gpu", "node", "leaf"]),
  /** Absent: all. */
  nodeGroups: z.optional(names),
  /** Mean time between failures of one unit. */
  mtbfMs: durationMs,
  /** Median repair, and its spread (p84/median). */
  repairMs: durationMs,
  repairSpread: z._default(z.number().check(z.gte(1), z.lte(100)), 1),
  /** Part of failures that take the unit's neighbours (node: its leaf; GPU: its node) along. */
  correlated: z._default(z.number().check(z.gte(0), z.lte(1)), 0),
});

/** A stretch of time in which nodes are kept for some jobs, or for nobody. */
export const windowRule = z.strictObject({
  name,
  kind: z._default(z.enum(["reserved", "maintenance"]), "reserved"),
  pool: z.optional(name),
  /** A host list; absent: `nodeCount` nodes that the scheduler picks, or all for maintenance. */
  nodes: z.optional(z.string().check(z.maxLength(20_000))),
  nodeCount: z.optional(count(1, LIMITS.nodes)),
  startMs: timeMs,
  durationMs,
  /** Again and again with this period. */
  everyMs: z.optional(durationMs),
  /** Who may use it: jobs that each list which is not empty names. All empty: nobody. */
  tiers: z._default(names, []),
  teams: z._default(names, []),
  queues: z._default(names, []),
  users: z._default(names, []),
  /** The scheduler knows of it from then on; absent: always. */
  announcedMs: z.optional(timeMs),
  /** What runs there when it begins is evicted. */
  kill: z._default(z.boolean(), false),
});

const demandPoint = z.strictObject({ atMs: timeMs, perSec: amount });

/** An inference service: replicas that come and go with demand. */
export const service = z.strictObject({
  id: name,
  name: z.optional(name),
  tier: z.optional(name),
  team: z.optional(name),
  queue: z.optional(name),
  gpusPerReplica: z._default(count(1, LIMITS.devicesPerNode), 1),
  gpuModel: z.optional(name),
  minReplicas: z._default(count(0, LIMITS.membersPerJob), 1),
  maxReplicas: count(1, LIMITS.membersPerJob),
  /** From the start of a replica until it serves. */
  coldStartMs: z._default(timeMs, 60_000),
  /** Requests that a replica works on at the same time, and the mean and variation of the time each takes. */
  concurrency: z._default(count(1, 100_000), 1),
  requestMs: positive,
  requestCv2: z._default(z.number().check(z.gte(0), z.lte(1_000)), 1),
  /** Latency target. */
  target: z._default(
    z.strictObject({
      percentile: z._default(z.union([z.literal(95), z.literal(99)]), 95),
      latencyMs: positive,
    }),
    { percentile: 95, latencyMs: 1_000 },
  ),
  demand: z.strictObject({
    shape: z._default(z.enum(["constant", "diurnal", "square", "points"]), "constant"),
    /** Requests a second: mean (constant, diurnal), low (square). */
    perSec: z._default(amount, 1),
    /** Diurnal: swing as a part of the mean; square: the high rate. */
    swing: z._default(z.number().check(z.gte(0), z.lte(1)), 0.5),
    highPerSec: z.optional(amount),
    periodMs: z._default(durationMs, 86_400_000),
    peakMs: z._default(timeMs, 50_400_000),
    points: z._default(z.array(demandPoint).check(z.maxLength(100_000)), []),
    /** Demand is looked at in steps of this length. */
    stepMs: z._default(durationMs, 60_000),
  }),
  autoscale: z._default(
    z.strictObject({
      /** `fixed`: always `minReplicas`. */
      metric: z._default(z.enum(["fixed", "utilization", "latency"]), "utilization"),
      /** Utilization aimed at, 0 to 1. */
      target: z._default(z.number().check(z.gt(0), z.lte(1)), 0.7),
      everyMs: z._default(durationMs, 15_000),
      /** No step down for so long after the highest wish. */
      downDelayMs: z._default(timeMs, 300_000),
      upDelayMs: z._default(timeMs, 0),
      /** No change while the wish differs by less than this part. */
      tolerance: z._default(z.number().check(z.gte(0), z.lte(1)), 0.1),
      /** Requests that have piled up count as demand, to be worked off in so long; absent: only what arrives counts. */
      catchUpMs: z.optional(durationMs),
    }),
    {
      metric: "utilization",
      target: 0.7,
      everyMs: 15_000,
      downDelayMs: 300_000,
      upDelayMs: 0,
      tolerance: 0.1,
    },
  ),
});

/** Moves nodes between two pools, by what waits in one and how the services of the other do. */
export const fleetRule = z.strictObject({
  /** Pool with services, pool with the batch queue. */
  serving: name,
  batch: name,
  everyMs: z._default(durationMs, 60_000),
  /** Nodes that each pool keeps. */
  servingMin: z._default(count(0, LIMITS.nodes), 1),
  batchMin: z._default(count(0, LIMITS.nodes), 1),
  /** A node goes to serving when its services miss their target or want replicas that do not fit, for this long … */
  upAfterMs: z._default(timeMs, 120_000),
  /** … and back when the other pool queues and serving could do without it, for this long. Both 0 = no hysteresis. */
  downAfterMs: z._default(timeMs, 600_000),
  /** … and only while the batch queue waits for more devices than these. */
  queueAbove: z._default(count(0, LIMITS.devices), 0),
  /** A node goes back only if serving stays below this utilization without it. */
  spare: z._default(z.number().check(z.gt(0), z.lte(1)), 0.7),
  nodesAtOnce: z._default(count(1, LIMITS.nodes), 1),
  /** Cleaning, reboot, image: a node is in neither pool so long. */
  handOverMs: z._default(timeMs, 300_000),
});

/** Nodes that are rented when work waits. */
export const burst = z.strictObject({
  startupMs: z._default(timeMs, 180_000),
  idleTimeoutMs: z._default(timeMs, 600_000),
  /** A node is rented when the head of the queue has waited so long. */
  afterWaitMs: z._default(timeMs, 60_000),
  /** Spot: mean time until the cloud takes a node back, and its notice. */
  spotMeanMs: z.optional(durationMs),
  spotNoticeMs: z._default(timeMs, 120_000),
});

/** Bandwidth in one direction, GB/s (1e9 bytes), and latency of a hop. Given: jobs with `traffic` run at the speed it allows. */
export const network = z.strictObject({
  /** Between GPUs of one NVSwitch domain, a GPU. */
  nvlinkGBps: z._default(positive, 450),
  nvlinkMicros: z._default(amount, 3),
  /** One network card. */
  nicGBps: z._default(positive, 50),
  nicMicros: z._default(amount, 5),
  nicsPerNode: z._default(count(1, 64), 8),
  /** Each card on a rail of its own. */
  rails: z._default(z.boolean(), true),
  /** Down links ÷ up links of a leaf: 1 = no oversubscription. */
  oversubscription: z._default(z.number().check(z.gte(1), z.lte(64)), 1),
});

/** A filesystem that all jobs share. */
export const storage = z.strictObject({
  writeGBps: positive,
  readGBps: z.optional(positive),
});
