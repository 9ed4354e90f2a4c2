/**
 * Rented nodes that are not needed: little is asked of them and every pod on them could be elsewhere, which is tried node by node, empty ones first, then those that were unneeded before, each trial with what
 * the ones before have moved. Pods that may not be evicted (`safeToEvict` false) and budgets that do not allow all pods of the node to go keep it. What was unneeded long enough goes, unless a node has come
 * or gone lately: the pods of one with pods are told to leave through the eviction API. O(rented nodes + pods on those with little × nodes).
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { StopReasonCode } from "../../../model/reasons.ts";
import { NodeStateCode } from "../../../model/states.ts";
import {
  deletionsNow,
  isUnneededLongEnough,
  utilization,
} from "../../../scheduling/kubernetes/autoscaler/scaleDown.ts";
import { type AutoscalerConfig, type CloudNode, emptyNode } from "./autoscaler.ts";
import { budgetsOf, disruptionsAllowed, noteKept } from "./budgets.ts";
import { hasPodOn } from "./pods.ts";
import { CPU, GPU, MEMORY, type PodShapes } from "./shapes.ts";
import type { PlacementState } from "./state.ts";
import type { TrialNodes } from "./trialNodes.ts";

/** Marks what is unneeded and takes away what was so for long; whether a node goes. */
export function scaleDown(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  act: Actions,
  config: AutoscalerConfig,
  trial: TrialNodes,
): boolean {
  const { autoscaler: memory } = state;
  const there = memory.cloud.filter(
    (one) => one.openMs >= 0 && !one.leaving && isReady(view, one.node),
  );
  const unneeded = new Removal(view, state, shapes, config, trial).sort(there);
  for (const one of there)
    if (!unneeded.includes(one)) one.unneededMs = -1;
    else if (one.unneededMs < 0) one.unneededMs = view.nowMs;
  const isCooling =
    memory.addedMs + config.afterAddMs > view.nowMs ||
    memory.deletedMs + config.afterDeleteMs > view.nowMs;
  if (isCooling) return false;
  const ripe = unneeded.filter(({ unneededMs }) =>
    isUnneededLongEnough(unneededMs, config.unneededMs, view.nowMs),
  );
  const isEmpty = ({ node }: CloudNode): boolean => state.pods.headOfNode[node]! < 0;
  const [empty, withPods] = [ripe.filter(isEmpty), ripe.filter((one) => !isEmpty(one))];
  const going = memory.cloud.filter((one) => one.leaving && !isEmpty(one)).length;
  const now = deletionsNow(empty.length, withPods.length, config.limits, going);
  const gone = [...empty.slice(0, now.empty), ...withPods.slice(0, now.withPods)];
  for (const one of gone)
    emptyNode(view, state, shapes, act, one, {
      graceMostMs: config.graceMostMs,
      stopReason: StopReasonCode.nodeRemoved,
    });
  if (gone.length > 0) memory.deletedMs = view.nowMs;
  return gone.length > 0;
}

function isReady(view: PoolView, node: number): boolean {
  const now = view.nodeState[node];
  return (now === NodeStateCode.open || now === NodeStateCode.drained) && !view.onTheWay(node);
}

/** Which nodes could go, one after the other. */
class Removal {
  readonly #view: PoolView;
  readonly #state: PlacementState;
  readonly #shapes: PodShapes;
  readonly #config: AutoscalerConfig;
  readonly #trial: TrialNodes;
  readonly #allowed: number[];
  /** Pods that were moved to a node in thought. */
  readonly #moved = new Map<number, number[]>();

  constructor(
    view: PoolView,
    state: PlacementState,
    shapes: PodShapes,
    config: AutoscalerConfig,
    trial: TrialNodes,
  ) {
    this.#view = view;
    this.#state = state;
    this.#shapes = shapes;
    this.#config = config;
    this.#trial = trial;
    this.#allowed = disruptionsAllowed(view, state);
  }

