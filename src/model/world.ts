/**
 * What the engine meets: a scenario with everything drawn and resolved before the run starts. No dice fall after this point,
 * so another policy or an injected job meets the same arrivals, the same work and the same outages.
 */
import type { Cluster } from "./cluster.ts";
import type { JobKind, JobTable } from "./jobs.ts";
import type { BurstRule, FleetRule, Network, ServiceInfo, Storage } from "./lab/services.ts";
import type { DisruptionBudget, LimitRule, WindowRule } from "./lab/tenancy.ts";
import type { PoolSettings } from "./policy.ts";
import type { SlurmRequest } from "./slurm/request.ts";
import type { Reservation } from "./slurm/reservation.ts";

export interface World {
  readonly cluster: Cluster;
  readonly jobs: JobTable;
  /** In order of priority, highest first; `JobTable.at.tier` is an index into this. */
  readonly tiers: readonly TierInfo[];
  readonly teams: readonly TeamInfo[];
  readonly queues: readonly string[];
  readonly pools: readonly PoolInfo[];
  /** Pool of each node at time 0. */
  readonly poolOfNode: Uint8Array;
  /** Nodes that do not exist at time 0: a scheduler may open them. */
  readonly unbornNodes?: readonly number[];
  /** Pool that each job is routed to. */
  readonly poolOfJob: Uint8Array;
  /** In order of time, then of the document. */
  readonly changes: readonly Change[];
  /** End of the run; `Infinity` = until the last job has ended. */
  readonly horizonMs: number;
  /** Seed of the scenario, for what a policy draws an entity; absent = 0. */
  readonly seed?: number;
  /** Kill jobs at their time limit. */
  readonly killAtLimit: boolean;
  /** What the policy lab adds; absent or empty = nothing of it (`model/lab`). */
  readonly limits?: readonly LimitRule[];
  readonly disruptionBudgets?: readonly DisruptionBudget[];
  readonly windows?: readonly WindowRule[];
  readonly services?: readonly ServiceInfo[];
  readonly fleet?: FleetRule | null;
  readonly burst?: readonly BurstRule[];
  readonly network?: Network | null;
  readonly storage?: Storage | null;
}

/** A row of the table of tiers. Optional columns: absent = as the policy says, or no such limit. */
export interface TierInfo {
  readonly id: string;
  readonly name: string;
  readonly letter: string;
  readonly kinds?: readonly JobKind[] | undefined;
  /** Ids of tiers whose jobs its jobs may preempt; absent = every tier below. */
  readonly mayPreempt?: readonly string[] | undefined;
  readonly preemptMode?: TierPreemptMode | undefined;
  readonly graceMs?: number | undefined;
  readonly guaranteedGpus?: number | undefined;
  readonly capGpus?: number | undefined;
  readonly targetWaitMs?: number | undefined;
  /** What a device-hour of its jobs counts as past usage; absent = 1, 0 = it is free. */
  readonly usageFactor?: number | undefined;
}
export type TierPreemptMode = "cancel" | "requeue" | "suspend" | "graceful" | "wait";

export interface TeamInfo {
  readonly id: string;
  readonly name: string;
  readonly shares: number;
  /** Index of the team above it; absent = none. */
  readonly parent?: number | undefined;
  readonly quotaGpus?: number | undefined;
  readonly borrowGpus?: number | undefined;
  readonly lendGpus?: number | undefined;
  readonly budget?: number | undefined;
}

export interface PoolInfo {
  readonly id: string;
  readonly settings: PoolSettings;
}

/** Something that happens from outside at a known time: an intervention, resolved to indexes. Injected jobs are in the table. */
export type Change = {
  readonly atMs: number;
  /** Position in the scenario's list. */
  readonly source: number;
} & ChangeKind;
export type ChangeKind =
  | { readonly kind: "policy"; readonly pool: number; readonly settings: PoolSettings }
  | { readonly kind: "cancel"; readonly jobIdx: number }
  | { readonly kind: "retier"; readonly jobIdx: number; readonly tier: number }
  | {
      readonly kind: "drain" | "resume" | "fail";
      readonly nodes: readonly number[];
      /** `fail`: an administrator said so, nobody has to find out. */
      readonly noticed?: boolean;
    }
  /** Labels that nodes get, and names of labels that they lose, from then on. */
  | {
      readonly kind: "label";
      readonly nodes: readonly number[];
      readonly labels: Readonly<Record<string, string>>;
      readonly remove: readonly string[];
    }
  /** Single devices, by global index, ascending: the members on them are lost; the rest of the node works on. */
  | { readonly kind: "failDevices" | "resumeDevices"; readonly devices: readonly number[] }
  | JobCommand
  | { readonly kind: "reserve"; readonly pool: number; readonly reservation: Reservation }
  | { readonly kind: "unreserve"; readonly pool: number; readonly name: string };

/** What a user or an administrator tells the scheduler about one job. */
export type JobCommand =
  | { readonly kind: "hold"; readonly jobIdx: number; readonly by: "user" | "admin" }
  | { readonly kind: "release"; readonly jobIdx: number }
  /** Stops the run and queues the job again; `hold`: until released. */
  | { readonly kind: "requeue"; readonly jobIdx: number; readonly hold: boolean }
  | { readonly kind: "suspend" | "unsuspend"; readonly jobIdx: number }
  /** New values; null = as before. */
  | {
      readonly kind: "update";
      readonly jobIdx: number;
      readonly limitMs: number | null;
      readonly nice: number | null;
      readonly priority: number | null;
      /** Earliest start (`StartTime`). */
      readonly beginMs?: number | null;
      /** Other options of its submission. */
      readonly options?: Partial<SlurmRequest> | null;
    }
  /** Before the user's other waiting jobs. */
  | { readonly kind: "top"; readonly jobIdx: number };

/** What schedulers hear of (`Happened.commands`). */
export type Command = JobCommand | Extract<ChangeKind, { kind: "reserve" | "unreserve" }>;
