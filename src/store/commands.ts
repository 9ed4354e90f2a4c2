/**
 * Every action of the user is one command. Menus, palette, key map, help sheet, buttons and tests read this registry, so an
 * action has one name, one key and one reason for being disabled. Panels call `run("…")`; `app/commands/` defines them.
 */

import type { ClockChoice } from "./shellState.ts";
import type { Grouping, PanelId, Selection } from "./state.ts";

export interface Command<Args = void> {
  readonly id: string;
  readonly label: string;
  /** Keys as shown to the user, e.g. `Space`, `Mod+Z`, `Shift+V`. Matching rules are in `app/keyMap.ts`. */
  readonly keys?: readonly string[];
  readonly group: "play" | "view" | "select" | "edit" | "file" | "help";
  /** `null` = enabled; else why it is not. */
  readonly disabled?: () => string | null;
  readonly run: (args: Args) => void | Promise<void>;
}

/** Commands that panels may call, with their arguments. */
export interface CommandArgs {
  togglePlay: void;
  pause: void;
  nextEvent: void;
  previousEvent: void;
  nextDecision: void;
  previousDecision: void;
  nextPass: void;
  previousPass: void;
  toStart: void;
  toEnd: void;
  seek: { readonly atMs: number };
  setSpeed: { readonly speed: number };
  setWindow: { readonly fromMs: number; readonly toMs: number };
  zoom: { readonly factor: number; readonly aroundMs?: number };
  pan: { readonly share: number };
  /** Makes the marked stretch shorter (factor > 1) or longer; the window where nothing is marked. */
  narrow: { readonly factor: number };
  /** Marks the time of the selected job, or unmarks it. */
  markSelection: void;
  fitAll: void;
  fitSelection: void;
  selectJob: { readonly jobIdx: number };
  selectNode: { readonly node: number };
  /** A device, by its global index. */
  selectGpu: { readonly device: number };
  selectLeaf: { readonly leaf: number };
  selectTeam: { readonly team: number };
  /** A decision of the log: what it is about is selected, and the cursor goes to its time. */
  selectDecision: { readonly selection: Selection; readonly atMs: number };
  /** Opens the list of bookmarks with a new one: at the cursor, or of the marked stretch. */
  addBookmark: { readonly range: boolean };
  openBookmarks: void;
  clearSelection: void;
  /** Adds an intervention at `atMs` (the cursor when absent) and redraws the future. */
  intervene: {
    readonly intervention: unknown;
    /** Done at the same time behind it, by one step of undo. */
    readonly also?: readonly unknown[];
    readonly atMs?: number;
    readonly label: string;
  };
  removeIntervention: { readonly index: number };
  /** Puts another change in the place of one; it acts at its own time. */
  changeIntervention: {
    readonly index: number;
    readonly intervention: unknown;
    readonly label: string;
  };
  moveIntervention: { readonly index: number; readonly atMs: number };
  /** Off, or on again. */
  switchIntervention: { readonly index: number };
  /** Opens the editor of a change, filled with its values. */
  editIntervention: { readonly index: number };
  /** Puts the lines that a change of Slurm's configuration touches on the clipboard. */
  copySlurmPatch: { readonly index: number };
  undo: void;
  redo: void;
  openSide: { readonly side: "inspector" | "policy" | "inject" | "drain" | "label" | "reserve" };
  toggleDrawer: {
    readonly drawer:
      | "queueTable"
      | "ganttTable"
      | "waiting"
      | "decisions"
      | "map"
      | "curves"
      | "hits";
  };
  /** The table of the panel in focus. */
  toggleTwin: void;
  /** What the rows of the Gantt are. */
  groupRows: { readonly by: Grouping };
  stepLeafLevel: { readonly leaf: number };
  stepAllLeafLevels: void;
  toggleGhost: void;
  /** Keeps the future that is shown, to compare others with it. */
  keepBranch: void;
  toggleCompare: void;
  compareWithBefore: void;
  /** `index`: place among the kept futures. */
  openBranch: { readonly index: number };
  forgetBranch: { readonly index: number };
  setTheme: { readonly theme: "system" | "light" | "dark" };
  setClock: { readonly choice: ClockChoice };
  openLibrary: void;
  openPalette: void;
  openHelp: void;
  /** What the preset Slurm models. */
  openSlurmPreset: void;
  /** Orchestrators side by side. */
  openOrchestrators: void;
  /** The rules of the scenario, in tables. */
  openRules: void;
  /** Title, question, seed, end and calendar of the scenario. */
  openCluster: void;
  openWorkload: void;
  openScenarioCard: void;
  openFile: void;
  /** Link, QR code, snippet, file. */
  openShare: void;
  /** Scenarios that were open on this device. */
  openRecent: void;
  /** Panels as pictures, jobs and series as data. */
  openExport: void;
  focusSearch: void;
  searchNext: void;
  searchPrevious: void;
  copyLink: void;
  saveScenario: void;
  cancelRun: void;
  resumeRun: void;
  newScenario: void;
  /** The list of what is kept on this device. */
  openFiles: void;
  /** Moves the keyboard focus into a panel. */
  focusPanel: { readonly panel: PanelId };
  /** Gives a panel the whole page, or takes it back. */
  fillPage: { readonly panel: PanelId };
  togglePresenter: void;
  /** Version, licences, what is stored here. */
  openAbout: void;
  /** Reloads into the version that is stored. */
  takeUpdate: void;
  /** Sizes, curves, rows and tables as they come. */
  resetLayout: void;
  /** Closes the top layer: drawer, editor, selection, in that order. */
  escape: void;
}
export type CommandId = keyof CommandArgs;

const registry = new Map<string, Command<never>>();
const refused = new Map<string, string>();

export function define<Id extends CommandId>(
  id: Id,
  command: Omit<Command<CommandArgs[Id]>, "id">,
): void {
  registry.set(id, { ...command, id } as unknown as Command<never>);
}

export function run<Id extends CommandId>(
  id: Id,
  ...args: CommandArgs[Id] extends undefined ? [] : [CommandArgs[Id]]
): void {
  const command = registry.get(id);
  if (!command || disabledReason(id) !== null) return;
  void (command.run as (value: unknown) => void)(args[0]);
}

export function disabledReason(id: CommandId): string | null {
  return refused.get(id) ?? registry.get(id)?.disabled?.() ?? null;
}

/** From now on these do nothing, whoever asks: where the page has no place for what they show. */
export function refuseCommands(ids: readonly CommandId[], reason: string): void {
  for (const id of ids) refused.set(id, reason);
}

export function commandOf(id: CommandId): Command<never> | undefined {
  return registry.get(id);
}
