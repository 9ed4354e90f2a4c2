/**
 * Volcano's reclaim action: a task whose queue stays within what it deserves takes room back from queues that hold more than theirs. Gang and proportion vote in
 * one tier, so a victim must be spared by its gang and belong to a queue that, as its tasks are counted off, still is above its deserved amounts, however little that is (#4160). Victims fall one by one until the task fits beside
 * what the node has free: queues last in queue order first, inside a queue less important jobs first. One node must free enough; the first that does is taken.
 * O(tasks log tasks) a node. Source: volcano-sh/volcano `pkg/scheduler/actions/reclaim`, `plugins/{gang,proportion}`.
 */
import type { Amounts } from "./deserved.ts";
import { compareQueues, fitsWithin, queueShare } from "./deserved.ts";
import { type GangJob, spareMembers } from "./gang.ts";

export interface ReclaimQueue {
  readonly name: string;
  readonly priority: number;
  /** May others take back what it holds beyond its deserved amounts? */
  readonly reclaimable: boolean;
  readonly deserved: Amounts;
  readonly allocated: Amounts;
}

export interface ReclaimTask {
  readonly name: string;
  readonly job: GangJob;
  readonly queue: ReclaimQueue;
  readonly request: Amounts;
  readonly preemptable: boolean;
}

export interface ReclaimNode {
  readonly free: Amounts;
  readonly tasks: readonly ReclaimTask[];
}

export interface Reclaimer {
  readonly queue: ReclaimQueue;
  readonly request: Amounts;
  /** PreemptionPolicy Never: the task takes nothing from anybody. */
  readonly never: boolean;
}

/** `gangs`: the gang plugin votes (`enableReclaimable`). The tasks that give way, in the order they fall; none where nothing has to, or where no node frees enough. */
export function reclaimVictims(
  reclaimer: Reclaimer,
  nodes: readonly ReclaimNode[],
  gangs = true,
): readonly ReclaimTask[] {
  const { queue, request, never } = reclaimer;
  const after = queue.allocated.map((amount, at) => amount + request[at]!);
  const withinDeserved = request.every(
    (asked, at) => asked <= 0 || fitsWithin([after[at]!], [queue.deserved[at]!]),
  );
  if (never || !withinDeserved) return [];
  for (const node of nodes) {
    const victims = victimsOn(node, reclaimer, gangs);
    if (victims) return victims;
  }
  return [];
}

/** Enough victims of one node, or null where even all together free too little. */
function victimsOn(
  node: ReclaimNode,
  { queue, request }: Reclaimer,
  gangs: boolean,
): ReclaimTask[] | null {
  const candidates = node.tasks.filter(
    (task) => task.preemptable && task.queue.reclaimable && task.queue !== queue,
  );
  const spared = gangs ? new Set(spareMembers(candidates)) : null;
  const offered = aboveDeserved(candidates).filter((task) => spared?.has(task) ?? true);
  offered.sort(compareVictims);
  const free = [...node.free];
  const victims: ReclaimTask[] = [];
  for (const victim of offered) {
    if (fitsWithin(request, free)) break;
    victims.push(victim);
    for (const [at, amount] of victim.request.entries()) free[at]! += amount;
  }
  return fitsWithin(request, free) ? victims : null;
}

/** Tasks of queues that hold more than they deserve in some resource, counted off one by one. */
function aboveDeserved(candidates: readonly ReclaimTask[]): ReclaimTask[] {
  const held = new Map<ReclaimQueue, number[]>();
  return candidates.filter(({ queue, request }) => {
    const amounts = held.get(queue) ?? [...queue.allocated];
    held.set(queue, amounts);
    if (fitsWithin(amounts, queue.deserved)) return false;
    for (const [at, amount] of request.entries()) amounts[at]! -= amount;
    return true;
  });
}

function compareVictims(left: ReclaimTask, right: ReclaimTask): number {
  if (left.queue !== right.queue) return compareQueues(ranked(right.queue), ranked(left.queue));
  if (left.job.priority !== right.job.priority) return left.job.priority - right.job.priority;
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}

function ranked({ name, priority, allocated, deserved }: ReclaimQueue) {
  return { name, priority, share: queueShare(allocated, deserved) };
}
