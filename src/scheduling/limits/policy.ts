/**
 * Whether limits let a job start now, and if not, in which word: before nodes are looked for (counts and times, `pendingReason`) and
 * with the resources it would get (`postSelectReason`). The QOS of the partition is asked first, then that of the job (`OverPartQOS`
 * swaps them), then the association from the user up to root; the first limit that is reached is the one shown. A limit that a QOS
 * sets is not looked at again further on (Slurm manual, "Resource Limits", Hierarchy).
 */
import type { TresAmounts } from "../../model/slurm/config.ts";
import type { SlurmReason } from "../../model/slurm/reasons.ts";
import {
  accountRow,
  type LimitBooks,
  type LimitJob,
  type LimitUsage,
  type NodesTaken,
  newNodes,
  qosOrder,
  qosRow,
  runMinutes,
  userRow,
} from "./books.ts";
import type { LimitSet, TresMost } from "./limitSetup.ts";
import { TRES_LIMITS, type TresLimit, tresReason } from "./words.ts";

/** Minutes that stand for no time limit. */
const UNLIMITED_MIN = 4_294_967_295;
const MINUTE_MS = 60_000;

/**
 * The limit that keeps a job from starting whatever nodes are free; null = none. Ask it of each pending job before a start or a plan.
 * O(QOS + depth of the association).
 */
export function pendingReason(
  books: LimitBooks,
  job: LimitJob,
  usage: LimitUsage,
): SlurmReason | null {
  const { setup } = books;
  const ofJob = setup.qos[job.qos];
  if (ofJob?.enforceUsageThreshold === true && job.assoc >= 0)
    if (usage.fairShare(job.assoc) < ofJob.usageThreshold) return "QOSUsageThreshold";
  if (setup.idle) return null;
  const earlier: LimitSet[] = [];
  for (const qos of qosOrder(setup, job)) {
    const reason = qosPending(books, job, usage, qos, earlier);
    if (reason !== null) return reason;
    earlier.push(setup.qosLimits[qos]!);
  }
  let ofUser = true;
  for (let entry = job.assoc; entry >= 0; entry = setup.tree.parent[entry]!) {
    const reason = assocPending(books, job, usage, entry, earlier, ofUser);
    if (reason !== null) return reason;
    ofUser = false;
  }
  return null;
}

type CountLimit = "grpJobs" | "grpWallMs" | "maxJobsPerAccount" | "maxJobsPerUser" | "maxWallMs";

/** Whether an earlier QOS sets this limit. */
function setBefore(earlier: readonly LimitSet[], limit: CountLimit): boolean {
  return earlier.some((each) => each[limit] !== Number.POSITIVE_INFINITY);
}

function qosPending(
  books: LimitBooks,
  job: LimitJob,
  usage: LimitUsage,
  qos: number,
  earlier: readonly LimitSet[],
): SlurmReason | null {
  const limits = books.setup.qosLimits[qos]!;
  const open = (limit: CountLimit): boolean => !setBefore(earlier, limit);
  const running = (row: number): number => books.running[row] ?? 0;
  if (open("grpJobs") && running(qosRow(books.setup, qos)) >= limits.grpJobs)
    return "QOSGrpJobsLimit";
  if (limits.grpWallMs !== Number.POSITIVE_INFINITY && open("grpWallMs"))
    if (wholeMinutes(usage.qosWallMs(qos)) >= wholeMinutes(limits.grpWallMs))
      return "QOSGrpWallLimit";
  if (open("maxJobsPerAccount") && limits.maxJobsPerAccount !== Number.POSITIVE_INFINITY)
    if (running(accountRow(books, qos, job.assoc)) >= limits.maxJobsPerAccount)
      return "MaxJobsPerAccount";
  if (open("maxJobsPerUser") && limits.maxJobsPerUser !== Number.POSITIVE_INFINITY)
    if (running(userRow(books, qos, job.user)) >= limits.maxJobsPerUser)
      return "QOSMaxJobsPerUserLimit";
  if (open("maxWallMs") && job.limitMs > limits.maxWallMs) return "QOSMaxWallDurationPerJobLimit";
  return null;
}

