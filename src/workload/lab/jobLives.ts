/**
 * What jobs do in their life, from the words of the document to numbers. Jobs with the same words and the same size share one object, so that a
 * class of 100,000 drawn jobs costs a handful; a deadline is absolute, so it makes one more object a job.
 *
 * A job with checkpoints "young" or "daly" gets the interval for the failure rate of what it asks for: its devices, its nodes (whole
 * ones, else as few as hold it) and its leaves, each at the rate of the document's rules, weighted by the part of the cluster's devices that a rule is about.
 */
import type { Cluster } from "../../model/cluster.ts";
import { dalyMs, youngMs } from "../../model/lab/checkpointInterval.ts";
import type { Checkpointing, JobLife, NodeWish, Traffic } from "../../model/lab/jobLife.ts";
import { measuredTraffic } from "../../model/network/models.ts";
import { SPEED_ONE } from "../../model/units.ts";
import { LIFE_KEYS } from "../../scenario/labSchema.ts";
import type { JobEntry, Scenario } from "../../scenario/schema.ts";
import type { JobDraft } from "../jobDraft.ts";
import { elasticOf, firstMembers } from "./elastic.ts";

/** Fields that jobs and classes of drawn jobs have in common. */
export type LifeFields = Pick<JobEntry, (typeof LIFE_KEYS)[number]>;

const BYTES_PER_GIB = 1_073_741_824;
const BYTES_PER_GB = 1_000_000_000;
const MS_PER_SECOND = 1_000;
/** Where a checkpoint costs nearly nothing the rules would have one every millisecond; no program saves more often than this. */
const LEAST_INTERVAL_MS = 1_000;

/** What a job asks for, as far as its life depends on it. */
interface Size {
  readonly members: number;
  readonly gpusPerMember: number;
  readonly gpus: number;
  readonly nodes: number;
}

/** Jobs with the same words. */
interface Family {
  readonly fields: LifeFields;
  /** Whether what becomes of the words depends on the size of the job. */
  readonly sized: boolean;
  readonly lives: Map<string, JobLife>;
}

export class JobLives {
  /** By the words as text, and by the job or class that says them; null = it says nothing. */
  readonly #families = new Map<string, Family>();
  readonly #familyOf = new WeakMap<LifeFields, { readonly family: Family | null }>();
  readonly #rate: FailureRates;
  readonly #writeGBps: number;
  readonly #gpusPerNode: number;

