/** What is wrong with the YAML of a policy, by line: read a moment after the last key, by the same reader as for a run. */
import { useEffect, useState } from "react";

export interface YamlFinding {
  /** From 1. */
  readonly line: number;
  readonly kind: "problem";
  readonly sentence: string;
}

const AFTER_MS = 200;
const NONE: readonly YamlFinding[] = [];

/** Findings of the last text that was read while a newer one waits; `text` null: nothing to read. */
export function useYamlCheck(text: string | null): readonly YamlFinding[] {
  const [findings, setFindings] = useState<readonly YamlFinding[]>(NONE);
  useEffect(() => {
    if (text === null || text.trim() === "") {
      setFindings(NONE);
      return;
    }
    let gone = false;
    const timer = setTimeout(() => {
      void findingsOf(text).then((found) => {
        if (!gone) setFindings(found);
      });
    }, AFTER_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [text]);
  return findings;
}

async function findingsOf(text: string): Promise<readonly YamlFinding[]> {
  const { readKubernetes } = await import("../../../../scenario/kubernetes/readKubernetes.ts");
  const read = readKubernetes(text, "yaml");
  if (read.ok) return NONE;
  return read.error.map(({ place, message, remedy }) => {
    const [, line = "1", path = ""] = /^yaml(?::(\d+))?(?:, (.*))?$/.exec(place) ?? [];
    const where = path === "" ? "" : `${path}: `;
    return {
      line: Number(line),
      kind: "problem" as const,
      sentence: `${where}${message} ${remedy}`,
    };
  });
}
