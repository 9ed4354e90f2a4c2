/**
 * The memory of a Ray cluster: calls that wait, in the order of each scheduling class; what runs, by class; which workers are there, and since when they are idle; how often each job has
 * failed. Copies are O(what waits and runs + nodes).
 */
import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import type { PoolSettings } from "../../model/policy.ts";
import { JobStateCode, NodeStateCode } from "../../model/states.ts";
import { NEVER_MS } from "../../model/units.ts";
import {
  copyLanes,
  createLanes,
  joinLane,
  type Lane,
  type Lanes,
  laneFor,
  laneOfJob,
  leaveLanes,
} from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { type CallClass, callsOf } from "./calls.ts";
import { bootMs, type RaySetup, setupOf } from "./setup.ts";

/** A worker that has been asked for. */
export interface Launch {
  readonly node: number;
  readonly group: number;
  /** `Infinity`: when its machine has booted. */
  readonly atMs: number;
}

/** What a job holds. */
export interface Held {
  /** Members by component. */
  readonly members: readonly number[];
  readonly nodes: readonly number[];
}

export interface RayState {
  readonly setup: RaySetup;
  /** Tasks and actors that wait; a job stays until its last member has a node. */
  calls: Lanes;
  /** Placement groups that wait. */
  groups: Lanes;
  held: Map<number, Held>;
  /** Members that run, by class. */
  running: Map<number, number>;
  /** Failures so far, of jobs that had some. */
  failures: Map<number, number>;
  /** 1 where a worker could be and is not. */
  absent: Uint8Array;
  launches: Launch[];
  /** By node: since when its worker holds nothing; −1 = it does. */
  idleSinceMs: Float64Array;
  /** When room that was given back is known to all, and when pending groups are tried again; `Infinity` = no room has come. */
  callsDueMs: number;
  groupsDueMs: number;
  /** Classes of which a call, or a group, was refused, and the reason: until room is known to have come. */
  blockedCalls: Map<number, number>;
  blockedGroups: Map<number, number>;
  /** Somebody has come who was not looked at. */
  fresh: boolean;
  /** GCS is busy with a group until then. */
  gcsFreeMs: number;
  /** Where SPREAD goes on. */
  spreadFrom: number;
  readonly originMs: number;
  lastStepMs: number;
  /** Something has changed that the autoscaler has not seen. */
  stale: boolean;
}

export function createState(view: PoolView, pool: PoolSettings): RayState {
  const setup = setupOf(view, pool);
  const state: RayState = {
    setup,
    calls: createLanes(1),
    groups: createLanes(1),
    held: new Map(),
    running: new Map(),
    failures: new Map(),
    absent: absentAtFirst(view, setup),
    launches: [],
    idleSinceMs: new Float64Array(view.cluster.nodeCount).fill(-1),
    callsDueMs: NEVER_MS,
    groupsDueMs: NEVER_MS,
    blockedCalls: new Map(),
    blockedGroups: new Map(),
    fresh: true,
    gcsFreeMs: view.nowMs,
    spreadFrom: 0,
    originMs: view.nowMs,
    lastStepMs: -1,
    stale: true,
  };
  const running = view.running();
  for (let i = 0; i < running.length; i++) takeStock(view, state, running.at[i]!);
  // Where somebody works there is a worker.
  for (const { nodes } of state.held.values()) for (const node of nodes) state.absent[node] = 0;
  const waiting = view.waiting();
  for (let i = 0; i < waiting.length; i++) joinLine(view, state, waiting.at[i]!);
  return state;
}

/** Groups begin with their replicas; rented nodes are absent by themselves. */
function absentAtFirst(view: PoolView, setup: RaySetup): Uint8Array {
  const absent = new Uint8Array(view.cluster.nodeCount);
  for (const { nodes, replicas } of setup.groups) {
    const own = nodes.filter((node) => bootMs(view, node) < 0);
    for (const node of own.slice(replicas)) absent[node] = 1;
  }
  return absent;
}

export function copyState(state: RayState): RayState {
  return {
    ...state,
    calls: copyLanes(state.calls),
    groups: copyLanes(state.groups),
    held: new Map(state.held),
    running: new Map(state.running),
    failures: new Map(state.failures),
    absent: state.absent.slice(),
    launches: [...state.launches],
    idleSinceMs: state.idleSinceMs.slice(),
    blockedCalls: new Map(state.blockedCalls),
    blockedGroups: new Map(state.blockedGroups),
  };
}

