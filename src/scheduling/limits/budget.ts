/**
 * Running jobs whose budget is gone: Slurm stops them at the next check of time limits, as if their time were over (sacctmgr(1),
 * GrpTRESMins and GrpWall). Under `safe` no job starts that could come to this.
 */
import { type LimitBooks, type LimitJob, type LimitUsage, qosOrder } from "./books.ts";
import type { LimitSet } from "./limitSetup.ts";

/**
 * Whether a running job has to be stopped for a budget that is used up: GrpTRESMins or GrpWall of a QOS or association whose usage
 * has reached it. Ask it where time limits are checked. O(limits).
 */
export function outOfBudget(books: LimitBooks, job: LimitJob, usage: LimitUsage): boolean {
  const { setup } = books;
  const amounts = books.charges.get(job.jobIdx)?.tres ?? null;
  if (setup.idle || setup.enforce.safe || amounts === null) return false;
  const earlier: LimitSet[] = [];
  for (const qos of qosOrder(setup, job)) {
    const limits = setup.qosLimits[qos]!;
    const spent = (tres: string): number => usage.qosTresMins(qos, tres);
    if (usedUp(limits, earlier, amounts, spent, usage.qosWallMs(qos))) return true;
    earlier.push(limits);
  }
  for (let entry = job.assoc; entry >= 0; entry = setup.tree.parent[entry]!) {
    const limits = setup.assocLimits[entry]!;
    const spent = (tres: string): number => usage.assocTresMins(entry, tres);
    if (usedUp(limits, earlier, amounts, spent, usage.assocWallMs(entry))) return true;
  }
  return false;
}

function usedUp(
  limits: LimitSet,
  earlier: readonly LimitSet[],
  amounts: Float64Array,
  spent: (tres: string) => number,
  wallMs: number,
): boolean {
  const ownWall = earlier.every((each) => each.grpWallMs === Number.POSITIVE_INFINITY);
  if (ownWall && wallMs >= limits.grpWallMs) return true;
  return limits.tres.grpTresMins.some(({ tres, tresIdx, most }) => {
    if (amounts[tresIdx] === 0) return false;
    if (earlier.some((set) => set.tres.grpTresMins.some((other) => other.tres === tres)))
      return false;
    return Math.floor(spent(tres)) >= most;
  });
}
