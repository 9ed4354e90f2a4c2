/** Which nodes a waiting job could have gone to and what took each of them away: numbers, for the page's funnel. */

/** Rules in the order in which they are asked; a node counts for the first that removes it. */
export const CANDIDATE_RULES = [
  /** Drained, down, booting or on its way. */
  "closed",
  /** Not of the leaf or NVSwitch domains that can hold it at all. */
  "domain",
  /** Not of the partitions of the job. */
  "partition",
  /** It asks for other nodes by name, or not for this one. */
  "named",
  "labels",
  "model",
  /** Too small even when empty. */
  "size",
  /** None of its devices is free. */
  "devices",
  /** Some are free, too few for one member. */
  "together",
  "cpuOrMemory",
  /** Somebody else is on it, and the job shares with nobody. */
  "exclusive",
  /** Somebody on it shares only with jobs of one user. */
  "user",
  /** Kept for a window or a reservation of an administrator. */
  "window",
  /** Kept for a job that stands before it. */
  "kept",
] as const;
export type CandidateRule = (typeof CANDIDATE_RULES)[number];

/** Nodes of one class, leaf or NVSwitch domain. */
export interface CandidateRow {
  readonly by: "class" | "leaf" | "nvswitch";
  /** Node group, leaf or domain; −1: nodes in no domain. */
  readonly index: number;
  readonly nodes: number;
  /** Nodes removed, by `CANDIDATE_RULES`. */
  readonly removed: readonly number[];
  readonly left: number;
  /** Members (or what `Candidates.unit` says) that fit on what is left. */
  readonly members: number;
}

/** What the job needs enough of: members that are placed one by one; or nodes, GPUs, CPUs, whichever is missing. */
export type CandidateUnit = "member" | "node" | "gpu" | "cpu";

export interface Candidates {
  readonly rows: readonly CandidateRow[];
  readonly unit: CandidateUnit;
  /** Members still to be placed (or nodes, GPUs, CPUs), of the component that is told of, and how many components there are. */
  readonly membersNeeded: number;
  readonly components: number;
  /** All members must lie in one row. */
  readonly inOneRow: boolean;
  /** The ceiling that stops it whatever is left (`WaitReasonCode`); 0 = none. */
  readonly ceiling: number;
  /** The job for which most of what is kept is kept; −1 = nobody. */
  readonly keptForJobIdx: number;
  /** Leaf switches on which all must lie for now; 0 = any number. */
  readonly switchesMost: number;
}
