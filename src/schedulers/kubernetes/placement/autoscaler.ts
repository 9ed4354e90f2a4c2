/**
 * Cluster Autoscaler beside kube-scheduler: every scan it asks for nodes of one rented group (`burst` in the document) for pods that found no node, or else marks nodes that are not needed and
 * takes away those that were not for long. Rules: `scheduling/kubernetes/autoscaler`; growing is in `scaleUp.ts`, shrinking in `scaleDown.ts`. Nodes are taken by number. A node that
 * is not there in time is given up and its group backs off; one that the cloud takes is emptied within its notice. A scan in which nothing has changed and no time has run out
 * is left out: it would find the same. O(nodes + devices + crowds × nodes) a scan.
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import type { Expander } from "../../../model/kubernetes/expanders.ts";
import type { KubeReason } from "../../../model/kubernetes/reasons.ts";
import type { PoolSettings } from "../../../model/policy.ts";
import { kubeReasonCode, StopReasonCode } from "../../../model/reasons.ts";
import { JobStateCode, NodeStateCode } from "../../../model/states.ts";
import {
  lookAtRented,
  noticeAtMs,
  type Rented,
  takenMs,
} from "../../../scheduling/burst/rented.ts";
import {
  type GroupBackoff,
  nextBackoff,
} from "../../../scheduling/kubernetes/autoscaler/scaleDown.ts";
import { tellToLeave } from "./leaving.ts";
import { scaleDown } from "./scaleDown.ts";
import { scaleUp } from "./scaleUp.ts";
import { touchNode } from "./search.ts";
import type { PodShapes } from "./shapes.ts";
import type { PlacementState } from "./state.ts";

export interface AutoscalerConfig {
  readonly scanMs: number;
  readonly expander: Expander;
  readonly provisionMostMs: number;
  readonly scaleDown: boolean;
  readonly unneededMs: number;
  readonly afterAddMs: number;
  readonly afterDeleteMs: number;
  readonly threshold: number;
  readonly gpuThreshold: number;
  readonly limits: { readonly parallel: number; readonly drains: number };
  readonly graceMostMs: number;
  /** Pods of lower priority bring no node. */
  readonly cutoff: number;
}

/** A node of a rented group that is there or has been asked for. */
export interface CloudNode extends Rented {
  readonly askedMs: number;
  /** −1 = it is needed. */
  unneededMs: number;
}

export interface AutoscalerState {
  cloud: CloudNode[];
  /** The last scan; −1 = none yet. */
  lastMs: number;
  /** Changes of pods as of a scan in vain; −1 = the next one may find something. */
  seen: number;
  /** When a scan may find something although nothing happens. */
  lookMs: number;
  addedMs: number;
  deletedMs: number;
  /** By index into `World.burst`. */
  backoff: Map<number, GroupBackoff>;
  /** Jobs for which nodes were asked for. */
  coming: Map<number, readonly number[]>;
}

const NEVER = Number.POSITIVE_INFINITY;

/** Of a pool's settings; null where it is off. */
export function autoscalerOf({ settings }: PoolSettings): AutoscalerConfig | null {
  if (settings["clusterAutoscaler"] !== true) return null;
  const number = (key: string): number => Number(settings[key]);
  return {
    scanMs: number("scanIntervalMs"),
    expander: settings["expander"] as Expander,
    provisionMostMs: number("maxNodeProvisionMs"),
    scaleDown: settings["scaleDownEnabled"] === true,
    unneededMs: number("scaleDownUnneededMs"),
    afterAddMs: number("scaleDownDelayAfterAddMs"),
    afterDeleteMs: number("scaleDownDelayAfterDeleteMs"),
    threshold: number("scaleDownUtilizationThreshold"),
    gpuThreshold: number("scaleDownGpuUtilizationThreshold"),
    limits: { parallel: number("maxScaleDownParallelism"), drains: number("maxDrainParallelism") },
    graceMostMs: number("maxGracefulTerminationMs"),
    cutoff: number("expendablePodsPriorityCutoff"),
  };
}

