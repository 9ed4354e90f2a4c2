/**
 * The nodes that a waiting job could go to, and what takes each of them away: asked for one job when somebody wants to know, by the same
 * tests as the passes (`membersOn` says whether a member fits), never on the path of a run. A node counts once, for the first rule that removes
 * it; rules stand in the order of `CANDIDATE_RULES`, from what never changes to what others have been promised. Changes nothing.
 * O(nodes + devices of parts + running).
 *
 * Where a job has several components, its first is told of.
 */
import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import {
  CANDIDATE_RULES,
  type CandidateRow,
  type CandidateRule,
  type Candidates,
} from "../../model/lab/candidates.ts";
import { NodeStateCode } from "../../model/states.ts";
import { type Capacity, membersOn } from "../../scheduling/placement/capacity.ts";
import { wishDomains } from "../../scheduling/placement/placeShape.ts";
import type { Placing } from "../../scheduling/placement/placing.ts";
import type { Part, Shape } from "../../scheduling/placement/shapes.ts";
import { shapesOf } from "../../scheduling/placement/shapes.ts";
import { stillWanted } from "./starts.ts";

/** Room that is kept for another job. */
export interface KeptRoom {
  readonly jobIdx: number;
  /** −∞: from now on. */
  readonly startMs: number;
  readonly placing: Placing;
}

export interface FunnelContext {
  readonly shape: Shape;
  readonly kept: readonly KeptRoom[];
  /** Nodes that the job may not use because of a window. */
  readonly inWindow: ReadonlySet<number>;
  /** How long the job is expected to run. */
  readonly lengthMs: number;
  /** When a running job is expected to end; `Infinity` = not known. */
  readonly endMsOf: (jobIdx: number) => number;
  readonly ceiling: number;
}

interface Row {
  readonly by: CandidateRow["by"];
  readonly index: number;
  readonly removed: number[];
  nodes: number;
  left: number;
  members: number;
}

/** Answers for one waiting job; null on a flat machine, where any processor is like any other. */
export function nodeFunnel(
  view: PoolView,
  jobIdx: number,
  context: FunnelContext,
): Candidates | null {
  const { cluster } = view;
  const part = context.shape.parts[0];
  if (cluster.flat || part === undefined) return null;
  const rows = new Map<number, Row>();
  const by = rowsBy(view, context.shape);
  const domains = wishDomains(context.shape, cluster);
  const kept = keptOn(view, jobIdx, part, context);
  const needed = stillWanted(view, context.shape, jobIdx)?.[0] ?? part.members;
  for (const node of view.nodes) {
    const row = rowOf(rows, by.kind, by.of[node]!);
    row.nodes += 1;
    const rule = removedBy(view, part, node, jobIdx, { ...context, kept: kept.nodes, domains });
    if (rule !== null) {
      row.removed[CANDIDATE_RULES.indexOf(rule)]! += 1;
      continue;
    }
    row.left += 1;
    row.members += membersOn(view, node, part, Math.max(1, needed));
  }
  return {
    rows: [...rows.values()].sort((a, b) => b.members - a.members || a.index - b.index),
    unit: "member",
    membersNeeded: needed,
    components: context.shape.parts.length,
    inOneRow: domains !== null,
    ceiling: context.ceiling,
    keptForJobIdx: kept.forJobIdx,
    switchesMost: 0,
  };
}

/** By the domain that all members must share; else by class where there are several, else by leaf. */
function rowsBy(
  { world: { cluster } }: PoolView,
  shape: Shape,
): { readonly kind: CandidateRow["by"]; readonly of: ArrayLike<number> } {
  if (wishDomains(shape, cluster) !== null)
    return shape.wish === "nvswitch"
      ? { kind: "nvswitch", of: cluster.nvswitchOfNode }
      : { kind: "leaf", of: cluster.leafOfNode };
  if (cluster.groups.length === 1 && cluster.hasFabric && cluster.leafCount > 1)
    return { kind: "leaf", of: cluster.leafOfNode };
  return { kind: "class", of: cluster.nodeGroup };
}

function rowOf(rows: Map<number, Row>, by: CandidateRow["by"], index: number): Row {
  let row = rows.get(index);
  if (row === undefined) {
    row = { by, index, nodes: 0, removed: CANDIDATE_RULES.map(() => 0), left: 0, members: 0 };
    rows.set(index, row);
  }
  return row;
}

interface NodeContext extends Pick<FunnelContext, "inWindow"> {
  readonly kept: ReadonlySet<number>;
  readonly domains: Int32Array | null;
}

