/**
 * Who is first in the queue of each pool at the cursor, and what the scheduler says of it: asked once the cursor rests, of the scheduler that decides.
 * Everybody who asks at one time shares one question.
 */
import { useCallback, useMemo } from "react";
import type { Explanation } from "../engine/view.ts";
import type { Stage } from "../protocol/messages.ts";
import { waitersAt } from "../timeline/waits.ts";
import { explain } from "./explain.ts";
import { type Future, runData } from "./runData.ts";
import { useApp } from "./store.ts";
import { beginWork } from "./underway.ts";
import { useAsked } from "./useAsked.ts";
import { useCursorMs, useRunData } from "./useRun.ts";

export interface QueueHead {
  readonly pool: number;
  readonly jobIdx: number;
  readonly atMs: number;
  readonly why: Explanation;
}

/** So many of a pool's waiting jobs are asked before it counts as having no head: held jobs know of none. */
const ASKED_MOST = 4;
const POOLS_MOST = 4;
const NOBODY: readonly QueueHead[] = [];

interface LastQuestion {
  readonly future: Future;
  readonly atMs: number;
  readonly answer: Promise<readonly QueueHead[]>;
}
let last: LastQuestion | null = null;

/** Empty while the run plays or is computed, and where nobody waits. */
export function useQueueHeads(): readonly QueueHead[] {
  const { stage, current } = useRunData();
  const atMs = useCursorMs();
  const playing = useApp((state) => state.playing);
  const ask = useCallback(
    (at: number) => (stage ? askHeads(stage, current, at) : Promise.resolve(NOBODY)),
    [stage, current],
  );
  const subject = stage && current.done && !playing ? `heads ${current.generation}` : "";
  const answer = useAsked(subject, atMs, ask);
  const heads = answer.kind === "known" && answer.now ? answer.value : NOBODY;
  return useMemo(() => heads, [heads]);
}

const REST_MS = 180;

/** The same for painters: told once the cursor rests, without rendering anything. Returns the way to stop. */
export function watchQueueHeads(show: (heads: readonly QueueHead[]) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  let arrived: (() => void) | null = null;
  const ask = async (): Promise<void> => {
    const number = ++asked;
    const { stage, current } = runData.get();
    const { cursorMs, playing } = useApp.getState();
    const heads =
      stage && current.done && !playing
        ? await askHeads(stage, current, Math.round(cursorMs)).catch(() => NOBODY)
        : NOBODY;
    if (number !== asked) return;
    show(heads);
    arrived?.();
    arrived = null;
  };
  const soon = (): void => {
    clearTimeout(timer);
    arrived ??= beginWork();
    timer = setTimeout(() => void ask(), REST_MS);
  };
  const offs = [
    useApp.subscribe((state) => state.cursorMs, soon),
    useApp.subscribe((state) => state.playing, soon),
    runData.subscribe(soon),
  ];
  soon();
  return () => {
    for (const off of offs) off();
    clearTimeout(timer);
    asked += 1;
    arrived?.();
  };
}

function askHeads(stage: Stage, future: Future, atMs: number): Promise<readonly QueueHead[]> {
  if (last?.future === future && last.atMs === atMs) return last.answer;
  const answer = headsAt(stage, future, atMs);
  last = { future, atMs, answer };
  return answer;
}

async function headsAt(stage: Stage, future: Future, atMs: number): Promise<readonly QueueHead[]> {
  const byPool = new Map<number, number[]>();
  for (const jobIdx of waitersAt(future, atMs).jobIdx) {
    const pool = stage.poolOfJob[jobIdx]!;
    const some = byPool.get(pool) ?? [];
    if (some.length < ASKED_MOST) some.push(jobIdx);
    byPool.set(pool, some);
  }
  const heads: QueueHead[] = [];
  for (const [pool, jobs] of [...byPool].sort(([a], [b]) => a - b).slice(0, POOLS_MOST)) {
    const head = await headOf(jobs, atMs);
    if (head) heads.push({ pool, atMs, ...head });
  }
  return heads;
}

/** Any waiting job names the first of its queue. */
async function headOf(
  jobs: readonly number[],
  atMs: number,
): Promise<{ readonly jobIdx: number; readonly why: Explanation } | null> {
  for (const jobIdx of jobs) {
    const why = await explain(jobIdx, atMs);
    if (!why || why.position < 0) continue;
    const first = why.headJobIdx < 0 ? jobIdx : why.headJobIdx;
    if (first === jobIdx) return why.position === 0 ? { jobIdx, why } : null;
    const its = await explain(first, atMs);
    return its && { jobIdx: first, why: its };
  }
  return null;
}
