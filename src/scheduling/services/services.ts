/**
 * What is kept of the services of one pool while the run goes on: replicas wanted, the wishes behind that, replicas that serve, and the fluid backlog. The
 * books move forward from one moment to the next at which demand or the number of serving replicas changes; between two of them both are constant.
 *
 * Replicas that are not wanted are held (they do not wait). Growing admits the lowest replica that is held; shrinking takes those that wait, then the
 * youngest (latest start, then highest number), so that warm replicas stay. A replica that was lost or preempted waits like any job of its tier. O(replicas) where
 * something has happened to one of them, O(1) otherwise.
 */
import type { PoolView } from "../../engine/view.ts";
import { JobFlag } from "../../model/jobs.ts";
import {
  backlogAfter,
  capacityPerSec,
  latencyMs,
  type Serving,
  withinTarget,
} from "../../model/lab/latency.ts";
import type { ServiceInfo } from "../../model/lab/services.ts";
import { JobStateCode } from "../../model/states.ts";
import { decideReplicas, isSettled, type Wishes, wishFor } from "./autoscaler.ts";

export interface ServiceState {
  /** Index into `World.services`. */
  readonly service: number;
  readonly wishes: Wishes;
  wanted: number;
  /** As of `atMs`. */
  serving: number;
  backlog: number;
  atMs: number;
  /** Row of its demand that holds at `atMs`. */
  demandRow: number;
  /** Time of the last tick; −1 = none yet. */
  tickMs: number;
  /** Next end of a replica's cold start; `Infinity` = none starts. */
  readyMs: number;
  /** Latency as computed last, and for which demand, replicas and backlog. */
  latencyMs: number;
  latencyOf: readonly [number, number, number];
}

const NEVER = Number.POSITIVE_INFINITY;

/** Takes a service over at `view.nowMs`, with as many replicas wanted as live outside a hold and at least its minimum. */
export function createService(view: PoolView, index: number): ServiceState {
  const service = view.world.services![index]!;
  const { nowMs, jobState } = view;
  let held = 0;
  for (const jobIdx of service.replicas)
    if (jobState[jobIdx]! >= JobStateCode.placed && jobState[jobIdx] !== JobStateCode.done) held++;
  const wanted = Math.max(service.minReplicas, held);
  return {
    service: index,
    wishes: { atMs: [nowMs], replicas: [wanted] },
    wanted,
    serving: 0,
    backlog: 0,
    atMs: nowMs,
    demandRow: rowAt(service, nowMs),
    tickMs: -1,
    readyMs: NEVER,
    latencyMs: 0,
    latencyOf: [-1, -1, -1],
  };
}

export function copyService(state: ServiceState): ServiceState {
  const { wishes } = state;
  return { ...state, wishes: { atMs: [...wishes.atMs], replicas: [...wishes.replicas] } };
}

function rowAt({ demand }: ServiceInfo, atMs: number): number {
  let row = 0;
  while (row + 1 < demand.atMs.length && demand.atMs[row + 1]! <= atMs) row++;
  return row;
}

/** Requests a second that arrive now. */
export function demandNow(service: ServiceInfo, state: ServiceState): number {
  return service.demand.perSec[state.demandRow]!;
}

/** What the formula of latency needs of a service with `replicas` serving. */
function servingOf(
  service: ServiceInfo,
  perSec: number,
  replicas: number,
  backlog: number,
): Serving {
  const { concurrency, requestMs, requestCv2 } = service;
  return { perSec, servers: replicas * concurrency, requestMs, requestCv2, backlog };
}

/** Brings the backlog from `state.atMs` to now. O(changes of demand since). */
export function settle(service: ServiceInfo, state: ServiceState, nowMs: number): void {
  while (state.atMs < nowMs) {
    const untilMs = Math.min(nowMs, nextDemandMs(service, state));
    const serving = servingOf(service, demandNow(service, state), state.serving, state.backlog);
    state.backlog = backlogAfter(serving, untilMs - state.atMs);
    state.atMs = untilMs;
    if (untilMs === nextDemandMs(service, state)) state.demandRow++;
  }
}

function nextDemandMs({ demand }: ServiceInfo, state: ServiceState): number {
  return demand.atMs[state.demandRow + 1] ?? NEVER;
}

/** Counts the replicas that serve, and when the next one will. O(replicas). */
export function countReplicas(view: PoolView, service: ServiceInfo, state: ServiceState): void {
  state.serving = 0;
  state.readyMs = NEVER;
  for (const jobIdx of service.replicas) {
    const jobState = view.jobState[jobIdx];
    if (jobState === JobStateCode.running) state.serving++;
    if (jobState !== JobStateCode.starting) continue;
    const readyMs = view.pauseEndMs(jobIdx);
    if (readyMs > view.nowMs) state.readyMs = Math.min(state.readyMs, readyMs);
  }
}

