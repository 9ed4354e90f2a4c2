/**
 * Victims of a search. An elastic job gives its pods beyond the least members one by one, those given last first; then the rest of it is one more victim and goes whole. Work is
 * restarted, never moved while it runs. O(entries of a job).
 */
import { Grant } from "../../engine/grant.ts";
import { type Amounts, addAmounts } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { shiftRoom } from "../../scheduling/kubernetes/podGroups/leaving.ts";
import type { NodeBoard } from "../../scheduling/kubernetes/podGroups/nodeBoard.ts";
import { evictJob, evictPods } from "../podGroups/leaving.ts";
import { giveAll, groupAt } from "../podGroups/session.ts";
import type { Session } from "./session.ts";
import { BOOKS, type Run } from "./state.ts";

export interface Victim {
  readonly run: Run;
  /** One pod alone; null: what is left of the job. */
  readonly pod: Pod | null;
  /** Pods of the job that have left before it in the same search. */
  readonly pods: readonly Pod[] | null;
  readonly amounts: Amounts;
}

interface Pod {
  readonly component: number;
  readonly node: number;
  readonly request: Amounts;
}

const holdings = new Grant();

/** The victims that one run makes, in order. */
export function victimsOf(session: Session, run: Run, whole: boolean): Victim[] {
  const pods = whole || !run.spares ? [] : surplusPods(session, run);
  if (pods.length === 0) return [{ run, pod: null, pods: null, amounts: run.amounts }];
  const amounts = [...run.amounts];
  for (const { request } of pods) addAmounts(amounts, request, -1);
  const single = pods.map((pod) => ({ run, pod, pods: null, amounts: pod.request }));
  return [...single, { run, pod: null, pods, amounts }];
}

/** Those given last first. */
function surplusPods(session: Session, { jobIdx, members }: Run): Pod[] {
  const { view, state } = session;
  const group = groupAt(session, jobIdx);
  const spare = members.map((count, at) => count - group.least[at]!);
  holdings.clear();
  view.holdings(jobIdx, holdings);
  const gone = state.leaving.filter((pod) => pod.jobIdx === jobIdx);
  const pods: Pod[] = [];
  for (let row = holdings.length - 1; row >= 0; row--) {
    const component = holdings.component[row]!;
    const node = holdings.node[row]!;
    for (let member = 0; member < holdings.members[row]! && spare[component]! > 0; member++) {
      const leaves = gone.findIndex((pod) => pod.component === component && pod.node === node);
      if (leaves >= 0) {
        gone.splice(leaves, 1);
        continue;
      }
      spare[component]!--;
      pods.push({ component, node, request: group.each[component]! });
    }
  }
  return pods;
}

/** What a victim takes by node, without the pods that go before it; null where parts of devices are among it. */
function onNodesOf({ view }: Session, { run, pod, pods }: Victim): Map<number, number[]> | null {
  holdings.clear();
  view.holdings(run.jobIdx, holdings);
  const onNodes = new Map<number, number[]>();
  if (pod !== null) onNodes.set(pod.node, [...pod.request]);
  for (let row = 0; row < holdings.length; row++) {
    if (holdings.part[row]! > 0) return null;
    if (pod !== null) continue;
    const sum = onNodes.get(holdings.node[row]!) ?? [0, 0, 0];
    addAmounts(sum, [holdings.count[row]!, holdings.cpuMilli[row]!, holdings.memMiB[row]!]);
    onNodes.set(holdings.node[row]!, sum);
  }
  for (const { node, request } of pods ?? []) addAmounts(onNodes.get(node)!, request, -1);
  return onNodes;
}

/** What a victim holds becomes free on the board. */
export function release(session: Session, board: NodeBoard, { run, pod, pods }: Victim): void {
  if (pod !== null) {
    shiftRoom(board, pod.node, pod.request, 1);
    return;
  }
  // The job is given back device by device, its single pods with it.
  for (const { node, request } of pods ?? []) shiftRoom(board, node, request, -1);
  giveAll(session, board, run.jobIdx);
}

/** A victim takes its own place again, where nobody else has it; who has parts of devices does not try. */
export function takeBack(session: Session, board: NodeBoard, victim: Victim): boolean {
  const onNodes = onNodesOf(session, victim);
  if (onNodes === null) return false;
  const { sketch } = board;
  for (const [node, [gpus, cpuMilli, memMiB]] of onNodes) {
    const fits =
      gpus! <= sketch.gpusFree[node]! &&
      cpuMilli! <= sketch.cpuMilliFree[node]! &&
      memMiB! <= sketch.memMiBFree[node]!;
    if (!fits) return false;
  }
  for (const [node, amounts] of onNodes) {
    shiftRoom(board, node, amounts, -1);
    takeLowest(board, node, amounts[0]!);
  }
  return true;
}

/** Marks the lowest free devices of a node as in use: those that trials have not given away. */
function takeLowest({ sketch }: NodeBoard, node: number, gpus: number): void {
  if (!sketch.withParts) return;
  let left = gpus;
  const end = sketch.cluster.deviceBase[node + 1]!;
  for (let device = sketch.cluster.deviceBase[node]!; device < end && left > 0; device++) {
    if (sketch.deviceUsed[device] !== 0) continue;
    sketch.deviceUsed[device] = 1_000;
    left--;
  }
}

/** The victims are told to leave. */
export function evict(
  session: Session,
  victims: readonly Victim[],
  forJobIdx: number,
  stopReason: number,
): void {
  const whole = new Set(victims.flatMap(({ run, pod }) => (pod === null ? [run] : [])));
  for (const { run, pod } of victims) {
    session.decided++;
    if (pod === null) evictJob(session, BOOKS, run.jobIdx, forJobIdx, stopReason);
    else if (!whole.has(run)) evictPods(session, BOOKS, run.jobIdx, [pod], forJobIdx);
  }
}
