/**
 * Kueue's own memory across a change of its objects, of its settings or of node labels: nothing starts anew. What holds quota holds it on in the flavors that it was given (never in another one, so nobody
 * is charged where there is no room), as far as its ClusterQueue has them still; who waits keeps its time, back-offs and timeouts run on, what LocalQueues have used is remembered. Domains of a
 * topology that labels have taken apart hold it no more; its pods stay where they are. Quotas may have been cut below what is used: then nothing is admitted until enough has ended, as upstream.
 * O(what lives).
 */
import type { PoolView } from "../../../engine/view.ts";
import { type CellAmount, chargeAll } from "../../../scheduling/kubernetes/kueue/quotaTree.ts";
import { byResource } from "./amounts.ts";
import { askOf } from "./asks.ts";
import { runsOn } from "./localUse.ts";
import { chargePlaces } from "./places.ts";
import type { KueueSetup } from "./setup.ts";
import {
  createAdmission,
  type Entry,
  holdQuota,
  type KueueState,
  type PodsPlan,
  setEntry,
} from "./state.ts";
import { localQueueOf, withPriority } from "./waitingRoom.ts";

/** The state to go on with. What waits is not in its queues yet: `resume` puts it there, with what happened in the same instant. */
export function carryOver(view: PoolView, setup: KueueSetup, before: KueueState): KueueState {
  const state: KueueState = {
    ...createAdmission(setup, view.nowMs, before.everySearch),
    timers: before.timers,
    nextCycleMs: before.nextCycleMs,
    unready: before.unready,
  };
  carryUse(before, state);
  const names = namesOf(before.setup, setup);
  for (const [jobIdx, entry] of [...before.entries].sort(([a], [b]) => a - b))
    setEntry(state, carried(view, state, before.setup, names, entry, jobIdx));
  for (const [queueIdx, jobIdx] of before.sticky.entries()) {
    const now = names.queues[queueIdx]!;
    if (now >= 0 && state.entries.get(jobIdx)?.queue === now) state.sticky[now] = jobIdx;
  }
  return state;
}

interface Names {
  /** By number in the setup before; −1 = it is no more. */
  readonly queues: readonly number[];
  readonly flavors: readonly number[];
  readonly cells: readonly number[];
}

function namesOf(before: KueueSetup, now: KueueSetup): Names {
  const queues = before.queues.map(({ name }) => now.queues.findIndex((one) => one.name === name));
  const flavors = before.flavors.map(({ name }) =>
    now.flavors.findIndex((one) => one.name === name),
  );
  const cells = before.cells.map(({ flavorIdx, resourceIdx }) => {
    const resource = now.resources.indexOf(before.resources[resourceIdx]!);
    return now.cells.findIndex(
      (cell) => cell.flavorIdx === flavors[flavorIdx] && cell.resourceIdx === resource,
    );
  });
  return { queues, flavors, cells };
}

function carried(
  view: PoolView,
  state: KueueState,
  before: KueueSetup,
  names: Names,
  entry: Entry,
  jobIdx: number,
): Entry {
  const { setup } = state;
  const localIdx = localQueueOf(setup, view, jobIdx);
  const holds = entry.plan.length > 0 && entry.queue >= 0;
  // Who holds quota belongs to the ClusterQueue that gave it, whatever its LocalQueue says by now.
  const kept = holds ? names.queues[entry.queue]! : -1;
  const queue = kept >= 0 ? kept : (setup.locals[localIdx]?.queueIdx ?? -1);
  const { local: _, ...rest } = entry;
  const moved = {
    ...rest,
    ask: askOf(setup, view, jobIdx),
    localIdx,
    queue,
    ...(setup.queues[queue]?.sharesByUse === true && localIdx >= 0
      ? { local: state.use.locals[localIdx]! }
      : {}),
  };
  const priority = setup.tierPriority[view.tierOfJob[jobIdx]!]!;
  if (!holds) return withPriority(state, moved, priority);
  if (queue < 0) return withPriority(state, { ...moved, phase: "unmanaged", plan: [] }, priority);
  const amounts = entry.amounts.flatMap(({ cell, amount }): CellAmount[] => {
    const now = kept < 0 ? -1 : names.cells[cell]!;
    return now < 0 ? [] : [{ cell: now, amount }];
  });
  const plan = entry.plan.map((pods) => planOf(before, setup, names, pods));
  const holding = withPriority(state, { ...moved, amounts, plan }, priority);
  chargeAll(setup.tree, state.usage, queue, amounts);
  chargePlaces(state.places, holding, 1);
  holdQuota(state, holding);
  runsOn(setup, state.use, localIdx, byResource(state, holding));
  return holding;
}

function planOf(before: KueueSetup, now: KueueSetup, names: Names, pods: PodsPlan): PodsPlan {
  const flavors = pods.flavors.map((idx) => names.flavors[idx]!).filter((idx) => idx >= 0);
  const free = { ...pods, flavors, domains: null, topologyIdx: -1 };
  if (pods.domains === null) return free;
  const topologyIdx = flavors.map((idx) => now.flavors[idx]!.topologyIdx).find((idx) => idx >= 0);
  if (topologyIdx === undefined) return free;
  const { nodesOfLeaf } = before.topologies[pods.topologyIdx]!;
  const leafOfNode = new Map(
    now.topologies[topologyIdx]!.nodesOfLeaf.flatMap((nodes, leaf) =>
      nodes.map((node) => [node, leaf] as const),
    ),
  );
  const domains: { leaf: number; pods: number }[] = [];
  for (const { leaf, pods: inLeaf } of pods.domains) {
    const leaves = new Set(nodesOfLeaf[leaf]!.map((node) => leafOfNode.get(node) ?? -1));
    const [only = -1, ...others] = leaves;
    if (only < 0 || others.length > 0) return free;
    domains.push({ leaf: only, pods: inLeaf });
  }
  return { ...pods, flavors, domains, topologyIdx };
}

/** What LocalQueues have used, by name of queue and resource. */
function carryUse({ setup: before, use: old }: KueueState, { setup, use }: KueueState): void {
  use.lastSampleMs = old.lastSampleMs;
  for (const [localIdx, { queue, used }] of old.locals.entries()) {
    const now = use.locals.findIndex((one) => one.queue === queue);
    if (now < 0) continue;
    use.locals[now]!.used = used;
    for (const [resourceIdx, resource] of before.resources.entries()) {
      const nowIdx = setup.resources.indexOf(resource);
      if (nowIdx < 0) continue;
      const from = localIdx * before.resources.length + resourceIdx;
      const to = now * setup.resources.length + nowIdx;
      use.consumed[to] = old.consumed[from]!;
      use.penalty[to] = old.penalty[from]!;
    }
  }
}
