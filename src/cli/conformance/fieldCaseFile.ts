/** What a field case holds (`field-case/1`): the parts that readers use. Times are minutes. */
export interface FieldNode {
  readonly id: string;
  readonly gpus: number;
  readonly cpus?: number;
  readonly mem?: number;
  readonly tags?: readonly string[];
  /** Outages not known in advance. */
  readonly down?: readonly (readonly [number, number])[];
}

export interface FieldMaintenance {
  readonly nodes: "all" | readonly string[];
  readonly start: number;
  readonly end: number;
  /** From when on it is known; absent: from its start. */
  readonly announced?: number | boolean;
  readonly kill?: boolean;
}

export interface FieldCluster {
  readonly nodes?: readonly FieldNode[];
  readonly maint?: readonly FieldMaintenance[];
  /** One undivided pool of so many GPUs. */
  readonly pool?: number | { readonly gpus: number };
  readonly leaf_sizes?: readonly number[];
  readonly gpu?: string;
}

export interface FieldJob {
  readonly id: string;
  readonly submit?: number;
  readonly tasks?: number;
  readonly gpus?: number;
  readonly cpus?: number;
  readonly mem?: number;
  readonly distinct?: boolean;
  readonly runtime: number;
  readonly limit?: number;
  readonly prio?: number;
  readonly user?: string;
  readonly tags?: readonly string[];
  readonly after?: string | readonly string[];
  readonly preemptible?: boolean;
}

/** The terms of a policy; a term that is not listed here fails the run rather than being passed over. */
export interface FieldPolicy {
  readonly mode: "strict" | "skip" | "backfill";
  readonly depth?: number;
  readonly window?: number;
  readonly order?: "prio" | "fair";
  readonly half_life?: number;
  readonly max_test?: number;
  readonly user_max?: number;
  readonly cpu_reserve_per_gpu?: number;
  readonly place?: "first" | "pack" | "packpod" | "spread";
  readonly preempt?: "priority" | "none";
  readonly newer_equal?: boolean;
  readonly victims?: "minjobs" | "youngest";
  readonly ckpt?: number;
  readonly requeue?: boolean;
}

export interface FieldRun {
  readonly role: string;
  readonly label: string;
  readonly policy: FieldPolicy;
  readonly starts?: Readonly<Record<string, number | readonly number[]>>;
  readonly ends?: Readonly<Record<string, number>>;
  readonly makespan?: number;
  readonly gpu_allocation?: number;
  readonly evictions?: number;
  readonly lost_gpu_minutes?: number;
  readonly mean_wait?: number;
  readonly scenario_variant?: string;
  readonly variant_jobs?: readonly FieldJob[];
  readonly variant_cluster?: FieldCluster;
}

export interface FieldCase {
  readonly id: string;
  readonly kind: string;
  readonly scenario: {
    readonly cluster: FieldCluster;
    readonly jobs?: readonly FieldJob[];
    readonly jobs_text?: string;
  };
  readonly runs?: readonly FieldRun[];
  readonly hand_computed?: Readonly<Record<string, unknown>>;
}

/** Names that are read, so that what a newer case adds is noticed. */
export const POLICY_TERMS: readonly string[] = [
  "mode",
  "depth",
  "window",
  "order",
  "half_life",
  "max_test",
  "user_max",
  "cpu_reserve_per_gpu",
  "place",
  "preempt",
  "newer_equal",
  "victims",
  "ckpt",
  "requeue",
];
export const JOB_FIELDS: readonly string[] = [
  "id",
  "submit",
  "tasks",
  "gpus",
  "cpus",
  "mem",
  "distinct",
  "runtime",
  "limit",
  "prio",
  "user",
  "tags",
  "after",
  "preemptible",
];
export const NODE_FIELDS: readonly string[] = ["id", "gpus", "cpus", "mem", "tags", "down"];
export const CLUSTER_FIELDS: readonly string[] = ["nodes", "maint", "pool"];
export const MAINTENANCE_FIELDS: readonly string[] = ["nodes", "start", "end", "announced", "kill"];
