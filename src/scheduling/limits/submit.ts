/**
 * What `sbatch` is told at once: a job of a user without association, of a QOS that the user may not have, beyond a partition that
 * enforces its limits, or beyond a limit on submitted jobs is refused; limits on running jobs refuse only under `DenyOnLimit`
 * (sacctmgr(1)). The sentences are those that sbatch prints.
 */
import type { TresAmounts } from "../../model/slurm/config.ts";
import type { SlurmReason } from "../../model/slurm/reasons.ts";
import { accountRow, type LimitBooks, type LimitJob, qosOrder, qosRow, userRow } from "./books.ts";
import type { LimitSet } from "./limitSetup.ts";
import { type PartitionJob, partitionAccess, partitionReason } from "./partition.ts";
import { type TresLimit, tresReason } from "./words.ts";

export interface SubmitProblem {
  readonly reason: SlurmReason;
  readonly refuse: true;
  /** What sbatch prints after `Batch job submission failed:`. */
  readonly message: string;
}

export interface SubmitJob extends LimitJob, PartitionJob {
  /** Partitions asked for, in order. */
  readonly partitions: readonly number[];
  /** What the job asks for at least. */
  readonly tres: TresAmounts;
}

const NO_ACCOUNT = "Invalid account or account/partition combination specified";
const NO_QOS = "Invalid qos specification";
const CLOSED = "Required partition not available (inactive or drain)";
const NODES = "Node count specification invalid";
const TIME = "Requested time limit is invalid (missing or exceeds some limit)";
const POLICY =
  "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)";

/** Why a job is refused when it is submitted; null = it is accepted (and may wait for ever). O(partitions + limits). */
export function submitProblem(books: LimitBooks, job: SubmitJob): SubmitProblem | null {
  const { enforce, qos, qosOfAssoc } = books.setup;
  if (enforce.associations && job.assoc < 0) return refusal("InvalidAccount", NO_ACCOUNT);
  const allowed = qosOfAssoc[job.assoc] ?? null;
  if (enforce.qos && job.qos >= 0 && allowed !== null && !allowed.includes(qos[job.qos]!.name))
    return refusal("InvalidQOS", NO_QOS);
  const closed = partitionProblem(books, job);
  if (closed !== null) return closed;
  const reason = policyReason(books, job);
  return reason === null ? null : refusal(reason, POLICY);
}

function refusal(reason: SlurmReason, message: string): SubmitProblem {
  return { reason, refuse: true, message };
}

/** `ALL`: every partition must take the job; `ANY`: one of them; `NO`: only closed partitions refuse. */
function partitionProblem(books: LimitBooks, job: SubmitJob): SubmitProblem | null {
  let first: SubmitProblem | null = null;
  let fits = false;
  for (const partition of job.partitions) {
    const problem = onePartition(books, job, partition);
    if (problem === null) fits = true;
    else first ??= problem;
  }
  if (first === null) return null;
  return books.setup.partLimits === "all" || !fits ? first : null;
}

function onePartition(books: LimitBooks, job: SubmitJob, at: number): SubmitProblem | null {
  const { setup } = books;
  const partition = setup.partitions[at]!;
  if (partition.state === "drain") return refusal("PartitionDown", CLOSED);
  if (partition.state === "inactive") return refusal("PartitionInactive", CLOSED);
  if (setup.partLimits === "no") return null;
  const access = partitionAccess(
    partition,
    setup.tree.account[job.assoc] ?? "",
    setup.qos[job.qos]?.name ?? "",
  );
  if (access !== null) return refusal(access, access === "QOSNotAllowed" ? NO_QOS : NO_ACCOUNT);
  const open = { ...partition, state: "up" as const };
  const reason = partitionReason(open, setup.partitionNodes[at]!, job, setup.qos[job.qos] ?? null);
  if (reason === null) return null;
  return refusal(reason, reason === "PartitionTimeLimit" ? TIME : NODES);
}

type SubmitLimit =
  | "grpSubmitJobs"
  | "maxSubmitJobsPerAccount"
  | "maxSubmitJobsPerUser"
  | "maxWallMs";

function policyReason(books: LimitBooks, job: SubmitJob): SlurmReason | null {
  const { setup } = books;
  if (setup.idle) return null;
  const order = qosOrder(setup, job);
  const strict = order.some((qos) => setup.qos[qos]!.denyOnLimit);
  const earlier: LimitSet[] = [];
  for (const qos of order) {
    const reason = qosReason(books, job, qos, earlier, strict);
    if (reason !== null) return reason;
    earlier.push(setup.qosLimits[qos]!);
  }
  for (let entry = job.assoc; entry >= 0; entry = setup.tree.parent[entry]!) {
    const reason = assocReason(books, job, entry, earlier, strict);
    if (reason !== null) return reason;
  }
  return null;
}

