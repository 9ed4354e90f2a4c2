/**
 * The document: version 1 of the scenario, as it stands in files and links. It is declared here, not derived from internal
 * types, and is the only input of a run. Unknown fields are errors. Times are milliseconds from the start of the run, memory is
 * MiB unless the name says otherwise. Defaults are filled in on reading and left out on writing (`canonical.ts`).
 */
import * as z from "zod/mini";
import { DEPENDENCY_KINDS, JOB_KINDS } from "../model/jobs.ts";
import { LIMITS } from "../model/limits.ts";
import { DEFAULT_TIERS } from "./defaultTiers.ts";
import { familyFields, policyYaml } from "./kubernetesSchema.ts";
import {
  burst,
  disruptionBudget,
  failureRule,
  fleetRule,
  lifeFields,
  limitRule,
  network,
  service,
  stages,
  storage,
  teamFields,
  tierFields,
  windowRule,
} from "./labSchema.ts";
import { count, durationMs, name, text, timeMs } from "./schemaParts.ts";
import { slurmChange, slurmFiles, slurmJob } from "./slurmSchema.ts";

export const SCENARIO_VERSION = 1;

const labels = z.record(name, name);

const nodeGroup = z.strictObject({
  id: name,
  /** Nodes of this kind. */
  count: count(1, LIMITS.nodes),
  /** Their names as a host list (`dgx[001-004]`), as many as `count`; absent: `id-000`, `id-001`, … */
  names: z.optional(z.string().check(z.minLength(1), z.maxLength(20_000))),
  gpuModel: z._default(name, "H100"),
  gpuMemGiB: z._default(z.number().check(z.gte(0), z.lte(10_000)), 80),
  /** GPUs a node; on a flat machine, processors. */
  gpus: count(0, LIMITS.devicesPerNode),
  cpus: z._default(count(0, 1_000_000), 0),
  memGiB: z._default(count(0, 1_000_000), 0),
  numaDomains: z._default(count(1, 64), 1),
  /** Nodes that share one NVSwitch domain: 1 = inside each node, 18 = NVL72, 0 = none. */
  nvswitchNodes: z._default(count(0, LIMITS.nodes), 1),
  labels: z._default(labels, {}),
  /** What one GPU costs an hour. */
  pricePerGpuHour: z.optional(z.number().check(z.gte(0), z.lte(1_000_000))),
  /** Rented when needed: these nodes do not exist until then. */
  burst: z.optional(burst),
});

const fabric = z.strictObject({
  nodesPerLeaf: count(1, LIMITS.nodes),
  leavesPerSpine: z._default(count(1, LIMITS.nodes), 1_024),
});

/** One switch of a fabric given switch by switch: a leaf with nodes (a host list) or one above others. */
const fabricSwitch = z.strictObject({
  name,
  nodes: z.optional(z.string().check(z.maxLength(20_000))),
  switches: z.optional(z.array(name)),
});

const cluster = z.strictObject({
  nodeGroups: z.array(nodeGroup).check(z.minLength(1), z.maxLength(256)),
  /** Absent: nothing is known of the network. */
  fabric: z.optional(fabric),
  /** The fabric switch by switch, instead of `fabric`. */
  switches: z.optional(z.array(fabricSwitch).check(z.minLength(1), z.maxLength(LIMITS.nodes))),
  /** One undivided machine of processors, as in SWF logs: no placement rules. */
  flat: z._default(z.boolean(), false),
  /** Absent: where a job runs does not change its speed. */
  network: z.optional(network),
  storage: z.optional(storage),
});

const tier = z.strictObject({
  id: name,
  name,
  letter: z.string().check(z.minLength(1), z.maxLength(2)),
  ...tierFields,
});

const team = z.strictObject({
  id: name,
  name: z.optional(name),
  shares: z._default(count(0, 1_000_000), 1),
  ...teamFields,
});

const settings = z.record(
  name,
  z.union([z.string().check(z.maxLength(200)), z.number(), z.boolean()]),
);

const policy = z.strictObject({
  preset: z._default(name, "lab"),
  /** Preset `slurm` only. */
  slurm: z.optional(slurmFiles),
  /** Presets of the Kubernetes family: their objects under their real names, several documents in one text. */
  yaml: z.optional(policyYaml),
  /** Settings that differ from the preset's defaults (`settings.ts`). */
  settings: z._default(settings, {}),
});

