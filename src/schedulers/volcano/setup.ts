/** What the settings and the YAML of a pool say of Volcano, resolved once: queues by index, actions in order, plugins that are on. Immutable, so snapshots share it. */
import type { PoolView } from "../../engine/view.ts";
import { objectsOf } from "../../model/kubernetes/config.ts";
import type {
  HyperNodeObject,
  ResourceAmounts,
  VolcanoAction,
  VolcanoConfiguration,
} from "../../model/kubernetes/volcanoConfig.ts";
import type { PoolSettings, Settings } from "../../model/policy.ts";
import { type Amounts, CPU, GPU, MEMORY } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { subjectsOf } from "../podGroups/queueFacts.ts";
import { type GroupSetup, namedQueues, sharedSettings } from "../podGroups/state.ts";

export interface QueueSetup {
  readonly name: string;
  readonly weight: number;
  readonly priority: number;
  readonly parentIdx: number;
  readonly capability: Amounts;
  readonly guarantee: Amounts;
  readonly deserved: Amounts;
  readonly reclaimable: boolean;
  readonly open: boolean;
}

export interface VolcanoSetup extends GroupSetup {
  readonly actions: readonly VolcanoAction[];
  readonly queues: readonly QueueSetup[];
  readonly queuePlugin: "proportion" | "capacity" | "none";
  readonly priority: boolean;
  readonly drf: boolean;
  /** 0 = off. */
  readonly overcommit: number;
  readonly leastAllocated: number;
  readonly binpack: number;
  readonly binpackWeights: Amounts;
  readonly topologyWeight: number;
  readonly hyperNodes: readonly HyperNodeObject[];
  /** Gangs are spared by preemption, by reclaim. */
  readonly gangPreempt: boolean;
  readonly gangReclaim: boolean;
  readonly podCreateMs: number;
  /** Priority of each tier, and whether its jobs may evict. */
  readonly tierPriority: readonly number[];
  readonly tierEvicts: readonly boolean[];
}

export function setupOf(view: PoolView, pool: PoolSettings): VolcanoSetup {
  const { settings } = pool;
  const described = describedQueues(pool);
  const { queues, queueOf } = namedQueues(
    askedQueues(view, pool, described),
    described,
    plainQueue,
  );
  const conf = objectsOf(pool.kubernetes, "VolcanoConfiguration")[0];
  const plugins = conf === undefined ? pluginsOfSettings(settings) : pluginsOfText(conf);
  const classes = objectsOf(pool.kubernetes, "PriorityClass");
  const classOf = (tier: number) => classes.find(({ name }) => name === view.tiers[tier]!.id);
  return {
    ...sharedSettings(pool),
    subjects: subjectsOf(view, queues),
    actions: conf?.actions ?? actionsOf(settings),
    queues,
    queueOf,
    ...plugins,
    hyperNodes: objectsOf(pool.kubernetes, "HyperNode"),
    podCreateMs: Number(settings["podCreateMs"]),
    tierPriority: view.tiers.map((_, tier) => classOf(tier)?.value ?? view.tiers.length - 1 - tier),
    tierEvicts: view.tiers.map((_, tier) => classOf(tier)?.preemptionPolicy !== "Never"),
  };
}

/** Below Kueue a job names a LocalQueue: only what is a queue of Volcano as well is one here. */
function askedQueues(
  view: PoolView,
  pool: PoolSettings,
  described: readonly QueueSetup[],
): readonly string[] {
  if (pool.preset !== "kueue") return view.queues;
  return view.queues.map((name) => (described.some((queue) => queue.name === name) ? name : ""));
}

function describedQueues({ kubernetes }: PoolSettings): QueueSetup[] {
  const described = objectsOf(kubernetes, "VolcanoQueue");
  const indexOf = new Map(described.map(({ name }, idx) => [name, idx]));
  return described.map((queue) => ({
    name: queue.name,
    weight: queue.weight,
    priority: queue.priority,
    parentIdx: indexOf.get(queue.parent) ?? -1,
    capability: amountsOf(queue.capability, Number.POSITIVE_INFINITY),
    guarantee: amountsOf(queue.guarantee, 0),
    deserved: amountsOf(queue.deserved, 0),
    reclaimable: queue.reclaimable,
    open: queue.open,
  }));
}

