/**
 * What one session of KAI works with beside the nodes: fair shares of all queues, divided down the tree, and what each queue holds, charged up the tree as the session decides.
 */
import type { Actions, PoolView } from "../../engine/view.ts";
import { kubeReasonCode } from "../../model/reasons.ts";
import { fairShares } from "../../scheduling/kubernetes/kai/fairShare.ts";
import type { ShareState } from "../../scheduling/kubernetes/kai/reclaim.ts";
import {
  type Amounts,
  addAmounts,
  noAmounts,
} from "../../scheduling/kubernetes/podGroups/amounts.ts";
import {
  domainsOfFabric,
  type Forest,
  forestOf,
} from "../../scheduling/kubernetes/podGroups/forest.ts";
import type { Scoring } from "../../scheduling/kubernetes/podGroups/nodeBoard.ts";
import { futureOf, type GroupSession, openGroupSession, someLeave } from "../podGroups/session.ts";
import { FIXED_FROM, type KaiSetup } from "./setup.ts";
import type { KaiState } from "./state.ts";
import { usedParts } from "./usage.ts";

export interface Session extends GroupSession {
  readonly state: KaiState;
  readonly setup: KaiSetup;
  /** By queue, parents included; `held` and `fixed` follow what the session decides. */
  readonly fair: readonly Amounts[];
  readonly held: number[][];
  readonly fixed: number[][];
  readonly forest: Forest;
  /** Members of running jobs for which a place is kept in the future, by job and component. */
  readonly promised: Map<number, number[]>;
  /** Classes that found no place in the future while jobs were allocated. */
  readonly futureFailed: Set<number>;
  /** By queue, as the rules of reclaim see it; follows what it holds. */
  readonly shares: readonly ShareState[];
}

const ROUNDING = 1e-9;

export function openSession(
  view: PoolView,
  state: KaiState,
  act: Actions,
  everySearch: boolean,
): Session {
  const { setup } = state;
  const shared = openGroupSession(view, act, state, () => scoringOf(setup), everySearch);
  const fair = fairSharesNow(state, shared.total);
  const { held, fixed, shares } = sumsOf(setup, fair);
  sumUp(setup, held, (idx) => state.books[idx]!.allocated);
  sumUp(setup, fixed, (idx) => state.books[idx]!.fixed);
  const session: Session = {
    // Spelled out: every action reads it, and a copy that is added to is slow to make and to read.
    view,
    act,
    classes: shared.classes,
    total: shared.total,
    idle: shared.idle,
    future: shared.future,
    aside: shared.aside,
    told: shared.told,
    bounds: shared.bounds,
    everySearch,
    bound: shared.bound,
    decided: shared.decided,
    state,
    setup,
    fair,
    held,
    fixed,
    shares,
    forest: forestFor(view, setup),
    promised: new Map(),
    futureFailed: new Set(),
  };
  if (someLeave(state)) futureOf(session);
  return session;
}

/** What queues hold in the session under way. */
interface Sums {
  readonly held: number[][];
  readonly fixed: number[][];
  readonly shares: readonly ShareState[];
}

/** Of the run whose setup it is, written anew by each session. */
const knownSums = new WeakMap<KaiSetup, Sums>();

function sumsOf(setup: KaiSetup, fair: readonly Amounts[]): Sums {
  let sums = knownSums.get(setup);
  if (sums === undefined) {
    const held = setup.queues.map(noAmounts);
    const fixed = setup.queues.map(noAmounts);
    const shares = setup.queues.map(({ quota, limit }, idx) => ({
      allocated: held[idx]!,
      fixed: fixed[idx]!,
      deserved: quota,
      fairShare: fair[idx]!,
      limit,
    }));
    sums = { held, fixed, shares };
    knownSums.set(setup, sums);
  }
  return sums;
}

const forests = new WeakMap<KaiSetup, Forest>();

function forestFor(view: PoolView, setup: KaiSetup): Forest {
  const known = forests.get(setup);
  if (known?.nodes === view.nodes) return known;
  const forest = forestOf(view, domainsOfFabric(view));
  forests.set(setup, forest);
  return forest;
}

/** Each queue's own and that of all below it. */
function sumUp({ queues }: KaiSetup, into: number[][], pick: (idx: number) => Amounts): void {
  for (let idx = 0; idx < queues.length; idx++) {
    const row = into[idx]!;
    const own = pick(idx);
    for (let at = 0; at < row.length; at++) row[at] = own[at]!;
  }
  for (let idx = 0; idx < queues.length; idx++)
    for (let up = queues[idx]!.parentIdx; up >= 0; up = queues[up]!.parentIdx)
      addAmounts(into[up]!, pick(idx));
}

function upTheTree(setup: KaiSetup, pick: (idx: number) => Amounts): number[][] {
  const sums = setup.queues.map(noAmounts);
  sumUp(setup, sums, pick);
  return sums;
}

