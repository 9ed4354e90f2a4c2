/**
 * Moving running jobs together so that a waiting one fits. Nodes that lack least are emptied first; from a node the pieces (what one job
 * holds there) go that are just enough, the smallest that suffices or the largest below; each goes whole to the fullest other node that holds
 * it. A plan that does not make room for the whole job within the budget of moves is no plan: nothing is moved in vain.
 *
 * O(nodes × log + pieces × nodes) a plan. Greedy: it may miss a plan that needs a chain of moves. Source: Gandiva (Xiao et al., OSDI 2018)
 * migrates for the same end; the rule here is our own.
 */
import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import { JobFlag } from "../../model/jobs.ts";
import { JobStateCode } from "../../model/states.ts";
import type { Sketch } from "./capacity.ts";
import { createSketch, loadSketch, membersOn } from "./capacity.ts";
import type { Shape, Shapes } from "./shapes.ts";

/** What one job holds on one node, to be moved as a whole. */
interface Piece {
  readonly jobIdx: number;
  readonly gpus: number;
  /** Members by part, in the order of `parts`. */
  readonly parts: readonly number[];
  readonly members: readonly number[];
}

export interface Move {
  readonly jobIdx: number;
  readonly fromNode: number;
  readonly toNode: number;
  readonly parts: readonly number[];
  readonly members: readonly number[];
}

const held = new Grant();

/** The moves that make room for a job of one part of whole devices; empty if there are none within `most`. */
export function planMoves(view: PoolView, shapes: Shapes, shape: Shape, most: number): Move[] {
  const part = shape.parts[0]!;
  const plain = part.gpus > 0 && part.shareMilli === 0 && part.mig === 0 && shape.wish === "none";
  if (shape.parts.length > 1 || !plain || part.exclusive !== null) return [];
  if (part.rules.numa === "single") return [];
  const sketch = createSketch(view);
  loadSketch(sketch, view, true);
  let missing = part.members;
  for (const node of view.nodes) missing -= membersOn(sketch, node, part, part.members);
  if (missing <= 0) return [];
  const piecesOf = piecesByNode(view, shapes);
  const targets = [...view.nodes]
    .map((node) => ({ node, lack: part.gpus - (sketch.gpusFree[node]! % part.gpus) }))
    .filter(({ node }) => mayHold(view, node, part.groupFits, part.gpus))
    .sort((a, b) => a.lack - b.lack || a.node - b.node);
  const kept = new Set<number>();
  const moves: Move[] = [];
  for (const { node, lack } of targets) {
    if (missing <= 0 || moves.length >= most) break;
    kept.add(node);
    const before = membersOn(sketch, node, part, part.members);
    const own = empty(
      sketch,
      shapes,
      node,
      lack,
      piecesOf.get(node) ?? [],
      kept,
      most - moves.length,
    );
    const gained = own === null ? 0 : membersOn(sketch, node, part, part.members) - before;
    if (own === null || gained <= 0) {
      kept.delete(node);
      for (const move of own ?? [])
        carry(sketch, shapes, { ...move, fromNode: move.toNode, toNode: node });
      continue;
    }
    moves.push(...own);
    missing -= gained;
  }
  return missing <= 0 ? moves : [];
}

function mayHold(view: PoolView, node: number, groupFits: Uint8Array, gpus: number): boolean {
  const { deviceBase, nodeGroup } = view.cluster;
  return (
    view.nodeState[node] === 0 &&
    groupFits[nodeGroup[node]!] === 1 &&
    deviceBase[node + 1]! - deviceBase[node]! >= gpus
  );
}

