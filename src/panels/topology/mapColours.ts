/**
 * What a device is filled with, by what the map is coloured by. A fill is a place in a list of styles, worked out once a job, so that painting looks it up. Colour
 * never stands alone: the legend names it, the words under the pointer and the table say the same, and loads and gangs are written as numbers where there is room.
 */

import type { Stage } from "../../protocol/messages.ts";
import type { TierWithJobs } from "../../store/tiersWithJobs.ts";
import { mix } from "../../theme/colour.ts";
import { type Palette, positionOfTier } from "../../theme/palette.ts";

export const COLOUR_MODES = ["tier", "team", "job", "share", "contention", "fits"] as const;
export type ColourMode = (typeof COLOUR_MODES)[number];

export const MODE_LABELS: Readonly<Record<ColourMode, string>> = {
  tier: "Tier",
  team: "Team",
  job: "Job",
  share: "Share held",
  contention: "Contention",
  fits: "Largest gang that fits",
};

export interface FillStyle {
  readonly full: string;
  /** While another job is selected, or the search does not find it. */
  readonly pale: string;
}

export interface LegendEntry {
  readonly label: string;
  readonly colour: string;
}

/** Hues that tell neighbours apart, in two lightnesses: teams and jobs are more than tiers. */
function categories(palette: Palette): FillStyle[] {
  const hues = palette.positions.slice(0, 4).map(({ full }) => full);
  return [...hues, ...hues.map((hue) => mix(hue, palette.ink, 0.48))].map((full) => ({
    full,
    pale: mix(full, palette.bg, 0.22),
  }));
}

/** Neutral steps from little to much. */
function ramp(palette: Palette, shares: readonly number[]): FillStyle[] {
  return shares.map((share) => ({
    full: mix(palette.ink, palette.bg, share),
    pale: mix(palette.ink, palette.bg, share / 3),
  }));
}

const SHARE_STEPS = [0.1, 0.26, 0.42, 0.6, 0.8] as const;

export function stylesOf(mode: ColourMode, palette: Palette): readonly FillStyle[] {
  switch (mode) {
    case "tier":
      return palette.positions.map(({ full, pale }) => ({ full, pale }));
    case "team":
    case "job":
      return categories(palette);
    case "share":
    case "fits":
      return ramp(palette, SHARE_STEPS);
    case "contention":
      return [
        ...ramp(palette, [0.12, 0.3, 0.6]),
        ...[0.4, 0.75].map((share) => {
          const full = mix(palette.signal, palette.bg, share);
          return { full, pale: mix(full, palette.bg, 0.35) };
        }),
      ];
  }
}

/** Step of demand over capacity; `undefined` = crosses no link that is shared. */
export function contentionStep(load: number | undefined): number {
  if (load === undefined) return 0;
  return load <= 0.5 ? 1 : load <= 1 ? 2 : load <= 1.5 ? 3 : 4;
}

/** Step of a share, 0 to 1; whole is the last, none the first. */
export function shareStep(share: number): number {
  if (share >= 1) return 4;
  return share <= 0 ? 0 : Math.min(3, 1 + Math.floor(share * 3));
}

/** The style of each job where it does not depend on the moment. O(jobs). */
export function stylesOfJobs(mode: ColourMode, stage: Stage): Uint8Array {
  const { tier, team } = stage.jobs.at;
  if (mode === "team") return Uint8Array.from(team, (value) => value % 8);
  // Numbers next to each other are most often submitted next to each other, and meet on one node.
  if (mode === "job") return Uint8Array.from(tier, (_, jobIdx) => (Math.imul(jobIdx, 5) >>> 0) % 8);
  return Uint8Array.from(tier, (value) => positionOfTier(value, stage.tiers.length));
}

/** `tiers`: those that have jobs. */
export function legendOf(
  mode: ColourMode,
  stage: Stage,
  tiers: readonly TierWithJobs[],
  palette: Palette,
): readonly LegendEntry[] {
  const styles = stylesOf(mode, palette);
  const steps = (labels: readonly string[], from = 0) =>
    labels.map((label, i) => ({ label, colour: styles[from + i]!.full }));
  switch (mode) {
    case "tier":
      return tiers.map(({ tier: { letter, name }, index }) => ({
        label: `${letter} ${name}`,
        colour: styles[positionOfTier(index, stage.tiers.length)]!.full,
      }));
    case "team":
      return stage.teams
        .slice(0, 8)
        .map(({ id, name }, i) => ({ label: name || id, colour: styles[i]!.full }));
    case "job":
      return [{ label: "one tint a job, as far as eight go", colour: styles[0]!.full }];
    case "share":
      return steps(["less than a third of a node", "less than two thirds", "not all", "all"], 1);
    case "contention":
      return steps(["crosses no shared link", "to half", "to full", "to 1.5 ×", "more asked"]);
    case "fits":
      return steps([
        "none free",
        "under a third of a node",
        "under two thirds",
        "not all",
        "all free",
      ]);
  }
}
