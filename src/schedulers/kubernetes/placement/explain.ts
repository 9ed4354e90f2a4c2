/** Why a job waits for nodes, with what is short on how many of them, counted now. Nothing here is on the path of a run. O(nodes). */
import type { Explanation, PoolView } from "../../../engine/view.ts";
import type { KubeReason } from "../../../model/kubernetes/reasons.ts";
import { kubeReasonCode } from "../../../model/reasons.ts";
import { JobStateCode, NodeStateCode } from "../../../model/states.ts";
import { NEVER_MS } from "../../../model/units.ts";
import { membersOn } from "../../../scheduling/placement/capacity.ts";
import { noNodeWord } from "./autoscaler.ts";
import { CPU, GPU, MEMORY, type PodShape, podShapes } from "./shapes.ts";
import type { Entry, PlacementState } from "./state.ts";

export function explainPlacement(
  view: PoolView,
  state: PlacementState,
  jobIdx: number,
): Explanation {
  const shapes = podShapes(view.jobs, view.cluster);
  const entry = firstEntry(view, state, jobIdx);
  const shape = entry === null ? null : shapes.list[shapes.ofRow[entry.row]!]!;
  const gpusNeeded = view.jobs.at.gpuTotal[jobIdx]!;
  return {
    reason: entry === null ? 0 : kubeReasonCode(wordOf(view, state, entry)),
    gpusNeeded,
    gpusFree: view.gpusFreeTotal,
    unit: "devices",
    unitsNeeded: gpusNeeded,
    unitsFree: view.gpusFreeTotal,
    ...(shape === null || entry === null ? {} : { counted: shortOn(view, shape, entry) }),
    position: 0,
    headJobIdx: -1,
    reservedForJobIdx: -1,
    plannedMs: NEVER_MS,
    plannedNodes: [],
    frees: [],
  };
}

function firstEntry(view: PoolView, state: PlacementState, jobIdx: number): Entry | null {
  const { firstComponent } = view.jobs.at;
  for (let row = firstComponent[jobIdx]!; row < firstComponent[jobIdx + 1]!; row++) {
    const entry = state.entries.get(row);
    if (entry !== undefined) return entry;
  }
  return null;
}

function wordOf(view: PoolView, state: PlacementState, entry: Entry): KubeReason {
  if (!entry.seen) return "unseen";
  const crowd = state.crowds.get(entry.crowd);
  if (entry.nominated.length > 0) return "nominated";
  if (crowd === undefined) return "active";
  if (view.jobState[entry.jobIdx] === JobStateCode.placed) return "partBound";
  const word = noNodeWord(view, state, entry.jobIdx);
  if (word === "nodeComing") return word;
  return crowd.woken && crowd.fromUs > view.nowMs * 1_000 ? "backOff" : word;
}

/** "0 of 64 nodes have room: 12 have too few free nvidia.com/gpu, 52 …". Each node counts under the first thing that is short. */
function shortOn(view: PoolView, shape: PodShape, entry: Entry): string {
  const short = new Map<string, number>();
  let room = 0;
  for (let i = 0; i < view.nodes.length; i++) {
    const node = view.nodes[i]!;
    if (membersOn(view, node, shape.part, 1) > 0) {
      room++;
      continue;
    }
    const word = lack(view, shape, node);
    short.set(word, (short.get(word) ?? 0) + 1);
  }
  const parts = [...short]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([word, nodes]) => `${nodes} ${word}`);
  const pods = entry.left === 1 ? "1 pod waits" : `${entry.left} pods wait`;
  return `${pods}; ${room} of ${view.nodes.length} nodes have room for one${parts.length === 0 ? "" : `: ${parts.join(", ")}`}.`;
}

function lack(view: PoolView, { part, request }: PodShape, node: number): string {
  if (view.nodeState[node] === NodeStateCode.unborn)
    return view.onTheWay(node) ? "on their way" : "not rented";
  if (view.nodeState[node] !== NodeStateCode.open) return "closed";
  if (part.groupFits[view.cluster.nodeGroup[node]!] === 0) return "of another model or label";
  if (request[GPU] > view.gpusFree[node]!) return "short of nvidia.com/gpu";
  if (request[CPU] > view.cpuMilliFree[node]!) return "short of cpu";
  if (request[MEMORY] > view.memMiBFree[node]!) return "short of memory";
  return part.mig > 0 ? "short of MIG slices" : "short of shared GPUs";
}
