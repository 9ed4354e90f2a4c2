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

/** What a victim takes by node, as in `takenOn`: without the pods that go before it. */
function takenBy({ run: { taken }, pod, pods }: Victim): ArrayLike<number> | null {
  if (taken === null) return null;
  if (pod !== null) return [pod.node, ...pod.request];
  if (pods === null) return taken;
  const rest = taken.slice();
  for (const { node, request } of pods) {
    let row = 0;
    while (rest[row] !== node) row += 4;
    for (let at = 0; at < request.length; at++) rest[row + 1 + at]! -= request[at]!;
  }
  return rest;
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
export function takeBack(board: NodeBoard, victim: Victim): boolean {
  const taken = takenBy(victim);
  if (taken === null) return false;
  const { gpusFree, cpuMilliFree, memMiBFree } = board.sketch;
  for (let row = 0; row < taken.length; row += 4) {
    const node = taken[row]!;
    const fits =
      taken[row + 1]! <= gpusFree[node]! &&
      taken[row + 2]! <= cpuMilliFree[node]! &&
      taken[row + 3]! <= memMiBFree[node]!;
    if (!fits) return false;
  }
  for (let row = 0; row < taken.length; row += 4) {
    const node = taken[row]!;
    shiftRoom(board, node, [taken[row + 1]!, taken[row + 2]!, taken[row + 3]!], -1);
    takeLowest(board, node, taken[row + 1]!);
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
