/**
 * States of a job as Kubernetes and Ray name them, in lines. Pure. Sources: Kubernetes "Pod Lifecycle" (phases, the condition PodScheduled, nominatedNodeName), the fit error of
 * kube-scheduler; Ray State API (`ray.util.state.common`: TaskState, ActorState, PlacementGroupState). Where the Kubernetes word for what keeps a node away depends on what the run does
 * not know, the page's own word stands.
 */
import { countText } from "../../../base/format.ts";
import type {
  NodeCounts,
  PlacementFacts,
  PodFacts,
  RayFacts,
} from "../../../model/kubernetes/placementFacts.ts";
import type { RayKind } from "../../../model/kubernetes/rayRequest.ts";
import { MemberStateCode } from "../../../model/states.ts";
import type { StoryRect } from "../../../timeline/jobStory.ts";

type Line = readonly [name: string, value: string];

/** `held`: what the job holds now. */
export function placementLines(
  facts: PlacementFacts,
  held: readonly Pick<StoryRect, "memberState">[],
  nodeNames: readonly string[],
): Line[] {
  const starts =
    held.length > 0 && held.every(({ memberState }) => memberState === MemberStateCode.starting);
  return facts.system === "ray" ? rayLines(facts, starts) : podLines(facts, starts, nodeNames);
}

function podLines(facts: PodFacts, starts: boolean, nodeNames: readonly string[]): Line[] {
  const { pods, waiting, failed, nominated, nodes } = facts;
  const lines: Line[] = [
    [
      "Phase",
      waiting === 0 ? (starts ? "Pending" : "Running") : share([["Pending", waiting]], pods, "pod"),
    ],
    [
      "PodScheduled",
      share(
        [
          ["True", pods - waiting],
          ["False, reason Unschedulable", failed],
          ["not set yet", waiting - failed],
        ],
        pods,
        "pod",
      ),
    ],
  ];
  if (nominated.length > 0)
    lines.push(["nominatedNodeName", nominated.map((node) => nodeNames[node] ?? "").join(", ")]);
  // With room on a node the message of the last failure is out of date, and the next attempt has not been made.
  if (nodes !== null && nodes.room === 0) lines.push(["Message, counted now", fitError(nodes)]);
  return lines;
}

const INSUFFICIENT_GPU = "Insufficient nvidia.com/gpu";
const NO_MATCH = "node(s) didn't match Pod's node affinity/selector";

/** What kube-scheduler calls what is short. */
const FIT_ERRORS: Readonly<Record<string, string>> = {
  "with too little nvidia.com/gpu free": INSUFFICIENT_GPU,
  "of too few GPUs, even empty": INSUFFICIENT_GPU,
  "with too little cpu free": "Insufficient cpu",
  "of too few CPUs, even empty": "Insufficient cpu",
  "with too little memory free": "Insufficient memory",
  "of too little memory, even empty": "Insufficient memory",
  "of another model or label": NO_MATCH,
};

/** Machines that are not there have no Node object. */
const ABSENT: ReadonlySet<string> = new Set(["not rented", "on the way"]);

/** "0/12 nodes are available: 9 Insufficient nvidia.com/gpu, 3 closed." Most first. */
function fitError({ nodes, short }: NodeCounts): string {
  const counts = new Map<string, number>();
  let there = nodes;
  for (const [own, count] of short) {
    if (ABSENT.has(own)) {
      there -= count;
      continue;
    }
    const word = FIT_ERRORS[own] ?? own;
    counts.set(word, (counts.get(word) ?? 0) + count);
  }
  const parts = [...counts].sort(([, a], [, b]) => b - a).map(([word, n]) => `${n} ${word}`);
  const tail = parts.length === 0 ? "" : `: ${parts.join(", ")}`;
  return `0/${there} nodes are available${tail}.`;
}

/** Before a node is there, again after a failure, while the worker starts, and at work. */
const RAY_STATES: Readonly<Record<RayKind, readonly [string, string, string, string]>> = {
  tasks: ["PENDING_NODE_ASSIGNMENT", "PENDING_NODE_ASSIGNMENT", "SUBMITTED_TO_WORKER", "RUNNING"],
  actors: ["PENDING_CREATION", "RESTARTING", "PENDING_CREATION", "ALIVE"],
  placementGroup: ["PENDING", "RESCHEDULING", "CREATED", "CREATED"],
};

function rayLines(facts: RayFacts, starts: boolean): Line[] {
  const { kind, strategy, members, missing, failures } = facts;
  const [first, again, starting, atWork] = RAY_STATES[kind];
  const waits = failures > 0 ? again : first;
  if (kind === "placementGroup") {
    const lost = missing > 0 && missing < members;
    const lines: Line[] = [
      ["Placement group", missing === 0 ? atWork : lost ? again : waits],
      ["Strategy", strategy],
      ["Bundles", `${members - missing} of ${members} placed`],
    ];
    return lines;
  }
  const word = kind === "tasks" ? "task" : "actor";
  const lines: Line[] = [
    [
      members === 1 ? (kind === "tasks" ? "Task" : "Actor") : kind === "tasks" ? "Tasks" : "Actors",
      share(
        [
          [starts ? starting : atWork, members - missing],
          [waits, missing],
        ],
        members,
        word,
      ),
    ],
  ];
  if (failures > 0)
    lines.push([kind === "tasks" ? "attempt_number" : "num_restarts", String(failures)]);
  return lines;
}

/** "True": of all; else "True: 2 of 4 pods; False: 2 of 4 pods". */
function share(
  parts: readonly (readonly [state: string, count: number])[],
  all: number,
  word: string,
): string {
  return parts
    .filter(([, count]) => count > 0)
    .map(([state, count]) =>
      count === all ? state : `${state}: ${count} of ${countText(all, word)}`,
    )
    .join("; ");
}
