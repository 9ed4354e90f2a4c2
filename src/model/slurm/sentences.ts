/**
 * Slurm's reasons in plain words: what each means, and what would end the wait (squeue(1), "JOB REASON CODES"; resource limits:
 * https://slurm.schedmd.com/resource_limits.html). The label of a reason stays Slurm's own word. The many reasons of limits are
 * put together from who has the limit, over what it counts, and what it limits; the others are written out.
 */
import { SLURM_REASONS, type SlurmReason } from "./reasons.ts";

const WRITTEN: Partial<Record<SlurmReason, string>> = {
  None: "Slurm has not looked at it yet; its next pass will.",
  Priority:
    "Jobs of higher priority wait in its partition; it is looked at once they have started.",
  Resources:
    "It is next in its partition and waits until enough of what it asks for is free on nodes that suit it.",
  Dependency: "A job that it depends on has not come far enough; it waits for that job.",
  DependencyNeverSatisfied:
    "What it depends on can no longer happen; it stays in the queue until somebody cancels it or changes its dependency.",
  BeginTime: "Its earliest start has not come; after a requeue Slurm sets one itself.",
  JobHeldUser: "Its user holds it, or its priority was set to 0; a release ends that.",
  JobHeldAdmin: "An administrator holds it; only an administrator can release it.",
  "job requeued in held state": "It was requeued and is held; a release puts it back in the queue.",
  JobArrayTaskLimit:
    "As many tasks of its array run as its % limit allows; one of them has to end.",
  PartitionDown: "Its partition is DOWN and starts nothing until it is UP again.",
  PartitionInactive: "Its partition is INACTIVE and starts nothing.",
  PartitionNodeLimit:
    "It asks for more or fewer nodes than its partition allows, or the nodes are down; it starts only when that changes.",
  PartitionTimeLimit:
    "Its time limit is longer than the partition allows; it starts once one of the two changes.",
  Reservation: "Its reservation has not begun, or has no room left for it now.",
  ReservationDeleted:
    "The reservation that it asked for is gone; it waits until it names another or none.",
  ReqNodeNotAvail: "A node that it asks for is not available: down, drained or reserved.",
  "ReqNodeNotAvail, Reserved for maintenance":
    "It would run into a maintenance reservation of its nodes; it starts after it, or before with a shorter time limit.",
  "ReqNodeNotAvail, May be reserved for other job":
    "The node it asks for may be kept for a job of higher priority.",
  "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions":
    "The nodes that could serve it are down, drained, or kept for a partition of higher priority.",
  BadConstraints: "No nodes have what it asks for; it cannot start as it is.",
  NodeDown: "A node that it needs is down.",
  InvalidAccount: "Its user has no association with the account, or no longer has it.",
  InvalidQOS: "Its QOS is not valid for it.",
  QOSUsageThreshold:
    "Its fair share is below the usage threshold of its QOS; it waits until past use has decayed.",
  QOSNotAllowed: "Its partition or association does not allow its QOS.",
  AccountNotAllowed: "Its partition does not allow its account.",
  BurstBufferResources: "Burst-buffer space is short; it waits until some is free.",
  Licenses: "A licence that it needs is in use; it waits until one is given back.",
  JobHoldMaxRequeue:
    "It was requeued as often as is allowed and is held; a release puts it back in the queue.",
  MaxBFUserLimit: "Backfill has looked at as many jobs of its user as it may in one pass.",
  QOSJobLimit: "Its QOS has as many jobs as it may have.",
  QOSResourceLimit: "Its QOS uses as much as it may.",
  QOSTimeLimit: "Its time limit is longer than its QOS allows.",
};

/** Whose limit it is, by the beginning of the word. */
const OWNERS: readonly (readonly [string, string])[] = [
  ["QOSGrp", "All jobs of its QOS together"],
  ["AssocGrp", "All jobs of its account or association together"],
  ["QOSMax", "Its QOS"],
  ["QOSMin", "Its QOS"],
  ["AssocMax", "Its association"],
  ["Max", "Its QOS"],
];

/** What is counted, by the first of these that the word holds. */
const SUBJECTS: readonly (readonly [string, string])[] = [
  ["SubmitJob", "jobs in the queue and running"],
  ["Jobs", "running jobs"],
  ["WallDuration", "run time"],
  ["Wall", "run time"],
  ["CPURunMinutes", "CPU minutes that running jobs may still use"],
  ["GRESRunMinutes", "GRES minutes that running jobs may still use"],
  ["CPUMinutes", "CPU minutes"],
  ["CpuMinutes", "CPU minutes"],
  ["MemMinutes", "memory minutes"],
  ["NodeMinutes", "node minutes"],
  ["GRESMinutes", "GRES minutes"],
  ["BillingMinutes", "billing minutes"],
  ["Cpu", "CPUs"],
  ["CPU", "CPUs"],
  ["Memory", "memory"],
  ["Mem", "memory"],
  ["Node", "nodes"],
  ["GRES", "generic resources (GRES)"],
  ["Billing", "billing units"],
];

/** What one of Slurm's reasons means and what would end it: one sentence. O(1). */
export function slurmSentence(reason: SlurmReason): string {
  return SENTENCES[reason];
}

const SENTENCES = Object.fromEntries(
  SLURM_REASONS.map((reason) => [reason, WRITTEN[reason] ?? limitSentence(reason)]),
) as Readonly<Record<SlurmReason, string>>;

function limitSentence(reason: SlurmReason): string {
  const owner = OWNERS.find(([begin]) => reason.startsWith(begin))?.[1] ?? "Its QOS";
  // The unit of counting stands behind the subject: `…CpuPerUserLimit` counts CPUs a user, `…CpuPerNode` CPUs a node.
  const named = reason.replace(/Per(Job|Node|User|Account).*$/, "").replace(/^(QOS|Assoc)/, "");
  const subject = SUBJECTS.find(([word]) => named.includes(word))?.[1] ?? "resources";
  if (reason.startsWith("QOSMin"))
    return `Its QOS asks for more ${subject} than the job wants; it starts once the job asks for enough.`;
  if (reason.includes("Grp")) return `${owner} may use no more ${subject}; ${endOf(subject)}.`;
  const per = /Per(Node|User|Account)/.exec(reason)?.[1];
  if (per === "User" || per === "Account")
    return `${owner} allows ${per === "User" ? "each user" : "each account"} no more ${subject}; ${endOf(subject)}.`;
  if (reason === "AssocMaxJobsLimit" || reason === "AssocMaxSubmitJobLimit")
    return `${owner} allows no more ${subject}; ${endOf(subject)}.`;
  const where = per === "Node" ? " on one node" : "";
  return `${owner} allows one job less ${subject}${where} than it asks for; it starts once the limit or the request changes.`;
}

function endOf(subject: string): string {
  return subject.includes("minutes") && !subject.includes("still")
    ? "it waits until past use has decayed or the limit is raised"
    : "it waits until jobs that count towards this limit end";
}
