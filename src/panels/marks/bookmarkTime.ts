/** When a bookmark is, in words, and the way there. */
import { clockText, durationText } from "../../base/format.ts";
import { setWindow } from "../../store/camera.ts";
import { run } from "../../store/commands.ts";
import type { Bookmark } from "../../store/state.ts";
import { useApp } from "../../store/store.ts";

export function bookmarkTime(
  { atMs, toMs }: Omit<Bookmark, "text">,
  calendar: string | undefined,
): string {
  const from = clockText(atMs, calendar);
  return toMs === undefined ? from : `${from}, ${durationText(toMs - atMs)}`;
}

/** The cursor goes to its time; a stretch is marked. Either is brought into sight. */
export function goToBookmark({ atMs, toMs }: Bookmark): void {
  run("seek", { atMs });
  if (toMs !== undefined) useApp.setState({ range: { fromMs: atMs, toMs } });
  const { window } = useApp.getState();
  const endMs = toMs ?? atMs;
  if (atMs >= window.fromMs && endMs <= window.toMs) return;
  const margin = Math.max(window.toMs - window.fromMs - (endMs - atMs), (endMs - atMs) / 4) / 2;
  setWindow({ fromMs: atMs - margin, toMs: endMs + margin });
}
