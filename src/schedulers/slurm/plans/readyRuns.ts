/**
 * With the end of which run each node becomes usable for a request, if runs end one after the other by their limits. The more has
 * ended, the more nodes are usable, so counting nodes tells before which run no start can be found, without choosing nodes for any
 * of them. One answer serves all tests of jobs that ask for the same, until runs change.
 */

import { countBits } from "../../../base/bitSets.ts";
import { hasBit, nextSet } from "../../../base/bits.ts";
import { IntList } from "../../../base/intList.ts";
import type { PoolView } from "../../../engine/view.ts";
import type { SwitchTree } from "../../../scheduling/nodeChoice/switchTree.ts";
import { giveRun } from "../life/runs.ts";
import { optionsOf } from "../passes/attempt.ts";
import { scratchOf } from "../preemption/preemptSelect.ts";
import type { SelectOptions } from "../select/options.ts";
import { isUsable } from "../select/usable.ts";
import { MANY, type Wanted } from "../select/wanted.ts";
import type { QueueEntry, SlurmState } from "../state.ts";
import type { NodeSpace } from "./nodeSpace.ts";

export interface Ready {
  readonly partition: number;
  /** Per node: the place in `running` of the run whose end makes it usable; −1 = usable now, `running.length` = never. */
  readonly run: Int32Array;
  /** Nodes of the partition that become usable at all, by the time at which they do, and that time. */
  readonly order: Int32Array;
  readonly orderMs: Float64Array;
}

const known = new Map<Wanted, Ready>();

/** To be called when a pass begins, and when runs changed. */
export function forgetReady(): void {
  known.clear();
}

/** Whether counting nodes says something of this job: the ends of runs only add to what it can use. */
export function isCountable(state: SlurmState, { wanted }: QueueEntry): boolean {
  return (
    !state.setup.nodes.flat &&
    !state.setup.everyPass &&
    !state.setup.config.preemption.gang &&
    state.resources.ownersTotal === 0 &&
    wanted.exclusive !== "user" &&
    !wanted.unknownNode &&
    !wanted.constraint.invalid
  );
}

/** Whether enough usable nodes are all that such a job needs: then it is certain to find its place among them. O(switches). */
export function isCertain(
  state: SlurmState,
  { job, wanted }: QueueEntry,
  options: SelectOptions,
): boolean {
  const { nodes } = state.setup;
  return (
    wanted.gpus === 0 &&
    wanted.ntasks <= 1 &&
    (wanted.maxNodes === MANY || wanted.maxNodes === wanted.minNodes) &&
    wanted.minNodes <= options.maxNodes &&
    wanted.minCpus <= wanted.minNodes * wanted.minCpusPerNode &&
    wanted.required.length === 0 &&
    wanted.constraint.sets === null &&
    !wanted.contiguous &&
    options.maxSwitches === 0 &&
    job.request.reservation === "" &&
    (nodes.switches === null || isOneTree(nodes.switches, nodes.count))
  );
}

/** Whether one switch stands above all nodes. */
function isOneTree(tree: SwitchTree, nodeCount: number): boolean {
  const tops = tree.parent.reduce((count, above) => count + (above < 0 ? 1 : 0), 0);
  return tops === 1 && countBits(tree.nodes[tree.parent.indexOf(-1)]!) === nodeCount;
}

const order = new IntList();

/** See `Ready.run`. O(1) when it is known, else O(nodes + nodes of all runs). */
export function readyRuns(view: PoolView, state: SlurmState, entry: QueueEntry): Ready {
  const { partition, wanted } = entry;
  const before = known.get(wanted);
  if (before?.partition === partition) return before;
  const { setup, running } = state;
  const { nodes } = setup;
  const options = optionsOf(view, state, entry);
  const run = new Int32Array(nodes.count).fill(running.length);
  const free = scratchOf(state);
  const usable = setup.partitions[partition]!.nodes;
  order.clear();
  const note = (node: number, at: number): void => {
    if (run[node] !== running.length || !isUsable(nodes, wanted, free, options, node)) return;
    run[node] = at;
    const out = wanted.excluded !== null && hasBit(wanted.excluded, node);
    if (hasBit(usable, node) && !out) order.push(node);
  };
  for (let node = 0; node < nodes.count; node++) note(node, -1);
  for (let at = 0; at < running.length; at++) {
    giveRun(state, free, running[at]!);
    const choice = running[at]!.choice!;
    for (let row = 0; row < choice.length; row++) note(choice.node[row]!, at);
  }
  const orderMs = new Float64Array(order.length);
  for (let at = 0; at < order.length; at++) orderMs[at] = running[run[order.at[at]!]!]?.endMs ?? 0;
  const ready = { partition, run, order: order.copy(), orderMs };
  known.set(wanted, ready);
  return ready;
}

const soonest = new Float64Array(64);

/**
 * No start of the job is found before this, from `fromMs` on: so many nodes must be usable and promised to nobody for its time limit. A
 * job of very many nodes is bounded by its first ones only. O(nodes that come before it × promises of a node).
 */
export function leastBesidePromises(
  ready: Ready,
  space: NodeSpace,
  need: number,
  fromMs: number,
  limitMs: number,
): number {
  const wanted = Math.min(need, soonest.length);
  let count = 0;
  for (let at = 0; at < ready.order.length; at++) {
    const readyMs = Math.max(fromMs, ready.orderMs[at]!);
    if (count === wanted && readyMs >= soonest[count - 1]!) break;
    const freeMs = space.freeFrom(ready.order[at]!, readyMs, limitMs);
    if (count === wanted && freeMs >= soonest[count - 1]!) continue;
    let place = count === wanted ? count - 1 : count++;
    while (place > 0 && soonest[place - 1]! > freeMs) {
      soonest[place] = soonest[place - 1]!;
      place--;
    }
    soonest[place] = freeMs;
  }
  return count < wanted ? Number.POSITIVE_INFINITY : soonest[count - 1]!;
}

/** Usable nodes of `nodes` now, and in `after` how many after the end of each run. O(nodes + runs). */
export function countReady(
  ready: Int32Array,
  nodes: Int32Array,
  runs: number,
  after: Int32Array,
): number {
  after.fill(0, 0, runs);
  let count = 0;
  for (let node = nextSet(nodes, 0, ready.length); node < ready.length; ) {
    const run = ready[node]!;
    if (run < 0) count++;
    else if (run < runs) after[run] = after[run]! + 1;
    node = nextSet(nodes, node + 1, ready.length);
  }
  let sum = count;
  for (let at = 0; at < runs; at++) {
    sum += after[at]!;
    after[at] = sum;
  }
  return count;
}
