/**
 * The actions that keys, palette and help sheet offer: every command that needs no argument, and the useful variants of those
 * that do. One list, so that a key shown anywhere is a key that works.
 */

import { clockFor } from "../store/clockShown.ts";
import type { Command, CommandArgs, CommandId } from "../store/commands.ts";
import { commandOf, disabledReason, run } from "../store/commands.ts";
import { CLOCKS, type ClockChoice } from "../store/shellState.ts";
import type { Grouping, PanelId } from "../store/state.ts";
import { useApp } from "../store/store.ts";
import { withOwnKeys } from "./keyBindings.ts";

export interface Action {
  /** Unique: the command, with its variant. */
  readonly id: string;
  readonly label: string;
  readonly keys: readonly string[];
  readonly group: Command["group"];
  readonly disabled: () => string | null;
  readonly run: () => void;
}

const PLAIN: readonly CommandId[] = [
  "togglePlay",
  "nextEvent",
  "previousEvent",
  "nextDecision",
  "previousDecision",
  "nextPass",
  "previousPass",
  "toStart",
  "toEnd",
  "cancelRun",
  "resumeRun",
  "fitAll",
  "fitSelection",
  "stepAllLeafLevels",
  "markSelection",
  "openBookmarks",
  "toggleTwin",
  "toggleGhost",
  "togglePresenter",
  "keepBranch",
  "toggleCompare",
  "compareWithBefore",
  "focusSearch",
  "searchNext",
  "searchPrevious",
  "clearSelection",
  "escape",
  "undo",
  "redo",
  "openFile",
  "openFiles",
  "saveScenario",
  "copyLink",
  "openShare",
  "openExport",
  "openRecent",
  "newScenario",
  "openLibrary",
  "openPalette",
  "openHelp",
  "openAbout",
  "takeUpdate",
  "resetLayout",
  "openSlurmPreset",
  "openOrchestrators",
  "openRules",
  "openCluster",
  "openWorkload",
  "openScenarioCard",
];

/** With the keys that the user chose. Built anew at each call: panels may define their commands later than the shell. O(commands). */
export function allActions(): readonly Action[] {
  return withOwnKeys(deliveredActions());
}

/** With the keys that they come with. */
export function deliveredActions(): readonly Action[] {
  const plain = PLAIN.flatMap((id) => {
    const command = commandOf(id);
    if (!command) return [];
    const { label, keys = [], group } = command;
    const act = run as (id: CommandId) => void;
    return [{ id, label, keys, group, disabled: () => disabledReason(id), run: () => act(id) }];
  });
  return [...plain, ...variants()];
}

const PANELS: readonly (readonly [PanelId, string])[] = [
  ["gantt", "the Gantt"],
  ["queues", "the queues"],
  ["curves", "the curves"],
  ["inspector", "the inspector"],
  ["minimap", "the map of the whole run"],
  ["drawer", "the table"],
];

const GROUPINGS: readonly (readonly [Grouping, string])[] = [
  ["leaf", "leaf switch"],
  ["node", "node"],
  ["domain", "NVSwitch domain"],
  ["team", "team"],
  ["tier", "tier"],
  ["job", "job"],
];

