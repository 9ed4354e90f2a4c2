/** The account of a stretch of time of the run that is shown, computed when the question has come to rest; until then the last one stays. */
import { useEffect, useRef, useState } from "react";
import {
  type AccountRange,
  longestWaitingSteps,
  type WaitAccount,
  type WaitingJob,
  waitAccountSteps,
} from "../metrics/waitAccount.ts";
import type { Stage } from "../protocol/messages.ts";
import type { Future } from "./runData.ts";
import { runSliced } from "./sliced.ts";

const REST_MS = 200;
/** While results stream in they are taken in when they pause: longer than two changes that components see lie apart. */
const STREAM_REST_MS = 400;

export interface Account {
  readonly account: WaitAccount;
  readonly stage: Stage;
}

/** `fromMs` … `toMs` is cut off where the record ends. */
export function useAccount(
  stage: Stage,
  future: Future,
  { fromMs, toMs, bins }: AccountRange,
): Account | null {
  const [known, setKnown] = useState<Account | null>(null);
  const shown = useRef<{ readonly stage: Stage; readonly range: AccountRange } | null>(null);
  useEffect(() => {
    const part = knownPart(future, fromMs, toMs);
    if (part === null) return;
    const range = { ...part, bins };
    const last = shown.current?.stage === stage ? shown.current.range : null;
    // What is known by now lies behind the range.
    if (!future.done && last !== null && isSameRange(last, range)) return;
    return runSliced(
      waitAccountSteps(stage, future, range),
      (account) => {
        shown.current = { stage, range };
        setKnown({ account, stage });
      },
      last === null ? 0 : future.done ? REST_MS : STREAM_REST_MS,
    );
  }, [stage, future, fromMs, toMs, bins]);
  return known?.stage === stage ? known : null;
}

/** The jobs that waited longest for a cause in a stretch of time; null until they are known. */
export function useLongest(
  stage: Stage,
  future: Future,
  cause: number,
  { fromMs, toMs }: Pick<AccountRange, "fromMs" | "toMs">,
): readonly WaitingJob[] | null {
  const [jobs, setJobs] = useState<readonly WaitingJob[] | null>(null);
  useEffect(() => {
    const range = knownPart(future, fromMs, toMs);
    if (range === null) return;
    return runSliced(longestWaitingSteps(stage, future, cause, range, MOST_JOBS), setJobs);
  }, [stage, future, cause, fromMs, toMs]);
  return jobs;
}

/** Jobs that are listed for a cause. */
export const MOST_JOBS = 200;

function isSameRange(a: AccountRange, b: AccountRange): boolean {
  return a.fromMs === b.fromMs && a.toMs === b.toMs && a.bins === b.bins;
}

function knownPart(future: Future, fromMs: number, toMs: number) {
  const endMs = future.done ? future.endMs : (future.open?.atMs ?? 0);
  const from = Math.max(0, Math.round(fromMs));
  const to = Math.min(endMs, Math.round(toMs));
  return to > from ? { fromMs: from, toMs: to } : null;
}
