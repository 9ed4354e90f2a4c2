/** What is wrong with the texts, and what a run does not heed of them, by file and line: read a moment after the last key. */
import { useEffect, useState } from "react";
import { nodeNames } from "../../../../scenario/nodeNames.ts";
import type { Scenario } from "../../../../scenario/schema.ts";
import { parseSlurm } from "../../../../scenario/slurm/parse.ts";
import type { SlurmFileName, SlurmFiles } from "../../../../scenario/slurm/report.ts";

export interface Finding {
  readonly file: SlurmFileName;
  /** From 1. */
  readonly line: number;
  readonly kind: "problem" | "notModelled" | "approximated" | "ignored";
  readonly key: string;
  readonly sentence: string;
}

const AFTER_MS = 150;
/** Long texts are read after a longer pause, so that no key waits for it. */
const LONG_TEXT = 60_000;
const LONG_AFTER_MS = 600;

/** Findings, problems first; those of the last texts that were read while newer ones wait. `files` null: nothing to read. */
export function useCheck(
  files: SlurmFiles | null,
  scenario: Scenario | null,
  poolId: string,
): readonly Finding[] {
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  useEffect(() => {
    if (files === null || scenario === null) {
      setFindings([]);
      return;
    }
    const length = files.conf.length + files.accounting.length;
    const timer = setTimeout(
      () => setFindings(findingsOf(files, scenario, poolId)),
      length > LONG_TEXT ? LONG_AFTER_MS : AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [files, scenario, poolId]);
  return findings;
}

/** O(texts + nodes). */
function findingsOf(files: SlurmFiles, scenario: Scenario, poolId: string): readonly Finding[] {
  const { flat } = scenario.cluster;
  const names = flat ? [] : namesOfPool(scenario, poolId);
  const read = parseSlurm(files, names);
  if (!read.ok) {
    return read.error.map(({ place, message, remedy }) => {
      const [, file = "slurm.conf", line = "1", key = ""] =
        /^([\w.]+)(?::(\d+))?(?:, (.*))?$/.exec(place) ?? [];
      return {
        file: file as SlurmFileName,
        line: Number(line),
        kind: "problem" as const,
        key,
        sentence: `${message} ${remedy}`,
      };
    });
  }
  const { config, notes } = read.value;
  const there = new Set(names);
  const missing = flat
    ? undefined
    : config.nodes.find((node) => node.state !== "future" && !there.has(node.name));
  if (missing === undefined) return notes;
  const sentence = `The cluster has no node "${missing.name}"; it has ${names[0]} and others. Use their names, or drop the file on the page to take its cluster.`;
  const line = lineOf(files.conf, /^\s*NodeName/i);
  return [{ file: "slurm.conf", line, kind: "problem", key: "NodeName", sentence }, ...notes];
}

function namesOfPool(scenario: Scenario, poolId: string): string[] {
  const mine = scenario.pools.find((pool) => pool.id === poolId)?.nodeGroups;
  const all = nodeNames(scenario.cluster);
  if (mine === undefined || scenario.pools.length === 1) return all;
  const { nodeGroups } = scenario.cluster;
  const own = { ...scenario.cluster, nodeGroups: nodeGroups.filter(({ id }) => mine.includes(id)) };
  return nodeNames(own);
}

function lineOf(text: string, pattern: RegExp): number {
  return (
    Math.max(
      0,
      text.split("\n").findIndex((line) => pattern.test(line)),
    ) + 1
  );
}