const pool = z.strictObject({
  id: name,
  /** Which nodes: all groups when absent. */
  nodeGroups: z.optional(z.array(name)),
  policy: z.prefault(policy, {}),
  /** Which jobs: a job goes to the first pool all of whose lists hold it; an absent list holds everything. */
  route: z._default(
    z.strictObject({
      tiers: z.optional(z.array(name)),
      kinds: z.optional(z.array(z.enum(JOB_KINDS))),
      queues: z.optional(z.array(name)),
      teams: z.optional(z.array(name)),
    }),
    {},
  ),
});

const component = z.strictObject({
  members: z._default(count(1, LIMITS.membersPerJob), 1),
  /** Members without which nothing progresses; absent: all. */
  minMembers: z.optional(count(1, LIMITS.membersPerJob)),
  gpusPerMember: z._default(count(0, LIMITS.devicesPerNode), 1),
  /** Share of one GPU in 1/1,000, instead of whole GPUs. */
  gpuShareMilli: z.optional(count(1, 999)),
  /** MIG profile, instead of whole GPUs. */
  migProfile: z.optional(name),
  gpuModel: z.optional(name),
  cpusPerMember: z._default(z.number().check(z.gte(0), z.lte(1_000_000)), 0),
  memGiBPerMember: z._default(z.number().check(z.gte(0), z.lte(1_000_000)), 0),
  /** Each member on a node of its own: nodes × GPUs. */
  ownNode: z._default(z.boolean(), false),
});

const jobFields = {
  id: name,
  name: z.optional(name),
  submitMs: timeMs,
  /** GPUs in total, wherever they are: shorthand for one component of single-GPU members. */
  gpus: z.optional(count(1, LIMITS.membersPerJob)),
  /** Nodes × GPUs a node: shorthand for one component with `ownNode`. */
  nodes: z.optional(count(1, LIMITS.nodes)),
  gpusPerNode: z.optional(count(1, LIMITS.devicesPerNode)),
  components: z.optional(z.array(component).check(z.minLength(1), z.maxLength(16))),
  /** With a shorthand: CPUs and memory beside each GPU. */
  cpusPerGpu: z.optional(z.number().check(z.gte(0), z.lte(100_000))),
  memGiBPerGpu: z.optional(z.number().check(z.gte(0), z.lte(100_000))),
  /** Run time at reference speed. */
  workMs: z.int().check(z.gte(0), z.lte(LIMITS.workMs)),
  /** Time limit; absent: none. */
  limitMs: z.optional(durationMs),
  beginMs: z.optional(timeMs),
  tier: z.optional(name),
  team: z.optional(name),
  user: z.optional(name),
  queue: z.optional(name),
  kind: z._default(z.enum(JOB_KINDS), "training"),
  preemptible: z._default(z.boolean(), true),
  gang: z._default(z.boolean(), true),
  /** Placement wish. */
  within: z.optional(z.enum(["leaf", "nvswitch"])),
  after: z.optional(
    z.array(
      z.strictObject({
        job: name,
        kind: z._default(z.enum(DEPENDENCY_KINDS), "afterOk"),
        /** Kind `after`: this long after the start. */
        delayMs: z._default(timeMs, 0),
        /** Of arrays: task k waits for task k (`aftercorr`). */
        each: z._default(z.boolean(), false),
      }),
    ),
  ),
  /** One met dependency is enough. */
  afterAnyOf: z._default(z.boolean(), false),
  /** Starts only after all earlier jobs of its name and user have ended. */
  singleton: z._default(z.boolean(), false),
  /** Copies of this job, `id_0` to `id_(count−1)`, or with the numbers given; at most `atOnce` run at the same time. */
  array: z.optional(
    z.strictObject({
      count: count(1, 100_000),
      indices: z.optional(z.array(count(0, 4_000_000)).check(z.maxLength(100_000))),
      atOnce: z.optional(count(1, 100_000)),
    }),
  ),
  /** Its work ends with an error. */
  fails: z._default(z.boolean(), false),
  /** What it asks of Slurm. With `slurm` a job needs no other size: `slurm.gpus` and the like are its size. */
  slurm: z.optional(slurmJob),
  ...familyFields,
  ...lifeFields,
  stages,
};
const job = z.strictObject(jobFields);

const weighted = <T extends z.core.$ZodType>(value: T) =>
  z
    .array(z.strictObject({ value, weight: z.number().check(z.gt(0), z.lte(1_000_000_000_000)) }))
    .check(z.minLength(1), z.maxLength(64));

/** A random duration, cut to a range: log-normal by median and the ratio p84/median, or exponential by its median (`spread` unused). */
const durationMix = z.strictObject({
  shape: z._default(z.enum(["lognormal", "exponential"]), "lognormal"),
  medianMs: durationMs,
  spread: z._default(z.number().check(z.gte(1), z.lte(100)), 2.5),
  leastMs: z._default(durationMs, 60_000),
  mostMs: z._default(durationMs, 30 * 86_400_000),
});

