/**
 * Readers of the configuration files that some presets have. They come with their preset: a program names the presets it has, and the
 * page's worker fetches one only when a scenario asks for it, so that nobody loads a scheduler that he does not watch.
 */
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { Cluster } from "../model/cluster.ts";
import type { PoolSettings } from "../model/policy.ts";
import type { PolicyEntry } from "../scenario/schema.ts";

/** What a policy adds to the settings of its pool; problems are placed below `place`. */
export type PolicyReader = (
  policy: PolicyEntry,
  cluster: Cluster,
  nodesOfPool: readonly number[],
  place: string,
) => Result<Partial<PoolSettings>, Problem[]>;

const readers = new Map<string, PolicyReader>();

/** Makes the files of a preset readable from now on. */
export function addPolicyReader(preset: string, reader: PolicyReader): void {
  readers.set(preset, reader);
}

/** The reader of a preset's files; undefined for a preset without files. */
export function policyReaderOf(preset: string): PolicyReader | undefined {
  return readers.get(preset);
}