/** What can be moved from each node: running, preemptible, whole devices only, and all of the job's members there. O(holdings). */
function piecesByNode(view: PoolView, shapes: Shapes): Map<number, Piece[]> {
  const pieces = new Map<number, Piece[]>();
  const running = view.running();
  for (let i = 0; i < running.length; i++) {
    const jobIdx = running.at[i]!;
    if (view.jobState[jobIdx] !== JobStateCode.running) continue;
    if ((view.jobs.at.flags[jobIdx]! & JobFlag.preemptible) === 0) continue;
    const { parts, wish } = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
    if (
      wish !== "none" ||
      parts.some((part) => part.shareMilli > 0 || part.mig > 0 || part.exclusive !== null)
    )
      continue;
    held.clear();
    view.holdings(jobIdx, held);
    const byNode = new Map<number, { gpus: number; members: Map<number, number> }>();
    for (let row = 0; row < held.length; row++) {
      const own = byNode.get(held.node[row]!) ?? { gpus: 0, members: new Map<number, number>() };
      own.gpus += held.count[row]!;
      const component = held.component[row]!;
      own.members.set(component, (own.members.get(component) ?? 0) + held.members[row]!);
      byNode.set(held.node[row]!, own);
    }
    for (const [node, own] of byNode) {
      if (own.gpus === 0) continue;
      const list = pieces.get(node) ?? [];
      list.push({
        jobIdx,
        gpus: own.gpus,
        parts: [...own.members.keys()],
        members: [...own.members.values()],
      });
      pieces.set(node, list);
    }
  }
  return pieces;
}

/** Takes pieces off a node until `lack` devices more are free; null (and the sketch as before) where that cannot be. */
function empty(
  sketch: Sketch,
  shapes: Shapes,
  node: number,
  lack: number,
  pieces: readonly Piece[],
  kept: ReadonlySet<number>,
  most: number,
): Move[] | null {
  const left = [...pieces].sort((a, b) => a.gpus - b.gpus || a.jobIdx - b.jobIdx);
  const moves: Move[] = [];
  let wanted = lack;
  while (wanted > 0 && left.length > 0 && moves.length < most) {
    // The smallest piece that is enough, else the largest.
    let pick = left.findIndex((piece) => piece.gpus >= wanted);
    if (pick < 0) pick = left.length - 1;
    const [piece] = left.splice(pick, 1);
    const toNode = destination(sketch, shapes, piece!, node, kept);
    if (toNode < 0) continue;
    const { jobIdx, parts, members, gpus } = piece!;
    const move: Move = { jobIdx, fromNode: node, toNode, parts, members };
    carry(sketch, shapes, move);
    moves.push(move);
    wanted -= gpus;
  }
  if (wanted <= 0) return moves;
  for (const move of moves) carry(sketch, shapes, { ...move, fromNode: move.toNode, toNode: node });
  return null;
}

/** The fullest node that holds a piece and is not to be emptied; −1 if there is none. O(nodes). */
function destination(
  sketch: Sketch,
  shapes: Shapes,
  { jobIdx, gpus, parts, members }: Piece,
  from: number,
  kept: ReadonlySet<number>,
): number {
  const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
  let best = -1;
  for (const node of sketch.nodes) {
    if (node === from || kept.has(node) || sketch.gpusFree[node]! < gpus) continue;
    if (best >= 0 && sketch.gpusFree[node]! >= sketch.gpusFree[best]!) continue;
    const holds = parts.every((partIdx, i) => {
      const part = shape.parts[partIdx]!;
      return (
        (!part.ownNode || members[i] === 1) &&
        membersOn(sketch, node, { ...part, ownNode: false }, members[i]!) === members[i]
      );
    });
    if (holds) best = node;
  }
  return best;
}

/** Carries a move out on the sketch; devices one by one are not followed. */
function carry(
  sketch: Sketch,
  shapes: Shapes,
  { jobIdx, fromNode, toNode, parts, members }: Move,
): void {
  const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
  parts.forEach((partIdx, i) => {
    const { gpus, cpuMilli, memMiB } = shape.parts[partIdx]!;
    for (const [node, sign] of [
      [fromNode, 1],
      [toNode, -1],
    ] as const) {
      const count = sign * members[i]!;
      sketch.gpusFree[node] = sketch.gpusFree[node]! + count * gpus;
      sketch.cpuMilliFree[node] = sketch.cpuMilliFree[node]! + count * cpuMilli;
      sketch.memMiBFree[node] = sketch.memMiBFree[node]! + count * memMiB;
    }
  });
}
