/**
 * What admission tells of its quotas over time: gauges of what each ClusterQueue owns, uses, borrows and has lent, by flavor and resource, at the end of a pass in which something of its tree moved.
 * No decision reads them. O(nodes × cells) of a tree that moved, nothing else.
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { cellKey, plainAmount, quotaCells } from "../../../model/kubernetes/quotaCells.ts";
import { GaugeCode } from "../../../model/lab/gauges.ts";
import { borrowedOf, lentOf } from "../../../scheduling/kubernetes/kueue/lending.ts";
import type { KueueSetup } from "./setup.ts";
import type { KueueState } from "./state.ts";

/** By ClusterQueue × cell: the subject of its gauges; −1 = it has no quota of that cell. O(quotas of all policies). */
export function gaugesOf(
  view: PoolView,
  { queues, cells, flavors, resources, tree }: Omit<KueueSetup, "gauges">,
): Int32Array {
  const { pools, changes } = view.world;
  const subjects = new Map(quotaCells(pools, changes).map((cell, idx) => [cellKey(cell), idx]));
  const gauges = new Int32Array(queues.length * cells.length).fill(-1);
  for (const [queueIdx, { name: queue }] of queues.entries())
    for (const [cell, { flavorIdx, resourceIdx }] of cells.entries()) {
      if (!tree.nodes[queueIdx]!.quotas[cell]) continue;
      const [flavor, resource] = [flavors[flavorIdx]!.name, resources[resourceIdx]!];
      const key = cellKey({ pool: view.pool, queue, flavor, resource });
      gauges[queueIdx * cells.length + cell] = subjects.get(key) ?? -1;
    }
  return gauges;
}

/** What was told last, by ClusterQueue × cell: used, borrowed, lent. */
export const TOLD = 3;

const KINDS = [GaugeCode.quotaUsed, GaugeCode.quotaBorrowed, GaugeCode.quotaLent];

/** At the end of a pass. */
export function tellQuotas(state: KueueState, act: Actions): void {
  if (state.unsaid) tellNominal(state, act);
  state.unsaid = false;
  if (state.moved.size === 0) return;
  const { setup, usage, told } = state;
  const { tree, queues, cells } = setup;
  for (const rootIdx of state.moved) {
    const lent = lentOf(tree, usage, rootIdx);
    for (const [queueIdx, queue] of queues.entries()) {
      if (queue.rootIdx !== rootIdx) continue;
      for (let cell = 0; cell < cells.length; cell++) {
        const at = queueIdx * cells.length + cell;
        const subject = setup.gauges[at]!;
        if (subject < 0) continue;
        const resource = setup.resources[cells[cell]!.resourceIdx]!;
        const values = [usage[at]!, borrowedOf(tree, usage, queueIdx, cell), lent[at]!];
        for (const [kind, value] of values.entries()) {
          if (told[at * TOLD + kind] === value) continue;
          told[at * TOLD + kind] = value;
          act.gauge(KINDS[kind]!, subject, plainAmount(resource, value));
        }
      }
    }
  }
  state.moved.clear();
}

/** What each owns, once. */
function tellNominal({ setup }: KueueState, act: Actions): void {
  const { tree, cells, gauges, resources } = setup;
  for (const [at, subject] of gauges.entries()) {
    if (subject < 0) continue;
    const cell = at % cells.length;
    const { nominal } = tree.nodes[Math.floor(at / cells.length)]!.quotas[cell]!;
    const plain = plainAmount(resources[cells[cell]!.resourceIdx]!, nominal);
    act.gauge(GaugeCode.quotaNominal, subject, plain);
  }
}
