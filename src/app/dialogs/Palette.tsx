/** The command palette: every action by name, with its key and, when it cannot be used, the reason; and the scenarios of the library by their titles. */
import { useEffect, useId, useState } from "react";
import { LIBRARY } from "../../scenario/library/index.ts";
import { closeDialog } from "../../store/shellState.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import type { Action } from "../actions.ts";
import { allActions } from "../actions.ts";
import { openEntry } from "../openEntry.ts";
import { clearTyped, typedAhead } from "../typeAhead.ts";

/** Actions whose label holds every word, those that begin with the text first. */
function matchActions(actions: readonly Action[], text: string): readonly Action[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const first = words[0] ?? "";
  return actions
    .filter((action) => words.every((word) => action.label.toLowerCase().includes(word)))
    .map((action, order) => ({
      action,
      order,
      rank: action.label.toLowerCase().startsWith(first) ? 0 : 1,
    }))
    .sort((a, b) => a.rank - b.rank || a.order - b.order)
    .map(({ action }) => action);
}

const SCENARIOS: readonly Action[] = LIBRARY.map(({ id, title }) => ({
  id: `library.${id}`,
  label: `Open “${title}” from the library`,
  keys: [],
  group: "file",
  disabled: () => null,
  run: () => void openEntry(id),
}));

export function Palette() {
  const [text, setText] = useState(typedAhead);
  // Also what came between the first render and the focus; then it is the input's own.
  useEffect(() => {
    setText(typedAhead());
    return clearTyped;
  }, []);
  const [at, setAt] = useState(0);
  const listId = useId();
  const found = matchActions(
    [
      ...allActions().filter((action) => action.id !== "openPalette" && action.id !== "escape"),
      ...SCENARIOS,
    ],
    text,
  );
  const chosen = found[Math.min(at, found.length - 1)];
  const act = (action: Action | undefined): void => {
    if (!action || action.disabled() !== null) return;
    closeDialog();
    // After the dialog has given the focus back: the action may take it elsewhere.
    requestAnimationFrame(() => setTimeout(action.run, 0));
  };
  return (
    <Dialog title="Commands" bare open onClose={closeDialog}>
      <input
        className="input palette-input"
        role="combobox"
        aria-label="Command"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={chosen ? `${listId}-${chosen.id}` : undefined}
        placeholder="What do you want to do?"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
          if (step !== 0) {
            event.preventDefault();
            setAt((now) => Math.min(found.length - 1, Math.max(0, now + step)));
          } else if (event.key === "Enter") act(chosen);
        }}
      />
      <div className="palette-list" role="listbox" id={listId} aria-label="Commands">
        {found.map((action) => (
          <PaletteRow
            key={action.id}
            id={`${listId}-${action.id}`}
            action={action}
            chosen={action === chosen}
            onChoose={() => act(action)}
          />
        ))}
        {found.length === 0 && (
          <p className="palette-none">No command and no scenario has “{text}” in its name.</p>
        )}
      </div>
    </Dialog>
  );
}

interface RowProps {
  readonly id: string;
  readonly action: Action;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

function PaletteRow({ id, action, chosen, onChoose }: RowProps) {
  const why = action.disabled();
  return (
    <div
      id={id}
      className="palette-row"
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      aria-disabled={why !== null}
      ref={(element) => {
        if (chosen) element?.scrollIntoView({ block: "nearest" });
      }}
      onClick={onChoose}
      onKeyDown={(event) => event.key === "Enter" && onChoose()}
    >
      <span>{action.label}</span>
      {why !== null && <span className="palette-why">{why}</span>}
      {action.keys[0] && <Kbd keys={action.keys[0]} />}
    </div>
  );
}
