/**
 * What a scheduler of pod groups shows of its queues and of one job: gauges over time of the queues that the YAML describes, a row for each queue, and where a job stands. GPUs only.
 * Nothing here is on the path of a run but the gauges, O(queues described) a pass, and no decision reads them.
 */
import type { Actions, PoolView } from "../../engine/view.ts";
import type {
  KueueJobFacts,
  QueueFacts,
  WorkloadStage,
} from "../../model/kubernetes/queueFacts.ts";
import { cellKey, GPU_CELL, quotaCells } from "../../model/kubernetes/quotaCells.ts";
import { GaugeCode } from "../../model/lab/gauges.ts";
import { kubeReasonCode } from "../../model/reasons.ts";
import { JobStateCode } from "../../model/states.ts";
import { type Amounts, addAmounts, GPU } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { isReady } from "../../scheduling/kubernetes/podGroups/held.ts";
import { type Lane, type Lanes, rankInLane } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { type GroupSetup, type GroupState, groupOf, queueOf } from "./state.ts";

/** By queue: the subject of its gauges; −1 = the YAML does not describe it. */
export function subjectsOf(view: PoolView, queues: readonly { readonly name: string }[]): number[] {
  const { pools, changes } = view.world;
  const subjects = new Map(quotaCells(pools, changes).map((cell, idx) => [cellKey(cell), idx]));
  return queues.map(
    ({ name }) => subjects.get(cellKey({ pool: view.pool, queue: name, ...GPU_CELL })) ?? -1,
  );
}

/** GPUs that each queue and those below it hold. O(queues × depth). */
export function usedUpTheTree(
  { queues }: GroupSetup,
  books: readonly { readonly allocated: Amounts }[],
): number[] {
  const used = books.map(({ allocated }) => [allocated[GPU]!]);
  for (const [queueIdx, { parentIdx }] of queues.entries())
    for (let up = parentIdx; up >= 0; up = queues[up]!.parentIdx)
      addAmounts(used[up]!, books[queueIdx]!.allocated);
  return used.map(([gpus]) => gpus!);
}

/** What a queue deserves and has, in GPUs; `Infinity` = without end, told as no number. */
export function tellQueue(act: Actions, subject: number, deserved: number, used: number): void {
  if (subject < 0) return;
  act.gauge(GaugeCode.quotaNominal, subject, Number.isFinite(deserved) ? deserved : Number.NaN);
  act.gauge(GaugeCode.quotaUsed, subject, used);
  act.gauge(GaugeCode.quotaBorrowed, subject, Math.max(0, used - deserved));
}

/** A queue in GPUs. `share`: of what it is entitled to, in thousandths. */
export interface QueueNumbers {
  readonly deserved: number;
  readonly used: number;
  readonly fairShare: number;
  readonly most: number;
  readonly share: number;
}

/** `lanes`: all in which jobs of the queue wait, first those that come first. O(what runs + lanes) for all queues. */
export function queueRows(
  view: PoolView,
  state: GroupState,
  lanes: readonly Lanes[],
  numbersOf: (queueIdx: number) => QueueNumbers,
): QueueFacts[] {
  const { queues } = state.setup;
  const admitted = queues.map(() => 0);
  // As what they hold, jobs count in their queue and in those above it.
  for (const jobIdx of state.runs.keys())
    for (let up = queueOf(view, state, jobIdx); up >= 0; up = queues[up]!.parentIdx)
      admitted[up]!++;
  return queues.map(({ name, parentIdx }, queueIdx) => {
    const waiting = lanes.map((some) =>
      some.ofQueue[queueIdx]!.map((at) => some.list[at]!).filter((lane) => countIn(lane) > 0),
    );
    const head = waiting.map((list) => firstOf(view, list)).find((lane) => lane !== null) ?? null;
    const headJobIdx = head === null ? -1 : head.jobs[head.first]!;
    const { deserved, used, fairShare, most, share } = numbersOf(queueIdx);
    return {
      name,
      cohort: parentIdx < 0 ? null : queues[parentIdx]!.name,
      strategy: "",
      stop: "None",
      pending: waiting.flat().reduce((sum, lane) => sum + countIn(lane), 0),
      admitted: admitted[queueIdx]!,
      headJobIdx,
      headReason: head === null ? 0 : reasonOf(view, state, head),
      share,
      quotas: [
        {
          ...GPU_CELL,
          nominal: deserved,
          used,
          borrowed: Math.max(0, used - deserved),
          lent: Number.NaN,
          borrowingLimit: Math.max(0, most - deserved),
          lendingLimit: 0,
          fairShare,
        },
      ],
    };
  });
}

const countIn = ({ jobs, first }: Lane): number => jobs.length - first;

function reasonOf(view: PoolView, { awaited }: GroupState, { jobs, first, reason }: Lane): number {
  const head = jobs[first]!;
  return awaited.has(head) ? kubeReasonCode("nominated") : reason || view.waitReason(head);
}

/** The lane whose head comes first: priority, then age. */
function firstOf({ jobs: { at } }: PoolView, lanes: readonly Lane[]): Lane | null {
  let best: Lane | null = null;
  for (const lane of lanes) {
    const later =
      best !== null &&
      (best.priority - lane.priority ||
        at.submitMs[lane.jobs[lane.first]!]! - at.submitMs[best.jobs[best.first]!]! ||
        lane.jobs[lane.first]! - best.jobs[best.first]!) > 0;
    if (!later) best = lane;
  }
  return best;
}

/** `own`: a stage before it waits for nodes, where the scheduler has one. Null for a job that it does not know. */
export function groupJobFacts(
  view: PoolView,
  state: GroupState,
  jobIdx: number,
  system: "volcano" | "kai",
  priority: number,
  lane: Lane | null,
  own: WorkloadStage | null,
): KueueJobFacts | null {
  const group = groupOf(view, jobIdx);
  const run = state.runs.get(jobIdx);
  if (run === undefined && lane === null && own === null && !state.ending.has(jobIdx)) return null;
  const pods = run === undefined ? 0 : run.members.reduce((sum, count) => sum + count, 0);
  return {
    system,
    stage: state.ending.has(jobIdx)
      ? "leaving"
      : run !== undefined
        ? stageOfRun(view, group, run.members, jobIdx)
        : (own ?? "waiting"),
    sinceMs: view.nowMs,
    localQueue: "",
    clusterQueue: nameOfQueue(state.setup.queues, queueOf(view, state, jobIdx)),
    priority,
    flavors: [],
    pods,
    podsAsked: group.shape.parts.reduce((sum, part) => sum + part.members, 0),
    podsLeast: group.leastMembers,
    admittedMs: -1,
    position: lane === null ? 0 : rankInLane(lane, view.jobs.at.submitMs, jobIdx) + 1,
    waitingCount: lane === null ? 0 : countIn(lane),
    evictions: 0,
    timeouts: 0,
    domains: 0,
  };
}

function stageOfRun(
  view: PoolView,
  group: ReturnType<typeof groupOf>,
  members: readonly number[],
  jobIdx: number,
): WorkloadStage {
  if (!isReady(group, members)) return "reserved";
  return view.jobState[jobIdx] === JobStateCode.running ? "ready" : "admitted";
}

function nameOfQueue(queues: GroupSetup["queues"], queueIdx: number): string {
  const { name, parentIdx } = queues[queueIdx]!;
  return parentIdx < 0 ? name : `${nameOfQueue(queues, parentIdx)} / ${name}`;
}