function variants(): readonly Action[] {
  return [
    variant("zoom", "in", "Zoom in", ["W", "+"], "view", () => ({ factor: 1.5 })),
    variant("zoom", "out", "Zoom out", ["S", "-"], "view", () => ({ factor: 1 / 1.5 })),
    variant(
      "narrow",
      "in",
      "Narrow the marked stretch, or the window",
      ["[", "Alt+ArrowLeft"],
      "view",
      () => ({ factor: 1.1 }),
    ),
    variant(
      "narrow",
      "out",
      "Widen the marked stretch, or the window",
      ["]", "Alt+ArrowRight"],
      "view",
      () => ({ factor: 1 / 1.1 }),
    ),
    variant("pan", "left", "Move to earlier", ["A", "Shift+ArrowLeft"], "view", () => ({
      share: -0.25,
    })),
    variant("pan", "right", "Move to later", ["D", "Shift+ArrowRight"], "view", () => ({
      share: 0.25,
    })),
    variant(
      "stepLeafLevel",
      "",
      "Level of detail of the leaf under the pointer",
      ["V"],
      "view",
      () => ({ leaf: -1 }),
    ),
    variant("toggleDrawer", "queues", "Table of waiting jobs", ["Shift+Q"], "view", () => ({
      drawer: "queueTable",
    })),
    variant("toggleDrawer", "gantt", "Table of runs", ["Shift+T"], "view", () => ({
      drawer: "ganttTable",
    })),
    variant("toggleDrawer", "map", "Map of the cluster", ["N"], "view", () => ({ drawer: "map" })),
    variant("toggleDrawer", "hits", "Table of search hits", ["H"], "view", () => ({
      drawer: "hits",
    })),
    variant("toggleDrawer", "waiting", "Where waiting comes from", ["Q"], "view", () => ({
      drawer: "waiting",
    })),
    variant("toggleDrawer", "decisions", "Decision log", ["Y"], "view", () => ({
      drawer: "decisions",
    })),
    variant("toggleDrawer", "curves", "Table of curves", ["Shift+U"], "view", () => ({
      drawer: "curves",
    })),
    ...PANELS.map(([panel, words], index) =>
      variant("focusPanel", panel, `Go to ${words}`, [`${index + 1}`], "view", () => ({ panel })),
    ),
    ...PANELS.map(([panel, words], index) =>
      variant("fillPage", panel, `Whole page for ${words}`, [`Shift+${index + 1}`], "view", () => ({
        panel,
      })),
    ),
    variant("addBookmark", "time", "Bookmark at the cursor", ["M"], "view", () => ({
      range: false,
    })),
    variant("addBookmark", "range", "Bookmark of the marked stretch", ["Shift+M"], "view", () => ({
      range: true,
    })),
    ...GROUPINGS.map(([by, words]) =>
      variant("groupRows", by, `Rows by ${words}`, [], "view", () => ({ by })),
    ),
    ...CLOCKS.map((choice) => ({
      ...variant("setClock", choice, CLOCK_WORDS[choice], [], "view", () => ({ choice })),
      disabled: () => clockReason(choice),
    })),
    variant("setTheme", "system", "Theme of the system", [], "view", () => ({ theme: "system" })),
    variant("setTheme", "light", "Light theme", [], "view", () => ({ theme: "light" })),
    variant("setTheme", "dark", "Dark theme", [], "view", () => ({ theme: "dark" })),
    variant("openSide", "inject", "Inject a job", ["J"], "edit", () => ({ side: "inject" })),
    variant("openSide", "policy", "Change the policy", ["P"], "edit", () => ({ side: "policy" })),
    variant("openSide", "drain", "Drain a node", ["X"], "edit", () => ({ side: "drain" })),
    variant("openSide", "label", "Label nodes", [], "edit", () => ({ side: "label" })),
    variant("openSide", "reserve", "Create a reservation", [], "edit", () => ({
      side: "reserve",
    })),
  ];
}

const CLOCK_WORDS = {
  own: "Times by the scenario’s calendar",
  utc: "Times in UTC",
  reader: "Times in my zone",
  days: "Times as days from the start",
} as const;

function clockReason(choice: ClockChoice): string | null {
  const { scenario } = useApp.getState();
  if (clockFor(scenario, choice) === choice) return null;
  return scenario?.calendarStart === undefined
    ? "The scenario has no calendar"
    : "The scenario does not say which zone its clock is in";
}

function variant<Id extends CommandId>(
  id: Id,
  name: string,
  label: string,
  keys: readonly string[],
  group: Command["group"],
  args: () => CommandArgs[Id] | null,
): Action {
  return {
    id: name === "" ? id : `${id}.${name}`,
    label,
    keys,
    group,
    disabled: () => disabledReason(id),
    run: () => {
      const given = args();
      if (given !== null) (run as (id: CommandId, value: unknown) => void)(id, given);
    },
  };
}
