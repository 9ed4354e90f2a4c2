/**
 * How workloads come to wait: new ones after the round trips that make their Workload, evicted ones at once or after a back-off. The shape of a workload is what it asks and its priority, so that
 * all that will be refused for the same reason are parked together. Order in a queue: see `scheduling/kubernetes/kueue/workloads.ts`; a preempted workload keeps its time of creation, one whose
 * pods were not ready stands where its eviction puts it, unless told otherwise. O(log n).
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import { addPending, headOf } from "../../../scheduling/kubernetes/kueue/pendingQueue.ts";
import { requeueDelayMs } from "../../../scheduling/kubernetes/kueue/requeueBackoff.ts";
import { askOf } from "./asks.ts";
import { tellWait } from "./reasons.ts";
import type { KueueSetup } from "./setup.ts";
import { type Entry, type KueueState, NO_AMOUNTS, setEntry } from "./state.ts";
import { addTimer } from "./timers.ts";

/** Digits that make names of equal length: the last tie-break is then the number of the job. */
const NAME_DIGITS = 9;

/** Two workloads can preempt each other for ever (kueue #14543); a run has to end. */
export const EVICTIONS_MOST = 1_000;

/** What has not been ready so often never will be where nobody runs whose end could help; upstream goes on for ever. */
const REQUEUES_MOST = 100;

/** The LocalQueue of a job: by its queue and its team as namespace, then one of that name without namespace; a job that names none goes to the one called `default`. −1 = none; −2 = it names one that there is not. */
export function localQueueOf(setup: KueueSetup, view: PoolView, jobIdx: number): number {
  if (setup.everything) return 0;
  const asked = view.queues[view.jobs.at.queue[jobIdx]!] ?? "";
  const name = asked === "" || asked === "-" ? "default" : asked;
  const namespace = view.teams[view.jobs.at.team[jobIdx]!]?.id ?? "";
  const exact = setup.locals.findIndex((one) => one.name === name && one.namespace === namespace);
  if (exact >= 0) return exact;
  const anywhere = setup.locals.findIndex((one) => one.name === name && one.namespace === "");
  if (anywhere >= 0) return anywhere;
  return name === "default" ? -1 : -2;
}

/** A workload that comes for the first time. */
export function newEntry(
  view: PoolView,
  state: KueueState,
  jobIdx: number,
  localIdx: number,
): Entry {
  const { setup } = state;
  const ask = askOf(setup, view, jobIdx);
  const queueIdx = setup.locals[localIdx]?.queueIdx ?? -1;
  const createdMs = view.nowMs;
  const base = {
    name: String(jobIdx).padStart(NAME_DIGITS, "0"),
    queue: queueIdx,
    queuedMs: createdMs,
    admittedMs: 0,
    evicted: false,
    amounts: NO_AMOUNTS,
    jobIdx,
    ask,
    phase: "arriving",
    sinceMs: createdMs,
    createdMs,
    localIdx,
    timeouts: 0,
    evictions: 0,
    plan: [],
    outcome: "none",
    cause: "none",
    forJobIdx: -1,
    ...(setup.queues[queueIdx]?.sharesByUse === true ? { local: state.use.locals[localIdx]! } : {}),
  } as const;
  return withPriority(state, base, setup.tierPriority[view.tierOfJob[jobIdx]!]!);
}

/** The same workload at another priority. */
export function withPriority(
  { setup }: KueueState,
  entry: Omit<Entry, "priority" | "shape">,
  priority: number,
): Entry {
  const byUse = setup.queues[entry.queue]?.sharesByUse === true ? `${entry.localIdx}|` : "";
  return { ...entry, priority, shape: `${byUse}${priority}|${entry.ask.key}` };
}

/** It waits from now on, or stands aside where nothing could admit it. */
export function enterQueue(view: PoolView, state: KueueState, act: Actions, before: Entry): void {
  const { setup } = state;
  const local = setup.locals[before.localIdx];
  const fresh: Entry = {
    ...before,
    sinceMs: view.nowMs,
    evicted: false,
    amounts: NO_AMOUNTS,
    plan: [],
    outcome: "none",
    queuedMs:
      before.cause === "podsNotReady" && setup.times.requeuedByEviction
        ? before.queuedMs
        : before.createdMs,
  };
  const aside = before.queue < 0 || !local ? "noQueue" : local.stopped ? "stopped" : null;
  if (aside !== null) {
    tellWait(act, setEntry(state, { ...fresh, phase: "aside", outcome: aside }));
    return;
  }
  const queue = setup.queues[fresh.queue]!;
  const pending = state.queues[fresh.queue]!;
  const parked = pending.parkedShapes.has(fresh.shape);
  const entry = setEntry(state, {
    ...fresh,
    phase: "waiting",
    outcome: queue.stopped ? "stopped" : parked ? outcomeOfShape(state, fresh) : "none",
  });
  addPending(pending, entry);
  tellWait(act, entry);
  if (!parked && !queue.stopped && (queue.sharesByUse || headOf(pending) === entry))
    state.dirty.add(queue.rootIdx);
}

/** What the first of its shape was told, who may be gone. */
function outcomeOfShape(state: KueueState, { queue, shape }: Entry): Entry["outcome"] {
  const first = state.queues[queue]!.lines.get(shape)?.heap[0];
  return first?.outcome ?? state.parkedFor[queue]!.get(shape) ?? "noCandidates";
}

/** Its pods were not ready in time: it comes back after a delay that doubles, or not at all. */
export function backOff(view: PoolView, state: KueueState, act: Actions, before: Entry): void {
  const { requeue } = state.setup.times;
  const most = requeue.limit === Number.POSITIVE_INFINITY ? REQUEUES_MOST : requeue.limit;
  const hopeless = before.timeouts > most && view.runningCount === 0;
  const delayMs =
    hopeless || before.evictions > EVICTIONS_MOST ? null : requeueDelayMs(requeue, before.timeouts);
  const evictedMs = before.sinceMs;
  const entry: Entry = {
    ...before,
    sinceMs: view.nowMs,
    evicted: false,
    amounts: NO_AMOUNTS,
    plan: [],
    queuedMs: evictedMs,
    phase: delayMs === null ? "aside" : "backoff",
    outcome: delayMs === null ? "deactivated" : "none",
  };
  tellWait(act, setEntry(state, entry));
  if (delayMs === null) return;
  addTimer(state.timers, {
    atMs: view.nowMs + delayMs,
    kind: "requeue",
    jobIdx: entry.jobIdx,
    sinceMs: view.nowMs,
  });
}