  constructor(scenario: Scenario, cluster: Cluster) {
    this.#rate = failureRates(scenario, cluster);
    this.#writeGBps = scenario.cluster.storage?.writeGBps ?? 0;
    this.#gpusPerNode = cluster.groups.reduce(
      (most, group) => Math.max(most, group.gpusPerNode),
      1,
    );
  }

  /** Gives a row its life and, where it is elastic, its least members. Call once its components are laid. O(1) a job of a class. */
  fill(draft: JobDraft, row: number, fields: LifeFields): void {
    const family = this.#familyFor(fields);
    if (family === null) return;
    const first = draft.jobs.at.firstComponent[row]!;
    const life = this.#lifeOf(family, this.#sizeOf(draft, row, first));
    const { deadlineInMs, elastic } = fields;
    const submitMs = draft.jobs.at.submitMs[row]!;
    const own =
      deadlineInMs === undefined ? life : { ...life, deadlineMs: submitMs + deadlineInMs };
    draft.lab.set(row, own);
    if (elastic === undefined || life.elastic === null) return;
    const { members, minMembers, gpus } = draft.components.at;
    const asked = members[first]!;
    // Slurm grants what it was asked for.
    if (!draft.slurm.has(row)) members[first] = firstMembers(life.elastic, asked);
    const { gpuTotal } = draft.jobs.at;
    gpuTotal[row] = gpuTotal[row]! + (members[first]! - asked) * gpus[first]!;
    // Fewer than the smallest allowed size would hold devices and get nothing done.
    const least = life.elastic.allowed[0] ?? elastic.minMembers;
    minMembers[first] = Math.min(members[first]!, least);
  }

  /** A later stage reads what the one before has saved; without checkpoints there is nothing to read. O(1). */
  goesOn(draft: JobDraft, row: number): void {
    const life = draft.lab.get(row);
    if (life?.checkpoint) draft.lab.set(row, { ...life, continues: true });
  }

  #familyFor(fields: LifeFields): Family | null {
    const known = this.#familyOf.get(fields);
    if (known !== undefined) return known.family;
    const family = hasLife(fields) ? this.#familyOfWords(fields) : null;
    this.#familyOf.set(fields, { family });
    return family;
  }

  #familyOfWords(fields: LifeFields): Family {
    const text = JSON.stringify(LIFE_KEYS.map((key) => fields[key] ?? null));
    const known = this.#families.get(text);
    if (known !== undefined) return known;
    const every = fields.checkpoint?.every;
    const sized = fields.elastic !== undefined || every === "young" || every === "daly";
    const family = { fields, sized, lives: new Map<string, JobLife>() };
    this.#families.set(text, family);
    return family;
  }

  #sizeOf(draft: JobDraft, row: number, first: number): Size {
    const { members, gpus, ownNode } = draft.components.at;
    const gpuTotal = draft.jobs.at.gpuTotal[row]!;
    let nodes = 0;
    for (let component = first; component < draft.components.length; component++)
      if (ownNode[component] === 1) nodes += members[component]!;
    return {
      members: members[first]!,
      gpusPerMember: gpus[first]!,
      gpus: gpuTotal,
      nodes: nodes > 0 ? nodes : Math.max(1, Math.ceil(gpuTotal / this.#gpusPerNode)),
    };
  }

  /** Without a deadline, which is each job's own. */
  #lifeOf({ fields, sized, lives }: Family, size: Size): JobLife {
    const key = sized ? `${size.members} ${size.gpusPerMember} ${size.gpus} ${size.nodes}` : "";
    const known = lives.get(key);
    if (known !== undefined) return known;
    const life = this.#resolve(fields, size);
    lives.set(key, life);
    return life;
  }

  #resolve(fields: LifeFields, size: Size): JobLife {
    const { session, traffic } = fields;
    return {
      startupMs: fields.startupMs ?? 0,
      checkpoint: this.#checkpointing(fields, size),
      elastic:
        fields.elastic === undefined
          ? null
          : elasticOf(fields.elastic, size.members, size.gpusPerMember),
      session:
        session === undefined
          ? null
          : {
              activeMs: session.activeMs,
              idleTimeoutMs: session.idleTimeoutMs ?? Number.POSITIVE_INFINITY,
            },
      deadlineMs: Number.POSITIVE_INFINITY,
      bid: fields.bid ?? 0,
      ...(fields.priority === undefined ? {} : { priority: fields.priority }),
      traffic: trafficOf(traffic),
      collectiveTimeoutMs: fields.collectiveTimeoutMs ?? Number.POSITIVE_INFINITY,
      ...(fields.hangsOnEndMs === undefined ? {} : { hangsOnEndMs: fields.hangsOnEndMs }),
      requeueAtLimit: fields.requeueAtLimit ?? false,
      maxEvictions: fields.maxEvictions ?? Number.POSITIVE_INFINITY,
      nodes: wishOf(fields),
    };
  }

  #checkpointing({ checkpoint }: LifeFields, size: Size): Checkpointing | null {
    if (checkpoint === undefined) return null;
    const { every, costMs, sizeGiB = 0, location, restoreMs, onSignal } = checkpoint;
    const written = sizeGiB > 0 && this.#writeGBps > 0 && location === "shared";
    const cost = written
      ? (sizeGiB * BYTES_PER_GIB * MS_PER_SECOND) / (this.#writeGBps * BYTES_PER_GB)
      : costMs;
    return {
      everyMs: this.#interval(every, cost, size),
      costMs: Math.ceil(cost),
      sizeGiB: written ? sizeGiB : 0,
      location,
      restoreMs,
      onSignal,
    };
  }

  #interval(every: number | "young" | "daly" | "never", costMs: number, size: Size): number {
    if (typeof every === "number") return every;
    if (every === "never") return Number.POSITIVE_INFINITY;
    const mtbfMs = 1 / this.#rate(size);
    if (mtbfMs === Number.POSITIVE_INFINITY) return mtbfMs;
    const intervalMs = every === "young" ? youngMs(costMs, mtbfMs) : dalyMs(costMs, mtbfMs);
    return Math.max(LEAST_INTERVAL_MS, Math.round(intervalMs));
  }
}

/** Numbers of the document, or those of the model that it names. */
function trafficOf(traffic: LifeFields["traffic"]): Traffic | null {
  if (traffic === undefined) return null;
  const { model, stepMs, allReduceGiB, ...words } = traffic;
  if (model !== undefined) return measuredTraffic(model);
  return { ...words, stepMs: stepMs ?? 0, allReduceGiB: allReduceGiB ?? 0 };
}

function hasLife(fields: LifeFields): boolean {
  return LIFE_KEYS.some((key) => fields[key] !== undefined);
}

function wishOf(fields: LifeFields): NodeWish | null {
  const { exclusive = false, labels = {}, gpuModels = [], remoteNumaSpeed = 1 } = fields;
  const asksNothing =
    !exclusive &&
    Object.keys(labels).length === 0 &&
    gpuModels.length === 0 &&
    remoteNumaSpeed === 1;
  if (asksNothing) return null;
  return {
    exclusive,
    labels,
    models: gpuModels.map(({ model, speed }) => ({
      model,
      speedQ16: Math.max(1, Math.round(speed * SPEED_ONE)),
    })),
    remoteNumaQ16: Math.max(1, Math.round(remoteNumaSpeed * SPEED_ONE)),
  };
}

type FailureRates = (size: Size) => number;

/** Failures a millisecond that hit a job of some size. */
function failureRates(scenario: Scenario, cluster: Cluster): FailureRates {
  const rate = { gpu: 0, node: 0, leaf: 0 };
  for (const rule of scenario.failures) {
    const part = partOfDevices(cluster, rule.nodeGroups);
    rate[rule.of] += part / rule.mtbfMs;
  }
  const perLeaf = Math.max(1, cluster.nodeCount / Math.max(1, cluster.leafCount));
  return ({ gpus, nodes }) =>
    gpus * rate.gpu + nodes * rate.node + Math.ceil(nodes / perLeaf) * rate.leaf;
}

function partOfDevices(cluster: Cluster, groups: readonly string[] | undefined): number {
  if (groups === undefined) return 1;
  let devices = 0;
  for (let node = 0; node < cluster.nodeCount; node++) {
    const group = cluster.groups[cluster.nodeGroup[node]!]!;
    if (groups.includes(group.id)) devices += group.gpusPerNode;
  }
  return devices / Math.max(1, cluster.deviceCount);
}
