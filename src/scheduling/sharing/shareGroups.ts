/** Groups that share a pool: teams, users or tiers, with their shares. */
import type { PoolView } from "../../engine/view.ts";
import type { Settings } from "../../model/policy.ts";

export type ShareOf = "team" | "user" | "tier";

export interface ShareGroups {
  readonly of: ShareOf;
  readonly count: number;
  /** Teams: as the document says; users and tiers: 1 each. */
  readonly shares: Float64Array;
  readonly sharesTotal: number;
}

/** Reads the setting `shareOf`. */
export function shareOfSetting(settings: Settings): ShareOf {
  const value = settings["shareOf"];
  return value === "user" || value === "tier" ? value : "team";
}

/** The groups of a world. O(groups). */
export function shareGroups(view: PoolView, of: ShareOf): ShareGroups {
  const count = Math.max(1, listOf(view, of).length);
  const shares = Float64Array.from({ length: count }, (_, group) =>
    of === "team" ? (view.teams[group]?.shares ?? 1) : 1,
  );
  return { of, count, shares, sharesTotal: shares.reduce((sum, share) => sum + share, 0) };
}

function listOf(view: PoolView, of: ShareOf): readonly unknown[] {
  if (of === "team") return view.teams;
  return of === "user" ? view.jobs.users : view.tiers;
}

/** The group of a job now. O(1). */
export function groupOf(groups: ShareGroups, view: PoolView, jobIdx: number): number {
  const { team, user } = view.jobs.at;
  if (groups.of === "tier") return Math.min(view.tierOfJob[jobIdx]!, groups.count - 1);
  return Math.min(groups.of === "team" ? team[jobIdx]! : user[jobIdx]!, groups.count - 1);
}
