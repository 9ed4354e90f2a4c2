/**
 * Whether a job could run on this pool at all, and why it does not run now: the questions behind refusals and wait reasons,
 * asked by the passes and by `explain` alike.
 */
import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import type { Cluster } from "../../model/cluster.ts";
import { WaitReasonCode } from "../../model/reasons.ts";
import { JobStateCode, NodeStateCode } from "../../model/states.ts";
import type { Sketch } from "../../scheduling/placement/capacity.ts";
import {
  buildIndex,
  createSketch,
  loadSketch,
  openEmpty,
} from "../../scheduling/placement/capacity.ts";
import type { Wanted } from "../../scheduling/placement/placeShape.ts";
import { gpusWanted, placeShape, wishDomains } from "../../scheduling/placement/placeShape.ts";
import { Placing } from "../../scheduling/placement/placing.ts";
import type { Shape, Shapes } from "../../scheduling/placement/shapes.ts";
import { sketchOf } from "./scratch.ts";
import { isFlat, stillWanted } from "./starts.ts";
import type { LabState } from "./state.ts";

const trial = new Placing();
const held = new Grant();

/** Could the job run if nothing else ran and every node of the pool were open? O(1) after the first job of its shape. */
export function canEverFit(
  state: Pick<LabState, "fitsEmpty">,
  view: PoolView,
  shapes: Shapes,
  jobIdx: number,
): boolean {
  const shapeIdx = shapes.shapeOfJob[jobIdx]!;
  if (shapeIdx >= state.fitsEmpty.length) {
    const grown = new Uint8Array(shapes.list.length);
    grown.set(state.fitsEmpty);
    state.fitsEmpty = grown;
  }
  let known = state.fitsEmpty[shapeIdx]!;
  if (known === 0) {
    known = placeShape(emptyPool(view, true), shapes.list[shapeIdx]!, null, "fewestNodes", trial)
      ? 1
      : 2;
    state.fitsEmpty[shapeIdx] = known;
  }
  return known === 1;
}

/** The pool as it would be if nothing ran: on all its nodes, or on those that are open. O(nodes). */
function emptyPool(view: PoolView, allOpen: boolean): Sketch {
  const sketch = createSketch(view);
  for (let i = 0; i < view.nodes.length; i++) {
    const node = view.nodes[i]!;
    const open = allOpen || view.nodeState[node] === NodeStateCode.open;
    sketch.nodeState[node] = open ? NodeStateCode.open : NodeStateCode.drained;
    if (open) openEmpty(sketch, node);
  }
  buildIndex(sketch);
  return sketch;
}

/** Is there room for the job (or for the members it lacks) now, whoever else may have a claim? O(nodes) at worst. */
export function canFitNow(view: PoolView, shapes: Shapes, jobIdx: number): boolean {
  const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
  if (shape.gpusWhole > view.gpusFreeTotal && view.jobState[jobIdx] !== JobStateCode.placed)
    return false;
  if (isFlat(view, shapes) && view.jobState[jobIdx] !== JobStateCode.placed) return true;
  return placeShape(view, shape, stillWanted(view, shape, jobIdx), "fewestNodes", trial);
}

/** Why a blocked job at the head of its queue waits. */
export function headReason(view: PoolView, shapes: Shapes, jobIdx: number): number {
  const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
  if (view.jobState[jobIdx] === JobStateCode.placed) return WaitReasonCode.gang;
  return shortReason(view, shape, null);
}

/** Why a job that nothing stands before cannot start now. O(nodes). */
export function shortReason(view: PoolView, shape: Shape, wanted: Wanted): number {
  const need = gpusWanted(shape, wanted);
  if (closedNodesWouldDo(view, shape, wanted, need)) return WaitReasonCode.nodesClosed;
  if (wanted === null && openNodesNeverDo(view, shape)) return WaitReasonCode.nodesClosed;
  if (need > view.gpusFreeTotal) return WaitReasonCode.resources;
  return fitsByDevices(view, shape, wanted)
    ? WaitReasonCode.cpuOrMemory
    : WaitReasonCode.fragmentation;
}

/** Would it fit if CPUs and memory were no matter? */
function fitsByDevices(view: PoolView, shape: Shape, wanted: Wanted): boolean {
  if (shape.parts.every((part) => part.cpuMilli === 0 && part.memMiB === 0)) return false;
  const parts = shape.parts.map((part) => ({
    ...part,
    cpuMilli: 0,
    memMiB: 0,
    devicesOnly:
      part.gpus > 0 && part.shareMilli === 0 && part.mig === 0 && !part.groupFits.includes(0),
  }));
  return placeShape(view, { ...shape, parts, faster: [] }, wanted, "fewestNodes", trial);
}

