/**
 * Nodes for pods that found none. First the pods are tried on what is there, on nodes on their way and beside what is nominated, the most important first; for those left over each rented group says how many of
 * its nodes would hold how many of them, and the expander chooses one group, which grows. Crowds stand for their pods: equal pods, equal answers. Pods that wait for victims, and those
 * less important than the cutoff, bring no node. O(crowds × (nodes + rented nodes)).
 */
import { mix32 } from "../../../base/mix32.ts";
import type { Actions, PoolView } from "../../../engine/view.ts";
import { kubeReasonCode } from "../../../model/reasons.ts";
import { NodeStateCode } from "../../../model/states.ts";
import {
  estimateNodes,
  type PodBatch,
} from "../../../scheduling/kubernetes/autoscaler/estimate.ts";
import {
  chooseOption,
  type ExpansionOption,
} from "../../../scheduling/kubernetes/autoscaler/expander.ts";
import { isLongestBackoff } from "../../../scheduling/kubernetes/autoscaler/scaleDown.ts";
import { type AutoscalerConfig, newNode } from "./autoscaler.ts";
import { allows } from "./pin.ts";
import { hasPodOn } from "./pods.ts";
import { firstOf } from "./queue.ts";
import { CPU, MEMORY, type PodShape, type PodShapes } from "./shapes.ts";
import type { Crowd, Entry, PlacementState } from "./state.ts";
import { TrialNodes } from "./trialNodes.ts";

interface Batch extends PodBatch {
  readonly crowd: Crowd;
  readonly entry: Entry;
  readonly shape: PodShape;
  /** Its pods keep apart. */
  readonly apart: boolean;
}

/** What grew, and the nodes with everybody on them who fits. */
export interface Growth {
  readonly nodes: number;
  readonly trial: TrialNodes;
}

export function scaleUp(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  act: Actions,
  config: AutoscalerConfig,
): Growth {
  const trial = new TrialNodes(view);
  for (const { node } of state.autoscaler.cloud) if (isComing(view, node)) trial.open(node);
  for (const { row, node } of state.nominations) trial.keep(node, shapes.list[shapes.ofRow[row]!]!);
  const left = batches(view, state, shapes, config).flatMap((batch) => {
    const count = batch.count - fill(view, state, trial, batch);
    return count > 0 ? [{ ...batch, count }] : [];
  });
  return { nodes: left.length === 0 ? 0 : grow(view, state, act, config, trial, left), trial };
}

const isComing = (view: PoolView, node: number): boolean =>
  view.nodeState[node] === NodeStateCode.unborn && view.onTheWay(node);

/** Pods that have failed, the most important first. */
function batches(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  { cutoff }: AutoscalerConfig,
): Batch[] {
  const crowds = [...state.crowds.values()].filter(({ priority }) => priority >= cutoff);
  crowds.sort((a, b) => b.priority - a.priority || a.order - b.order);
  return crowds.flatMap((crowd) => {
    const entry = firstOf(state, crowd);
    if (entry === null || view.jobs.at.firstComponent.length === 0) return [];
    const count = crowd.pods - entry.nominated.length;
    if (count <= 0) return [];
    const shape = shapes.list[crowd.shapeIdx]!;
    return [{ crowd, entry, shape, count, apart: shapes.apart[entry.row] === 1 }];
  });
}

/** Pods of the batch that one node takes, and takes them. */
function takeOn(
  state: PlacementState,
  trial: TrialNodes,
  { entry, shape, apart }: Batch,
  left: readonly number[],
  node: number,
  most: number,
): number {
  if (entry.pin !== null && !allows(entry.pin, left, node)) return 0;
  if (apart && hasPodOn(state.pods, entry.jobIdx, entry.row, node)) return 0;
  const pods = trial.roomFor(node, shape.part, apart ? Math.min(1, most) : most);
  if (pods > 0) trial.put(node, shape, pods);
  return pods;
}

/** Puts the pods where there is room or will be; how many found it. */
function fill(view: PoolView, state: PlacementState, trial: TrialNodes, batch: Batch): number {
  let left = batch.count;
  for (const node of view.nodes) {
    if (left === 0) break;
    left -= takeOn(state, trial, batch, batch.entry.domainsLeft, node, left);
  }
  return batch.count - left;
}

interface Option extends ExpansionOption {
  readonly rule: number;
  readonly taken: readonly number[];
  readonly helped: readonly number[];
  readonly order: readonly Batch[];
}

