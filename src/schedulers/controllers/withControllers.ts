/**
 * A scheduler with controllers beside it: before its pass the autoscaler makes and takes replicas, after it the fleet controller may hand nodes over. The scheduler only hears of what they did: of replicas made as of jobs
 * that were queued, of waiting ones taken as withdrawn; what was evicted the engine tells itself. It is woken when its own time has come or something happened, never for the controllers' sake, so that it decides as it
 * would without them. A pool without services and fleet costs one comparison a pass.
 *
 * Known limit: a replica that is taken leaves at once, without the grace period of its pod. Source: Kubernetes documentation, Horizontal Pod Autoscaling; docs/policies/services.md and fleet.md.
 */
import type { Actions, Happened, IndexList, PoolView, Scheduler } from "../../engine/view.ts";
import { JobStateCode } from "../../model/states.ts";
import { NEVER_MS } from "../../model/units.ts";
import type { FleetState } from "../../scheduling/services/fleet.ts";
import {
  createFleet,
  fleetWakeMs,
  giveNodes,
  isOfFleet,
} from "../../scheduling/services/fleetDesk.ts";
import {
  copyServices,
  createServices,
  hasServices,
  type ReplicaActions,
  type ServicesState,
  steerServices,
  tellServices,
} from "../../scheduling/services/serviceDesk.ts";

interface Controlled<S> {
  inner: S;
  readonly services: ServicesState | null;
  readonly fleet: FleetState | null;
  /** When the scheduler itself wants to be woken. */
  wakeMs: number;
  /** It has not had a pass since it took over. */
  fresh: boolean;
  /** The states of all replicas as one number, as of the last look. */
  replicaStates: number;
}

/**
 * The scheduler as it is, with the controllers that its pool asks for. `admits`: a replica that is made counts as admitted; where the scheduler itself admits (Kueue), it is only queued, and waits for quota like any
 * workload.
 */
export function withControllers<S>(
  scheduler: Scheduler<S>,
  { admits }: { readonly admits: boolean } = { admits: true },
): Scheduler<Controlled<S>> {
  return {
    ...answersOf(scheduler),
    init: (view, pool, before) => ({
      inner: scheduler.init(view, pool, before?.inner),
      services: hasServices(view) ? createServices(view) : null,
      fleet: isOfFleet(view) ? createFleet() : null,
      wakeMs: NEVER_MS,
      fresh: true,
      replicaStates: -1,
    }),
    decide(view, happened, state, act) {
      if (state.services === null && state.fleet === null)
        return scheduler.decide(view, happened, state.inner, act);
      return decideWith(scheduler, view, happened, state, act, admits);
    },
    explain: (view, { inner }, jobIdx) => scheduler.explain(view, inner, jobIdx),
    snapshot: (state) => ({
      ...state,
      inner: scheduler.snapshot(state.inner),
      services: state.services && copyServices(state.services),
      fleet: state.fleet && { ...state.fleet },
    }),
  };
}

/** What the scheduler answers beside deciding, of its own memory; what it does not answer is absent. */
function answersOf<S>(scheduler: Scheduler<S>): Partial<Scheduler<Controlled<S>>> {
  const { life, tables, reserved, jobFacts, shares, queues, kueueFacts, windows, labFacts } =
    scheduler;
  const { budgetFacts, placementFacts, candidates, same } = scheduler;
  const isPlain = ({ services, fleet }: Controlled<S>): boolean =>
    services === null && fleet === null;
  return {
    ...(same && { same: (a, b) => isPlain(a) && isPlain(b) && same(a.inner, b.inner) }),
    ...(life && { life }),
    ...(tables && { tables: (view, { inner }, atMs) => tables(view, inner, atMs) }),
    ...(reserved && {
      reserved: (view, pool, state) => ({ ...state, inner: reserved(view, pool, state.inner) }),
    }),
    ...(jobFacts && { jobFacts: (view, { inner }, jobIdx) => jobFacts(view, inner, jobIdx) }),
    ...(shares && { shares: (view, { inner }) => shares(view, inner) }),
    ...(queues && { queues: (view, { inner }) => queues(view, inner) }),
    ...(kueueFacts && { kueueFacts: (view, { inner }, jobIdx) => kueueFacts(view, inner, jobIdx) }),
    ...(budgetFacts && {
      budgetFacts: (view, { inner }, jobIdx) => budgetFacts(view, inner, jobIdx),
    }),
    ...(placementFacts && {
      placementFacts: (view, { inner }, jobIdx) => placementFacts(view, inner, jobIdx),
    }),
    ...(windows && { windows: ({ inner }) => windows(inner) }),
    ...(labFacts && { labFacts: (view, { inner }, jobIdx) => labFacts(view, inner, jobIdx) }),
    ...(candidates && { candidates: (view, { inner }, jobIdx) => candidates(view, inner, jobIdx) }),
  };
}

