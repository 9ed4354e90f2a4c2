/**
 * Which lines of a long text an editor holds. A text area lays out all of its lines at every key (35,000 lines: two seconds), so it holds some hundreds of them, and
 * the rest stands before and behind. A text of few lines is held whole. Lines count from 0; the end of one belongs to it. O(text) where lines are looked for.
 */
export interface LineWindow {
  readonly from: number;
  readonly count: number;
}

/** Held at most while they are typed; cut to `LINES` when they are more. */
export const LINES_MOST = 1_000;
export const LINES = 500;
/** Of a longer text fewer are never held: what was deleted is no window for what comes in its place. */
export const LINES_LEAST = 100;

export interface HeldText {
  readonly before: string;
  readonly held: string;
  readonly behind: string;
}

export function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** Offset of the first letter of a line; the length of the text beyond its last. */
export function startOfLine(text: string, line: number): number {
  let at = 0;
  for (let number = 0; number < line; number += 1) {
    const next = text.indexOf("\n", at);
    if (next < 0) return text.length;
    at = next + 1;
  }
  return at;
}

/** A window of a text of `lines` lines around one of them: all of few, the middle of many. */
export function windowAround(lines: number, line: number): LineWindow {
  if (lines <= LINES_MOST) return { from: 0, count: lines };
  const from = Math.max(0, Math.min(lines - LINES, line - LINES / 2));
  return { from, count: LINES };
}

/** The last window, as far as it still fits a text of `lines` lines. */
export function fitted(window: LineWindow, lines: number): LineWindow {
  if (lines <= LINES_MOST) return { from: 0, count: lines };
  const isFit = window.count >= LINES_LEAST && window.count <= LINES_MOST;
  if (!isFit || window.from + window.count > lines)
    return windowAround(lines, Math.min(window.from + LINES / 2, lines));
  return window;
}

/** The line break before what stands behind belongs to nobody: neither to the held text nor to the rest. */
export function heldOf(text: string, { from, count }: LineWindow): HeldText {
  const start = startOfLine(text, from);
  let end = start;
  for (let number = 0; number < count; number += 1) {
    const next = text.indexOf("\n", end);
    if (next < 0) return { before: text.slice(0, start), held: text.slice(start), behind: "" };
    end = next + 1;
  }
  return {
    before: text.slice(0, start),
    held: text.slice(start, end - 1),
    behind: text.slice(end - 1),
  };
}