export function classOf(view: PoolView, jobIdx: number): CallClass {
  const { ofJob, list } = callsOf(view.jobs, view.cluster);
  return list[ofJob[jobIdx]!]!;
}

export function lanesOf(state: RayState, { kind }: CallClass): Lanes {
  return kind === "placementGroup" ? state.groups : state.calls;
}

export function lineOf(view: PoolView, state: RayState, jobIdx: number): Lane {
  const { ofJob, list } = callsOf(view.jobs, view.cluster);
  const classIdx = ofJob[jobIdx]!;
  return laneFor(lanesOf(state, list[classIdx]!), 0, 0, classIdx);
}

/** A job waits for the nodes that its members lack. */
export function joinLine(view: PoolView, state: RayState, jobIdx: number): void {
  const calls = classOf(view, jobIdx);
  const lanes = lanesOf(state, calls);
  if (laneOfJob(lanes, jobIdx) !== null || missing(state, calls, jobIdx) < 0) return;
  joinLane(lanes, lineOf(view, state, jobIdx), view.jobs.at.submitMs, jobIdx);
}

export function leaveLine(view: PoolView, state: RayState, jobIdx: number): boolean {
  const { submitMs } = view.jobs.at;
  return leaveLanes(state.calls, submitMs, jobIdx) || leaveLanes(state.groups, submitMs, jobIdx);
}

/** The first component that lacks a member; −1 = it has all. */
export function missing(state: RayState, { shape }: CallClass, jobIdx: number): number {
  const held = state.held.get(jobIdx);
  if (held === undefined) return 0;
  return shape.parts.findIndex(({ members }, at) => held.members[at]! < members);
}

/** Members that a job lacks. */
export function countMissing(state: RayState, { members }: CallClass, jobIdx: number): number {
  const held = state.held.get(jobIdx);
  return members - (held === undefined ? 0 : sum(held.members));
}

const sum = (list: readonly number[]): number => list.reduce((all, one) => all + one, 0);
const holdings = new Grant();

/** Brings the books up to date with what a job holds; how many members fewer it has than before. O(its entries). */
export function takeStock(view: PoolView, state: RayState, jobIdx: number): number {
  const { ofJob, list } = callsOf(view.jobs, view.cluster);
  const classIdx = ofJob[jobIdx]!;
  const before = sum(state.held.get(jobIdx)?.members ?? []);
  const held = heldBy(view, list[classIdx]!, jobIdx);
  const now = sum(held?.members ?? []);
  if (held === null) state.held.delete(jobIdx);
  else state.held.set(jobIdx, held);
  if (now !== before)
    state.running.set(classIdx, (state.running.get(classIdx) ?? 0) + now - before);
  return before - now;
}

function heldBy(view: PoolView, { shape }: CallClass, jobIdx: number): Held | null {
  if (view.jobState[jobIdx] === JobStateCode.done) return null;
  holdings.clear();
  view.holdings(jobIdx, holdings);
  if (holdings.length === 0) return null;
  const members = shape.parts.map(() => 0);
  const nodes: number[] = [];
  for (let row = 0; row < holdings.length; row++) {
    const at = holdings.component[row]!;
    members[at] = members[at]! + holdings.members[row]!;
    const node = holdings.node[row]!;
    if (!nodes.includes(node)) nodes.push(node);
  }
  return { members, nodes };
}

/** Whether one of the nodes that a job held is down. A drained one lets its work end. */
export function lostNode(view: PoolView, held: Held | undefined): boolean {
  const isUp = (state: number) => state === NodeStateCode.open || state === NodeStateCode.drained;
  return held?.nodes.some((node) => !isUp(view.nodeState[node]!)) ?? false;
}

/** Room has come: known to all a broadcast later, to placement groups at their next try. */
export function roomGrew(view: PoolView, state: RayState): void {
  const { broadcastMs, groupRetryMs } = state.setup;
  const knownMs = view.nowMs + broadcastMs;
  state.callsDueMs = Math.min(state.callsDueMs, knownMs);
  if (state.groups.list.every(({ jobs, first }) => first === jobs.length)) return;
  const tries = Math.ceil((knownMs - state.originMs) / groupRetryMs);
  state.groupsDueMs = Math.min(state.groupsDueMs, state.originMs + tries * groupRetryMs);
}