/** A queue that a job names and nobody describes has the defaults of the kind. */
function plainQueue(name: string): QueueSetup {
  const most = Number.POSITIVE_INFINITY;
  return {
    name,
    weight: 1,
    priority: 0,
    parentIdx: -1,
    capability: [most, most, most],
    guarantee: [0, 0, 0],
    deserved: [0, 0, 0],
    reclaimable: true,
    open: true,
  };
}

function amountsOf(given: ResourceAmounts, absent: number): number[] {
  const amounts = [absent, absent, absent];
  for (const [name, amount] of Object.entries(given)) {
    const at = resourceIndex(name);
    if (at >= 0) amounts[at] = amount;
  }
  return amounts;
}

/** Every vendor's GPU is a GPU here. */
function resourceIndex(name: string): number {
  if (name === "cpu") return CPU;
  if (name === "memory") return MEMORY;
  return name.endsWith("/gpu") ? GPU : -1;
}

function actionsOf(settings: Settings): VolcanoAction[] {
  const on: VolcanoAction[] = [];
  if (settings["enqueue"] !== false) on.push("enqueue");
  on.push("allocate");
  if (settings["preempt"] === true) on.push("preempt");
  if (settings["reclaim"] === true) on.push("reclaim");
  if (settings["backfill"] !== false) on.push("backfill");
  return on;
}

type Plugins = Omit<
  VolcanoSetup,
  keyof GroupSetup | "actions" | "hyperNodes" | "podCreateMs" | "tierPriority" | "tierEvicts"
>;

function pluginsOfSettings(settings: Settings): Plugins {
  const gangSpares = settings["gangSpares"] !== false;
  return {
    queuePlugin: settings["queuePlugin"] === "capacity" ? "capacity" : "proportion",
    priority: true,
    drf: settings["drf"] !== false,
    overcommit: Number(settings["overcommitFactor"]),
    leastAllocated: 1,
    binpack: Number(settings["binpackWeight"]),
    binpackWeights: [Number(settings["binpackGpu"]), 1, 1],
    topologyWeight: Number(settings["topologyWeight"]),
    gangPreempt: gangSpares,
    gangReclaim: true,
  };
}

const OVERCOMMIT_STANDARD = 1.2;

/** Only plugins that the text names are on. */
function pluginsOfText({ tiers }: VolcanoConfiguration): Plugins {
  const all = tiers.flat();
  const named = (name: string) => all.find((plugin) => plugin.name === name);
  const argument = (name: string, key: string, standard: number) => {
    const value = named(name)?.arguments[key];
    return value === undefined ? standard : Number(value);
  };
  const factor = argument("overcommit", "overcommit-factor", OVERCOMMIT_STANDARD);
  const gang = named("gang");
  return {
    queuePlugin: named("proportion") ? "proportion" : named("capacity") ? "capacity" : "none",
    priority: named("priority") !== undefined,
    drf: named("drf") !== undefined,
    // Below 1 it is the standard, as upstream has it.
    overcommit: named("overcommit") ? (factor < 1 ? OVERCOMMIT_STANDARD : factor) : 0,
    leastAllocated: named("nodeorder") ? argument("nodeorder", "leastrequested.weight", 1) : 0,
    binpack: named("binpack") ? argument("binpack", "binpack.weight", 1) : 0,
    binpackWeights: [
      argument("binpack", "binpack.resources.nvidia.com/gpu", 0),
      argument("binpack", "binpack.cpu", 1),
      argument("binpack", "binpack.memory", 1),
    ],
    topologyWeight: named("network-topology-aware")
      ? argument("network-topology-aware", "weight", 1)
      : 0,
    gangPreempt: gang !== undefined && !gang.off.includes("enablePreemptable"),
    gangReclaim: gang !== undefined && !gang.off.includes("enableReclaimable"),
  };
}
