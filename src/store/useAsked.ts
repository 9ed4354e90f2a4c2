/**
 * Asks the worker something when the question has come to rest, and at least once a second while it keeps changing. Answers to
 * a question that is no longer asked are dropped; until the next one is here the last stays, with the question it belongs to.
 */
import { useEffect, useRef, useState } from "react";
import { beginWork } from "./underway.ts";

const REST_MS = 120;
const LONGEST_REST_MS = 1_000;

export type Asked<T> =
  | { readonly kind: "asking" }
  | { readonly kind: "failed"; readonly message: string }
  | {
      readonly kind: "known";
      readonly value: T;
      readonly subject: string;
      readonly atMs: number;
      readonly now: boolean;
    };

type Answer<T> = Asked<T> & { readonly subject: string };

/**
 * `subject` names what is asked about, run included: an answer about another one is not shown. `ask` is called with the time. An
 * empty subject asks nothing. `now` of the answer: it is of `atMs`, not of a time before.
 */
export function useAsked<T>(
  subject: string,
  atMs: number,
  ask: (atMs: number) => Promise<T>,
): Asked<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ kind: "asking", subject: "" });
  const askedAt = useRef(0);
  const serial = useRef(0);
  const asker = useRef(ask);
  asker.current = ask;
  const shown = useRef<(() => void)[]>([]);
  // Whoever waits for a page at rest waits until the answer is on it.
  useEffect(() => {
    if (answer.kind !== "asking") for (const tell of shown.current.splice(0)) tell();
  }, [answer]);
  useEffect(() => {
    if (subject === "") return;
    let asked = false;
    let stopped = false;
    const tell = beginWork();
    const give = (mine: number, next: Answer<T>) => {
      if (mine !== serial.current || stopped) tell();
      else shown.current.push(tell);
      if (mine === serial.current) setAnswer(next);
    };
    const wait = performance.now() - askedAt.current > LONGEST_REST_MS ? 0 : REST_MS;
    const timer = setTimeout(() => {
      asked = true;
      askedAt.current = performance.now();
      const mine = ++serial.current;
      asker.current(atMs).then(
        (value) => give(mine, { kind: "known", value, subject, atMs, now: true }),
        (error: unknown) =>
          give(mine, {
            kind: "failed",
            message: error instanceof Error ? error.message : String(error),
            subject,
          }),
      );
    }, wait);
    return () => {
      stopped = true;
      clearTimeout(timer);
      if (!asked) tell();
    };
  }, [subject, atMs]);
  // Leaving while an answer is on its way to the screen: nobody has to wait for it any more.
  useEffect(
    () => () => {
      for (const tell of shown.current.splice(0)) tell();
    },
    [],
  );
  if (answer.subject !== subject) return { kind: "asking" };
  return answer.kind === "known" ? { ...answer, now: answer.atMs === atMs } : answer;
}
