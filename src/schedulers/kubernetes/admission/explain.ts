/** Why a workload waits for admission, with the numbers behind it, counted now by the same books. Nothing here is on the path of a run. O(those that wait in its queue). */
import { countText } from "../../../base/format.ts";
import type { Explanation, PoolView } from "../../../engine/view.ts";
import { kubeReasonCode } from "../../../model/reasons.ts";
import { NEVER_MS } from "../../../model/units.ts";
import { headOf } from "../../../scheduling/kubernetes/kueue/pendingQueue.ts";
import { available } from "../../../scheduling/kubernetes/kueue/quotaTree.ts";
import { compareQueued } from "../../../scheduling/kubernetes/kueue/workloads.ts";
import { CPU, MEMORY } from "./asks.ts";
import { usedByOf } from "./cycles.ts";
import { wordOf } from "./reasons.ts";
import type { Entry, KueueState } from "./state.ts";

/** Null where admission has nothing to say: its pods are placed, or end. */
export function explainWorkload(
  view: PoolView,
  state: KueueState,
  jobIdx: number,
): Explanation | null {
  const entry = state.entries.get(jobIdx);
  const word = entry ? wordOf(entry) : null;
  if (!entry || word === null) return null;
  const { position, headJobIdx } = placeInQueue(state, entry);
  const gpusNeeded = view.jobs.at.gpuTotal[jobIdx]!;
  const counted = entry.phase === "waiting" ? shortOf(state, entry, word === "quotaNever") : "";
  return {
    reason: kubeReasonCode(word === "quotaOrder" && position === 0 ? "quotaShort" : word),
    gpusNeeded,
    gpusFree: view.gpusFreeTotal,
    unit: "devices",
    unitsNeeded: gpusNeeded,
    unitsFree: view.gpusFreeTotal,
    ...(counted === "" ? {} : { counted }),
    position,
    headJobIdx,
    reservedForJobIdx: -1,
    plannedMs: NEVER_MS,
    plannedNodes: [],
    frees: [],
  };
}

/** How many of its queue stand before it, and who is first; −1 = itself. The position of what stands aside is −1: it is in no queue. O(those that wait there). */
export function placeInQueue(
  state: KueueState,
  entry: Entry,
): Pick<Explanation, "position" | "headJobIdx"> {
  if (entry.phase === "aside") return { position: -1, headJobIdx: -1 };
  if (entry.phase !== "waiting") return { position: 0, headJobIdx: -1 };
  const queue = state.queues[entry.queue]!;
  let position = 0;
  let first: Entry | null = null;
  for (const { heap } of queue.lines.values())
    for (const other of heap) {
      if (compareQueued(other, entry) < 0) position++;
      if (first === null || compareQueued(other, first) < 0) first = other;
    }
  const head = headOf(queue, usedByOf(state, entry.queue)) ?? first;
  return { position, headJobIdx: head?.jobIdx === entry.jobIdx ? -1 : (head?.jobIdx ?? -1) };
}

/** "cluster queue team-a, flavor h100: 16 nvidia.com/gpu asked, 4 free for it, 12 of its 8 in use." Of the flavor in which least is missing. */
function shortOf({ setup, usage, queues }: KueueState, entry: Entry, ever: boolean): string {
  const { tree } = setup;
  let best = "";
  let bestLack = Number.POSITIVE_INFINITY;
  for (const { covers, flavors } of setup.queues[entry.queue]!.groups) {
    for (const { flavorIdx, cellOf } of flavors) {
      for (const [resourceIdx, covered] of covers.entries()) {
        const cell = cellOf[resourceIdx]!;
        if (covered === 0 || cell < 0) continue;
        const asked = entry.ask.sets.reduce(
          (sum, set) => sum + set.count * set.perPod[resourceIdx]!,
          0,
        );
        const free = ever
          ? tree.potential[entry.queue * tree.cells + cell]!
          : available(tree, usage, entry.queue, cell);
        if (asked <= free || asked - free >= bestLack) continue;
        bestLack = asked - free;
        const at = entry.queue * tree.cells + cell;
        const own = tree.nodes[entry.queue]!.quotas[cell]?.nominal ?? 0;
        const name = setup.resources[resourceIdx]!;
        const say = (amount: number) => amountText(name, amount);
        const have = ever
          ? `${say(Math.max(0, free))} is the most that it can ever have (owns ${say(own)})`
          : `${say(Math.max(0, free))} can be had now (uses ${say(usage[at]!)}, owns ${say(own)})`;
        best = `ClusterQueue ${setup.queues[entry.queue]!.name} asks ${say(asked)} ${name} of flavor ${setup.flavors[flavorIdx]!.name} for it; ${have}.`;
      }
    }
  }
  const waiting = queues[entry.queue]!.count;
  const others =
    waiting > 1 ? ` ${countText(waiting - 1, "other waits", "others wait")} in it.` : "";
  return best === "" ? "" : best + others;
}

function amountText(resource: string, amount: number): string {
  if (resource === CPU) return String(amount / 1000);
  return resource === MEMORY ? `${Math.round((amount / 1024) * 10) / 10} GiB` : String(amount);
}
