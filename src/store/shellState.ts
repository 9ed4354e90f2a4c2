/** What the shell itself shows: dialogs, the banner over the sheet, what can be undone. None of it is in the link. */
import { create } from "zustand";
import { subscribeWithSelector } from "zustand/middleware";
import type { Problem } from "../base/problem.ts";
import type { SlurmOutcome, TraceOutcome } from "../protocol/messages.ts";
import type { Intervention } from "../scenario/schema.ts";
import type { Bookmark, PanelId } from "./state.ts";

export type ReadTrace = Extract<TraceOutcome, { kind: "read" }>;

export type ReadSlurm = Extract<SlurmOutcome, { kind: "read" }>;

export type ShellDialog =
  | { readonly kind: "none" | "library" | "palette" | "help" | "files" | "slurmPreset" | "rules" }
  | { readonly kind: "familyPreset"; readonly preset: string }
  | { readonly kind: "cluster" | "workload" | "orchestrators" }
  | { readonly kind: "share" | "recent" | "export" | "scenario" | "about" }
  /** `fresh`: when the new bookmark is to be. */
  | { readonly kind: "bookmarks"; readonly fresh: Omit<Bookmark, "text"> | null }
  | { readonly kind: "trace"; readonly trace: ReadTrace }
  | {
      readonly kind: "slurmFiles";
      readonly read: ReadSlurm;
      /** Called once one of the scenarios is open: files that were dropped with these have their turn. */
      readonly then: () => void;
    };

export const CLOCKS = ["own", "utc", "reader", "days"] as const;
export type ClockChoice = (typeof CLOCKS)[number];

export interface Banner {
  readonly kind: "note" | "error";
  readonly title: string;
  readonly detail: string;
  readonly problems?: readonly Problem[];
  /** It tells of something that was to open: it goes once something does. */
  readonly ofOpening?: boolean;
}

export interface ShellState {
  readonly dialog: ShellDialog;
  readonly banner: Banner | null;
  /** Label of the step that Undo takes back, Redo brings back; `null` = nothing. */
  readonly undoLabel: string | null;
  readonly redoLabel: string | null;
  /** A file is being read: its name. */
  readonly reading: string | null;
  /** Below 900 px the inspector is a sheet at the bottom: open or folded. */
  readonly bottomOpen: boolean;
  /** The change whose editor is open, and the time that it will act at. It holds as long as the change is in the document. */
  readonly editing: {
    readonly index: number;
    readonly change: Intervention;
    readonly atMs: number;
  } | null;
  /** The panel that has the whole page; Escape gives the others their places back. */
  readonly full: PanelId | null;
  /** The map of the cluster is shown as its table. */
  readonly mapTable: boolean;
  /** Large type and no chrome, for a projector. */
  readonly presenting: boolean;
  /** The presenter's light: all rows but those of one leaf are dark. */
  readonly spotlight: boolean;
  /** Number of the change that the former future is told from; 0: the last step was of another kind. */
  readonly ghostOf: number;
  /** By which clock times are shown, where the scenario lets it be true. Kept on the device. */
  readonly clock: ClockChoice;
  /** What opens first is on its way: nobody is told that nothing is open. */
  readonly opening: boolean;
  /** A newer version of the page is stored and waits for a reload. */
  readonly updateReady: boolean;
}

export const useShell = create<ShellState>()(
  subscribeWithSelector(
    (): ShellState => ({
      dialog: { kind: "none" },
      banner: null,
      undoLabel: null,
      redoLabel: null,
      reading: null,
      bottomOpen: false,
      editing: null,
      full: null,
      mapTable: false,
      presenting: false,
      spotlight: false,
      ghostOf: 0,
      clock: "own",
      opening: false,
      updateReady: false,
    }),
  ),
);

export function showDialog(dialog: ShellDialog): void {
  useShell.setState({ dialog });
}

export function closeDialog(): void {
  useShell.setState({ dialog: { kind: "none" } });
}

/** What was to open did not: the message goes once something else does. */
export function showUnopened(title: string, detail: string): void {
  useShell.setState({ banner: { kind: "error", title, detail, ofOpening: true } });
}

export function showBanner(kind: Banner["kind"], title: string, detail = ""): void {
  useShell.setState({ banner: { kind, title, detail } });
}

/** What came from outside cannot be used: its problems, while the run and whatever the page asks for stay as they are. */
export function showProblems(title: string, problems: readonly Problem[]): void {
  useShell.setState({ banner: { kind: "error", title, detail: "", problems, ofOpening: true } });
}
