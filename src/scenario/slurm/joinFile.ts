/**
 * Files of a Slurm cluster dropped onto an open scenario: each becomes a text of the pool that Slurm governs, beside those that
 * are there. A slurm.conf that names nodes brings its cluster; the other files, and one without nodes, change the policy only.
 */
import type { Problem } from "../../base/problem.ts";
import type { Result } from "../../base/result.ts";
import { err, ok } from "../../base/result.ts";
import { LIMITS } from "../../model/limits.ts";
import { nodeNames } from "../nodeNames.ts";
import type { Scenario, ScenarioInput } from "../schema.ts";
import type { ImportedSlurm } from "./importCluster.ts";
import { namesOf, scenarioFromSlurm } from "./importCluster.ts";
import { parseSlurm } from "./parse.ts";
import type { ConfigNote, SlurmFiles } from "./report.ts";

export interface Joined {
  readonly scenario: ScenarioInput;
  readonly notes: readonly ConfigNote[];
  /** The cluster of the scenario was replaced by the one that the file describes. */
  readonly newCluster: boolean;
}

const NO_FILES: SlurmFiles = { conf: "", gres: "", topology: "", accounting: "" };

/** The texts of the first pool that Slurm governs; empty ones where there is none. */
export function slurmFilesOf(scenario: Scenario): SlurmFiles {
  return scenario.pools.find((pool) => pool.policy.preset === "slurm")?.policy.slurm ?? NO_FILES;
}

/**
 * The scenario with the texts as its files of those kinds. The workload stays; where the cluster changes, changes during the run
 * that name nodes are dropped. Fails with the problems of the texts together. O(texts + nodes).
 */
export function joinSlurmFiles(
  scenario: Scenario,
  given: Partial<SlurmFiles>,
): Result<Joined, Problem[]> {
  const open = nodeNames(scenario.cluster);
  const kept = isAboutOthers(given.conf, open) ? NO_FILES : slurmFilesOf(scenario);
  const files: SlurmFiles = { ...kept, ...given };
  const own = parseSlurm(files, open);
  const isAccounting = given.conf === undefined && given.gres === undefined;
  if (!own.ok && given.conf === undefined) return own;
  const bringsCluster =
    !(isAccounting && given.topology === undefined) &&
    (!own.ok || own.value.config.nodes.length > 0);
  if (!bringsCluster && own.ok) {
    const notes = [...own.value.notes];
    const names = withNames(scenario, namesOf(own.value.config, notes));
    const pools = poolsWith(scenario, files);
    return ok({ scenario: { ...scenario, ...names, pools }, notes, newCluster: false });
  }
  const imported = scenarioFromSlurm(files);
  return imported.ok ? ok(withCluster(scenario, imported.value, files)) : err(imported.error);
}

/** A slurm.conf of another cluster: it names nodes, and none that is open. The other files of the open cluster say nothing of it. */
function isAboutOthers(conf: string | undefined, open: readonly string[]): boolean {
  if (conf === undefined) return false;
  const read = parseSlurm({ ...NO_FILES, conf });
  if (!read.ok || read.value.config.nodes.length === 0) return false;
  const there = new Set(open);
  return !read.value.config.nodes.some((node) => there.has(node.name));
}

/** The pool that Slurm governs gets the texts; where there is none, the first pool becomes Slurm's. */
function poolsWith(scenario: Scenario, files: SlurmFiles): Scenario["pools"] {
  const slurmAt = scenario.pools.findIndex((pool) => pool.policy.preset === "slurm");
  const at = Math.max(0, slurmAt);
  return scenario.pools.map((pool, index) => {
    if (index !== at) return pool;
    const settings = slurmAt < 0 ? {} : pool.policy.settings;
    return { ...pool, policy: { preset: "slurm", slurm: { ...files }, settings } };
  });
}

/** The imported cluster under the open scenario's workload; tiers, teams and queues that its jobs name stay beside the new ones. */
function withCluster(scenario: Scenario, imported: ImportedSlurm, files: SlurmFiles): Joined {
  const { scenario: made, notes } = imported;
  const kept = poolsWith(scenario, files).find((pool) => pool.policy.preset === "slurm")!;
  const joined: ScenarioInput = {
    ...scenario,
    title: scenario.title === "Untitled" ? (made.title ?? scenario.title) : scenario.title,
    cluster: made.cluster,
    ...withNames(scenario, made),
    pools: [{ id: kept.id, policy: kept.policy }],
    interventions: scenario.interventions.filter((each) => !("nodes" in each) && !("pool" in each)),
  };
  return { scenario: joined, notes, newCluster: true };
}

/** The names that the files bring, and those that the open jobs have. */
function withNames(scenario: Scenario, made: Pick<ScenarioInput, "tiers" | "teams" | "queues">) {
  return {
    tiers: union(made.tiers ?? [], scenario.tiers, (tier) => tier.id).slice(0, LIMITS.tiers),
    teams: union(made.teams ?? [], scenario.teams, (team) => team.id).slice(0, LIMITS.teams),
    queues: union(made.queues ?? [], scenario.queues, (queue) => queue),
  };
}

function union<T>(first: readonly T[], second: readonly T[], key: (entry: T) => string): T[] {
  const known = new Set(first.map(key));
  return [...first, ...second.filter((entry) => !known.has(key(entry)))];
}
