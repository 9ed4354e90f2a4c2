/**
 * Services of one pool, whoever places their replicas: the autoscaler ticks and holds, admits or takes replicas before a pass; after it the books are brought to now and the gauges told. Under the lab it is a step of
 * the walk, under Kubernetes a controller of its own (the Horizontal Pod Autoscaler and the Deployment behind it, which make and delete pods and leave their places to a scheduler). O(replicas) where something of
 * them has changed, O(1) otherwise. Rules: `services.ts`.
 */
import type { Actions, PoolView } from "../../engine/view.ts";
import { GaugeCode } from "../../model/lab/gauges.ts";
import type { ServiceInfo } from "../../model/lab/services.ts";
import { StopReasonCode } from "../../model/reasons.ts";
import { JobStateCode } from "../../model/states.ts";
import {
  chooseReplicas,
  copyService,
  countReplicas,
  createService,
  demandNow,
  isActive,
  latencyNowMs,
  nextMs,
  type ServiceState,
  settle,
  tick,
} from "./services.ts";

export interface ServicesState {
  readonly services: ServiceState[];
  /** Something happened to a replica since the last pass. */
  changed: boolean;
  /** Nothing of them changes by itself before. */
  dueMs: number;
}

function indexesOf(view: PoolView): number[] {
  return (view.world.services ?? []).flatMap((service, index) =>
    view.world.poolOfJob[service.replicas[0]!] === view.pool ? [index] : [],
  );
}

/** Whether the pool has any. */
export function hasServices(view: PoolView): boolean {
  return indexesOf(view).length > 0;
}

export function createServices(view: PoolView): ServicesState {
  return {
    services: indexesOf(view).map((index) => createService(view, index)),
    changed: true,
    dueMs: view.nowMs,
  };
}

export function copyServices(state: ServicesState): ServicesState {
  return { ...state, services: state.services.map(copyService) };
}

/** What the autoscaler does to replicas. */
export type ReplicaActions = Pick<Actions, "admit" | "evict" | "hold">;

/** Before a pass. */
export function steerServices(state: ServicesState, view: PoolView, act: ReplicaActions): void {
  if (!state.changed && view.nowMs < state.dueMs) return;
  for (const one of state.services) {
    const service = view.world.services![one.service]!;
    settle(service, one, view.nowMs);
    tick(service, one, view.nowMs);
    setReplicas(view, service, one.wanted, act);
  }
}

/** After a pass. */
export function tellServices(state: ServicesState, view: PoolView, act: Actions): void {
  if (!state.changed && view.nowMs < state.dueMs) return;
  state.changed = false;
  state.dueMs = Number.POSITIVE_INFINITY;
  for (const one of state.services) {
    const service = view.world.services![one.service]!;
    countReplicas(view, service, one);
    state.dueMs = Math.min(state.dueMs, nextMs(service, one, view.nowMs));
    act.gauge(GaugeCode.demand, one.service, demandNow(service, one));
    act.gauge(GaugeCode.replicasWanted, one.service, one.wanted);
    act.gauge(GaugeCode.replicasServing, one.service, one.serving);
    act.gauge(GaugeCode.latency, one.service, latencyNowMs(service, one));
  }
}

/** Holds, admits or takes replicas until as many as wanted wait or hold devices. */
function setReplicas(
  view: PoolView,
  service: ServiceInfo,
  wanted: number,
  act: ReplicaActions,
): void {
  let active = 0;
  for (const jobIdx of service.replicas) if (isActive(view, jobIdx)) active++;
  for (const jobIdx of chooseReplicas(view, service, wanted - active)) {
    if (wanted > active) act.admit(jobIdx);
    else {
      if (view.jobState[jobIdx]! >= JobStateCode.starting)
        act.evict(jobIdx, "requeue", 0, -1, StopReasonCode.scaledDown);
      act.hold(jobIdx);
    }
  }
}
