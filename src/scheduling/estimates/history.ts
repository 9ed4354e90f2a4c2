/**
 * The mean of a user's last two run times, as a prediction of the next: users repeat themselves. Until two of a user's jobs have ended there is
 * none. Only runs that came to their end count; an evicted one says nothing of its length. Source: Tsafrir, Etsion, Feitelson 2007.
 */
export interface UserHistory {
  /** By user: the last run time and the one before (ms); 0 = there is none yet. */
  lastMs: Float64Array;
  beforeMs: Float64Array;
}

/** Nothing known of so many users. */
export function noHistory(users: number): UserHistory {
  return { lastMs: new Float64Array(users), beforeMs: new Float64Array(users) };
}

/** A copy that shares nothing. O(users). */
export function copyHistory(history: UserHistory): UserHistory {
  return { lastMs: history.lastMs.slice(), beforeMs: history.beforeMs.slice() };
}

/** A job of the user has ended after running so long. O(1). */
export function noteRun(history: UserHistory, user: number, ranMs: number): void {
  history.beforeMs[user] = history.lastMs[user]!;
  history.lastMs[user] = Math.max(1, ranMs);
}

/** What the user's next job is taken to run (ms); `Infinity` before two of them have ended. O(1). */
export function predictedMs(history: UserHistory, user: number): number {
  const beforeMs = history.beforeMs[user]!;
  if (beforeMs === 0) return Number.POSITIVE_INFINITY;
  return Math.round((history.lastMs[user]! + beforeMs) / 2);
}
