/** What a scheduler that only places knows of one living job, for its own words in the page: numbers and names. */
import type { RayKind, RayStrategy } from "./rayRequest.ts";

/** Pods of a job under kube-scheduler. */
export interface PodFacts {
  readonly system: "kube-scheduler";
  readonly pods: number;
  /** Pods without a node; of them those that the scheduler has tried and found no node for. */
  readonly waiting: number;
  readonly failed: number;
  /** Nodes on which room is being made for them. */
  readonly nominated: readonly number[];
  /** Nodes for the first of those that failed, counted now. */
  readonly nodes: NodeCounts | null;
}

export interface NodeCounts {
  readonly nodes: number;
  /** Nodes with room for one pod. */
  readonly room: number;
  /** What the others are short of, and how many of them; most first. */
  readonly short: readonly (readonly [word: string, nodes: number])[];
}

/** Tasks, actors, or a placement group of Ray. */
export interface RayFacts {
  readonly system: "ray";
  readonly kind: RayKind;
  /** Of a placement group. */
  readonly strategy: RayStrategy;
  readonly members: number;
  /** Members without a node. */
  readonly missing: number;
  /** How often it has failed with a node. */
  readonly failures: number;
}

export type PlacementFacts = PodFacts | RayFacts;