function assocPending(
  books: LimitBooks,
  job: LimitJob,
  usage: LimitUsage,
  entry: number,
  qos: readonly LimitSet[],
  ofUser: boolean,
): SlurmReason | null {
  const limits = books.setup.assocLimits[entry]!;
  if (books.running[entry]! >= limits.grpJobs && !setBefore(qos, "grpJobs"))
    return "AssocGrpJobsLimit";
  if (limits.grpWallMs !== Number.POSITIVE_INFINITY && !setBefore(qos, "grpWallMs"))
    if (wholeMinutes(usage.assocWallMs(entry)) >= wholeMinutes(limits.grpWallMs))
      return "AssocGrpWallLimit";
  // What accounts say of single jobs and users has been inherited already.
  if (!ofUser) return null;
  if (books.running[entry]! >= limits.maxJobs)
    if (!setBefore(qos, "maxJobsPerUser") && !setBefore(qos, "maxJobsPerAccount"))
      return "AssocMaxJobsLimit";
  if (job.limitMs > limits.maxWallMs && !setBefore(qos, "maxWallMs"))
    return "AssocMaxWallDurationPerJobLimit";
  return null;
}

function wholeMinutes(ms: number): number {
  return Math.floor(ms / MINUTE_MS);
}

/**
 * The resource limit that keeps a job from starting with these resources (`tres`: what it would hold, with `node` and `billing`); null =
 * none. Slurm asks this after nodes were chosen (`nodes`), and with what the job asks for at least where none were found.
 * O(limits of its QOS and association).
 */
export function postSelectReason(
  books: LimitBooks,
  job: LimitJob,
  tres: TresAmounts,
  usage: LimitUsage,
  nodes: NodesTaken | null = null,
): SlurmReason | null {
  const { setup } = books;
  if (setup.idle) return null;
  const ask: Ask = { books, job, tres, usage, nodes };
  const earlier: LimitSet[] = [];
  for (const qos of qosOrder(setup, job)) {
    const whose: Owner = { owner: "qos", at: qos, limits: setup.qosLimits[qos]! };
    const reason = firstReached(ask, whose, earlier, TRES_LIMITS);
    if (reason !== null) return reason;
    earlier.push(whose.limits);
  }
  let checked: readonly TresLimit[] = USER_LIMITS;
  for (let entry = job.assoc; entry >= 0; entry = setup.tree.parent[entry]!) {
    const whose: Owner = { owner: "assoc", at: entry, limits: setup.assocLimits[entry]! };
    const reason = firstReached(ask, whose, earlier, checked);
    if (reason !== null) return reason;
    checked = GROUP_LIMITS;
  }
  return null;
}

const GROUP_LIMITS: readonly TresLimit[] = ["grpTresMins", "grpTres", "grpTresRunMins"];
const USER_LIMITS: readonly TresLimit[] = [
  ...GROUP_LIMITS,
  "maxTresMinsPerJob",
  "maxTresPerJob",
  "maxTresPerNode",
];

/** One question: this job with these resources. */
interface Ask {
  readonly books: LimitBooks;
  readonly job: LimitJob;
  readonly tres: TresAmounts;
  readonly usage: LimitUsage;
  readonly nodes: NodesTaken | null;
}

/** Whose limits are looked at. */
interface Owner {
  readonly owner: "qos" | "assoc";
  readonly at: number;
  readonly limits: LimitSet;
}

function firstReached(
  ask: Ask,
  whose: Owner,
  earlier: readonly LimitSet[],
  checked: readonly TresLimit[],
): SlurmReason | null {
  if (whose.limits.unlimited) return null;
  const factor = whose.owner === "qos" ? 1 : assocFactor(ask);
  for (const limit of checked)
    for (const each of whose.limits.tres[limit]) {
      if (earlier.some((set) => set.tres[limit].some((other) => other.tres === each.tres)))
        continue;
      if (reaches(ask, whose, limit, { ...each, most: each.most * factor }))
        return tresReason(whose.owner, limit, each.tres);
    }
  return null;
}

/** `LimitFactor` of the job's QOS stretches the limits of associations; 0 = not set. */
function assocFactor({ books, job }: Ask): number {
  return books.setup.qos[job.qos]?.limitFactor || 1;
}

