/** Why a job waits for nodes, with what is short on how many of them, counted now. Nothing here is on the path of a run. O(nodes). */
import { durationText } from "../../../base/format.ts";
import type { Explanation, PoolView } from "../../../engine/view.ts";
import type { PodFacts } from "../../../model/kubernetes/placementFacts.ts";
import type { KubeReason } from "../../../model/kubernetes/reasons.ts";
import { kubeReasonCode } from "../../../model/reasons.ts";
import { JobStateCode } from "../../../model/states.ts";
import { NEVER_MS } from "../../../model/units.ts";
import { roomCounts, roomWords } from "../../../scheduling/placement/roomWords.ts";
import type { Part } from "../../../scheduling/placement/shapes.ts";
import { noNodeWord } from "./autoscaler.ts";
import { allows } from "./pin.ts";
import { isLeftAlone } from "./scaleUp.ts";
import { isOpenTo, keptOn } from "./search.ts";
import { type PodShapes, podShapes } from "./shapes.ts";
import type { Entry, PlacementState } from "./state.ts";

export function explainPlacement(
  view: PoolView,
  state: PlacementState,
  jobIdx: number,
): Explanation {
  const shapes = podShapes(view.jobs, view.cluster);
  const entry = firstEntry(view, state, jobIdx);
  const gpusNeeded = view.jobs.at.gpuTotal[jobIdx]!;
  return {
    reason: entry === null ? 0 : kubeReasonCode(wordOf(view, state, entry)),
    gpusNeeded,
    gpusFree: view.gpusFreeTotal,
    unit: "devices",
    unitsNeeded: gpusNeeded,
    unitsFree: view.gpusFreeTotal,
    ...(entry === null ? {} : { counted: shortOn(view, state, shapes, entry) }),
    position: 0,
    headJobIdx: -1,
    reservedForJobIdx: -1,
    plannedMs: NEVER_MS,
    plannedNodes: [],
    frees: [],
  };
}

/** What it knows of the pods of a living job; null = nothing is left to say of it. O(nodes). */
export function podFacts(view: PoolView, state: PlacementState, jobIdx: number): PodFacts | null {
  const jobState = view.jobState[jobIdx]!;
  if (jobState < JobStateCode.queued || jobState >= JobStateCode.ending) return null;
  const { at, components } = view.jobs;
  let [pods, waiting, failed] = [0, 0, 0];
  const nominated: number[] = [];
  let tried: Entry | null = null;
  for (let row = at.firstComponent[jobIdx]!; row < at.firstComponent[jobIdx + 1]!; row++) {
    pods += components.members[row]!;
    const entry = state.entries.get(row);
    if (entry === undefined) continue;
    waiting += entry.left;
    nominated.push(...entry.nominated);
    if (entry.crowd === 0 && entry.nominated.length === 0) continue;
    failed += entry.left;
    tried ??= entry;
  }
  const shapes = podShapes(view.jobs, view.cluster);
  const nodes =
    tried &&
    roomCounts(view, partOf(shapes, tried), (node) => keptOut(view, state, shapes, tried, node));
  return { system: "kube-scheduler", pods, waiting, failed, nominated, nodes };
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

/** "2 pods wait; 0 of 64 nodes have room for one: 12 with too little nvidia.com/gpu free." */
function shortOn(view: PoolView, state: PlacementState, shapes: PodShapes, entry: Entry): string {
  const pods = entry.left === 1 ? "1 pod waits" : `${entry.left} pods wait`;
  const kept = (node: number) => keptOut(view, state, shapes, entry, node);
  const part = partOf(shapes, entry);
  return `${pods}; ${roomWords(view, part, kept)}${backoffWords(view, state, part)}`;
}

/** The rented groups of the right kind that Cluster Autoscaler asks for nothing now. O(rented groups). */
function backoffWords(view: PoolView, state: PlacementState, part: Part): string {
  const { autoscaler: config } = state.config;
  if (config === null) return "";
  const words = (view.world.burst ?? []).map(({ nodes }, rule) => {
    const group = view.cluster.nodeGroup[nodes[0]!]!;
    if (part.groupFits[group] === 0 || !isLeftAlone(view, state, config, rule)) return "";
    const backoff = state.autoscaler.backoff.get(rule)!;
    const isOver = backoff.untilMs <= view.nowMs;
    const forHow = isOver
      ? "asks it for no more"
      : `backs off for ${durationText(backoff.lengthMs)}`;
    return ` The last node of ${view.cluster.groups[group]!.id} was not there within ${durationText(config.provisionMostMs)}: Cluster Autoscaler ${forHow}.`;
  });
  return words.join("");
}

const partOf = ({ list, ofRow }: PodShapes, { row }: Entry) => list[ofRow[row]!]!.part;

/** What keeps a node with room from a pod of the entry; "" = nothing. */
function keptOut(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  entry: Entry,
  node: number,
): string {
  if (entry.pin !== null && !allows(entry.pin, entry.domainsLeft, node))
    return "outside the flavor or the domain of its quota";
  if (isOpenTo(view, state, shapes, entry, node)) return "";
  return keptOn(state, shapes, entry, node) === null
    ? "with one of its own pods"
    : "kept for pods at least as important";
}