/** Would it fit now if the closed nodes were open? Nodes that still hold a run count with what it leaves. O(nodes + running) where their devices could be enough. */
function closedNodesWouldDo(view: PoolView, shape: Shape, wanted: Wanted, need: number): boolean {
  if (allOpen(view) || need > view.gpusFreeTotal + gpusOnClosedNodes(view)) return false;
  const sketch = sketchOf(view, "closedNodes");
  loadSketch(sketch, view, true);
  sketch.cpuMilliAtDevices = null;
  sketch.sliceUsed.fill(0);
  for (let i = 0; i < view.nodes.length; i++) {
    const node = view.nodes[i]!;
    if (view.nodeState[node] !== NodeStateCode.open) openEmpty(sketch, node);
    else sketch.nodeState[node] = NodeStateCode.open;
  }
  takeRunning(view, sketch);
  buildIndex(sketch);
  return placeShape(sketch, shape, wanted, "fewestNodes", trial);
}

/** What would fit on the open nodes if nothing ran, for the nodes that were open when it was last asked. */
interface FitsOpen {
  readonly nodes: readonly number[];
  readonly fits: WeakMap<Shape, boolean>;
}
const fitsOpen = new WeakMap<Cluster, FitsOpen>();

/** Can it not start before closed nodes open, whatever ends? O(nodes), and a placement for each shape and set of open nodes. */
export function openNodesNeverDo(view: PoolView, shape: Shape): boolean {
  if (allOpen(view)) return false;
  const { fits } = fitsOpenOf(view);
  let known = fits.get(shape);
  if (known === undefined) {
    known = placeShape(emptyPool(view, false), shape, null, "fewestNodes", trial);
    fits.set(shape, known);
  }
  return !known;
}

/** Several pools and futures of one cluster take turns: the answers are those of the nodes that are open now. */
function fitsOpenOf(view: PoolView): FitsOpen {
  const last = fitsOpen.get(view.cluster);
  let open = 0;
  for (let i = 0; i < view.nodes.length; i++) {
    const node = view.nodes[i]!;
    if (view.nodeState[node] !== NodeStateCode.open) continue;
    if (last?.nodes[open] !== node) open = Number.NEGATIVE_INFINITY;
    open++;
  }
  if (last && open === last.nodes.length) return last;
  const nodes = [...view.nodes].filter((node) => view.nodeState[node] === NodeStateCode.open);
  const made: FitsOpen = { nodes, fits: new WeakMap() };
  fitsOpen.set(view.cluster, made);
  return made;
}

/** Devices on nodes of the pool that are not open. O(nodes). */
export function gpusOnClosedNodes({ cluster, nodes, gpusOpenTotal }: PoolView): number {
  let gpus = -gpusOpenTotal;
  for (const node of nodes) gpus += cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!;
  return gpus;
}

/** The free index holds the open nodes, so they are counted without looking at each. O(min(nodes, devices of a node)). */
function allOpen({ freeIndex, nodes, nodeState }: PoolView): boolean {
  if (freeIndex.maxFree < nodes.length) {
    let open = 0;
    for (let free = 0; free <= freeIndex.maxFree; free++) open += freeIndex.countWith(free);
    return open === nodes.length;
  }
  return nodes.every((node) => nodeState[node] === NodeStateCode.open);
}

/** Takes what runs on closed nodes out of a sketch in which those nodes were filled. */
function takeRunning(view: PoolView, sketch: Sketch): void {
  const running = view.running();
  for (let i = 0; i < running.length; i++) {
    const jobIdx = running.at[i]!;
    held.clear();
    view.holdings(jobIdx, held);
    for (let row = 0; row < held.length; row++) {
      const node = held.node[row]!;
      if (view.nodeState[node] === NodeStateCode.open) continue;
      const component = view.jobs.at.firstComponent[jobIdx]! + held.component[row]!;
      const members = held.members[row]!;
      sketch.gpusFree[node] = Math.max(0, sketch.gpusFree[node]! - held.count[row]!);
      sketch.gpusFreeTotal = Math.max(0, sketch.gpusFreeTotal - held.count[row]!);
      sketch.cpuMilliFree[node] =
        sketch.cpuMilliFree[node]! - members * view.jobs.components.cpuMilli[component]!;
      sketch.memMiBFree[node] =
        sketch.memMiBFree[node]! - members * view.jobs.components.memMiB[component]!;
    }
  }
}

/** Whether the job must stay under one leaf or in one NVSwitch domain here. */
export function isBoundToDomain(view: PoolView, shape: Shape): boolean {
  return wishDomains(shape, view.cluster) !== null;
}
