/**
 * What the YAML of a policy says, read in the worker a moment after the last key, by the same reader as for a run: the page stays free however long the text
 * is. One text is read at a time; while it is, only the newest waits.
 */
import { useEffect, useRef, useState } from "react";
import type { YamlRead } from "../../../../protocol/messages.ts";
import type { FormHead, FormObject } from "../../../../scenario/kubernetes/form/formSpec.ts";
import { readYaml } from "../../../../store/explain.ts";

export interface YamlFinding {
  /** From 1. */
  readonly line: number;
  readonly kind: "problem";
  readonly sentence: string;
}

export interface YamlReading {
  /** Of the last text that was read. */
  readonly findings: readonly YamlFinding[];
  /** Of the same; null: it is no YAML, or too long for a form. */
  readonly objects: readonly FormObject[] | null;
  /** What its objects are, where it is too long for a form. */
  readonly heads: readonly FormHead[];
  /** The text that these are of. */
  readonly of: string;
  /** A newer text waits, or is being read. */
  readonly isBehind: boolean;
}

const AFTER_MS = 200;
/** Longer texts have no form: they are edited as text. */
export const FORM_MOST = 60_000;
const EMPTY: Omit<YamlReading, "isBehind"> = { findings: [], objects: [], heads: [], of: "" };

/** `text` null: nothing to read. */
export function useYamlRead(text: string | null): YamlReading {
  const [last, setLast] = useState(EMPTY);
  const wanted = useRef<string | null>(null);
  const reading = useRef(false);
  const isEmpty = text === null || text.trim() === "";
  useEffect(() => {
    wanted.current = isEmpty ? null : text;
    if (isEmpty) {
      setLast(EMPTY);
      return;
    }
    const next = (): void => {
      const { current } = wanted;
      if (current === null || reading.current) return;
      reading.current = true;
      void readYaml(current, current.length <= FORM_MOST)
        .catch(() => null)
        .then((read) => {
          reading.current = false;
          if (wanted.current !== current) next();
          else if (read !== null) setLast({ ...told(read), of: current });
        });
    };
    const timer = setTimeout(next, AFTER_MS);
    return () => {
      clearTimeout(timer);
      wanted.current = null;
    };
  }, [text, isEmpty]);
  return { ...last, isBehind: !isEmpty && last.of !== text };
}

function told({ findings, ...read }: YamlRead): Omit<YamlReading, "of" | "isBehind"> {
  return { ...read, findings: findings.map((one) => ({ ...one, kind: "problem" as const })) };
}
