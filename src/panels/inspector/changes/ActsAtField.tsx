/** When an edited change acts: a time as the clock takes it. */
import { useState } from "react";
import { readClock } from "../../../store/clockEntry.ts";
import { clockEntryText } from "../../../store/clockEntryText.ts";
import { useShell } from "../../../store/shellState.ts";
import { useApp } from "../../../store/store.ts";
import { TextField } from "../../../ui/Field.tsx";
import type { Editing } from "./editing.ts";

export function ActsAtField({ editing }: { readonly editing: Editing }) {
  const calendar = useApp((state) => state.scenario?.calendarStart);
  const horizonMs = useApp((state) => state.scenario?.horizonMs);
  const [typed, setTyped] = useState<string | null>(null);
  const error = typed === null ? null : wrongTime(typed, editing.atMs, calendar, horizonMs);
  return (
    <TextField
      label="Acts at"
      value={typed ?? clockEntryText(editing.atMs, calendar)}
      error={error}
      hint={
        calendar === undefined
          ? "“Day 2 19:10”, or “+30m” from where it is."
          : "“19:10” of that day, “2026-03-14 19:10”, or “+30m” from where it is."
      }
      onChange={(text) => {
        setTyped(text);
        const atMs = readClock(text, editing.change.atMs, calendar);
        if (atMs !== null && wrongTime(text, editing.change.atMs, calendar, horizonMs) === null)
          useShell.setState({ editing: { ...editing, atMs } });
      }}
    />
  );
}

function wrongTime(
  text: string,
  nearMs: number,
  calendar: string | undefined,
  horizonMs: number | undefined,
): string | null {
  const atMs = readClock(text, nearMs, calendar);
  if (atMs === null) return "Not a time. Try “19:10” or “+2h”.";
  if (atMs < 0) return "That is before the run.";
  return horizonMs !== undefined && atMs > horizonMs ? "That is behind the end of the run." : null;
}