/** The first rule that removes a node; null = a member fits. */
function removedBy(
  view: PoolView,
  part: Part,
  node: number,
  jobIdx: number,
  { inWindow, kept, domains }: NodeContext,
): CandidateRule | null {
  if (view.nodeState[node] !== NodeStateCode.open) return "closed";
  if (domains !== null && domains[node]! < 0) return "domain";
  const unfit = unfitClass(view, part, node, jobIdx);
  if (unfit !== null) return unfit;
  if (membersOn(view, node, part, 1) === 0) return shortOn(view, part, node);
  if (inWindow.has(node)) return "window";
  return kept.has(node) ? "kept" : null;
}

/** What a node of this kind can never give. */
function unfitClass(
  { cluster, jobs }: PoolView,
  part: Part,
  node: number,
  jobIdx: number,
): "labels" | "model" | "size" | null {
  const groupIdx = cluster.nodeGroup[node]!;
  const group = cluster.groups[groupIdx]!;
  if (part.groupFits[groupIdx] === 0) {
    const labels = Object.entries(jobs.lab.get(jobIdx)?.nodes?.labels ?? {});
    return labels.some(([label, value]) => group.labels[label] !== value) ? "labels" : "model";
  }
  const whole = part.shareMilli === 0 && part.mig === 0;
  const tooSmall =
    (whole && part.gpus > group.gpusPerNode) ||
    part.cpuMilli > group.cpusPerNode * 1_000 ||
    part.memMiB > group.memMiBPerNode;
  return tooSmall ? "size" : null;
}

/** What is missing now on a node that would do if it were empty. */
function shortOn(view: PoolView, part: Part, node: number): CandidateRule {
  const parts = part.shareMilli > 0 || part.mig > 0;
  if (part.gpus > 0 || parts) {
    const devicesAlone = { ...part, cpuMilli: 0, memMiB: 0, exclusive: null };
    if (membersOn(view, node, devicesAlone, 1) === 0)
      return view.gpusFree[node] === 0 ? "devices" : "together";
  }
  if (part.exclusive !== null && membersOn(view, node, { ...part, exclusive: null }, 1) > 0)
    return "exclusive";
  return "cpuOrMemory";
}

const held = new Grant();

/** Nodes with room now of which a job before it will need so much that a member would be in its way. O(kept + running). */
function keptOn(
  view: PoolView,
  jobIdx: number,
  part: Part,
  { kept, lengthMs, endMsOf, shape }: FunnelContext,
): { readonly nodes: ReadonlySet<number>; readonly forJobIdx: number } {
  const endMs = view.nowMs + lengthMs;
  const others = kept.filter((room) => room.jobIdx !== jobIdx && room.startMs < endMs);
  const nodes = new Set<number>();
  if (others.length === 0 || part.gpus === 0) return { nodes, forJobIdx: -1 };
  const shapes = shapesOf(view.jobs, view.cluster, shape.parts[0]!.rules);
  const taken = new Map<number, number>();
  let lastMs = view.nowMs;
  for (const { jobIdx: otherIdx, startMs, placing } of others) {
    const { parts } = shapes.list[shapes.shapeOfJob[otherIdx]!]!;
    lastMs = Math.max(lastMs, startMs);
    for (let row = 0; row < placing.length; row++) {
      const devices = placing.members[row]! * (parts[placing.part[row]!]?.gpus ?? 0);
      taken.set(placing.node[row]!, (taken.get(placing.node[row]!) ?? 0) + devices);
    }
  }
  const back = comingBack(view, taken, lastMs, endMsOf);
  for (const [node, devices] of taken) {
    const there: Capacity["gpusFree"] = view.gpusFree;
    if (there[node]! + (back.get(node) ?? 0) - devices < part.gpus) nodes.add(node);
  }
  return { nodes, forJobIdx: others[0]!.jobIdx };
}

/** Devices of some nodes whose jobs end by a time. */
function comingBack(
  view: PoolView,
  nodes: ReadonlyMap<number, number>,
  byMs: number,
  endMsOf: (jobIdx: number) => number,
): ReadonlyMap<number, number> {
  const back = new Map<number, number>();
  const running = view.running();
  for (let i = 0; i < running.length; i++) {
    const otherIdx = running.at[i]!;
    if (endMsOf(otherIdx) > byMs) continue;
    held.clear();
    view.holdings(otherIdx, held);
    for (let row = 0; row < held.length; row++) {
      const node = held.node[row]!;
      if (nodes.has(node)) back.set(node, (back.get(node) ?? 0) + held.count[row]!);
    }
  }
  return back;
}