function setBefore(earlier: readonly LimitSet[], limit: SubmitLimit): boolean {
  return earlier.some((each) => each[limit] !== Number.POSITIVE_INFINITY);
}

/** The first resource of which the job asks for more (or less) than this limit lets any job have. */
function tooMuch(
  owner: "qos" | "assoc",
  limits: LimitSet,
  earlier: readonly LimitSet[],
  checked: readonly TresLimit[],
  job: SubmitJob,
): SlurmReason | null {
  for (const limit of checked)
    for (const { tres, most } of limits.tres[limit]) {
      if (earlier.some((set) => set.tres[limit].some((other) => other.tres === tres))) continue;
      const asked = job.tres[tres] ?? 0;
      const share = limit === "maxTresPerNode" ? asked / Math.max(1, job.tres.node ?? 1) : asked;
      if (limit === "minTresPerJob" ? share < most : share > most)
        return tresReason(owner, limit, tres);
    }
  return null;
}

const DENIED_BY_QOS: readonly TresLimit[] = [
  "maxTresPerJob",
  "maxTresPerNode",
  "maxTresPerAccount",
  "maxTresPerUser",
  "minTresPerJob",
];

function qosReason(
  books: LimitBooks,
  job: SubmitJob,
  qos: number,
  earlier: readonly LimitSet[],
  strict: boolean,
): SlurmReason | null {
  const limits = books.setup.qosLimits[qos]!;
  const submitted = (row: number): number => books.submitted[row] ?? 0;
  if (strict) {
    const reason = tooMuch("qos", limits, earlier, ["grpTres"], job);
    if (reason !== null) return reason;
  }
  if (
    submitted(qosRow(books.setup, qos)) >= limits.grpSubmitJobs &&
    !setBefore(earlier, "grpSubmitJobs")
  )
    return "QOSGrpSubmitJobsLimit";
  if (strict) {
    const reason = tooMuch("qos", limits, earlier, DENIED_BY_QOS, job);
    if (reason !== null) return reason;
  }
  if (submitted(accountRow(books, qos, job.assoc)) >= limits.maxSubmitJobsPerAccount)
    if (!setBefore(earlier, "maxSubmitJobsPerAccount")) return "MaxSubmitJobsPerAccount";
  if (submitted(userRow(books, qos, job.user)) >= limits.maxSubmitJobsPerUser)
    if (!setBefore(earlier, "maxSubmitJobsPerUser")) return "QOSMaxSubmitJobPerUserLimit";
  if (strict && job.limitMs > limits.maxWallMs && !setBefore(earlier, "maxWallMs"))
    return "QOSMaxWallDurationPerJobLimit";
  return null;
}

function assocReason(
  books: LimitBooks,
  job: SubmitJob,
  entry: number,
  qos: readonly LimitSet[],
  strict: boolean,
): SlurmReason | null {
  const limits = books.setup.assocLimits[entry]!;
  const submitted = books.submitted[entry]!;
  if (strict) {
    const reason = tooMuch("assoc", limits, qos, ["grpTres"], job);
    if (reason !== null) return reason;
  }
  if (submitted >= limits.grpSubmitJobs && !setBefore(qos, "grpSubmitJobs"))
    return "AssocGrpSubmitJobsLimit";
  if (entry !== job.assoc) return null;
  if (strict) {
    const reason = tooMuch("assoc", limits, qos, ["maxTresPerJob", "maxTresPerNode"], job);
    if (reason !== null) return reason;
  }
  if (submitted >= limits.maxSubmitJobs)
    if (!setBefore(qos, "maxSubmitJobsPerUser") && !setBefore(qos, "maxSubmitJobsPerAccount"))
      return "AssocMaxSubmitJobLimit";
  if (strict && job.limitMs > limits.maxWallMs && !setBefore(qos, "maxWallMs"))
    return "AssocMaxWallDurationPerJobLimit";
  return null;
}

/**
 * The time limit of a job that names none: the partition's DefaultTime, else the MaxWall that holds for the job, at most MaxTime (ms;
 * `Infinity` = none). O(QOS).
 */
export function limitWithoutTimeMs(books: LimitBooks, job: LimitJob): number {
  const { setup } = books;
  const partition = setup.partitions[job.partition];
  const mostMs = partition?.maxTimeMs ?? Number.POSITIVE_INFINITY;
  const defaultMs = partition?.defaultTimeMs ?? null;
  if (defaultMs !== null) return Math.min(defaultMs, mostMs);
  if (setup.idle) return mostMs;
  const walls = qosOrder(setup, job).map((qos) => setup.qosLimits[qos]!.maxWallMs);
  const ofQos = walls.find((wallMs) => wallMs !== Number.POSITIVE_INFINITY);
  const wallMs = ofQos ?? setup.assocLimits[job.assoc]?.maxWallMs ?? Number.POSITIVE_INFINITY;
  return Math.min(wallMs, mostMs);
}
