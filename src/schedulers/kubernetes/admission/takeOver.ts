/**
 * Kueue takes a pool over that others ran: what runs holds quota from now on, in the first flavor that its nodes are of and that has room, or else in the first that its nodes are of, even where that is
 * more than there is; what waits is created anew in the order of its submission. O(running + waiting).
 */
import { Grant } from "../../../engine/grant.ts";
import type { Actions, PoolView } from "../../../engine/view.ts";
import { JobStateCode } from "../../../model/states.ts";
import {
  available,
  type CellAmount,
  chargeAll,
} from "../../../scheduling/kubernetes/kueue/quotaTree.ts";
import { byResource } from "./amounts.ts";
import type { PodSetAsk } from "./asks.ts";
import { awaitReady } from "./due.ts";
import { noteUse } from "./localUse.ts";
import type { Offer } from "./news.ts";
import { type Entry, holdQuota, type KueueState, type PodsPlan, setEntry } from "./state.ts";
import { enterQueue, localQueueOf, newEntry } from "./waitingRoom.ts";

const held = new Grant();

export function takeOver(view: PoolView, state: KueueState, act: Actions, offer: Offer): void {
  const running = view.running();
  for (let i = 0; i < running.length; i++) runs(view, state, running.at[i]!, offer);
  const waiting = view.waiting();
  const jobs = Array.from(waiting.at.subarray(0, waiting.length));
  for (const jobIdx of jobs) {
    if (state.entries.has(jobIdx)) offer(jobIdx);
    else waits(view, state, act, offer, jobIdx);
  }
}

function waits(
  view: PoolView,
  state: KueueState,
  act: Actions,
  offer: Offer,
  jobIdx: number,
): void {
  const localIdx = localQueueOf(state.setup, view, jobIdx);
  const entry = newEntry(view, state, jobIdx, localIdx);
  if (localIdx === -1) {
    setEntry(state, { ...entry, phase: "unmanaged" });
    offer(jobIdx);
    return;
  }
  enterQueue(view, state, act, { ...entry, createdMs: view.jobs.at.submitMs[jobIdx]! });
}

function runs(view: PoolView, state: KueueState, jobIdx: number, offer: Offer): void {
  const { setup } = state;
  const localIdx = localQueueOf(setup, view, jobIdx);
  const entry = newEntry(view, state, jobIdx, localIdx);
  const startMs = Math.min(view.nowMs, view.startMs(jobIdx));
  if (entry.queue < 0) {
    setEntry(state, { ...entry, phase: "unmanaged" });
    return;
  }
  held.clear();
  view.holdings(jobIdx, held);
  const node = held.length > 0 ? held.node[0]! : -1;
  const taken = new Map<number, number>();
  const cutTo = entry.ask.partial && !setup.wholeGroups ? membersHeld() : null;
  const plan = entry.ask.sets.map((set) =>
    takes(state, entry, set, cutTo ?? set.count, node, taken),
  );
  const amounts = [...taken].map(([cell, amount]): CellAmount => ({ cell, amount }));
  const leaves = view.jobState[jobIdx] === JobStateCode.ending;
  const holds = setEntry(state, {
    ...entry,
    phase: leaves ? "leaving" : "admitted",
    evicted: leaves,
    admittedMs: startMs,
    amounts,
    plan,
    outcome: "admitted",
  });
  chargeAll(setup.tree, state.usage, holds.queue, amounts);
  holdQuota(state, holds);
  noteUse(setup, state.use, localIdx, byResource(state, holds), 1);
  if (leaves) return;
  awaitReady(view, state, jobIdx);
  // Cut on admission: it asks for no more pods than it has.
  if (cutTo !== null) offer(jobIdx);
}

/** Only jobs of one kind of pods are cut. */
function membersHeld(): number {
  let members = 0;
  for (let row = 0; row < held.length; row++) members += held.members[row]!;
  return members;
}

/** What pods of one kind take: of each group the first flavor that their node is of and that has room, else without room, else the first. */
function takes(
  { setup, usage }: KueueState,
  entry: Entry,
  set: PodSetAsk,
  count: number,
  node: number,
  taken: Map<number, number>,
): PodsPlan {
  const flavors: number[] = [];
  for (const { covers, flavors: listed } of setup.queues[entry.queue]!.groups) {
    const asked = set.asked.filter((resourceIdx) => covers[resourceIdx] === 1);
    if (asked.length === 0) continue;
    const ofNode = listed.filter(({ flavorIdx }) => setup.flavors[flavorIdx]!.nodes[node] === 1);
    const hasRoom = ofNode.find(({ cellOf }) =>
      asked.every((resourceIdx) => {
        const cell = cellOf[resourceIdx]!;
        const more = (taken.get(cell) ?? 0) + count * set.perPod[resourceIdx]!;
        return cell >= 0 && more <= available(setup.tree, usage, entry.queue, cell);
      }),
    );
    const { flavorIdx, cellOf } = hasRoom ?? ofNode[0] ?? listed[0]!;
    flavors.push(flavorIdx);
    for (const resourceIdx of asked) {
      const cell = cellOf[resourceIdx]!;
      if (cell < 0) continue;
      taken.set(cell, (taken.get(cell) ?? 0) + count * set.perPod[resourceIdx]!);
    }
  }
  return { count, flavors, domains: null, topologyIdx: -1 };
}