function decideWith<S>(
  scheduler: Scheduler<S>,
  view: PoolView,
  happened: Happened,
  state: Controlled<S>,
  act: Actions,
  admits: boolean,
): number {
  const { services, fleet } = state;
  const made: number[] = [];
  const taken: number[] = [];
  if (services !== null) {
    lookAtReplicas(view, state, services);
    steerServices(services, view, watched(act, admits, made, taken));
  }
  const isItsTime = view.nowMs >= state.wakeMs;
  const told = heard(view, happened, made, taken, isItsTime);
  if (state.fresh || isItsTime || hasNews(told))
    state.wakeMs = scheduler.decide(view, told, state.inner, act);
  state.fresh = false;
  if (services !== null) {
    lookAtReplicas(view, state, services);
    tellServices(services, view, act);
  }
  if (fleet !== null) giveNodes(fleet, view, act);
  return Math.min(
    state.wakeMs,
    services?.dueMs ?? NEVER_MS,
    fleet === null ? NEVER_MS : fleetWakeMs(view),
  );
}

/** Marks the services where a replica is in another state than at the last look: a start that is over brings no news of its own. O(replicas). */
function lookAtReplicas<S>(view: PoolView, state: Controlled<S>, services: ServicesState): void {
  let states = 0;
  for (const { service } of services.services)
    for (const jobIdx of view.world.services![service]!.replicas)
      states = (Math.imul(states, 31) + view.jobState[jobIdx]!) | 0;
  if (states === state.replicaStates) return;
  state.replicaStates = states;
  services.changed = true;
}

/** The actions, with an ear for replicas that are made or taken. */
function watched(act: Actions, admits: boolean, made: number[], taken: number[]): ReplicaActions {
  return {
    admit(jobIdx) {
      if (admits) act.admit(jobIdx);
      else act.release(jobIdx);
      made.push(jobIdx);
    },
    hold(jobIdx) {
      act.hold(jobIdx);
      taken.push(jobIdx);
    },
    evict: (...args) => act.evict(...args),
  };
}

/** What the scheduler hears: the news, replicas made among those queued, and those taken no longer there. */
function heard(
  view: PoolView,
  happened: Happened,
  made: readonly number[],
  taken: readonly number[],
  isItsTime: boolean,
): Happened {
  if (made.length + taken.length === 0 && happened.timer === isItsTime) return happened;
  const waits = (jobIdx: number): boolean => {
    const state = view.jobState[jobIdx];
    return state === JobStateCode.queued || state === JobStateCode.admitted;
  };
  const news = new Set(listed(happened.queued).filter(waits));
  for (const jobIdx of made) news.add(jobIdx);
  return {
    queued: listOf([...news]),
    withdrawn: listOf([...listed(happened.withdrawn), ...taken]),
    released: happened.released,
    retiered: happened.retiered,
    nodesChanged: happened.nodesChanged,
    timer: isItsTime,
    depended: happened.depended,
    commands: happened.commands,
  };
}

function hasNews({ queued, withdrawn, released, retiered, ...more }: Happened): boolean {
  return (
    queued.length + withdrawn.length + released.length + retiered.length > 0 ||
    more.depended.length + more.commands.length > 0 ||
    more.nodesChanged
  );
}

function listed({ at, length }: IndexList): number[] {
  return [...at.subarray(0, length)];
}

function listOf(jobs: readonly number[]): IndexList {
  return { length: jobs.length, at: Int32Array.from(jobs) };
}