/** The memory at the begin: rented nodes that are there or on their way. O(rented nodes). */
export function createAutoscaler(view: PoolView): AutoscalerState {
  const here = new Set(view.nodes);
  const cloud = (view.world.burst ?? []).flatMap(({ nodes }, rule) =>
    nodes
      .filter((node) => here.has(node))
      .filter((node) => view.nodeState[node] !== NodeStateCode.unborn || view.onTheWay(node))
      .map((node) => {
        // One that is there and on its way has been given up under the policy before.
        const leaving = view.nodeState[node] !== NodeStateCode.unborn && view.onTheWay(node);
        return { ...newNode(view, node, rule), leaving };
      }),
  );
  return {
    cloud,
    lastMs: -1,
    seen: -1,
    lookMs: NEVER,
    addedMs: -NEVER,
    deletedMs: -NEVER,
    backoff: new Map(),
    coming: new Map(),
  };
}

export function newNode(view: PoolView, node: number, rule: number): CloudNode {
  const times = { askedMs: view.nowMs, openMs: -1, idleSinceMs: -1, unneededMs: -1 };
  return { node, rule, ...times, leaving: false };
}

/** A copy that shares nothing. */
export function copyAutoscaler(state: AutoscalerState): AutoscalerState {
  return {
    ...state,
    cloud: state.cloud.map((one) => ({ ...one })),
    backoff: new Map(state.backoff),
    coming: new Map(state.coming),
  };
}

/** What is due now: notices of the cloud, and a scan. */
export function runAutoscaler(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  act: Actions,
): void {
  const { autoscaler: config } = state.config;
  if (config === null || view.world.burst === undefined) return;
  const memory = state.autoscaler;
  memory.cloud = lookAtRented(view, memory.cloud);
  for (const [jobIdx, nodes] of memory.coming)
    if (!nodes.some((node) => view.onTheWay(node))) memory.coming.delete(jobIdx);
  for (const one of memory.cloud) heedNotice(view, state, shapes, act, one);
  if (view.nowMs % config.scanMs !== 0 || memory.lastMs === view.nowMs) return;
  memory.lastMs = view.nowMs;
  const late = giveUpLate(view, state, act, config);
  if (!late && isIdle(state) && view.nowMs < memory.lookMs) return;
  const grew = scaleUp(view, state, shapes, act, config);
  const acted =
    grew.nodes > 0 ||
    (config.scaleDown && scaleDown(view, state, shapes, act, config, grew.trial)) ||
    late;
  memory.seen = acted ? -1 : state.pods.changes;
  memory.lookMs = nextLookMs(view, memory, config);
}

/** Nodes that should have been there by now are given up, and their groups back off. */
function giveUpLate(
  view: PoolView,
  state: PlacementState,
  act: Actions,
  { provisionMostMs }: AutoscalerConfig,
): boolean {
  const { autoscaler } = state;
  const late = autoscaler.cloud.filter(
    (one) => one.openMs < 0 && !one.leaving && one.askedMs + provisionMostMs < view.nowMs,
  );
  for (const one of late) {
    one.leaving = true;
    act.closeNode(one.node);
  }
  for (const rule of new Set(late.map((one) => one.rule)))
    autoscaler.backoff.set(rule, nextBackoff(autoscaler.backoff.get(rule) ?? null, view.nowMs));
  if (late.length === 0) return false;
  tellGivenUp(view, state, act, new Set(late.map((one) => one.node)));
  autoscaler.cloud = lookAtRented(view, autoscaler.cloud);
  return true;
}

/** Jobs that no node comes for any more say so no longer. O(jobs that nodes come for). */
function tellGivenUp(
  view: PoolView,
  state: PlacementState,
  act: Actions,
  late: ReadonlySet<number>,
): void {
  const { coming } = state.autoscaler;
  for (const [jobIdx, nodes] of coming) {
    if (nodes.some((node) => !late.has(node) && view.onTheWay(node))) continue;
    coming.delete(jobIdx);
    if (view.waitReason(jobIdx) === kubeReasonCode("nodeComing"))
      act.wait(jobIdx, kubeReasonCode(emptyHanded(view, state, jobIdx)));
  }
}

