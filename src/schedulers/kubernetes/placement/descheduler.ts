/**
 * The descheduler beside kube-scheduler: every so often it looks at all nodes and evicts pods through the eviction API, where a disruption budget is binding; a pod that is told to leave
 * works until its grace is over, has lost what it did since its last checkpoint, and stands in line again when it is gone. It places nothing. Rules:
 * `scheduling/kubernetes/descheduler`. Whom the evictor lets go: not those that leave already, are too important, too young or one of too few, do not have the labels, or (nodeFit) fit on no other
 * node. Order of the pods of a node: least important first, then without requests of CPU and memory before those with one and with both, then the youngest. A round in which nothing
 * has changed since one in vain is left out. O(nodes + pods of the nodes evicted from) a round.
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { objectsOf, type PriorityClass } from "../../../model/kubernetes/config.ts";
import type {
  BalanceConfig,
  DeschedulerPolicy,
  EvictorConfig,
} from "../../../model/kubernetes/deschedulerConfig.ts";
import type { PoolSettings } from "../../../model/policy.ts";
import { StopReasonCode } from "../../../model/reasons.ts";
import { NodeStateCode } from "../../../model/states.ts";
import {
  type BalanceNode,
  type Eviction,
  highNodeUtilization,
  lowNodeUtilization,
} from "../../../scheduling/kubernetes/descheduler/balance.ts";
import { membersOn } from "../../../scheduling/placement/capacity.ts";
import { budgetsOf, disruptionsAllowed, labelsOf, noteKept } from "./budgets.ts";
import { holds, tellToLeave } from "./leaving.ts";
import { priorityOf } from "./offers.ts";
import { CPU, GPU, MEMORY, type PodShapes } from "./shapes.ts";
import type { PlacementState } from "./state.ts";

export interface DeschedulerConfig {
  readonly everyMs: number;
  readonly policy: DeschedulerPolicy;
  /** By profile: pods of this priority and above stay. */
  readonly thresholds: readonly number[];
}

export interface DeschedulerState {
  /** When it looked last; −1 = never. */
  lastMs: number;
  /** Changes of pods (`PodBook.changes`) as of a round in vain; −1 = the next round may find something. */
  seen: number;
  /** Pods of a job that it has evicted so far, by job. */
  readonly evicted: Map<number, number>;
}

/** Pods that a kubelet takes (maxPods). */
const PODS_MOST = 110;
const BYTES_PER_MIB = 1_048_576;
const SYSTEM_CRITICAL = 2_000_000_000;
const STANDARD_INTERVAL_MS = 300_000;
/** Evictions of a job after which its pods stay, so that a run ends where upstream would evict and rebind for ever. */
const EVICTIONS_MOST = 1_000;

/** The descheduler of a pool; null where its YAML has no policy that evicts anybody. */
export function deschedulerOf(pool: PoolSettings): DeschedulerConfig | null {
  const [policy] = objectsOf(pool.kubernetes, "DeschedulerPolicy");
  if (policy === undefined || policy.profiles.every(({ balance }) => balance.length === 0))
    return null;
  const classes = objectsOf(pool.kubernetes, "PriorityClass");
  return {
    everyMs: Number(pool.settings["deschedulingIntervalMs"] ?? STANDARD_INTERVAL_MS),
    policy,
    thresholds: policy.profiles.map(({ evictor }) => thresholdOf(evictor, classes)),
  };
}

function thresholdOf(
  { priorityThreshold }: EvictorConfig,
  classes: readonly PriorityClass[],
): number {
  if (typeof priorityThreshold !== "string") return priorityThreshold ?? SYSTEM_CRITICAL;
  return classes.find(({ name }) => name === priorityThreshold)?.value ?? SYSTEM_CRITICAL;
}

/** A round, where one is due now; kinds of resources that are free because of it at once. */
export function runDescheduler(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  act: Actions,
): void {
  const { descheduler: config } = state.config;
  const memory = state.descheduler;
  if (config === null || view.nowMs % config.everyMs !== 0 || memory.lastMs === view.nowMs) return;
  memory.lastMs = view.nowMs;
  if (isIdle(state)) return;
  const round = new Round(view, state, shapes, act, config);
  for (const [at, { evictor, balance }] of config.policy.profiles.entries())
    for (const plugin of balance) round.run(plugin, evictor, config.thresholds[at]!);
  memory.seen = round.mayChange ? -1 : state.pods.changes;
}

