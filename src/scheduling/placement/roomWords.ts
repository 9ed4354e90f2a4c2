/** On how many nodes of a pool one member would have room now, and what the others are short of, in words: each node counts under the first thing that is short. Changes nothing. O(nodes). */
import type { PoolView } from "../../engine/view.ts";
import type { NodeCounts } from "../../model/kubernetes/placementFacts.ts";
import { NodeStateCode } from "../../model/states.ts";
import { membersOn } from "./capacity.ts";
import type { Part } from "./shapes.ts";

/** "0 of 64 nodes have room for one: 12 with too little nvidia.com/gpu free, 52 closed." `keptOut`: what else keeps a node with room from it; "" = nothing. */
export function roomWords(
  view: PoolView,
  part: Part,
  keptOut: (node: number) => string = () => "",
): string {
  const { room, nodes, short } = roomCounts(view, part, keptOut);
  const parts = short.map(([word, count]) => `${count} ${word}`);
  return `${room} of ${nodes} nodes have room for one${parts.length === 0 ? "" : `: ${parts.join(", ")}`}.`;
}

/** The same in numbers. */
export function roomCounts(
  view: PoolView,
  part: Part,
  keptOut: (node: number) => string,
): NodeCounts {
  const short = new Map<string, number>();
  let room = 0;
  for (let i = 0; i < view.nodes.length; i++) {
    const node = view.nodes[i]!;
    const word = membersOn(view, node, part, 1) > 0 ? keptOut(node) : lack(view, part, node);
    if (word === "") {
      room++;
      continue;
    }
    short.set(word, (short.get(word) ?? 0) + 1);
  }
  const sorted = [...short].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return { nodes: view.nodes.length, room, short: sorted };
}

function lack(view: PoolView, part: Part, node: number): string {
  const isUnborn = view.nodeState[node] === NodeStateCode.unborn;
  if (!isUnborn && view.nodeState[node] !== NodeStateCode.open) return "closed";
  // A node that would not do even when it is there is not worth the wait for it.
  if (part.groupFits[view.cluster.nodeGroup[node]!] === 0) return "of another model or label";
  const whole = part.shareMilli === 0 && part.mig === 0 ? part.gpus : 0;
  const never = tooSmall(view, part, node, whole);
  if (never !== "") return never;
  if (isUnborn) return view.onTheWay(node) ? "on the way" : "not rented";
  if (whole > view.gpusFree[node]!) return "with too little nvidia.com/gpu free";
  if (part.cpuMilli > view.cpuMilliFree[node]!) return "with too little cpu free";
  if (part.memMiB > view.memMiBFree[node]!) return "with too little memory free";
  return part.mig > 0 ? "with too few MIG slices free" : "with too few shared GPUs free";
}

/** What it has too little of even when nothing runs on it; "" = nothing. */
function tooSmall({ cluster }: PoolView, part: Part, node: number, whole: number): string {
  const { gpusPerNode, cpusPerNode, memMiBPerNode } = cluster.groups[cluster.nodeGroup[node]!]!;
  if (whole > gpusPerNode) return "of too few GPUs, even empty";
  if (part.cpuMilli > cpusPerNode * 1_000) return "of too few CPUs, even empty";
  return part.memMiB > memMiBPerNode ? "of too little memory, even empty" : "";
}