/** Requests a second that the autoscaler sees: those that arrive, and what has piled up spread over the time in which it is to be worked off. */
function loadNow(service: ServiceInfo, state: ServiceState): number {
  const { catchUpMs } = service.autoscale;
  const perSec = demandNow(service, state);
  return catchUpMs === undefined ? perSec : perSec + (state.backlog * 1_000) / catchUpMs;
}

/** The tick of the autoscaler, at multiples of its interval. Ticks at which nothing could change need not come. */
export function tick(service: ServiceInfo, state: ServiceState, nowMs: number): void {
  if (nowMs === state.tickMs || nowMs % service.autoscale.everyMs !== 0) return;
  state.tickMs = nowMs;
  const wish = wishFor(service, loadNow(service, state), state.wanted);
  state.wanted = decideReplicas(service, state.wishes, nowMs, wish, state.wanted);
}

/** Whether a replica is asked for: it waits or holds devices. */
export function isActive(view: PoolView, jobIdx: number): boolean {
  const jobState = view.jobState[jobIdx]!;
  return jobState > JobStateCode.held && jobState < JobStateCode.ending;
}

function isOwnHold(view: PoolView, jobIdx: number): boolean {
  return view.jobState[jobIdx] === JobStateCode.held && view.heldBy(jobIdx) === "nobody";
}

/** The replicas to admit (`change` > 0, lowest first) or to take (`change` < 0: those that wait, then the youngest). O(replicas × log). */
export function chooseReplicas(view: PoolView, service: ServiceInfo, change: number): number[] {
  if (change === 0) return [];
  if (change > 0) {
    const held = service.replicas.filter((jobIdx) => isOwnHold(view, jobIdx));
    return [...held.subarray(0, change)];
  }
  const active = [...service.replicas].filter((jobIdx) => isActive(view, jobIdx));
  active.sort((a, b) => {
    const aMs = view.startMs(a);
    const bMs = view.startMs(b);
    return aMs === bMs ? b - a : bMs < aMs ? -1 : 1;
  });
  return active.slice(0, -change);
}

/** The latency of the requests that come now, at the service's percentile (ms). Computed anew where demand, replicas or backlog have changed. */
export function latencyNowMs(service: ServiceInfo, state: ServiceState): number {
  const perSec = demandNow(service, state);
  const [knownPerSec, knownServing, knownBacklog] = state.latencyOf;
  if (perSec !== knownPerSec || state.serving !== knownServing || state.backlog !== knownBacklog) {
    const serving = servingOf(service, perSec, state.serving, state.backlog);
    state.latencyMs = latencyMs(serving, service.percentile / 100);
    state.latencyOf = [perSec, state.serving, state.backlog];
  }
  return state.latencyMs;
}

/** Whether the requests that come now meet the target. */
export function meetsTarget(
  service: ServiceInfo,
  perSec: number,
  replicas: number,
  backlog: number,
): boolean {
  if (perSec === 0 && backlog === 0) return true;
  const serving = servingOf(service, perSec, replicas, backlog);
  return replicas > 0 && withinTarget(serving, service.targetMs) >= service.percentile / 100;
}

/** The next time after now at which something of it changes by itself. */
export function nextMs(service: ServiceInfo, state: ServiceState, nowMs: number): number {
  const { everyMs } = service.autoscale;
  const tickMs = (Math.floor(nowMs / everyMs) + 1) * everyMs;
  const quiet = !isGrowing(service, state) && isQuiet(service, state);
  return Math.min(nextDemandMs(service, state), state.readyMs, quiet ? NEVER : tickMs);
}

/** Whether ticks do nothing before demand changes. */
function isQuiet(service: ServiceInfo, state: ServiceState): boolean {
  if (!isSettled(state.wishes, state.wanted)) return false;
  return wishFor(service, demandNow(service, state), state.wanted) === state.wanted;
}

/** Whether the latency changes although nothing else does: with a backlog. */
function isGrowing(service: ServiceInfo, state: ServiceState): boolean {
  const { servers, requestMs, perSec } = servingOf(
    service,
    demandNow(service, state),
    state.serving,
    0,
  );
  return state.backlog > 0 || perSec > capacityPerSec(servers, requestMs);
}

/** Whether a job is a replica of a service. */
export function isReplica(view: PoolView, jobIdx: number): boolean {
  return (view.jobs.at.flags[jobIdx]! & JobFlag.service) !== 0;
}
