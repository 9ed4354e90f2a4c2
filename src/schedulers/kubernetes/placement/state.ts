/** The memory of placement: plain data, so that a snapshot is a copy. What `search.ts` derives from the nodes is left out of copies. */
import { TimeHeap } from "../../../base/heap.ts";
import type { PoolView } from "../../../engine/view.ts";
import type { KeptByBudget } from "../../../model/kubernetes/budgetFacts.ts";
import { type AutoscalerState, copyAutoscaler, createAutoscaler } from "./autoscaler.ts";
import type { PlacementConfig } from "./config.ts";
import type { DeschedulerState } from "./descheduler.ts";
import type { PodsPin } from "./pin.ts";
import { copyPods, createPods, type PodBook } from "./pods.ts";
import { createKnown, type Known } from "./search.ts";

/** What is missing of one component of a job: pods that stand behind each other anyway. */
export interface Entry {
  readonly row: number;
  readonly jobIdx: number;
  /** Tells entries of one row apart that came one after the other. */
  readonly serial: number;
  priority: number;
  /** Never evicts. */
  never: boolean;
  /** Pods without a node. */
  left: number;
  /** Number of the crowd that it stands in; 0 = it has not failed yet. */
  crowd: number;
  /** Nodes on which room is made, one for each pod that was nominated. */
  nominated: number[];
  /** The scheduler has seen it. */
  seen: boolean;
  /** Pods whose failure has been charged, where others have interrupted. */
  charged: number;
  /** Where its pods may go, and how many each domain of that still gets; null = anywhere. */
  readonly pin: PodsPin | null;
  domainsLeft: number[];
}

/** Entries of one priority and shape that have failed as often: one of them is tried, and where it fails all have failed. */
export interface Crowd {
  readonly id: number;
  /** Base, failures and about when the back-off ends: who fails alike joins it. */
  key: string;
  /** The key without the number of failures. */
  readonly base: string;
  readonly priority: number;
  readonly shapeIdx: number;
  readonly never: boolean;
  /** Rows of entries in the order in which they failed; rows of entries that have left since are passed over. */
  rows: number[];
  first: number;
  /** Pods of its entries. */
  pods: number;
  /** How often they have failed, up to where the back-off is longest. */
  level: number;
  /** Something happened that might help since it last failed. */
  woken: boolean;
  /** It may be tried from then on. */
  fromUs: number;
  /** Order among those of its priority: smaller waited longer. */
  order: number;
  /** Pods whose failure is still to be charged, after an interruption; 0 = none. */
  toBurn: number;
}

/** A crowd has failed, or the pods of an entry at its first attempt, and their cycles pass. */
export interface Burn {
  /** The crowd; 0 = the entry of `row`, which joins one in the end. */
  readonly crowd: number;
  readonly row: number;
  readonly startUs: number;
  readonly pods: number;
  /** Something has happened that might help the entry. */
  woken: boolean;
}

export interface PlacementState {
  readonly config: PlacementConfig;
  /** The scheduler is in a cycle until then. */
  busyUntilUs: number;
  /** Theoretical arrival of the next bind (leaky bucket). */
  bindTatUs: number;
  /** Node, as an index into the pool's nodes, at which the next search begins. */
  startAt: number;
  orders: number;
  serials: number;
  entries: Map<number, Entry>;
  /** By row of the component table, for jobs that admission has pinned. */
  pins: Map<number, PodsPin>;
  /** Entries on their way to the scheduler, in order of time. */
  coming: { row: number; serial: number; atUs: number }[];
  comingFirst: number;
  /** First attempts: subject = row, version = serial. */
  active: TimeHeap;
  crowds: Map<number, Crowd>;
  crowdOfKey: Map<string, number>;
  burn: Burn | null;
  pods: PodBook;
  /** Rows with a nomination, and their nodes. */
  nominations: { row: number; node: number }[];
  /** Pods that leave while other pods of their job stay. */
  leaving: { pod: number; atMs: number; forJobIdx: number; stopReason?: number }[];
  descheduler: DeschedulerState;
  /** The last time a budget kept pods of a job, by job: told, never read by a decision. */
  readonly keptByBudget: Map<number, KeptByBudget>;
  autoscaler: AutoscalerState;
  /** News of its own making are to be heard at once. */
  again: boolean;
  /** Kinds of resources that this pass has freed and nobody was woken for yet. */
  freed: number;
  known: Known;
}

export function createState(view: PoolView, config: PlacementConfig): PlacementState {
  const { nodeCount } = view.cluster;
  return {
    config,
    busyUntilUs: 0,
    bindTatUs: 0,
    startAt: 0,
    orders: 0,
    serials: 0,
    entries: new Map(),
    pins: new Map(),
    coming: [],
    comingFirst: 0,
    active: new TimeHeap(),
    crowds: new Map(),
    crowdOfKey: new Map(),
    burn: null,
    pods: createPods(nodeCount),
    nominations: [],
    leaving: [],
    descheduler: { lastMs: -1, seen: -1, evicted: new Map() },
    keptByBudget: new Map(),
    autoscaler: createAutoscaler(view),
    again: false,
    freed: 0,
    known: createKnown(nodeCount),
  };
}

/** A copy that shares nothing. O(entries + crowds + pods + nodes). */
export function copyState(state: PlacementState): PlacementState {
  const active = new TimeHeap();
  const { timeMs, order, subject, version } = state.active;
  for (let i = 0; i < state.active.size; i++)
    active.push(timeMs[i]!, order[i]!, subject[i]!, version[i]!);
  return {
    ...state,
    entries: new Map(
      [...state.entries].map(([row, entry]) => [
        row,
        { ...entry, nominated: [...entry.nominated], domainsLeft: [...entry.domainsLeft] },
      ]),
    ),
    pins: new Map(state.pins),
    burn: state.burn === null ? null : { ...state.burn },
    coming: state.coming.slice(state.comingFirst).map((one) => ({ ...one })),
    comingFirst: 0,
    active,
    crowds: new Map(
      [...state.crowds].map(([id, crowd]) => [
        id,
        { ...crowd, rows: crowd.rows.slice(crowd.first), first: 0 },
      ]),
    ),
    crowdOfKey: new Map(state.crowdOfKey),
    pods: copyPods(state.pods),
    nominations: state.nominations.map((one) => ({ ...one })),
    leaving: state.leaving.map((one) => ({ ...one })),
    descheduler: {
      ...state.descheduler,
      evicted: new Map(state.descheduler.evicted),
    },
    keptByBudget: new Map(state.keptByBudget),
    autoscaler: copyAutoscaler(state.autoscaler),
    known: createKnown(state.pods.headOfNode.length),
  };
}