/** Shares by queue, and what those of each resource followed from. */
interface KnownShares {
  readonly fair: readonly number[][];
  readonly total: number[];
  readonly request: readonly number[][];
}

/** Of the run whose setup it is. Follows from what is asked alone, so going back does not matter. */
const knownShares = new WeakMap<KaiSetup, KnownShares>();

/** Level by level: children divide what their parent was given. The rows are written anew by the next call. O(queues), O(queues²) for a resource of which others are asked or there. */
export function fairSharesNow(
  { setup, usage, books }: KaiState,
  total: Amounts,
): readonly Amounts[] {
  const { queues } = setup;
  let known = knownShares.get(setup);
  if (known === undefined) {
    known = {
      fair: queues.map(noAmounts),
      total: total.map(() => Number.NaN),
      request: queues.map(noAmounts),
    };
    knownShares.set(setup, known);
  }
  const request = upTheTree(setup, (idx) => books[idx]!.request);
  const used = usage === null ? null : usedParts(usage, queues.length, total);
  const past = used === null ? null : upTheTree(setup, (idx) => used[idx]!);
  for (let at = 0; at < total.length; at++) {
    let same = past === null && known.total[at] === total[at];
    for (let idx = 0; idx < queues.length; idx++) {
      same &&= known.request[idx]![at] === request[idx]![at];
      known.request[idx]![at] = request[idx]![at]!;
    }
    if (same) continue;
    known.total[at] = total[at]!;
    divide(setup, at, known, past, queues.length, total[at]!);
  }
  return known.fair;
}

function divide(
  setup: KaiSetup,
  at: number,
  known: KnownShares,
  past: readonly Amounts[] | null,
  parent: number,
  amount: number,
): void {
  const { queues, children, strength } = setup;
  const { request, fair } = known;
  const level = children[parent]!;
  const siblings = level.map((idx) => ({
    name: queues[idx]!.name,
    deserved: queues[idx]!.quota[at]!,
    request: request[idx]![at]!,
    limit: queues[idx]!.limit[at]!,
    overQuotaWeight: queues[idx]!.weight[at]!,
    priority: queues[idx]!.priority,
    created: idx,
    usage: past === null ? 0 : past[idx]![at]!,
  }));
  const { shares } = fairShares(amount, siblings, strength);
  for (const [i, idx] of level.entries()) fair[idx]![at] = shares[i]!;
  for (const idx of level)
    if (children[idx]!.length > 0) divide(setup, at, known, past, idx, fair[idx]![at]!);
}

/** Pods with GPUs by GPUs, others by CPUs and away from nodes with GPUs: the fullest node, or the emptiest. */
function scoringOf({ packs }: KaiSetup): Scoring {
  return (sketch, part, node) => {
    const { cluster } = sketch;
    const gpus = cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!;
    const byGpu = part.gpus > 0 || part.shareMilli > 0 || part.mig > 0;
    const room = byGpu ? gpus : cluster.groups[cluster.nodeGroup[node]!]!.cpusPerNode * 1_000;
    const free = byGpu ? sketch.gpusFree[node]! : sketch.cpuMilliFree[node]!;
    const part0 = room === 0 ? 0 : packs ? (room - free) / room : free / room;
    return part0 + (!byGpu && gpus === 0 ? 10 : 0);
  };
}

/** A queue and all above it hold so much more (or less). */
export function chargeUp(
  session: Session,
  queueIdx: number,
  amounts: Amounts,
  sign: number,
  isFixed: boolean,
): void {
  for (let up = queueIdx; up >= 0; up = session.setup.queues[up]!.parentIdx) {
    addAmounts(session.held[up]!, amounts, sign);
    if (isFixed) addAmounts(session.fixed[up]!, amounts, sign);
  }
}

/** What queues hold is again what it was, to the bit: row after row. */
export function restore({ held }: Session, before: readonly number[]): void {
  let from = 0;
  for (const row of held) for (let at = 0; at < row.length; at++) row[at] = before[from++]!;
}

/** May a queue start this, as far as limits go, and quota where the work is never a victim? 0 = yes, else the reason. */
export function queueRefuses(
  session: Session,
  queueIdx: number,
  request: Amounts,
  priority: number,
): number {
  const { setup, held, fixed } = session;
  for (let up = queueIdx; up >= 0; up = setup.queues[up]!.parentIdx) {
    const { limit, quota } = setup.queues[up]!;
    for (let at = 0; at < request.length; at++) {
      const asked = request[at]!;
      if (asked <= 0) continue;
      if (limit[at]! >= 0 && held[up]![at]! + asked > limit[at]! + ROUNDING)
        return kubeReasonCode("queueMost");
      const over = quota[at]! >= 0 && fixed[up]![at]! + asked > quota[at]! + ROUNDING;
      if (priority >= FIXED_FROM && over) return kubeReasonCode("fixedQuota");
    }
  }
  return 0;
}
