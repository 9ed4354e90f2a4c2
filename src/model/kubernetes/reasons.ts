/**
 * Why a job waits under a preset of the Kubernetes family, in the words of its layers. The codes follow Slurm's (`model/reasons.ts`), so new ones are appended at
 * the end: a record that exists keeps its meaning.
 */
import type { WaitCause } from "../waitCauses.ts";

export const KUBE_REASONS = [
  /** Placement: no node has room for one of its pods. */
  "noNode",
  /** Placement: some of its pods are bound and hold their nodes, the others find none. */
  "partBound",
  /** Placement: room is being made for it on a node; the evicted pods have not ended. */
  "nominated",
  /** Placement: its pods stand in the active queue. */
  "active",
  /** Placement: it found no node and may not be tried again yet. */
  "backOff",
  /** Its objects have not reached the scheduler. */
  "unseen",
] as const;
export type KubeReason = (typeof KUBE_REASONS)[number];
export type KubeWaitReason = `kube:${KubeReason}`;

/** In a few words, for a table cell. */
export const KUBE_WORDS: Readonly<Record<KubeReason, string>> = {
  noNode: "no node has room",
  partBound: "part of its pods hold nodes, the rest find none",
  nominated: "room is being made on a node",
  active: "its turn has not come",
  backOff: "backs off after a failure",
  unseen: "the scheduler has not seen it",
};

/** What one of them means. */
export const KUBE_MEANINGS: Readonly<Record<KubeReason, string>> = {
  noNode: "Its pods are parked until something changes on a node; smaller ones pass meanwhile.",
  partBound:
    "Nothing binds pods together: what is bound holds its devices without progress until the last pod has a node.",
  nominated: "The evicted pods have their grace period; nobody promises the room to it.",
  active: "Pods are tried one by one, by priority, then by time.",
  backOff: "After each failure the wait doubles, up to the longest back-off.",
  unseen: "News reaches the scheduler with the watch delay.",
};

/** The cause that each belongs to. */
export const KUBE_CAUSES: Readonly<Record<KubeReason, WaitCause>> = {
  noNode: "size",
  partBound: "size",
  nominated: "comingRoom",
  active: "scheduler",
  backOff: "scheduler",
  unseen: "scheduler",
};
