/**
 * Making room for a pod that fits nowhere: the rules of `scheduling/kubernetes/kubeScheduler` on the pods of this pool. Nodes are looked at in order from a hash of seed
 * and pod on, where upstream throws dice, until enough candidates are found. Victims have their grace period; the pod is nominated to the node, which keeps its room from
 * pods of lower priority only, and pods of lower priority lose their nomination there. A pod that asks for a share or slice of a device evicts nobody. A search in
 * vain is repeated only on nodes that have changed since, and what a node offers is kept until it changes (`offers.ts`). O(nodes) comparisons, and O(pods on a node that has
 * changed). Source: kubernetes/kubernetes `plugins/defaultpreemption`.
 */
import { mix32 } from "../../../base/mix32.ts";
import type { Actions, PoolView } from "../../../engine/view.ts";
import { NodeStateCode } from "../../../model/states.ts";
import { bestOffer, type NodeOffer } from "../../../scheduling/kubernetes/kubeScheduler/preempt.ts";
import { tellToLeave } from "./leaving.ts";
import { nodeOffers, priorityOf, type Victim } from "./offers.ts";
import { allows } from "./pin.ts";
import { hasPodOn } from "./pods.ts";
import { ALL_KINDS } from "./queue.ts";
import { touchNode } from "./search.ts";
import type { PodShapes } from "./shapes.ts";
import type { Entry, PlacementState } from "./state.ts";

/** Looks for a node to make room on for one more pod of the entry. True where its victims have been told to leave. */
export function makeRoom(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  act: Actions,
  entry: Entry,
): boolean {
  const { part } = shapes.list[shapes.ofRow[entry.row]!]!;
  if (!state.config.preemption || entry.never) return false;
  dropStale(view, state, entry);
  if (entry.left <= entry.nominated.length || part.shareMilli > 0 || part.mig > 0) return false;
  const key = `${entry.priority}|${shapes.ofRow[entry.row]}`;
  const { known } = state;
  const end = known.touchedFrom + known.touched.length;
  const isPlain = entry.pin === null && shapes.apart[entry.row] === 0;
  const since = isPlain ? known.spared.get(key) : undefined;
  const yielded: number[] = [];
  const found = bestOffer(
    offers(view, state, shapes, entry, nodesToTry(view, state, entry, since), yielded),
    Math.max(
      state.config.candidatesLeast,
      Math.trunc((view.nodes.length * state.config.candidatePercent) / 100),
    ),
  );
  if (found === null || found.victims.length === 0) {
    if (isPlain) known.spared.set(key, end);
    return false;
  }
  nominate(state, entry, yielded[found.nodeIdx]!);
  const told = found.victims.map(({ pod }) => pod);
  tellToLeave(view, state, shapes, act, told, { forJobIdx: entry.jobIdx });
  return true;
}

/** A nomination whose victims are gone without its pod having got the room is void. */
function dropStale(view: PoolView, state: PlacementState, entry: Entry): void {
  if (entry.nominated.length === 0) return;
  const stands = (node: number): boolean => {
    const { pods } = state;
    for (let pod = pods.headOfNode[node]!; pod >= 0; pod = pods.nodeNext[pod]!)
      if (pods.leaveMs[pod]! > 0 && priorityOf(view, state, pods.jobIdx[pod]!) < entry.priority)
        return true;
    return false;
  };
  const kept = entry.nominated.filter(stands);
  if (kept.length === entry.nominated.length) return;
  renominate(state, entry, kept);
  // What was kept for it is for others again.
  state.freed |= ALL_KINDS;
}

/** Its nominations are these from now on: pods that had one wait for a node again. */
function renominate(state: PlacementState, entry: Entry, nodes: number[]): void {
  state.pods.changes++;
  for (const node of entry.nominated) touchNode(state.known, node, !nodes.includes(node));
  state.nominations = state.nominations.filter(({ row }) => row !== entry.row);
  entry.nominated = nodes;
  for (const node of nodes) state.nominations.push({ row: entry.row, node });
}

/** More changed nodes than this are not put in order: all are looked at. */
const CHANGED_MOST = 64;

/** All nodes from the pod's own start on, or of these the ones that have changed since it looked in vain, where they are few. */
function* nodesToTry(
  view: PoolView,
  state: PlacementState,
  entry: Entry,
  since: number | undefined,
): Generator<number> {
  const { known } = state;
  const { nodes } = view;
  const start = mix32(view.world.seed ?? 0, entry.row, ~entry.left) % nodes.length;
  const from = since === undefined || known.always ? -1 : since - known.touchedFrom;
  if (from < 0 || known.touched.length - from > CHANGED_MOST) {
    for (let i = start; i < nodes.length; i++) yield nodes[i]!;
    for (let i = 0; i < start; i++) yield nodes[i]!;
    return;
  }
  // Its own nominations are no obstacle to it, as they are to others that looked there in vain.
  const changed = new Set([...known.touched.slice(from), ...entry.nominated]);
  const first = nodes[start]!;
  yield* [...changed].sort((a, b) => Number(a < first) - Number(b < first) || a - b);
}

/** What each of these nodes offers, where it may offer the pod anything. */
function* offers(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  entry: Entry,
  order: Iterable<number>,
  yielded: number[],
): Generator<NodeOffer<Victim> | null> {
  const { part } = shapes.list[shapes.ofRow[entry.row]!]!;
  const offerOf = nodeOffers(view, state, shapes, entry);
  for (const node of order) {
    if (view.nodeState[node] !== NodeStateCode.open) continue;
    if (part.groupFits[view.cluster.nodeGroup[node]!] === 0) continue;
    if (entry.pin !== null && !allows(entry.pin, entry.domainsLeft, node)) continue;
    if (shapes.apart[entry.row] === 1 && hasPodOn(state.pods, entry.jobIdx, entry.row, node))
      continue;
    const offer = offerOf(node);
    if (offer === null) continue;
    yielded.push(node);
    yield offer;
  }
}

/** The node is the pod's as far as less important pods are concerned; those of them that were nominated there are so no longer. */
function nominate(state: PlacementState, entry: Entry, node: number): void {
  for (const { row } of state.nominations.filter((one) => one.node === node)) {
    const other = state.entries.get(row);
    if (other === undefined || other.priority >= entry.priority) continue;
    renominate(
      state,
      other,
      other.nominated.filter((theirs) => theirs !== node),
    );
    const crowd = state.crowds.get(other.crowd);
    if (crowd !== undefined) crowd.woken = true;
  }
  entry.nominated.push(node);
  state.nominations.push({ row: entry.row, node });
  touchNode(state.known, node, false);
}
