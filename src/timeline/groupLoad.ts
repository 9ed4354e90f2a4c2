/**
 * What each group of lanes holds over time in devices, a share or a MIG slice as the fraction that it is, and what is due to it: the quota or the part by
 * shares of a team; a tier has no such right. A folded strip is drawn from it: its height is the group's largest right or holding. O(rows of the record + jobs).
 */
import type { JobTable } from "../model/jobs.ts";
import type { TeamInfo } from "../model/world.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";
import { integralUntil, type Steps } from "./curves/steps.ts";
import { type TeamWorld, teamSteps } from "./curves/teamCurves.ts";

/** Whose rights are drawn. */
export interface LoadWorld {
  readonly cluster: TeamWorld["cluster"];
  readonly jobs: TeamWorld["jobs"] & Pick<JobTable, "at">;
  readonly teams: readonly TeamInfo[];
}

export interface GroupLoad {
  readonly held: Steps;
  /** Null for a tier. */
  readonly due: Steps | null;
  /** Devices that the height of the strip stands for; at least 1. */
  readonly most: number;
}

/** Yields as `teamSteps` does. `groups`: index of a team or tier by block. */
export function* groupLoads(
  by: "team" | "tier",
  world: LoadWorld,
  record: {
    readonly chunks: readonly Chunk[];
    readonly open: OpenSet | null;
    readonly endMs: number;
  },
  groups: Int32Array,
): Generator<void, readonly GroupLoad[]> {
  const { jobs, cluster } = world;
  const count = groups.reduce((most, group) => Math.max(most, group + 1), 0);
  const asTeams = by === "team" ? world.teams : Array.from({ length: count }, tierAsTeam);
  const asJobs =
    by === "team" ? jobs : { ...jobs, at: { ...jobs.at, team: Uint16Array.from(jobs.at.tier) } };
  const steps = yield* teamSteps({ cluster, jobs: asJobs, teams: asTeams }, record);
  return Array.from(groups, (group) => {
    const { held, due } = steps[group]!;
    const right = by === "team" && world.teams.length > 1 ? due : null;
    return { held, due: right, most: Math.max(1, held.most, right?.most ?? 0) };
  });
}

function tierAsTeam(_: unknown, index: number): TeamInfo {
  return { id: String(index), name: "", shares: 0 };
}

/** Mean of steps over a stretch. O(log n). */
export function meanOver(steps: Steps, fromMs: number, toMs: number): number {
  return (integralUntil(steps, toMs) - integralUntil(steps, fromMs)) / Math.max(1, toMs - fromMs);
}

/** Makes the entries of `sums` from `at` on add up to `total` in their proportions; nothing where they are nothing. */
export function scaleTo(sums: Float64Array, at: number, count: number, total: number): void {
  let sum = 0;
  for (let i = at; i < at + count; i++) sum += sums[i]!;
  if (sum <= 0) return;
  for (let i = at; i < at + count; i++) sums[i] = (sums[i]! * total) / sum;
}
