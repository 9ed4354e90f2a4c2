/**
 * `?embed=gantt` or `?embed=gantt,curves`: panels without anything around them. Nothing that opens beside or over them is there, so the commands that would
 * open it are refused: a key must not change, unseen, what the link and the next visit show.
 */
import { type CommandId, refuseCommands } from "../store/commands.ts";

export const EMBEDS = ["gantt", "topology", "map", "queues", "curves"] as const;
export type Embed = (typeof EMBEDS)[number];

/** The panels that the address asks for, in its order; none for the whole page. */
export function embeddedPanels(search: string): readonly Embed[] {
  const asked = new URLSearchParams(search).get("embed")?.split(",") ?? [];
  return asked.filter((name): name is Embed => EMBEDS.some((one) => one === name));
}

const AROUND: readonly CommandId[] = [
  "toggleDrawer",
  "toggleTwin",
  "openSide",
  "editIntervention",
  "focusPanel",
  "fillPage",
  "togglePresenter",
  "keepBranch",
  "toggleCompare",
  "compareWithBefore",
  "focusSearch",
  "addBookmark",
  "openBookmarks",
  "openLibrary",
  "openPalette",
  "openHelp",
  "openAbout",
  "openSlurmPreset",
  "openOrchestrators",
  "openRules",
  "openCluster",
  "openWorkload",
  "openScenarioCard",
  "openFile",
  "openFiles",
  "openShare",
  "openRecent",
  "openExport",
  "newScenario",
  "resetLayout",
  "takeUpdate",
];

/** Refuses what has no place here. */
export function keepToPanels(): void {
  refuseCommands(AROUND, "Open the whole page for this");
}
