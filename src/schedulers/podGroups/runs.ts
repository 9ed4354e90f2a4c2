/**
 * What a job holds, as sums and by node, and what the jobs of a queue come to: the part of the books that all schedulers of pod groups keep. A run is never written to: a job that holds
 * something else is another run. O(entries of the job).
 */
import type { PoolView } from "../../engine/view.ts";
import {
  type Amounts,
  addAmounts,
  noAmounts,
} from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import { type DevicesOn, devicesOn } from "./heldOn.ts";

export interface GroupRun {
  readonly jobIdx: number;
  readonly queueIdx: number;
  readonly priority: number;
  /** By component. */
  readonly members: readonly number[];
  /** What its members come to. */
  readonly amounts: Amounts;
  /** Where it holds devices; also nodes of which it holds none. */
  readonly devices: DevicesOn;
}

export function runOf(
  view: PoolView,
  group: GroupClass,
  jobIdx: number,
  queueIdx: number,
  priority: number,
  members: readonly number[],
): GroupRun {
  const amounts = noAmounts();
  for (let at = 0; at < members.length; at++) addAmounts(amounts, group.each[at]!, members[at]!);
  return { jobIdx, queueIdx, priority, members, amounts, devices: devicesOn(view, jobIdx) };
}

/** What a queue's jobs come to. */
export interface GroupBook {
  /** What they hold. */
  allocated: number[];
  /** What all their members ask for, running and waiting. */
  request: number[];
}

export function noBook(): GroupBook {
  return { allocated: noAmounts(), request: noAmounts() };
}

export function copyBook({ allocated, request }: GroupBook): GroupBook {
  return { allocated: [...allocated], request: [...request] };
}

/** Puts what a job holds on the book of its queue, or takes it off. */
export function chargeBook(
  { allocated, request }: GroupBook,
  { each, fullRequest }: GroupClass,
  { members }: GroupRun,
  sign: 1 | -1,
): void {
  for (let at = 0; at < each.length; at++) addAmounts(allocated, each[at]!, sign * members[at]!);
  addAmounts(request, fullRequest, sign);
}
