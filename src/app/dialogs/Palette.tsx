/** The command palette: every action by name, with its key and, when it cannot be used, the reason; and the scenarios of the library by title, id, question and policy. */
import { useEffect, useId, useState } from "react";
import { LIBRARY } from "../../scenario/library/index.ts";
import { closeDialog } from "../../store/shellState.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import type { Action } from "../actions.ts";
import { allActions } from "../actions.ts";
import { openEntry } from "../openEntry.ts";
import { clearTyped, typedAhead } from "../typeAhead.ts";
import { type Findable, found, scenarioWords } from "./paletteSearch.ts";

interface Entry extends Action, Findable {
  /** Told beside its name. */
  readonly note?: string;
}

const SCENARIOS: readonly Entry[] = LIBRARY.map((entry) => ({
  id: `library.${entry.id}`,
  label: `Open “${entry.title}” from the library`,
  also: scenarioWords(entry),
  note: entry.question,
  keys: [],
  group: "file",
  disabled: () => null,
  run: () => void openEntry(entry.id),
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
  const shown = found<Entry>(
    [
      ...allActions().filter((action) => action.id !== "openPalette" && action.id !== "escape"),
      ...SCENARIOS,
    ],
    text,
  );
  const chosen = shown[Math.min(at, shown.length - 1)];
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
            setAt((now) => Math.min(shown.length - 1, Math.max(0, now + step)));
          } else if (event.key === "Enter") act(chosen);
        }}
      />
      <div className="palette-list" role="listbox" id={listId} aria-label="Commands">
        {shown.map((action) => (
          <PaletteRow
            key={action.id}
            id={`${listId}-${action.id}`}
            action={action}
            chosen={action === chosen}
            onChoose={() => act(action)}
          />
        ))}
        {shown.length === 0 && (
          <p className="palette-none">
            No command and no scenario of the library is found by “{text}”.
          </p>
        )}
      </div>
    </Dialog>
  );
}

interface RowProps {
  readonly id: string;
  readonly action: Entry;
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
      {action.note !== undefined && (
        <span className="palette-note" title={action.note}>
          {action.note}
        </span>
      )}
      {why !== null && <span className="palette-why">{why}</span>}
      {action.keys[0] && <Kbd keys={action.keys[0]} />}
    </div>
  );
}
