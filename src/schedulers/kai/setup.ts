/** What the settings and the YAML of a pool say of KAI, resolved once: the tree of queues by index, actions that are on, priorities. Immutable, so snapshots share it. */
import type { PoolView } from "../../engine/view.ts";
import { JobFlag } from "../../model/jobs.ts";
import { objectsOf } from "../../model/kubernetes/config.ts";
import type { PoolSettings } from "../../model/policy.ts";
import type { Amounts } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { subjectsOf } from "../podGroups/queueFacts.ts";
import { type GroupSetup, namedQueues, sharedSettings } from "../podGroups/state.ts";

export interface QueueSetup {
  readonly name: string;
  /** By an object of the YAML. */
  readonly described: boolean;
  readonly parentIdx: number;
  readonly priority: number;
  readonly quota: Amounts;
  readonly limit: Amounts;
  readonly weight: Amounts;
  readonly preemptMinMs: number;
  readonly reclaimMinMs: number;
}

interface Parting {
  readonly mine: number;
  readonly theirs: number;
}

export interface KaiSetup extends GroupSetup {
  readonly queues: readonly QueueSetup[];
  /** Children of each queue, and at the end those of nobody: the top of the tree. */
  readonly children: readonly (readonly number[])[];
  /** By queue and other queue: where their branches part, in each the queue of that level; null: one is above the other. */
  readonly partings: readonly (readonly (Parting | null)[])[];
  readonly packs: boolean;
  readonly consolidate: boolean;
  readonly consolidateMost: number;
  readonly reclaim: boolean;
  readonly multiplier: number;
  readonly preempt: boolean;
  readonly preemptionDelayMs: number;
  readonly staleGangMs: number;
  /** k of time-based fair share; 0 = off. */
  readonly strength: number;
  readonly usageWindowMs: number;
  readonly usageHalfLifeMs: number;
  /** Priority of each tier that names a class; −1: by its place among the tiers. */
  readonly classPriority: readonly number[];
}

/** Work of at least this priority is never a victim. */
export const FIXED_FROM = 100;
const BUILT_IN: Readonly<Record<string, number>> = {
  train: 50,
  "build-preemptible": 75,
  build: 100,
  inference: 125,
};

export function setupOf(view: PoolView, pool: PoolSettings): KaiSetup {
  const { settings } = pool;
  const { queues, queueOf } = namedQueues(view.queues, describedQueues(pool), plainQueue);
  const children = [...queues, null].map((_, parent) =>
    queues.flatMap(({ parentIdx }, idx) =>
      (parentIdx < 0 ? queues.length : parentIdx) === parent ? [idx] : [],
    ),
  );
  const classes = objectsOf(pool.kubernetes, "PriorityClass");
  const number = (key: string) => Number(settings[key]);
  return {
    ...sharedSettings(pool),
    subjects: subjectsOf(view, queues),
    queues,
    children,
    partings: queues.map((_, idx) => queues.map((_, other) => partingOf(queues, idx, other))),
    queueOf,
    packs: settings["placement"] !== "spread",
    consolidate: settings["consolidate"] !== false,
    consolidateMost: number("consolidateMost"),
    reclaim: settings["reclaim"] !== false,
    multiplier: number("reclaimerMultiplier"),
    preempt: settings["preempt"] !== false,
    preemptionDelayMs: number("preemptionDelayMs"),
    staleGangMs: number("staleGangMs"),
    strength: settings["timeBased"] === true ? number("kValue") : 0,
    usageWindowMs: number("usageWindowMs"),
    usageHalfLifeMs: number("usageHalfLifeMs"),
    classPriority: view.tiers.map(
      ({ id }) => classes.find(({ name }) => name === id)?.value ?? BUILT_IN[id] ?? -1,
    ),
  };
}

function partingOf(
  queues: readonly QueueSetup[],
  queueIdx: number,
  otherIdx: number,
): Parting | null {
  const path = pathTo(queues, queueIdx);
  const others = pathTo(queues, otherIdx);
  const at = path.findIndex((idx, depth) => idx !== others[depth]);
  const [mine, theirs] = [path[at], others[at]];
  return mine === undefined || theirs === undefined ? null : { mine, theirs };
}

/** From the top down. */
function pathTo(queues: readonly QueueSetup[], queueIdx: number): number[] {
  const path: number[] = [];
  for (let up = queueIdx; up >= 0; up = queues[up]!.parentIdx) path.push(up);
  return path.reverse();
}

function describedQueues({ kubernetes }: PoolSettings): QueueSetup[] {
  const described = objectsOf(kubernetes, "KaiQueue");
  const indexOf = new Map(described.map(({ name }, idx) => [name, idx]));
  return described.map((queue, idx) => ({
    name: queue.name,
    described: true,
    parentIdx: parentOf(indexOf, described, idx),
    priority: queue.priority,
    quota: queue.quota,
    limit: queue.limit,
    weight: queue.overQuotaWeight,
    preemptMinMs: inherited(indexOf, described, idx, "preemptMinRuntimeMs"),
    reclaimMinMs: inherited(indexOf, described, idx, "reclaimMinRuntimeMs"),
  }));
}

type Described = readonly {
  readonly name: string;
  readonly parent: string;
  readonly preemptMinRuntimeMs: number | null;
  readonly reclaimMinRuntimeMs: number | null;
}[];

/** A queue that would be above itself stands at the top. */
function parentOf(indexOf: ReadonlyMap<string, number>, queues: Described, idx: number): number {
  const parent = indexOf.get(queues[idx]!.parent) ?? -1;
  let above = parent;
  for (let steps = 0; above >= 0; steps++) {
    if (above === idx || steps > queues.length) return -1;
    above = indexOf.get(queues[above]!.parent) ?? -1;
  }
  return parent;
}

function inherited(
  indexOf: ReadonlyMap<string, number>,
  queues: Described,
  idx: number,
  key: "preemptMinRuntimeMs" | "reclaimMinRuntimeMs",
): number {
  let at = idx;
  for (let steps = 0; at >= 0 && steps <= queues.length; steps++) {
    const own = queues[at]![key];
    if (own !== null) return own;
    at = indexOf.get(queues[at]!.parent) ?? -1;
  }
  return 0;
}

/** A queue that jobs name and nobody describes stands at the top with what KAI's chart gives its default queue: quota 0, no limit, weight 1 (`defaultQueue` in `deployments/kai-scheduler/values.yaml`). */
function plainQueue(name: string): QueueSetup {
  return {
    name,
    described: false,
    parentIdx: -1,
    priority: FIXED_FROM,
    quota: [0, 0, 0],
    limit: [-1, -1, -1],
    weight: [1, 1, 1],
    preemptMinMs: 0,
    reclaimMinMs: 0,
  };
}

/** A tier named like a class has its priority; else a job is `train` or, where it may not be preempted, `build`, and higher tiers come first. */
export function priorityOf(view: PoolView, setup: KaiSetup, jobIdx: number): number {
  const tier = view.tierOfJob[jobIdx]!;
  const given = setup.classPriority[tier]!;
  if (given >= 0) return given;
  const preemptible = (view.jobs.at.flags[jobIdx]! & JobFlag.preemptible) !== 0;
  const rank = Math.min(view.tiers.length - 1 - tier, FIXED_FROM - BUILT_IN["train"]! - 1);
  return (preemptible ? BUILT_IN["train"]! : FIXED_FROM) + rank;
}