const factor = z.number().check(z.gte(1), z.lte(1_000));

/** One class of drawn jobs: when they come, how large and long they are, whose they are. */
const synthetic = z.strictObject({
  id: name,
  kind: z._default(z.enum(JOB_KINDS), "training"),
  tier: z.optional(name),
  arrivals: z.strictObject({
    /** Mean jobs an hour over the whole time. */
    perHour: z.number().check(z.gt(0), z.lte(1_000_000)),
    pattern: z._default(z.enum(["poisson", "diurnal", "bursts"]), "poisson"),
    /** Diurnal: how far day and night differ, 0 to 1. */
    dayNight: z._default(z.number().check(z.gte(0), z.lte(1)), 0.6),
    /** Diurnal: hour of the calendar's day with most arrivals. */
    peakHour: z._default(z.number().check(z.gte(0), z.lt(24)), 14),
    /** Weekend rate, as a part of the weekday's. */
    weekend: z._default(z.number().check(z.gte(0), z.lte(1)), 1),
    /** Bursts: mean jobs a burst (geometric), all submitted within `burstMs`. */
    burstJobs: z._default(z.number().check(z.gte(1), z.lte(10_000)), 8),
    burstMs: z._default(durationMs, 300_000),
  }),
  /** When this class starts and stops to submit; absent: from 0 to the horizon. */
  fromMs: z._default(timeMs, 0),
  untilMs: z.optional(timeMs),
  gpus: weighted(count(1, LIMITS.membersPerJob)),
  /** From this many GPUs on, jobs ask for whole nodes. */
  wholeNodesFrom: z.optional(count(1, LIMITS.membersPerJob)),
  work: durationMix,
  /** Time limit = work × a factor drawn evenly from this range, rounded up to 10 min. */
  limitFactor: z._default(z.tuple([factor, factor]), [1.1, 3]),
  cpusPerGpu: z._default(z.number().check(z.gte(0), z.lte(100_000)), 0),
  memGiBPerGpu: z._default(z.number().check(z.gte(0), z.lte(100_000)), 0),
  teams: z.optional(weighted(name)),
  users: z._default(count(1, 10_000), 12),
  preemptible: z._default(z.boolean(), true),
  gang: z._default(z.boolean(), true),
  within: z.optional(z.enum(["leaf", "nvswitch"])),
  /** Names drawn for the jobs, for people to recognise them. */
  names: z._default(z.array(name).check(z.maxLength(64)), []),
  ...lifeFields,
});

/** A trace is named by its content, never carried in a document: the receiver is asked for the file. */
const trace = z.strictObject({
  name,
  format: name,
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  bytes: z.int().check(z.gte(0), z.lte(LIMITS.traceBytes)),
  /** Keep only jobs submitted in this part of the trace. */
  fromMs: z.optional(timeMs),
  untilMs: z.optional(timeMs),
  /**
   * How GPUs that a log gives as one number are asked for: `nodes` = up to one node's GPUs on one node, whole multiples on
   * whole nodes, the rest anywhere; `anywhere` = every GPU where it is free. A flat machine knows no difference.
   */
  layout: z._default(z.enum(["nodes", "anywhere"]), "nodes"),
});

const workload = z.strictObject({
  jobs: z._default(z.array(job).check(z.maxLength(100_000)), []),
  synthetic: z._default(z.array(synthetic).check(z.maxLength(64)), []),
  trace: z.optional(trace),
});