function reaches(
  ask: Ask,
  whose: Owner,
  limit: TresLimit,
  { tres, tresIdx, most }: TresMost,
): boolean {
  const { books, job } = ask;
  const asked = ask.tres[tres] ?? 0;
  if (limit === "minTresPerJob") return asked < most;
  // What the job does not ask for cannot hold it up: a budget of 0 GPUs lets jobs without GPUs pass.
  if (asked === 0) return false;
  const row = whose.owner === "qos" ? qosRow(books.setup, whose.at) : whose.at;
  switch (limit) {
    case "grpTresMins":
      return spendsTooMuch(ask, whose, row, { tres, tresIdx, most });
    case "grpTres":
      return together(ask, row, tres, tresIdx) > most;
    case "grpTresRunMins":
      return runMinutes(books, row, tresIdx, ask.usage.nowMs) + minutesOf(ask, asked) > most;
    case "maxTresMinsPerJob":
      return minutesOf(ask, asked) > most;
    case "maxTresPerJob":
      return asked > most;
    case "maxTresPerNode":
      return asked / Math.max(1, ask.tres.node ?? 1) > most;
    case "maxTresPerAccount":
      return together(ask, accountRow(books, whose.at, job.assoc), tres, tresIdx) > most;
    case "maxTresPerUser":
      return together(ask, userRow(books, whose.at, job.user), tres, tresIdx) > most;
  }
}

/** What a row would have in use with the job; 0 where the job adds nothing. Nodes that it shares with others of the row are counted once. */
function together(ask: Ask, row: number, tres: string, tresIdx: number): number {
  const { books, nodes } = ask;
  if (tres !== "node") {
    const used = books.tres[row * books.setup.tres.length + tresIdx] ?? 0;
    return used + (ask.tres[tres] ?? 0);
  }
  const added = nodes === null ? (ask.tres.node ?? 0) : newNodes(books, row, nodes);
  return added === 0 ? 0 : (books.nodesUsed[row] ?? 0) + added;
}

/** A budget of minutes: used up already, or (under `safe`) not enough for all that runs and this job to their time limits. */
function spendsTooMuch(
  ask: Ask,
  whose: Owner,
  row: number,
  { tres, tresIdx, most }: TresMost,
): boolean {
  const { books, usage } = ask;
  const spent =
    whose.owner === "qos" ? usage.qosTresMins(whose.at, tres) : usage.assocTresMins(whose.at, tres);
  if (Math.floor(spent) >= most) return true;
  if (!books.setup.enforce.safe) return false;
  const running = runMinutes(books, row, tresIdx, usage.nowMs);
  return spent + running + minutesOf(ask, ask.tres[tres] ?? 0) > most;
}

function minutesOf({ books, job }: Ask, amount: number): number {
  const factor = books.setup.qos[job.qos]?.usageFactor ?? 1;
  const minutes =
    job.limitMs === Number.POSITIVE_INFINITY ? UNLIMITED_MIN : Math.ceil(job.limitMs / MINUTE_MS);
  return amount * minutes * factor;
}

/** Whether a pending job's age may grow (`MaxJobsAccrue*`, `GrpJobsAccrue`), given the jobs that are counted as accruing. O(QOS + depth). */
export function mayAccrue(books: LimitBooks, job: LimitJob): boolean {
  const { setup } = books;
  if (setup.idle) return true;
  const accruing = (row: number): number => books.accruing[row] ?? 0;
  for (const qos of qosOrder(setup, job)) {
    const limits = setup.qosLimits[qos]!;
    if (accruing(qosRow(setup, qos)) >= limits.grpJobsAccrue) return false;
    if (accruing(userRow(books, qos, job.user)) >= limits.maxJobsAccruePerUser) return false;
    if (accruing(accountRow(books, qos, job.assoc)) >= limits.maxJobsAccruePerAccount) return false;
  }
  for (let entry = job.assoc; entry >= 0; entry = setup.tree.parent[entry]!)
    if (accruing(entry) >= setup.assocLimits[entry]!.grpJobsAccrue) return false;
  return true;
}

/** Jobs of a lower priority get no reservation from the backfill scheduler (`MinPrioThreshold`); 0 = all may. O(depth). */
export function reserveThreshold(books: LimitBooks, job: LimitJob): number {
  const { setup } = books;
  if (setup.idle) return 0;
  for (const qos of qosOrder(setup, job)) {
    const { minPrioThreshold } = setup.qosLimits[qos]!;
    if (minPrioThreshold > 0) return minPrioThreshold;
  }
  return setup.assocLimits[job.assoc]?.minPrioThreshold ?? 0;
}
