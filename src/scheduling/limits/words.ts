/**
 * The words with which Slurm names a limit of trackable resources: one for each limit and resource, with the spellings that grew over
 * the years (squeue(1), "JOB REASON CODES"). Every generic resource is `GRES`, whatever its name and type.
 */
import type { SlurmReason } from "../../model/slurm/reasons.ts";

export const TRES_LIMITS = [
  "grpTresMins",
  "grpTres",
  "grpTresRunMins",
  "maxTresMinsPerJob",
  "maxTresPerJob",
  "maxTresPerNode",
  "minTresPerJob",
  "maxTresPerAccount",
  "maxTresPerUser",
] as const;
/** Limits by resource, in the order in which a job is held to them. */
export type TresLimit = (typeof TRES_LIMITS)[number];

type Words = Readonly<Record<TresLimit, SlurmReason>>;

const QOS_CPU: Words = {
  grpTresMins: "QOSGrpCPUMinutesLimit",
  grpTres: "QOSGrpCpuLimit",
  grpTresRunMins: "QOSGrpCPURunMinutesLimit",
  maxTresMinsPerJob: "QOSMaxCpuMinutesPerJobLimit",
  maxTresPerJob: "QOSMaxCpuPerJobLimit",
  maxTresPerNode: "QOSMaxCpuPerNode",
  minTresPerJob: "QOSMinCpuNotSatisfied",
  maxTresPerAccount: "MaxCpuPerAccount",
  maxTresPerUser: "QOSMaxCpuPerUserLimit",
};

const QOS_MEM: Words = {
  grpTresMins: "QOSGrpMemoryMinutes",
  grpTres: "QOSGrpMemLimit",
  grpTresRunMins: "QOSGrpMemoryRunMinutes",
  maxTresMinsPerJob: "QOSMaxMemoryMinutesPerJob",
  maxTresPerJob: "QOSMaxMemoryPerJob",
  maxTresPerNode: "QOSMaxMemoryPerNode",
  minTresPerJob: "QOSMinMemory",
  maxTresPerAccount: "MaxMemoryPerAccount",
  maxTresPerUser: "QOSMaxMemoryPerUser",
};

const QOS_NODE: Words = {
  grpTresMins: "QOSGrpNodeMinutes",
  grpTres: "QOSGrpNodeLimit",
  grpTresRunMins: "QOSGrpNodeRunMinutes",
  maxTresMinsPerJob: "QOSMaxNodeMinutesPerJob",
  maxTresPerJob: "QOSMaxNodePerJobLimit",
  maxTresPerNode: "QOSMaxNodePerJobLimit",
  minTresPerJob: "QOSMinNode",
  maxTresPerAccount: "MaxNodePerAccount",
  maxTresPerUser: "QOSMaxNodePerUserLimit",
};

const QOS_BILLING: Words = {
  grpTresMins: "QOSGrpBillingMinutes",
  grpTres: "QOSGrpBilling",
  grpTresRunMins: "QOSGrpBillingRunMinutes",
  maxTresMinsPerJob: "QOSMaxBillingMinutesPerJob",
  maxTresPerJob: "QOSMaxBillingPerJob",
  maxTresPerNode: "QOSMaxBillingPerNode",
  minTresPerJob: "QOSMinBilling",
  maxTresPerAccount: "MaxBillingPerAccount",
  maxTresPerUser: "QOSMaxBillingPerUser",
};

const QOS_GRES: Words = {
  grpTresMins: "QOSGrpGRESMinutes",
  grpTres: "QOSGrpGRES",
  grpTresRunMins: "QOSGrpGRESRunMinutes",
  maxTresMinsPerJob: "QOSMaxGRESMinutesPerJob",
  maxTresPerJob: "QOSMaxGRESPerJob",
  maxTresPerNode: "QOSMaxGRESPerNode",
  minTresPerJob: "QOSMinGRES",
  maxTresPerAccount: "MaxGRESPerAccount",
  maxTresPerUser: "QOSMaxGRESPerUser",
};

/** Associations have the limits of the group and of the single job only; the others keep the words of a QOS. */
const ASSOC_CPU: Words = {
  ...QOS_CPU,
  grpTresMins: "AssocGrpCPUMinutesLimit",
  grpTres: "AssocGrpCpuLimit",
  grpTresRunMins: "AssocGrpCPURunMinutesLimit",
  maxTresMinsPerJob: "AssocMaxCpuMinutesPerJobLimit",
  maxTresPerJob: "AssocMaxCpuPerJobLimit",
  maxTresPerNode: "AssocMaxCpuPerNode",
};

const ASSOC_MEM: Words = {
  ...QOS_MEM,
  grpTresMins: "AssocGrpMemMinutes",
  grpTres: "AssocGrpMemLimit",
  grpTresRunMins: "AssocGrpMemRunMinutes",
  maxTresMinsPerJob: "AssocMaxMemMinutesPerJob",
  maxTresPerJob: "AssocMaxMemPerJob",
  maxTresPerNode: "AssocMaxMemPerNode",
};

const ASSOC_NODE: Words = {
  ...QOS_NODE,
  grpTresMins: "AssocGrpNodeMinutes",
  grpTres: "AssocGrpNodeLimit",
  grpTresRunMins: "AssocGrpNodeRunMinutes",
  maxTresMinsPerJob: "AssocMaxNodeMinutesPerJob",
  maxTresPerJob: "AssocMaxNodePerJobLimit",
  maxTresPerNode: "AssocMaxNodePerJobLimit",
};

const ASSOC_BILLING: Words = {
  ...QOS_BILLING,
  grpTresMins: "AssocGrpBillingMinutes",
  grpTres: "AssocGrpBilling",
  grpTresRunMins: "AssocGrpBillingRunMinutes",
  maxTresMinsPerJob: "AssocMaxBillingMinutesPerJob",
  maxTresPerJob: "AssocMaxBillingPerJob",
};

const ASSOC_GRES: Words = {
  ...QOS_GRES,
  grpTresMins: "AssocGrpGRESMinutes",
  grpTres: "AssocGrpGRES",
  grpTresRunMins: "AssocGrpGRESRunMinutes",
  maxTresMinsPerJob: "AssocMaxGRESMinutesPerJob",
  maxTresPerJob: "AssocMaxGRESPerJob",
  maxTresPerNode: "AssocMaxGRESPerNode",
};

const QOS_WORDS: Readonly<Record<string, Words>> = {
  cpu: QOS_CPU,
  mem: QOS_MEM,
  node: QOS_NODE,
  billing: QOS_BILLING,
};

const ASSOC_WORDS: Readonly<Record<string, Words>> = {
  cpu: ASSOC_CPU,
  mem: ASSOC_MEM,
  node: ASSOC_NODE,
  billing: ASSOC_BILLING,
};

/** What `squeue` shows of a job that this limit of this resource holds up. O(1). */
export function tresReason(owner: "qos" | "assoc", limit: TresLimit, tres: string): SlurmReason {
  const words = owner === "qos" ? (QOS_WORDS[tres] ?? QOS_GRES) : (ASSOC_WORDS[tres] ?? ASSOC_GRES);
  return words[limit];
}

const FIRST_TRES = ["cpu", "mem", "node", "billing", "gres/gpu"];

/** Resources in Slurm's order: those with fixed numbers, then GPUs, then the others in the order in which they were first named. */
export function inTresOrder(names: Iterable<string>): string[] {
  const all = [...new Set(names)];
  return [
    ...FIRST_TRES.filter((name) => all.includes(name)),
    ...all.filter((name) => !FIRST_TRES.includes(name)),
  ];
}
