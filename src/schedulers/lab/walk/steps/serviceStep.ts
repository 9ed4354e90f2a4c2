/**
 * Services in the walk: before the queue is gone through, books are brought to now, the autoscaler ticks, and replicas are held, admitted or taken. The rules are in
 * `scheduling/services`. Nothing is done in passes in which nothing of a service has changed.
 */
import type { Actions, PoolView } from "../../../../engine/view.ts";
import { GaugeCode } from "../../../../model/lab/gauges.ts";
import type { ServiceInfo } from "../../../../model/lab/services.ts";
import { StopReasonCode } from "../../../../model/reasons.ts";
import { JobStateCode } from "../../../../model/states.ts";
import {
  chooseReplicas,
  copyService,
  countReplicas,
  createService,
  demandNow,
  isActive,
  isReplica,
  latencyNowMs,
  nextMs,
  type ServiceState,
  settle,
  tick,
} from "../../../../scheduling/services/services.ts";
import type { StepPart } from "../parts.ts";

export interface ServicesState {
  readonly services: ServiceState[];
  /** Something happened to a replica since the last pass. */
  changed: boolean;
  /** Nothing of them changes by itself before. */
  dueMs: number;
}

function noteChange(state: ServicesState, view: PoolView, jobIdx: number): void {
  if (isReplica(view, jobIdx)) state.changed = true;
}

function indexesOf(view: PoolView): number[] {
  return (view.world.services ?? []).flatMap((service, index) =>
    view.world.poolOfJob[service.replicas[0]!] === view.pool ? [index] : [],
  );
}

export const serviceStep: StepPart<ServicesState> = {
  applies: (view) => indexesOf(view).length > 0,

  create: (view) => ({
    services: indexesOf(view).map((index) => createService(view, index)),
    changed: true,
    dueMs: view.nowMs,
  }),

  copy: (state) => ({ ...state, services: state.services.map(copyService) }),

  hooks: {
    queued: noteChange,
    withdrawn: noteChange,
    given: noteChange,
    released: noteChange,
  },

  wakeMs: (state) => state.dueMs,

  before(state, view, _pool, _shapes, act) {
    if (!state.changed && view.nowMs < state.dueMs) return;
    for (const one of state.services) {
      const service = view.world.services![one.service]!;
      settle(service, one, view.nowMs);
      tick(service, one, view.nowMs);
      setReplicas(view, service, one.wanted, act);
    }
  },

  run(state, view, _pool, _shapes, act) {
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
  },
};

/** Holds, admits or takes replicas until as many as wanted wait or hold devices. */
function setReplicas(view: PoolView, service: ServiceInfo, wanted: number, act: Actions): void {
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