/** Nothing has changed since a round in vain. */
function isIdle({ descheduler, pods, known }: PlacementState): boolean {
  return descheduler.seen === pods.changes && !known.always;
}

/** When the next round may find something; `Infinity` where only news can help. */
export function nextRoundMs(view: PoolView, state: PlacementState): number {
  const { descheduler: config } = state.config;
  if (config === null || state.pods.headOfJob.size === 0 || isIdle(state))
    return Number.POSITIVE_INFINITY;
  return (Math.floor(view.nowMs / config.everyMs) + 1) * config.everyMs;
}

interface Removable {
  readonly pod: number;
  readonly node: number;
  readonly priority: number;
  readonly usage: readonly number[];
}

/** One round: what has been evicted counts for all of its plugins. */
class Round {
  /** Somebody was evicted, or somebody is too young: the next round may do something although nothing happens. */
  mayChange = false;
  readonly #view: PoolView;
  readonly #state: PlacementState;
  readonly #shapes: PodShapes;
  readonly #act: Actions;
  readonly #policy: DeschedulerPolicy;
  readonly #allowed: number[];
  readonly #ofNode = new Map<number, number>();
  readonly #ofTeam = new Map<number, number>();
  #total = 0;

  constructor(
    view: PoolView,
    state: PlacementState,
    shapes: PodShapes,
    act: Actions,
    { policy }: DeschedulerConfig,
  ) {
    this.#view = view;
    this.#state = state;
    this.#shapes = shapes;
    this.#act = act;
    this.#policy = policy;
    this.#allowed = disruptionsAllowed(view, state);
  }

  run(plugin: BalanceConfig, evictor: EvictorConfig, threshold: number): void {
    const nodes = this.#nodes(evictor, threshold);
    const evict = (one: Removable) => this.#evict(one, plugin, evictor);
    if (plugin.plugin === "LowNodeUtilization") lowNodeUtilization(nodes, plugin, evict);
    else highNodeUtilization(nodes, plugin, evict);
  }

