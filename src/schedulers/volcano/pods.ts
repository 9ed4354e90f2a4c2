/**
 * Running pods as victims: by node, each with its job and what it holds. Those of a node are looked up when the node is asked for; what a session evicts is counted off at once. Pods that
 * are spared by their group's least members leave alone, the group goes on; a pod below that takes its whole group along. O(pods of the node) to make.
 */
import { Grant } from "../../engine/grant.ts";
import { JobFlag } from "../../model/jobs.ts";
import { JobStateCode } from "../../model/states.ts";
import { type Amounts, addAmounts } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { shiftRoom } from "../../scheduling/kubernetes/podGroups/leaving.ts";
import type { ReclaimQueue } from "../../scheduling/kubernetes/volcano/reclaim.ts";
import { evictJob, evictPods as evictSome } from "../podGroups/leaving.ts";
import { futureOf, groupAt } from "../podGroups/session.ts";
import { queueOf } from "../podGroups/state.ts";
import type { Session } from "./session.ts";
import { BOOKS, jobsOn, priorityOf } from "./state.ts";

export interface VictimJob {
  readonly name: string;
  readonly jobIdx: number;
  readonly queue: string;
  readonly priority: number;
  readonly minAvailable: number;
  running: number;
}

export interface VictimPod {
  readonly name: string;
  readonly job: VictimJob;
  readonly queue: VictimQueue;
  readonly component: number;
  readonly node: number;
  readonly request: Amounts;
  readonly preemptable: boolean;
}

interface VictimQueue extends ReclaimQueue {
  readonly allocated: number[];
}

export interface Pods {
  readonly queues: readonly VictimQueue[];
  /** Looked up so far; a pod that is evicted is taken out. */
  readonly onNode: Map<number, VictimPod[]>;
  readonly jobs: Map<number, VictimJob>;
}

const held = new Grant();

export function createPods({ setup, deserved, allocated }: Session): Pods {
  const queues = setup.queues.map((queue, idx) => ({
    name: queue.name,
    priority: queue.priority,
    reclaimable: queue.reclaimable,
    deserved: deserved[idx]!,
    allocated: allocated[idx]!,
  }));
  return { queues, onNode: new Map(), jobs: new Map() };
}

/** Those of a node, by number of job. */
export function podsOn(session: Session, pods: Pods, node: number): VictimPod[] {
  const known = pods.onNode.get(node);
  if (known !== undefined) return known;
  const there: VictimPod[] = [];
  pods.onNode.set(node, there);
  const { view, state } = session;
  for (const jobIdx of jobsOn(view, state)[node]!) {
    const at = view.jobState[jobIdx];
    if (at === JobStateCode.running || at === JobStateCode.starting)
      addPods(session, pods, jobIdx, node, there);
  }
  return there;
}

function addPods(
  session: Session,
  pods: Pods,
  jobIdx: number,
  node: number,
  there: VictimPod[],
): void {
  const { view, state } = session;
  const { each } = groupAt(session, jobIdx);
  const job = victimJob(session, pods, jobIdx);
  const queue = pods.queues[queueOf(view, state, jobIdx)]!;
  const preemptable = (view.jobs.at.flags[jobIdx]! & JobFlag.preemptible) !== 0;
  held.clear();
  view.holdings(jobIdx, held);
  // Pods told to leave are no victims any more, whichever of those on the node they are.
  const gone = state.leaving.filter((pod) => pod.jobIdx === jobIdx && pod.node === node);
  let number = 0;
  for (let row = 0; row < held.length; row++) {
    const component = held.component[row]!;
    let first = number;
    number += held.members[row]!;
    if (held.node[row] !== node) continue;
    for (let i = gone.length - 1; i >= 0 && first < number; i--) {
      if (gone[i]!.component !== component) continue;
      gone.splice(i, 1);
      first++;
    }
    for (let nth = first; nth < number; nth++)
      there.push({
        name: `${jobIdx}/${nth}`,
        job,
        queue,
        component,
        node,
        request: each[component]!,
        preemptable,
      });
  }
}

function victimJob(session: Session, { queues, jobs }: Pods, jobIdx: number): VictimJob {
  const known = jobs.get(jobIdx);
  if (known !== undefined) return known;
  const { view, state } = session;
  const job = {
    name: `${jobIdx}`,
    jobIdx,
    queue: queues[queueOf(view, state, jobIdx)]!.name,
    priority: priorityOf(view, state, jobIdx),
    minAvailable: groupAt(session, jobIdx).leastMembers,
    running: state.runs.get(jobIdx)!.members.reduce((sum, members) => sum + members, 0),
  };
  jobs.set(jobIdx, job);
  return job;
}

