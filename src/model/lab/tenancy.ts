/** Who may use how much: rules of the document, with names resolved to indexes. */
export type Whose = "user" | "team" | "tier";

/** A ceiling for one name, or for each of its kind. */
export interface LimitRule {
  readonly per: Whose;
  /** Index into users, teams or tiers; −1 = each. */
  readonly index: number;
  /** `Infinity` = no such limit. */
  readonly gpus: number;
  readonly gpuMs: number;
  /** Window for `gpuMs` that ends now; `Infinity` = since time 0. */
  readonly periodMs: number;
  readonly jobs: number;
  /** Members of running jobs (tasks); absent = no such limit. */
  readonly members?: number | undefined;
}

/** At most `jobs` evictions of the group within `periodMs`. */
export interface DisruptionBudget {
  readonly per: Whose;
  readonly index: number;
  readonly jobs: number;
  readonly periodMs: number;
}

/** A window as a scheduler keeps it, with the nodes that it has picked; null = not yet. */
export interface KeptWindow {
  readonly rule: WindowRule;
  readonly nodes: readonly number[] | null;
}

/** A stretch in which nodes are kept for some jobs, or closed. */
export interface WindowRule {
  readonly name: string;
  readonly kind: "reserved" | "maintenance";
  readonly pool: number;
  /** Node indexes; null = `nodeCount` nodes that the scheduler picks. */
  readonly nodes: readonly number[] | null;
  readonly nodeCount: number;
  readonly startMs: number;
  readonly durationMs: number;
  /** `Infinity` = once. */
  readonly everyMs: number;
  readonly tiers: readonly number[];
  readonly teams: readonly number[];
  readonly queues: readonly number[];
  readonly users?: readonly number[] | undefined;
  readonly announcedMs: number;
  readonly kill: boolean;
}