/** Asks for the nodes of one group; how many. */
function grow(
  view: PoolView,
  state: PlacementState,
  act: Actions,
  config: AutoscalerConfig,
  trial: TrialNodes,
  left: readonly Batch[],
): number {
  const { autoscaler: memory } = state;
  const here = new Set(view.nodes);
  const options = view.world.burst!.flatMap(({ nodes }, rule) => {
    if (isLeftAlone(view, state, config, rule)) return [];
    const absent = nodes
      .filter((node) => here.has(node) && view.nodeState[node] === NodeStateCode.unborn)
      .filter((node) => !view.onTheWay(node))
      .sort((a, b) => a - b);
    const option = absent.length === 0 ? null : optionOf(view, state, trial, rule, absent, left);
    return option === null || option.nodes === 0 ? [] : [option];
  });
  const draw = mix32(view.world.seed ?? 0, Math.floor(view.nowMs / 1_000), options.length);
  const chosen = options[chooseOption(config.expander, options, draw)];
  if (chosen === undefined) return 0;
  const rule = view.world.burst![chosen.rule]!;
  for (const node of chosen.taken) {
    act.openNode(node, rule.startupMs);
    memory.cloud.push(newNode(view, node, chosen.rule));
  }
  memory.addedMs = view.nowMs;
  tellHelped(view, state, act, chosen);
  return chosen.nodes;
}

/**
 * Whether a group is not asked now: it backs off, or its nodes start for longer than they are waited for and it has failed so often that the back-off no longer grows. Upstream asks such a
 * group twice an hour for ever; here a run is to end, and nothing but another limit would help, under which it is asked again.
 */
export function isLeftAlone(
  view: PoolView,
  { autoscaler }: PlacementState,
  { provisionMostMs, scanMs }: AutoscalerConfig,
  rule: number,
): boolean {
  const backoff = autoscaler.backoff.get(rule);
  if (backoff === undefined) return false;
  const givenUpMs = Math.ceil((provisionMostMs + 1) / scanMs) * scanMs;
  const comesTooLate = view.world.burst![rule]!.startupMs > givenUpMs;
  return backoff.untilMs > view.nowMs || (comesTooLate && isLongestBackoff(backoff));
}

/** What the group would do for the pods; its nodes are closed again in the trial. */
function optionOf(
  view: PoolView,
  state: PlacementState,
  trial: TrialNodes,
  rule: number,
  absent: readonly number[],
  left: readonly Batch[],
): Option | null {
  const { cluster } = view;
  const group = cluster.groups[cluster.nodeGroup[absent[0]!]!]!;
  const [cpus, memory] = [group.cpusPerNode * 1_000, group.memMiBPerNode];
  const sizeOf = ({ shape: { request } }: Batch): number =>
    (cpus > 0 ? request[CPU] / cpus : 0) + (memory > 0 ? request[MEMORY] / memory : 0);
  const order = [...left].sort((a, b) => sizeOf(b) - sizeOf(a));
  const opened: number[] = [];
  const { nodes, helped } = estimateNodes(order, () => {
    const node = absent[opened.length];
    if (node === undefined) return null;
    opened.push(node);
    trial.open(node);
    return {
      take: (batch, most) => takeOn(state, trial, batch, batch.entry.domainsLeft, node, most),
    };
  });
  for (const node of opened) trial.close(node);
  const asked = (at: typeof CPU | typeof MEMORY): number =>
    order.reduce((sum, { shape }, idx) => sum + helped[idx]! * shape.request[at], 0);
  return {
    rule,
    nodes,
    pods: helped.reduce((sum, pods) => sum + pods, 0),
    has: [cpus * nodes, memory * nodes],
    asked: [asked(CPU), asked(MEMORY)],
    taken: opened.slice(0, nodes),
    helped,
    order,
  };
}

const NO_NODE: ReadonlySet<number> = new Set([
  kubeReasonCode("noNode"),
  kubeReasonCode("unplaceable"),
]);

/** Jobs whose pods brought the nodes say so while these are on their way. O(pods helped). */
function tellHelped(view: PoolView, state: PlacementState, act: Actions, chosen: Option): void {
  for (const [at, { crowd }] of chosen.order.entries()) {
    let pods = chosen.helped[at]!;
    for (let i = crowd.first; i < crowd.rows.length && pods > 0; i++) {
      const entry = state.entries.get(crowd.rows[i]!);
      if (entry?.crowd !== crowd.id) continue;
      pods -= entry.left;
      state.autoscaler.coming.set(entry.jobIdx, chosen.taken);
      if (NO_NODE.has(view.waitReason(entry.jobIdx)))
        act.wait(entry.jobIdx, kubeReasonCode("nodeComing"));
    }
  }
}