/** The cloud takes a node: it is emptied within its notice. */
function heedNotice(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  act: Actions,
  one: CloudNode,
): void {
  const rule = view.world.burst![one.rule]!;
  if (one.leaving || one.openMs < 0 || noticeAtMs(rule, one) > view.nowMs) return;
  const now = view.nodeState[one.node];
  if (now !== NodeStateCode.open && now !== NodeStateCode.drained) return;
  const graceMs = Math.max(0, takenMs(rule, one) - view.nowMs);
  emptyNode(view, state, shapes, act, one, { graceMs, stopReason: StopReasonCode.spotTaken });
}

/** A node takes no more pods, those on it are told to leave, and it goes when they are gone. */
export function emptyNode(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  act: Actions,
  one: CloudNode,
  how: { readonly graceMs?: number; readonly graceMostMs?: number; readonly stopReason: number },
): void {
  one.leaving = true;
  act.closeNode(one.node);
  touchNode(state.known, one.node, false);
  state.pods.changes++;
  const pods: number[] = [];
  for (let pod = state.pods.headOfNode[one.node]!; pod >= 0; pod = state.pods.nodeNext[pod]!)
    pods.push(pod);
  tellToLeave(view, state, shapes, act, pods, { forJobIdx: -1, ...how });
}

/** Nothing has changed since a scan in vain. */
function isIdle({ autoscaler, pods, known }: PlacementState): boolean {
  return autoscaler.seen === pods.changes && !known.always;
}

function nextLookMs(view: PoolView, memory: AutoscalerState, config: AutoscalerConfig): number {
  const { nowMs } = view;
  const times = [memory.addedMs + config.afterAddMs, memory.deletedMs + config.afterDeleteMs];
  for (const { untilMs } of memory.backoff.values()) times.push(untilMs);
  for (const { unneededMs } of memory.cloud)
    if (unneededMs >= 0) times.push(unneededMs + config.unneededMs + 1);
  return times.reduce((first, atMs) => (atMs > nowMs ? Math.min(first, atMs) : first), NEVER);
}

/** When the next scan may find something, or the cloud gives notice; `Infinity` where only news can help. */
export function nextScanMs(view: PoolView, state: PlacementState): number {
  const { autoscaler: config } = state.config;
  const { burst } = view.world;
  if (config === null || burst === undefined) return NEVER;
  const memory = state.autoscaler;
  const { nowMs } = view;
  let lookMs = isIdle(state) ? memory.lookMs : nowMs + 1;
  let noticeMs = NEVER;
  for (const one of memory.cloud) {
    if (one.leaving) continue;
    if (one.openMs < 0) lookMs = Math.min(lookMs, one.askedMs + config.provisionMostMs + 1);
    else noticeMs = Math.min(noticeMs, noticeAtMs(burst[one.rule]!, one));
  }
  // Nobody waits and nothing is rented: there is nothing to look at.
  if (memory.cloud.length === 0 && state.crowds.size === 0 && state.burn === null) lookMs = NEVER;
  const scanMs = Math.ceil(Math.max(lookMs, nowMs + 1) / config.scanMs) * config.scanMs;
  return Math.min(scanMs, noticeMs > nowMs ? noticeMs : NEVER);
}

/** Why a job waits whose pods found no node: one that was asked for because of it may be on its way. O(such nodes). */
export function noNodeWord(view: PoolView, state: PlacementState, jobIdx: number): KubeReason {
  const nodes = state.autoscaler.coming.get(jobIdx);
  if (nodes?.some((node) => view.onTheWay(node))) return "nodeComing";
  return emptyHanded(view, state, jobIdx);
}

/** The word where no node comes for it. */
function emptyHanded(view: PoolView, { config }: PlacementState, jobIdx: number): KubeReason {
  const holdsQuota = config.admits && view.jobState[jobIdx] === JobStateCode.admitted;
  return holdsQuota ? "unplaceable" : "noNode";
}
