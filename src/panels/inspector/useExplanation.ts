/**
 * Asks the worker why a job waits, when the question has come to rest: 120 ms after the last change of job or cursor, and at
 * least once a second while it keeps changing. One question is on its way at a time; an answer to a question that is no longer
 * asked is dropped.
 */
import { useEffect, useRef, useState } from "react";
import type { Explanation } from "../../engine/view.ts";
import { explain } from "../../store/explain.ts";
import { showPlan } from "../../store/planOverlay.ts";
import { beginWork } from "../../store/underway.ts";

const REST_MS = 120;
const LONGEST_REST_MS = 1_000;

export type Answer =
  | { readonly kind: "asking" }
  | { readonly kind: "known"; readonly explanation: Explanation; readonly atMs: number }
  | { readonly kind: "unknown" }
  | { readonly kind: "failed"; readonly message: string };

interface Question {
  readonly jobIdx: number;
  readonly atMs: number;
  /** Changes when the run is another one. */
  readonly generation: number;
}

type Asked = (question: Question) => Promise<Explanation | null>;

/** `waitKey` names the stretch of waiting: answers of another one are not shown. */
export function useExplanation(
  question: Question | null,
  waitKey: string,
  ask: Asked = askWorker,
): Answer {
  const [answer, setAnswer] = useState<Answer & { readonly waitKey?: string }>({ kind: "asking" });
  const askedAt = useRef(0);
  const serial = useRef(0);
  const jobIdx = question?.jobIdx ?? -1;
  const atMs = question?.atMs ?? 0;
  const generation = question?.generation ?? 0;
  const shown = useRef<(() => void)[]>([]);
  // Whoever waits for a page at rest waits until the answer is on it.
  useEffect(() => {
    if (answer.kind !== "asking") for (const tell of shown.current.splice(0)) tell();
  }, [answer]);
  // A card that goes before its answer is drawn keeps nobody waiting.
  useEffect(() => {
    const telling = shown.current;
    return () => {
      for (const tell of telling.splice(0)) tell();
    };
  }, []);
  useEffect(() => {
    if (jobIdx < 0) return;
    let stopped = false;
    let asked = false;
    const tell = beginWork();
    const since = performance.now() - askedAt.current;
    const timer = setTimeout(
      () => {
        askedAt.current = performance.now();
        asked = true;
        const mine = ++serial.current;
        ask({ jobIdx, atMs, generation }).then(
          (explanation) => {
            if (mine !== serial.current || stopped) tell();
            else shown.current.push(tell);
            if (mine !== serial.current) return;
            setAnswer(
              explanation
                ? { kind: "known", explanation, atMs, waitKey }
                : { kind: "unknown", waitKey },
            );
          },
          (error: unknown) => {
            if (mine !== serial.current || stopped) {
              tell();
              return;
            }
            shown.current.push(tell);
            setAnswer({
              kind: "failed",
              message: error instanceof Error ? error.message : String(error),
              waitKey,
            });
          },
        );
      },
      since > LONGEST_REST_MS ? 0 : REST_MS,
    );
    return () => {
      stopped = true;
      clearTimeout(timer);
      if (!asked) tell();
    };
  }, [jobIdx, atMs, generation, waitKey, ask]);
  const promise = answer.kind === "known" && answer.waitKey === waitKey ? answer.explanation : null;
  // The Gantt dots what is promised, where a plan names nodes.
  useEffect(() => {
    if (!promise || !Number.isFinite(promise.plannedMs) || promise.plannedNodes.length === 0)
      return;
    showPlan({ jobIdx, nodes: promise.plannedNodes, plannedMs: promise.plannedMs });
    return () => showPlan(null);
  }, [promise, jobIdx]);
  // An answer of another job, wait or run does not belong on screen.
  return answer.waitKey === waitKey ? answer : { kind: "asking" };
}

function askWorker({ jobIdx, atMs }: Question): Promise<Explanation | null> {
  return explain(jobIdx, atMs);
}
