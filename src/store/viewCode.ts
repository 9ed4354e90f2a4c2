/**
 * The view in a link: `w=1.c<cursor>.f<from>.t<to>.j<job>` (or `.n<node>`, `.g<device>`, `.m<team>`, `.u<leaf>`; `.e<decision>` beside it or alone), times and indexes in base 36; then `.d<drawer>`, and `.l<leaf × 3 + level>` for
 * each leaf whose level of detail was chosen by hand, `.b<grouping of rows>`, `.v1` where futures are compared, `.r<from>.s<to>` for a marked stretch, and a `.x` for each bookmark (`bookmarks.ts`). It has a version of its own; parts of a later version are passed over, and a view that cannot be
 * read is ignored, because it must never block a good scenario.
 */
import { LIMITS } from "../model/limits.ts";
import type { TimeWindow } from "../timeline/viewport.ts";
import { decodeBookmark, encodeBookmark, withBookmarks } from "./bookmarks.ts";
import type { AppState, Bookmark, Selection } from "./state.ts";

export interface View {
  readonly cursorMs: number;
  readonly window: TimeWindow;
  readonly selection: Selection;
  /** Absent: no drawer, no level chosen by hand, nothing marked. */
  readonly panels?: Panels;
}

/** What is absent stands as it does at first. */
export type Panels = Pick<AppState, "drawer" | "leafLevels"> &
  Partial<Pick<AppState, "grouping" | "bookmarks" | "comparing">> & {
    readonly range?: TimeWindow;
  };

/** Their places are part of the form of links: only ever add. */
const DRAWERS = [
  "none",
  "queueTable",
  "ganttTable",
  "waiting",
  "decisions",
  "map",
  "curves",
  "hits",
] as const satisfies readonly AppState["drawer"][];
/** The same holds for these. */
const GROUPINGS = [
  "leaf",
  "node",
  "domain",
  "team",
  "tier",
  "job",
] as const satisfies readonly AppState["grouping"][];
const LEVELS = 3;
/** More chosen by hand would make the link long. */
const LEAVES_MOST = 32;

/** The panels of a view; undefined where they stand as they do at first. */
export function panelsOf(
  state: Pick<AppState, "drawer" | "leafLevels"> &
    Partial<Pick<AppState, "grouping" | "bookmarks" | "range" | "comparing">>,
): Panels | undefined {
  const { drawer, leafLevels, grouping = "leaf", bookmarks = [], range = null } = state;
  const more = {
    ...(state.comparing && { comparing: true }),
    ...(grouping !== "leaf" && { grouping }),
    ...(bookmarks.length > 0 && { bookmarks }),
    ...(range && { range }),
  };
  const plain =
    drawer === "none" && Object.keys(leafLevels).length === 0 && Object.keys(more).length === 0;
  return plain ? undefined : { drawer, leafLevels, ...more };
}

const VERSION = "1";
/** As near as zooming goes. */
const SHORTEST_MS = 1_000;

export function encodeView(view: View): string {
  const parts = [
    VERSION,
    `c${code(view.cursorMs)}`,
    `f${code(view.window.fromMs)}`,
    `t${code(view.window.toMs)}`,
  ];
  parts.push(...encodeSelection(view.selection));
  if (view.panels) parts.push(...encodePanels(view.panels));
  return parts.join(".");
}

function encodeSelection(selection: Selection): string[] {
  if (selection === null) return [];
  const parts: string[] = [];
  if (selection.kind === "job") parts.push(`j${code(selection.jobIdx)}`);
  if (selection.kind === "node") parts.push(`n${code(selection.node)}`);
  if (selection.kind === "gpu") parts.push(`g${code(selection.device)}`);
  if (selection.kind === "team") parts.push(`m${code(selection.team)}`);
  if (selection.kind === "leaf") parts.push(`u${code(selection.leaf)}`);
  if ("decision" in selection && selection.decision !== undefined)
    parts.push(`e${code(selection.decision)}`);
  return parts;
}

function decodeSelection(values: ReadonlyMap<string, number>): Selection {
  const number = values.get("e");
  const about = number === undefined ? {} : { decision: number };
  const jobIdx = values.get("j");
  if (jobIdx !== undefined) return { kind: "job", jobIdx, ...about };
  const node = values.get("n");
  if (node !== undefined) return { kind: "node", node, ...about };
  const device = values.get("g");
  if (device !== undefined) return { kind: "gpu", device, ...about };
  const team = values.get("m");
  if (team !== undefined) return { kind: "team", team };
  const leaf = values.get("u");
  if (leaf !== undefined) return { kind: "leaf", leaf };
  return number === undefined ? null : { kind: "decision", decision: number };
}

function encodePanels({
  drawer,
  leafLevels,
  grouping,
  range,
  bookmarks,
  comparing,
}: Panels): string[] {
  const parts = drawer === "none" ? [] : [`d${code(DRAWERS.indexOf(drawer))}`];
  for (const [leaf, level] of Object.entries(leafLevels).slice(0, LEAVES_MOST))
    parts.push(`l${code(Number(leaf) * LEVELS + level)}`);
  if (grouping) parts.push(`b${code(GROUPINGS.indexOf(grouping))}`);
  if (range) parts.push(`r${code(range.fromMs)}`, `s${code(range.toMs)}`);
  if (comparing) parts.push("v1");
  for (const bookmark of bookmarks ?? []) parts.push(`x${encodeBookmark(bookmark)}`);
  return parts;
}

/** The view, or `null` when the text is not one. Total: never throws. */
export function decodeView(text: string): View | null {
  const [version, ...parts] = text.split(".");
  if (version !== VERSION) return null;
  const values = new Map<string, number>();
  const leafLevels: Record<number, 0 | 1 | 2> = {};
  const bookmarks: Bookmark[] = [];
  for (const part of parts) {
    if (part.startsWith("x")) {
      const bookmark = decodeBookmark(part.slice(1));
      if (bookmark) bookmarks.push(bookmark);
      continue;
    }
    const value = decode(part.slice(1));
    if (value === null) return null;
    const key = part.slice(0, 1);
    if (key === "l" && value < LIMITS.nodes * LEVELS)
      leafLevels[Math.floor(value / LEVELS)] = (value % LEVELS) as 0 | 1 | 2;
    else values.set(key, value);
  }
  const cursorMs = values.get("c");
  const fromMs = values.get("f");
  const toMs = values.get("t");
  if (cursorMs === undefined || fromMs === undefined || toMs === undefined || toMs <= fromMs)
    return null;
  const rangeFromMs = values.get("r") ?? 0;
  const rangeToMs = values.get("s") ?? 0;
  const panels = panelsOf({
    drawer: DRAWERS[values.get("d") ?? 0] ?? "none",
    leafLevels,
    grouping: GROUPINGS[values.get("b") ?? 0] ?? "leaf",
    bookmarks: withBookmarks([], bookmarks),
    comparing: values.get("v") === 1,
    range: rangeToMs > rangeFromMs ? { fromMs: rangeFromMs, toMs: rangeToMs } : null,
  });
  return {
    cursorMs,
    window: { fromMs, toMs: Math.max(toMs, fromMs + SHORTEST_MS) },
    selection: decodeSelection(values),
    ...(panels && { panels }),
  };
}

const code = (value: number): string =>
  Math.min(LIMITS.horizonMs, Math.max(0, Math.round(value))).toString(36);

function decode(text: string): number | null {
  if (!/^[0-9a-z]{1,11}$/.test(text)) return null;
  const value = Number.parseInt(text, 36);
  return value <= LIMITS.horizonMs ? value : null;
}
