/**
 * The editors make a change at the cursor; opened on a change of the list they show its values, act at its time, and put what was edited in its place.
 * A change that has left the document meanwhile is not edited any more.
 */
import type { InterventionInput } from "../../../scenario/interventions.ts";
import { run } from "../../../store/commands.ts";
import { type ShellState, useShell } from "../../../store/shellState.ts";
import { useApp } from "../../../store/store.ts";
import { useCursorMs } from "../../../store/useRun.ts";

export type Editing = NonNullable<ShellState["editing"]>;

/** The change that is edited; null: the editor makes a new one. */
export function useEditing(): Editing | null {
  const editing = useShell((state) => state.editing);
  const stands = useApp((state) => isThere(state.scenario?.interventions, editing));
  return stands ? editing : null;
}

function isThere(list: readonly unknown[] | undefined, editing: Editing | null): boolean {
  return editing !== null && list?.[editing.index] === editing.change;
}

/** The time that an editor's change acts at: the cursor's, or its own. */
export function useActsAt(): number {
  const cursorMs = useCursorMs();
  return useEditing()?.atMs ?? cursorMs;
}

/** The same when the change is made: the cursor may have moved since the last picture. */
export function actsAtMs(): number {
  return Math.round(useShell.getState().editing?.atMs ?? useApp.getState().cursorMs);
}

/** Makes the change, in the place of the one that is edited, and closes the editor. */
export function applyChange(intervention: InterventionInput | object, label: string): void {
  const { editing } = useShell.getState();
  if (editing === null) run("intervene", { intervention, label });
  else {
    const { index, atMs, change } = editing;
    // A form that says nothing of the note leaves it.
    const note = change.note === undefined ? {} : { note: change.note };
    run("changeIntervention", { index, label, intervention: { ...note, ...intervention, atMs } });
  }
  run("openSide", { side: "inspector" });
}
