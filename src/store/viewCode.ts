/**
 * The view in a link: `w=1.c<cursor>.f<from>.t<to>.j<job>` (or `.n<node>`), times and indexes in base 36. It has a version of its
 * own; a view that cannot be read is ignored, because it must never block a good scenario.
 */
import { LIMITS } from "../model/limits.ts";
import type { TimeWindow } from "../timeline/viewport.ts";
import type { Selection } from "./state.ts";

export interface View {
  readonly cursorMs: number;
  readonly window: TimeWindow;
  readonly selection: Selection;
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
  if (view.selection?.kind === "job") parts.push(`j${code(view.selection.jobIdx)}`);
  if (view.selection?.kind === "node") parts.push(`n${code(view.selection.node)}`);
  return parts.join(".");
}

/** The view, or `null` when the text is not one. Total: never throws. */
export function decodeView(text: string): View | null {
  const [version, ...parts] = text.split(".");
  if (version !== VERSION) return null;
  const values = new Map<string, number>();
  for (const part of parts) {
    const value = decode(part.slice(1));
    if (value === null) return null;
    values.set(part.slice(0, 1), value);
  }
  const cursorMs = values.get("c");
  const fromMs = values.get("f");
  const toMs = values.get("t");
  if (cursorMs === undefined || fromMs === undefined || toMs === undefined || toMs <= fromMs)
    return null;
  const jobIdx = values.get("j");
  const node = values.get("n");
  return {
    cursorMs,
    window: { fromMs, toMs: Math.max(toMs, fromMs + SHORTEST_MS) },
    selection:
      jobIdx !== undefined
        ? { kind: "job", jobIdx }
        : node !== undefined
          ? { kind: "node", node }
          : null,
  };
}

const code = (value: number): string =>
  Math.min(LIMITS.horizonMs, Math.max(0, Math.round(value))).toString(36);

function decode(text: string): number | null {
  if (!/^[0-9a-z]{1,11}$/.test(text)) return null;
  const value = Number.parseInt(text, 36);
  return value <= LIMITS.horizonMs ? value : null;
}
