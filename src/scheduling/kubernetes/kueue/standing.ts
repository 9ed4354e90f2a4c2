/**
 * Who would give way of one queue, one after the other, without a look at those behind: workloads that hold quota and were not told to leave, kept by priority and in each by time of admission, so that the
 * end of a list is the victims' order (`workloads.ts`). Not where LocalQueues are ordered by use, which moves. To keep: O(log n) and a shift; the first of a queue O(priorities), each further one O(1).
 */
import {
  compareNames,
  compareVictims,
  mayLookAt,
  type PreemptionRules,
  usesAny,
  type Workload,
} from "./workloads.ts";

/** By priority; each list in reverse of the victims' order. */
export type Standing<W extends Workload = Workload> = Map<number, W[]>;

/** Where a workload stands, or would. */
function placeOf(list: readonly Workload[], { admittedMs, name }: Workload): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = list[middle]!;
    const before = other.admittedMs - admittedMs || compareNames(name, other.name);
    if (before < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function addStanding<W extends Workload>(standing: Standing<W>, workload: W): void {
  const list = standing.get(workload.priority);
  if (list) list.splice(placeOf(list, workload), 0, workload);
  else standing.set(workload.priority, [workload]);
}

/** Where it is not there nothing happens. */
export function dropStanding<W extends Workload>(standing: Standing<W>, workload: W): void {
  const list = standing.get(workload.priority);
  if (!list) return;
  const at = placeOf(list, workload);
  if (list[at]?.name !== workload.name) return;
  if (list.length === 1) standing.delete(workload.priority);
  else list.splice(at, 1);
}

export function copyStanding<W extends Workload>(standing: Standing<W>): Standing<W> {
  return new Map([...standing].map(([priority, list]) => [priority, list.slice()] as const));
}

/** Who asks, and what for. */
export interface LooksAt<W extends Workload> {
  readonly incoming: W;
  readonly rules: PreemptionRules;
  readonly contested: readonly number[];
}

/** A way through the candidates of one queue. */
export interface Cursor<W extends Workload> {
  readonly queue: number;
  readonly lists: readonly (readonly W[])[];
  list: number;
  /** Next of the list, from its end. */
  at: number;
}

/** Those of a kept order that the incoming workload may look at, after those who are leaving. */
export function throughStanding<W extends Workload>(
  asked: LooksAt<W>,
  queue: number,
  leaving: readonly W[],
  standing: Standing<W>,
): Cursor<W> {
  const own = queue === asked.incoming.queue;
  const policy = own ? asked.rules.withinQueue : asked.rules.reclaim;
  const lists: (readonly W[])[] = [sorted(asked, leaving)];
  if (policy !== "Never")
    for (const priority of [...standing.keys()].sort((left, right) => left - right))
      if (mayGive(policy, priority, asked.incoming.priority)) lists.push(standing.get(priority)!);
  return begun(asked, { queue, lists, list: 0, at: (lists[0]?.length ?? 0) - 1 });
}

/** Whether any workload of a priority may be looked at, as far as priorities say. */
function mayGive(
  policy: PreemptionRules["withinQueue"] | PreemptionRules["reclaim"],
  theirs: number,
  incoming: number,
): boolean {
  if (policy === "LowerOrNewerEqualPriority") return theirs <= incoming;
  return policy === "Any" || theirs < incoming;
}

/** Those of a list in the victims' order that the incoming workload may look at. */
export function throughList<W extends Workload>(
  asked: LooksAt<W>,
  queue: number,
  inOrder: readonly W[],
): Cursor<W> {
  const list = [...inOrder].reverse();
  return begun(asked, { queue, lists: [list], list: 0, at: list.length - 1 });
}

/** In reverse of the victims' order. */
function sorted<W extends Workload>(
  { rules, incoming }: LooksAt<W>,
  workloads: readonly W[],
): readonly W[] {
  if (workloads.length === 0) return workloads;
  return workloads
    .filter((other) => mayLookAt(rules, incoming, other))
    .sort((left, right) => compareVictims(right, left, incoming.queue));
}

function begun<W extends Workload>(asked: LooksAt<W>, cursor: Cursor<W>): Cursor<W> {
  settle(asked, cursor);
  return cursor;
}

/** The next candidate; null where none is left. */
export function nextOf<W extends Workload>({ lists, list, at }: Cursor<W>): W | null {
  return lists[list]?.[at] ?? null;
}

export function advance<W extends Workload>(asked: LooksAt<W>, cursor: Cursor<W>): void {
  cursor.at--;
  settle(asked, cursor);
}

/** On to the next that may be looked at and uses something contested. */
function settle<W extends Workload>(
  { incoming, rules, contested }: LooksAt<W>,
  cursor: Cursor<W>,
): void {
  for (; cursor.list < cursor.lists.length; cursor.list++) {
    const list = cursor.lists[cursor.list]!;
    for (; cursor.at >= 0; cursor.at--) {
      const other = list[cursor.at]!;
      if (usesAny(other, contested) && mayLookAt(rules, incoming, other)) return;
    }
    cursor.at = (cursor.lists[cursor.list + 1]?.length ?? 0) - 1;
  }
}
