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
  /** Volcano: its pod group is not let in, for the cluster is promised to others already. */
  "notLetIn",
  /** Volcano: its queue cannot have more; KAI: the limit of its queue or of one above. */
  "queueMost",
  /** Volcano: its queue holds what it deserves. */
  "queueDeserved",
  /** Volcano, KAI: not all of its least members find a node together. */
  "groupShort",
  /** Volcano: let in; its pods are being made. */
  "podsToCome",
  /** KAI: work that cannot be preempted would hold more than its queue's quota, or that of one above. */
  "fixedQuota",
  /** KAI: evictions do not make room for all of it within the rules of fairness. */
  "mayNotReclaim",
  /** Kueue: its queue and its cohort have not enough quota free. */
  "quotaShort",
  /** Kueue: its turn in its queue has not come. */
  "quotaOrder",
  /** Kueue: others were told to leave for it and have not given their quota back. */
  "quotaVictims",
  /** Kueue: more than its queue could ever have. */
  "quotaNever",
  /** Kueue: it would have fitted, but another of its cycle was before it. */
  "quotaElsewhere",
  /** Kueue: no flavor of its queue is for what it asks. */
  "noFlavor",
  /** Kueue: quota is free, but no domain of the topology holds its pods. */
  "noDomain",
  /** Kueue: it names a queue that there is not. */
  "noQueue",
  /** Kueue: its queue is stopped. */
  "queueStopped",
  /** Kueue: its pods were not ready in time; it comes back later. */
  "requeued",
  /** Kueue: its pods were not ready in time too often. */
  "deactivated",
  /** Kueue: pods of another workload have to be ready first. */
  "podsAwaited",
  /** Kueue: it has its quota; its pods are being made. */
  "admitting",
  /** Ray: no node can start one of its calls now. */
  "rayBusy",
  /** Ray: no node that is there has as much as one of its calls asks for. */
  "rayInfeasible",
  /** Ray: not all bundles of its placement group find room. */
  "rayGroup",
  /** Ray: its placement group cannot be placed on these nodes as it is. */
  "rayGroupNever",
  /** Ray: the parts of devices that are free lie on different ones. */
  "rayParts",
  /** Ray: more calls of its function run than the average of those that wait. */
  "rayFair",
  /** Ray: workers are being started for it. */
  "rayWorkers",
  /** Ray: it failed with a node, and its retries are used up. */
  "rayDead",
  /** Kueue: it has its quota, and no node has room for its pods. */
  "unplaceable",
  /** Placement: no node has room, and the autoscaler has asked for one. */
  "nodeComing",
  /** Volcano: the action that would place it is not in the list. */
  "noAction",
  /** Volcano, KAI, Ray: an older job of its queue asks for the same and waits. */
  "behindLike",
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
  notLetIn: "its group is not let in",
  queueMost: "its queue can have no more",
  queueDeserved: "its queue holds what it deserves",
  groupShort: "not all of its group find a node",
  podsToCome: "its pods are being made",
  fixedQuota: "no quota of its queue is left for work that cannot be preempted",
  mayNotReclaim: "others may keep what they have",
  quotaShort: "no quota is free",
  quotaOrder: "behind others in its queue",
  quotaVictims: "others were told to leave for it",
  quotaNever: "more than its queue can ever have",
  quotaElsewhere: "another was before it in this cycle",
  noFlavor: "no flavor of its queue is for it",
  noDomain: "no domain of the topology holds it",
  noQueue: "its queue does not exist",
  queueStopped: "its queue is stopped",
  requeued: "its pods were not ready in time; it comes back later",
  deactivated: "deactivated: its pods were never ready in time",
  podsAwaited: "another’s pods must be ready first",
  admitting: "admitted; its pods are being made",
  rayBusy: "no node can start it now",
  rayInfeasible: "no node is large enough",
  rayGroup: "its bundles do not all fit now",
  rayGroupNever: "its group can never be placed here",
  rayParts: "what is free lies on several devices",
  rayFair: "its function runs more than its part",
  rayWorkers: "workers are being started",
  rayDead: "failed: its retries are used up",
  unplaceable: "admitted, but no node has room",
  nodeComing: "no node has room; one is on its way",
  noAction: "no action of its scheduler places it",
  behindLike: "behind others like it",
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
  notLetIn:
    "What was let in and does not run yet already fills the cluster and the overcommit beyond it; until then it has no pods.",
  queueMost: "The limit of its queue, or of one above it, leaves too little.",
  queueDeserved:
    "Its share of the cluster by weight is used; it grows when other queues have less to run.",
  groupShort: "A group starts whole or not at all; smaller ones pass, and nothing is kept for it.",
  podsToCome: "Its group was let in; its pods are looked at in the next session.",
  fixedQuota: "Such work may use deserved quota only, in its queue and in those above.",
  mayNotReclaim:
    "Room is taken only from queues above their share, or for quota of one’s own; there is too little of either.",
  quotaShort:
    "Quota comes free when admitted work ends; nothing is kept for it meanwhile, unless its queue is strict.",
  quotaOrder:
    "A cycle looks at one head of each queue; a strict queue looks at nobody behind its head.",
  quotaVictims:
    "Evicted work keeps its quota until its pods are gone; then it competes again like any other.",
  quotaNever: "What its queue owns and may borrow is less than it asks for, whatever ends.",
  quotaElsewhere: "It stays head of its queue and competes again in the next cycle.",
  noFlavor:
    "A resource that its queue has no quota for, or a GPU model that none of its flavors has.",
  noDomain: "Its pods have to be together, and even evictions leave no domain large enough.",
  noQueue:
    "Nothing looks at it until there is a LocalQueue of that name for its team that leads to a ClusterQueue.",
  queueStopped: "A stopped queue admits nothing until its stopPolicy is None again.",
  requeued: "It has lost its quota; the wait doubles with each such time.",
  deactivated: "It has used its requeues; somebody has to activate it.",
  podsAwaited:
    "With blockAdmission one workload starts at a time, so that no two gangs hold half of what they need.",
  admitting:
    "Quota is reserved, the job is unsuspended, its pods are created: each is a round trip.",
  rayBusy:
    "Its calls wait in the order of their function; whatever fits elsewhere passes, and nothing is kept for them.",
  rayInfeasible:
    "It waits for a node that has as much; the autoscaler is told, if one of its worker groups has.",
  rayGroup:
    "A placement group is reserved whole or not at all; it is tried again from time to time, and nothing is kept for it.",
  rayGroupNever:
    "A bundle, or all of it where it is packed strictly, is larger than every worker, or more workers would be needed than there can be.",
  rayParts:
    "The cluster adds up what is free; one call has to fit on one device, or on whole ones.",
  rayFair: "While more CPUs are asked for than there are, the others come first.",
  rayWorkers: "The autoscaler has asked for nodes; they are there once they have booted.",
  rayDead: "Tasks are tried again three times, actors never, unless they say otherwise.",
  nodeComing:
    "The autoscaler has asked for a node that its pods would fit on; whoever is tried first when it is there gets it.",
  noAction:
    "Allocate places pods that ask for something, backfill those that ask for nothing; the one for it is switched off.",
  behindLike:
    "An older job of its queue asks for the same and waits: what that one is refused, it would be refused too.",
  unplaceable:
    "Quota knows no nodes: it holds its quota, and its pods find no node until something changes on one.",
};

/** The cause that each belongs to. */
export const KUBE_CAUSES: Readonly<Record<KubeReason, WaitCause>> = {
  noNode: "size",
  partBound: "size",
  nominated: "comingRoom",
  active: "scheduler",
  backOff: "scheduler",
  unseen: "scheduler",
  notLetIn: "size",
  queueMost: "quota",
  queueDeserved: "quota",
  groupShort: "size",
  podsToCome: "scheduler",
  fixedQuota: "quota",
  mayNotReclaim: "quota",
  quotaShort: "quota",
  quotaOrder: "order",
  quotaVictims: "comingRoom",
  quotaNever: "never",
  quotaElsewhere: "order",
  noFlavor: "never",
  noDomain: "fragmentation",
  noQueue: "notReady",
  queueStopped: "notReady",
  requeued: "notReady",
  deactivated: "never",
  podsAwaited: "scheduler",
  admitting: "scheduler",
  rayBusy: "size",
  rayInfeasible: "never",
  rayGroup: "size",
  rayGroupNever: "never",
  rayParts: "fragmentation",
  rayFair: "order",
  rayWorkers: "comingRoom",
  rayDead: "never",
  unplaceable: "size",
  nodeComing: "comingRoom",
  noAction: "never",
  behindLike: "order",
};