  /** Nodes that are ready, drained ones included. */
  #nodes(evictor: EvictorConfig, threshold: number): BalanceNode<Removable>[] {
    const { cluster, nodes, nodeState } = this.#view;
    const found: BalanceNode<Removable>[] = [];
    for (const node of nodes) {
      const now = nodeState[node]!;
      if (now !== NodeStateCode.open && now !== NodeStateCode.drained) continue;
      const group = cluster.groups[cluster.nodeGroup[node]!]!;
      const gpus = cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!;
      found.push({
        usage: this.#usageOf(node),
        capacity: [group.cpusPerNode * 1_000, group.memMiBPerNode * BYTES_PER_MIB, gpus, PODS_MOST],
        isOpen: now === NodeStateCode.open,
        pods: () => this.#removable(node, evictor, threshold),
      });
    }
    return found;
  }

  #usageOf(node: number): number[] {
    const { pods } = this.#state;
    const usage = [0, 0, 0, 0];
    for (let pod = pods.headOfNode[node]!; pod >= 0; pod = pods.nodeNext[pod]!)
      for (const [at, amount] of this.#asks(pod).entries()) usage[at] = usage[at]! + amount;
    return usage;
  }

  #asks(pod: number): readonly number[] {
    const { request } = this.#shapes.list[this.#shapes.ofRow[this.#state.pods.row[pod]!]!]!;
    return [request[CPU], request[MEMORY] * BYTES_PER_MIB, request[GPU], 1];
  }

  #removable(node: number, evictor: EvictorConfig, threshold: number): Removable[] {
    const { pods } = this.#state;
    const found: (Removable & { readonly quality: number })[] = [];
    for (let pod = pods.headOfNode[node]!; pod >= 0; pod = pods.nodeNext[pod]!) {
      const priority = priorityOf(this.#view, this.#state, pods.jobIdx[pod]!);
      if (priority >= threshold || !this.#mayLeave(pod, evictor)) continue;
      const usage = this.#asks(pod);
      const quality = (usage[CPU]! > 0 ? 1 : 0) + (usage[MEMORY]! > 0 ? 1 : 0);
      found.push({ pod, node, priority, usage, quality });
    }
    return found.sort(
      (a, b) =>
        a.priority - b.priority ||
        a.quality - b.quality ||
        pods.startMs[b.pod]! - pods.startMs[a.pod]! ||
        pods.jobIdx[b.pod]! - pods.jobIdx[a.pod]! ||
        b.pod - a.pod,
    );
  }

  #mayLeave(pod: number, { minReplicas, minPodAgeMs, matchLabels }: EvictorConfig): boolean {
    const { pods } = this.#state;
    const jobIdx = pods.jobIdx[pod]!;
    if (pods.leaveMs[pod]! > 0 || !holds(this.#view, jobIdx)) return false;
    if (this.#evictedOf(jobIdx) >= EVICTIONS_MOST) return false;
    if (matchLabels !== null) {
      const labels = labelsOf(this.#view, jobIdx);
      if (Object.entries(matchLabels).some(([name, value]) => labels[name] !== value)) return false;
    }
    if (minReplicas > 0 && this.#replicas(jobIdx) < minReplicas) return false;
    if (this.#view.nowMs - pods.startMs[pod]! >= minPodAgeMs) return true;
    this.mayChange = true;
    return false;
  }

  #evictedOf(jobIdx: number): number {
    return this.#state.descheduler.evicted.get(jobIdx) ?? 0;
  }

  /** Pods that the job's controller keeps. */
  #replicas(jobIdx: number): number {
    const { firstComponent } = this.#view.jobs.at;
    let replicas = 0;
    for (let row = firstComponent[jobIdx]!; row < firstComponent[jobIdx + 1]!; row++)
      replicas += this.#view.jobs.components.members[row]!;
    return replicas;
  }

  /** Limits of the policy first, then the API, which keeps to budgets. */
  #evict({ pod, node }: Removable, plugin: BalanceConfig, evictor: EvictorConfig): Eviction {
    const { pods } = this.#state;
    const { mostPerNode, mostPerNamespace, mostTotal } = this.#policy;
    const jobIdx = pods.jobIdx[pod]!;
    const team = this.#view.jobs.at.team[jobIdx]!;
    if (plugin.excluded.includes(this.#view.teams[team]?.id ?? "")) return "refused";
    if (evictor.nodeFit && !this.#fitsElsewhere(pod)) return "refused";
    const [ofNode, ofTeam] = [this.#ofNode.get(node) ?? 0, this.#ofTeam.get(team) ?? 0];
    if (mostTotal !== null && this.#total >= mostTotal) return "done";
    if (mostPerNode !== null && ofNode >= mostPerNode) return "nodeDone";
    if (mostPerNamespace !== null && ofTeam >= mostPerNamespace) return "refused";
    const budgets = budgetsOf(this.#view, this.#state, jobIdx);
    const spent = budgets.find((budget) => this.#allowed[budget]! <= 0);
    if (spent !== undefined) {
      noteKept(this.#view, this.#state, jobIdx, "descheduler", spent);
      return "refused";
    }
    for (const budget of budgets) this.#allowed[budget] = this.#allowed[budget]! - 1;
    this.#ofNode.set(node, ofNode + 1);
    this.#ofTeam.set(team, ofTeam + 1);
    this.#total++;
    this.#state.descheduler.evicted.set(jobIdx, this.#evictedOf(jobIdx) + 1);
    this.mayChange = true;
    tellToLeave(this.#view, this.#state, this.#shapes, this.#act, [pod], {
      forJobIdx: -1,
      graceMs: this.#policy.graceMs,
      stopReason: StopReasonCode.descheduled,
    });
    return "evicted";
  }

  #fitsElsewhere(pod: number): boolean {
    const { pods } = this.#state;
    const { part } = this.#shapes.list[this.#shapes.ofRow[pods.row[pod]!]!]!;
    return this.#view.nodes.some(
      (node) => node !== pods.node[pod] && membersOn(this.#view, node, part, 1) > 0,
    );
  }
}