/** `off`: kept in the list, and not done. */
const at = { atMs: timeMs, note: z.optional(text), off: z.optional(z.literal(true)) };
const nodeList = z.array(name).check(z.minLength(1), z.maxLength(LIMITS.nodes));
const intervention = z.discriminatedUnion("kind", [
  z.strictObject({ ...at, kind: z.literal("policy"), pool: z.optional(name), policy }),
  z.strictObject({
    ...at,
    kind: z.literal("inject"),
    job: z.strictObject({ ...jobFields, submitMs: z.optional(timeMs) }),
  }),
  z.strictObject({ ...at, kind: z.literal("cancel"), job: name }),
  z.strictObject({ ...at, kind: z.literal("retier"), job: name, tier: name }),
  z.strictObject({ ...at, kind: z.literal("drain"), nodes: nodeList }),
  z.strictObject({ ...at, kind: z.literal("resume"), nodes: nodeList }),
  z.strictObject({
    ...at,
    kind: z.literal("fail"),
    nodes: nodeList,
    /** An administrator says so: the scheduler need not find out by itself. */
    noticed: z._default(z.boolean(), false),
  }),
  z.strictObject({
    ...at,
    kind: z.literal("label"),
    nodes: nodeList,
    labels: z._default(labels, {}),
    remove: z.optional(z.array(name).check(z.maxLength(64))),
  }),
  z.strictObject({
    ...at,
    kind: z.literal("hold"),
    job: name,
    by: z._default(z.enum(["user", "admin"]), "admin"),
  }),
  z.strictObject({ ...at, kind: z.literal("release"), job: name }),
  z.strictObject({
    ...at,
    kind: z.literal("requeue"),
    job: name,
    /** Held until it is released. */
    hold: z._default(z.boolean(), false),
  }),
  z.strictObject({ ...at, kind: z.literal("suspend"), job: name }),
  z.strictObject({ ...at, kind: z.literal("unsuspend"), job: name }),
  z.strictObject({
    ...at,
    kind: z.literal("update"),
    job: name,
    limitMs: z.optional(durationMs),
    nice: z.optional(z.int()),
    priority: z.optional(count(0, 4_294_967_293)),
    beginMs: z.optional(timeMs),
    slurm: z.optional(slurmChange),
  }),
  z.strictObject({ ...at, kind: z.literal("top"), job: name }),
  z.strictObject({
    ...at,
    kind: z.literal("reserve"),
    pool: z.optional(name),
    name,
    startMs: timeMs,
    endMs: timeMs,
    /** A host list, or `ALL`; or a number of nodes. */
    nodes: z.optional(z.string().check(z.maxLength(20_000))),
    nodeCount: z.optional(count(1, LIMITS.nodes)),
    users: z._default(z.array(name), []),
    accounts: z._default(z.array(name), []),
    partition: z.optional(name),
    flags: z._default(z.array(name).check(z.maxLength(32)), []),
  }),
  z.strictObject({ ...at, kind: z.literal("unreserve"), pool: z.optional(name), name }),
]);

export const scenarioSchema = z.strictObject({
  version: z.literal(SCENARIO_VERSION),
  title: z._default(name, "Untitled"),
  /** The question that this scenario answers, for the library and the tab. */
  question: z.optional(text),
  seed: z._default(count(0, 4_294_967_295), 1),
  /** End of the run; absent: until the last job has ended. */
  horizonMs: z.optional(durationMs),
  /** Wall clock of time 0 as `YYYY-MM-DDTHH:MM:SS` in the calendar's own zone; absent: "Day 1 00:00". */
  calendarStart: z.optional(z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/))),
  /** How far the calendar's clock is ahead of UTC, in minutes; absent: nobody knows. */
  calendarUtcOffsetMin: z.optional(z.int().check(z.gte(-1_440), z.lte(1_440))),
  killAtLimit: z._default(z.boolean(), true),
  cluster,
  tiers: z._default(z.array(tier).check(z.minLength(1), z.maxLength(LIMITS.tiers)), DEFAULT_TIERS),
  teams: z._default(z.array(team).check(z.maxLength(LIMITS.teams)), []),
  queues: z._default(z.array(name).check(z.maxLength(256)), []),
  limits: z._default(z.array(limitRule).check(z.maxLength(1_024)), []),
  disruptionBudgets: z._default(z.array(disruptionBudget).check(z.maxLength(1_024)), []),
  failures: z._default(z.array(failureRule).check(z.maxLength(64)), []),
  windows: z._default(z.array(windowRule).check(z.maxLength(1_024)), []),
  services: z._default(z.array(service).check(z.maxLength(256)), []),
  fleet: z.optional(fleetRule),
  pools: z._default(z.array(pool).check(z.minLength(1), z.maxLength(LIMITS.pools)), [
    { id: "all", policy: { preset: "lab", settings: {} }, route: {} },
  ]),
  workload: z.prefault(workload, {}),
  interventions: z._default(z.array(intervention).check(z.maxLength(LIMITS.interventions)), []),
});

/** A scenario with every default filled in. */
export type Scenario = z.output<typeof scenarioSchema>;
/** A scenario as people write it: defaults may be left out. */
export type ScenarioInput = z.input<typeof scenarioSchema>;
export type JobEntry = z.output<typeof job>;
export type SyntheticClass = z.output<typeof synthetic>;
export type TraceRef = z.output<typeof trace>;
export type Intervention = z.output<typeof intervention>;
export type PolicyEntry = z.output<typeof policy>;
export type NodeGroup = z.output<typeof nodeGroup>;
export type TierEntry = z.output<typeof tier>;
export type TeamEntry = z.output<typeof team>;
export type ServiceEntry = z.output<typeof service>;
export type WindowEntry = z.output<typeof windowRule>;
export type FailureEntry = z.output<typeof failureRule>;