/** Room on a node in the future of this session. */
export function futureRoom(session: Session, node: number): number[] {
  const { sketch } = futureOf(session);
  return [sketch.gpusFree[node]!, sketch.cpuMilliFree[node]!, sketch.memMiBFree[node]!];
}

/** Counts victims off the books of the session; nothing has left yet. `undo` takes it back. */
export function countOff(session: Session, pods: Pods, victims: readonly VictimPod[]): void {
  for (const pod of victims) {
    pod.job.running--;
    addAmounts(pod.queue.allocated, pod.request, -1);
    const there = pods.onNode.get(pod.node)!;
    there.splice(there.indexOf(pod), 1);
    shiftFuture(session, pod.node, pod.request, 1);
  }
}

/** Back as it was, in the order that it was. */
export function countOn(session: Session, pods: Pods, victims: readonly VictimPod[]): void {
  for (const pod of [...victims].reverse()) {
    pod.job.running++;
    addAmounts(pod.queue.allocated, pod.request);
    const there = pods.onNode.get(pod.node)!;
    there.push(pod);
    there.sort(byJobAndNumber);
    shiftFuture(session, pod.node, pod.request, -1);
  }
}

/** As they were looked up; a name ends in the pod's number. */
function byJobAndNumber(one: VictimPod, other: VictimPod): number {
  const byJob = one.job.jobIdx - other.job.jobIdx || one.name.length - other.name.length;
  return byJob || (one.name < other.name ? -1 : 1);
}

/** A pod takes room of the future, or gives it. */
export function shiftFuture(session: Session, node: number, request: Amounts, sign: number): void {
  shiftRoom(futureOf(session), node, request, sign);
}

/** The victims are told to leave, job by job; true where a group goes whole, so that other nodes have room as well. */
export function evictPods(
  session: Session,
  pods: Pods,
  victims: readonly VictimPod[],
  forJobIdx: number,
  stopReason: number,
): boolean {
  if (victims.length === 0) return false;
  session.decided += victims.length;
  session.bounds.clear();
  const byJob = new Map<number, VictimPod[]>();
  for (const pod of victims) {
    const gone = byJob.get(pod.job.jobIdx) ?? [];
    gone.push(pod);
    byJob.set(pod.job.jobIdx, gone);
  }
  let whole = false;
  for (const [jobIdx, gone] of byJob) {
    if (goesOn(session, jobIdx, gone)) {
      evictSome(session, BOOKS, jobIdx, gone, forJobIdx);
      continue;
    }
    whole = true;
    giveToFuture(session, jobIdx, gone);
    const { devices } = session.state.runs.get(jobIdx)!;
    for (let at = 0; at < devices.length; at += 2)
      dropJob(pods.onNode.get(devices[at]!) ?? [], jobIdx);
    evictJob(session, BOOKS, jobIdx, forJobIdx, stopReason);
  }
  return whole;
}

function dropJob(pods: VictimPod[], jobIdx: number): void {
  for (let at = pods.length - 1; at >= 0; at--)
    if (pods[at]!.job.jobIdx === jobIdx) pods.splice(at, 1);
}

function goesOn(session: Session, jobIdx: number, pods: readonly VictimPod[]): boolean {
  const group = groupAt(session, jobIdx);
  const { members } = session.state.runs.get(jobIdx)!;
  return group.least.every(
    (least, at) => members[at]! - pods.filter((pod) => pod.component === at).length >= least,
  );
}

/** The others of a group that goes leave room, too; those told before have given theirs. */
function giveToFuture(session: Session, jobIdx: number, gone: readonly VictimPod[]): void {
  const { view, state } = session;
  held.clear();
  view.holdings(jobIdx, held);
  const before = state.leaving.filter((pod) => pod.jobIdx === jobIdx);
  const left = [...gone, ...before].map(({ component, node }) => `${component}|${node}`);
  const group = groupAt(session, jobIdx);
  for (let row = 0; row < held.length; row++) {
    const node = held.node[row]!;
    const component = held.component[row]!;
    for (let member = 0; member < held.members[row]!; member++) {
      const counted = left.indexOf(`${component}|${node}`);
      if (counted >= 0) left.splice(counted, 1);
      else shiftFuture(session, node, group.each[component]!, 1);
    }
  }
}
