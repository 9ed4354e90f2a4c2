/**
 * What the user looks at: small serialisable facts, never the record. Each key has a home: in the link (a discrete step pushes
 * history, see `viewSteps.ts`), in the link by replacement (camera, cursor), on the device, or nowhere.
 */
import type { Problem } from "../base/problem.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { TimeWindow } from "../timeline/viewport.ts";

/**
 * What is asked about. A decision is named by its number in the log, beside what it is about: whoever shows the job or the node need not know of it.
 */
export type Selection =
  | { readonly kind: "job"; readonly jobIdx: number; readonly decision?: number }
  | { readonly kind: "node"; readonly node: number; readonly decision?: number }
  /** A device, by its global index. */
  | { readonly kind: "gpu"; readonly device: number; readonly decision?: number }
  | { readonly kind: "team"; readonly team: number }
  /** A leaf switch, with the links that join it to its spine. */
  | { readonly kind: "leaf"; readonly leaf: number }
  /** About no job, node or device: a pass, a round. */
  | { readonly kind: "decision"; readonly decision: number }
  | null;

export type Grouping = "leaf" | "node" | "domain" | "team" | "tier" | "job";

/** A time with a text; a stretch where it has an end. */
export interface Bookmark {
  readonly atMs: number;
  readonly toMs?: number;
  /** Text of a reader, perhaps of a stranger's link: only ever text. */
  readonly text: string;
}

export type RunStatus =
  | { readonly phase: "empty" }
  | { readonly phase: "computing" | "done" | "cancelled" }
  | { readonly phase: "failed"; readonly message: string }
  | { readonly phase: "problems"; readonly problems: readonly Problem[] }
  | {
      readonly phase: "traceNeeded";
      readonly name: string;
      readonly sha256: string;
      readonly bytes: number;
    };

export type ThemeChoice = "system" | "light" | "dark";
export type PanelId = "gantt" | "queues" | "curves" | "inspector" | "minimap" | "drawer";

export interface AppState {
  readonly scenario: Scenario | null;
  /** Id of the library scenario this one started from; its link is written as a difference. */
  readonly baseId: string | null;
  /** The cursor: the moment that gutter, queues and inspector speak of. Integer ms. */
  readonly cursorMs: number;
  readonly playing: boolean;
  /** Simulated ms a wall-clock second; 0 = "whole run in 20 s". */
  readonly speed: number;
  readonly window: TimeWindow;
  /** The stretch of time that is marked, to be measured, zoomed into or compared. */
  readonly range: TimeWindow | null;
  /** Times and stretches with a text, in order of time (`bookmarks.ts`). */
  readonly bookmarks: readonly Bookmark[];
  readonly selection: Selection;
  readonly hover: Selection;
  readonly runStatus: RunStatus;
  /** What is open as a drawer over lanes and curves. */
  readonly drawer:
    | "none"
    | "queueTable"
    | "ganttTable"
    | "waiting"
    | "decisions"
    | "map"
    | "curves"
    | "hits";
  /** What fills the inspector column. */
  readonly side: "inspector" | "policy" | "inject" | "drain" | "label" | "reserve" | "change";
  /** Level of detail of each leaf chosen by hand, by leaf index: 0 far, 1 middle, 2 near. */
  readonly leafLevels: Readonly<Record<number, 0 | 1 | 2>>;
  /** What the rows of the Gantt are, and fold by: hardware, or lanes of jobs. */
  readonly grouping: Grouping;
  readonly ghostShown: boolean;
  /** Several futures stand side by side in the place of the sheet. */
  readonly comparing: boolean;
  readonly theme: ThemeChoice;
  readonly search: string;
  /** One line for the live region and the toast. */
  readonly notice: {
    readonly text: string;
    readonly undo: boolean;
    readonly serial: number;
  } | null;
}

export type Home = "link" | "link-replace" | "device" | "nowhere";

export const home = {
  scenario: "link",
  baseId: "link",
  cursorMs: "link-replace",
  playing: "nowhere",
  speed: "device",
  window: "link-replace",
  range: "link-replace",
  bookmarks: "link-replace",
  selection: "link",
  hover: "nowhere",
  runStatus: "nowhere",
  drawer: "link",
  side: "nowhere",
  leafLevels: "link-replace",
  grouping: "link-replace",
  ghostShown: "nowhere",
  comparing: "link",
  theme: "device",
  search: "nowhere",
  notice: "nowhere",
} as const satisfies Record<keyof AppState, Home>;
