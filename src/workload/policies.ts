/** A policy of the document, complete: every setting of its preset, and what the preset's own files say. */
import type { Problem } from "../base/problem.ts";
import type { Cluster } from "../model/cluster.ts";
import type { PoolSettings } from "../model/policy.ts";
import type { PolicyEntry } from "../scenario/schema.ts";
import { resolveSettings } from "../scenario/settings.ts";
import { policyReaderOf } from "./policyReaders.ts";

/** The settings of a pool's policy; null, and problems below `place`, where something is wrong with it. O(texts + nodes). */
export function resolvePolicy(
  policy: PolicyEntry,
  cluster: Cluster,
  nodesOfPool: readonly number[],
  place: string,
  problems: Problem[],
): PoolSettings | null {
  const resolved = resolveSettings(policy.preset, policy.settings, place);
  if (!resolved.ok) {
    problems.push(...resolved.error);
    return null;
  }
  const reader = policyReaderOf(policy.preset);
  if (reader === undefined) return resolved.value;
  const read = reader(policy, cluster, nodesOfPool, place);
  if (read.ok) return { ...resolved.value, ...read.value };
  problems.push(...read.error);
  return null;
}