  sort(nodes: readonly CloudNode[]): CloudNode[] {
    const rank = ({ node, unneededMs }: CloudNode): number =>
      this.#state.pods.headOfNode[node]! < 0 ? 0 : unneededMs >= 0 ? 1 : 2;
    return [...nodes]
      .sort((a, b) => rank(a) - rank(b) || a.node - b.node)
      .filter(({ node }) => this.#isUnneeded(node));
  }

  #isUnneeded(node: number): boolean {
    if (!this.#isLittleUsed(node)) return false;
    const pods = this.#podsOn(node);
    const budgets = pods.flatMap((pod) =>
      budgetsOf(this.#view, this.#state, this.#state.pods.jobIdx[pod]!),
    );
    const left = [...this.#allowed];
    for (const budget of budgets) left[budget] = left[budget]! - 1;
    const spent = budgets.find((budget) => left[budget]! < 0);
    if (spent !== undefined) {
      this.#noteKept(pods, spent);
      return false;
    }
    if (pods.some((pod) => this.#isKept(pod))) return false;
    if (!this.#moveAll(node, [...pods, ...(this.#moved.get(node) ?? [])])) return false;
    for (const budget of budgets) this.#allowed[budget] = this.#allowed[budget]! - 1;
    this.#trial.close(node);
    return true;
  }

  #noteKept(pods: readonly number[], budget: number): void {
    for (const jobIdx of new Set(pods.map((pod) => this.#state.pods.jobIdx[pod]!)))
      if (budgetsOf(this.#view, this.#state, jobIdx).includes(budget))
        noteKept(this.#view, this.#state, jobIdx, "scaleDown", budget);
  }

  #isLittleUsed(node: number): boolean {
    const { cluster } = this.#view;
    const group = cluster.groups[cluster.nodeGroup[node]!]!;
    const gpus = cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!;
    const asked: [number, number, number] = [0, 0, 0];
    const { pods } = this.#state;
    for (let pod = pods.headOfNode[node]!; pod >= 0; pod = pods.nodeNext[pod]!) {
      const { request } = this.#shapes.list[this.#shapes.ofRow[pods.row[pod]!]!]!;
      asked[0] += request[CPU];
      asked[1] += request[MEMORY];
      asked[2] += request[GPU];
    }
    const part = utilization([group.cpusPerNode * 1_000, group.memMiBPerNode, gpus], asked);
    return part < (gpus > 0 ? this.#config.gpuThreshold : this.#config.threshold);
  }

  /** Pods that stay so far. */
  #podsOn(node: number): number[] {
    const { pods } = this.#state;
    const found: number[] = [];
    for (let pod = pods.headOfNode[node]!; pod >= 0; pod = pods.nodeNext[pod]!)
      if (pods.leaveMs[pod] === 0) found.push(pod);
    return found;
  }

  #isKept(pod: number): boolean {
    const jobIdx = this.#state.pods.jobIdx[pod]!;
    return this.#view.jobs.kubernetes?.get(jobIdx)?.safeToEvict === false;
  }

  /** Finds each pod another node, or leaves everything as it was. */
  #moveAll(from: number, moving: readonly number[]): boolean {
    const { row: rowOf } = this.#state.pods;
    const to: number[] = [];
    for (const [at, pod] of moving.entries()) {
      const shape = this.#shapes.list[this.#shapes.ofRow[rowOf[pod]!]!]!;
      const isTaken = (other: number): boolean =>
        [
          ...(this.#moved.get(other) ?? []),
          ...moving.filter((_, i) => i < at && to[i] === other),
        ].some((one) => rowOf[one] === rowOf[pod]);
      const node = this.#view.nodes.find(
        (other) =>
          other !== from &&
          this.#mayGoTo(pod, other, isTaken) &&
          this.#trial.roomFor(other, shape.part, 1) > 0,
      );
      if (node === undefined) {
        this.#trial.undo();
        return false;
      }
      this.#trial.tryPut(node, shape);
      to.push(node);
    }
    this.#trial.accept();
    for (const [at, node] of to.entries())
      this.#moved.set(node, [...(this.#moved.get(node) ?? []), moving[at]!]);
    return true;
  }

  /** Within the flavor or the domain of its quota; and not beside another pod of its kind, where they keep apart. */
  #mayGoTo(pod: number, node: number, isTaken: (node: number) => boolean): boolean {
    const { pods, pins } = this.#state;
    const [row, from] = [pods.row[pod]!, pods.node[pod]!];
    const domains = pins.get(row)?.domains ?? null;
    if (domains !== null && !domains.some(({ nodes }) => nodes[from] === 1 && nodes[node] === 1))
      return false;
    if (this.#shapes.apart[row] === 0) return true;
    return !isTaken(node) && !hasPodOn(pods, pods.jobIdx[pod]!, row, node);
  }
}
