/**
 * All keys and what they do, from the list of actions, to be searched and changed: a press on a row waits for the new keys. Then
 * what the pointer and the panels' own keys do, which no action names.
 */
import { useEffect, useState } from "react";
import { run } from "../../store/commands.ts";
import { closeDialog } from "../../store/shellState.ts";
import { Button } from "../../ui/Button.tsx";
import { Check } from "../../ui/Check.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import type { Action } from "../actions.ts";
import { allActions } from "../actions.ts";
import { giveAllBack, giveBack, giveKeys, switchSingles, useKeys } from "../keyBindings.ts";
import { chordOf } from "../keyMap.ts";

const GROUPS: readonly (readonly [Action["group"], string])[] = [
  ["play", "Time"],
  ["view", "View"],
  ["select", "Selection and search"],
  ["edit", "Changes"],
  ["file", "Files and links"],
  ["help", "Help"],
];

type Row = readonly [gesture: string, effect: string];

/** What no action names. */
const OTHERS: readonly { readonly title: string; readonly rows: readonly Row[] }[] = [
  {
    title: "On the Gantt",
    rows: [
      ["← → ↑ ↓", "From bar to bar"],
      ["Home, End", "Ends of the row"],
      ["Page Up, Page Down", "A screen up or down"],
      ["Enter", "Select the bar"],
      ["Menu, Shift + F10", "What can be done with it"],
    ],
  },
  {
    title: "Presenting",
    rows: [
      ["Page Down, →", "Next step"],
      ["Page Up, ←", "Step back"],
      ["B or .", "Blank screen"],
      ["L", "Spotlight"],
      ["Esc", "Leave"],
    ],
  },
  {
    title: "Pointer",
    rows: [
      ["Wheel", "Scroll the rows"],
      ["Ctrl + wheel", "Zoom time around the pointer"],
      ["Shift + wheel", "Move time"],
      ["Drag a bar", "Move time and rows"],
      ["Drag free ground", "Mark a stretch of time"],
      ["Shift + drag", "Mark a stretch of time from anywhere"],
      ["Click", "Select a bar, a waiting job or a node; on the axis: move the cursor there"],
      ["Right click", "What can be done with a bar or a node"],
    ],
  },
  {
    title: "Fingers",
    rows: [
      ["One finger", "Move time; scroll the rows"],
      ["Two fingers", "Zoom and move time"],
      ["Rest a finger", "What it rests on, then what can be done with it"],
    ],
  },
];

/** Its end cannot be moved elsewhere: Escape leaves everything, also the waiting for a key. */
const FIXED = new Set(["escape"]);

const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta"]);

function holds(text: string, words: readonly string[]): boolean {
  const low = text.toLowerCase();
  return words.every((word) => low.includes(word));
}

export function HelpSheet() {
  const choice = useKeys();
  const [text, setText] = useState("");
  const [waiting, setWaiting] = useState<string | null>(null);
  // The row that waited last takes the focus back.
  const [waited, setWaited] = useState<string | null>(null);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = allActions().filter(
    ({ keys, label, id }) =>
      (keys.length > 0 || words.length > 0 || choice.own[id]) &&
      holds([label, ...keys].join(" "), words),
  );
  const others = OTHERS.map(({ title, rows }) => ({
    title,
    rows: rows.filter((row) => holds(row.join(" "), words)),
  })).filter(({ rows }) => rows.length > 0);
  return (
    <Dialog
      title="Keys and pointer"
      description="Press a row to give it other keys. The past is inked, the future is pencilled; dots are promises."
      size="large"
      open
      onClose={closeDialog}
      actions={
        <>
          <Button label="About Queuescope" look="plain" onClick={() => run("openAbout")} />
          <Button
            label="All keys as they came"
            disabledReason={Object.keys(choice.own).length > 0 ? null : "no key was changed"}
            onClick={giveAllBack}
          />
        </>
      }
    >
      <div className="help-head">
        <input
          className="input"
          type="search"
          aria-label="Search keys"
          placeholder="Search: zoom, undo, table …"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Check
          label="Single letters, digits and symbols act"
          checked={choice.singles}
          onChange={switchSingles}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: with more keys than fit, the arrow keys scroll it. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a list of lists, no form. */}
      <div className="help-groups" role="group" aria-label="Keys and gestures" tabIndex={0}>
        {GROUPS.map(([group, title]) => (
          <KeyGroup
            key={group}
            title={title}
            actions={shown.filter((action) => action.group === group)}
            waiting={waiting}
            waited={waited}
            onWait={(id) => {
              setWaited(id ?? waiting);
              setWaiting(id);
            }}
          />
        ))}
        {others.map(({ title, rows }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {rows.map(([gesture, effect]) => (
                <div key={gesture}>
                  <dt>{gesture}</dt>
                  <dd>{effect}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        {shown.length + others.length === 0 && <p>No key has “{text}” in its name.</p>}
      </div>
    </Dialog>
  );
}

interface GroupProps {
  readonly title: string;
  readonly actions: readonly Action[];
  readonly waiting: string | null;
  readonly waited: string | null;
  readonly onWait: (id: string | null) => void;
}

function KeyGroup({ title, actions, waiting, waited, onWait }: GroupProps) {
  if (actions.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul className="help-keys">
        {actions.map((action) => (
          <li key={action.id}>
            {waiting === action.id ? (
              <Waiting action={action} onDone={() => onWait(null)} />
            ) : (
              <KeyRow
                action={action}
                focused={waited === action.id}
                onWait={() => onWait(action.id)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  readonly action: Action;
  /** Takes the focus when it comes. */
  readonly focused: boolean;
  readonly onWait: () => void;
}

function KeyRow({ action, focused, onWait }: RowProps) {
  const { id, keys, label } = action;
  const own = useKeys((state) => state.own[id] !== undefined);
  const words = keys.length > 0 ? keys.join(" or ") : "no key";
  if (FIXED.has(id))
    return (
      <div className="help-row">
        <Chords keys={keys} />
        {label}
      </div>
    );
  return (
    <>
      <button
        type="button"
        className="help-row"
        // biome-ignore lint/a11y/noAutofocus: it had the focus before it waited for a key.
        autoFocus={focused}
        aria-label={`${label}: ${words}. Change`}
        onClick={onWait}
      >
        <Chords keys={keys} />
        <span>{label}</span>
      </button>
      {own && (
        <Button label={`As it came: ${label}`} look="plain" onClick={() => giveBack(id)}>
          Reset
        </Button>
      )}
    </>
  );
}

function Chords({ keys }: { readonly keys: readonly string[] }) {
  return (
    <span className="help-chords">
      {keys.map((chord) => (
        <Kbd key={chord} keys={chord} />
      ))}
      {keys.length === 0 && "no key"}
    </span>
  );
}

/** Takes the next press for the action; keys that another action has need to be pressed twice. */
function Waiting({ action, onDone }: { readonly action: Action; readonly onDone: () => void }) {
  const [asked, setAsked] = useState<{ chord: string; other: Action } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const take = (event: KeyboardEvent): void => {
      if (event.key !== "Tab") {
        // Before the dialog and the page have it.
        event.preventDefault();
        event.stopImmediatePropagation();
        if (MODIFIERS.has(event.key)) return;
      }
      const chord = chordOf(event);
      const other = allActions().find(
        ({ id, keys }) => id !== action.id && keys.includes(chord ?? ""),
      );
      if (event.key === "Tab" || event.key === "Escape") onDone();
      else if (event.key === "Backspace" || event.key === "Delete") give([]);
      else if (chord === null || (other && FIXED.has(other.id)))
        setProblem("This key cannot be used. Press another.");
      else if (other && asked?.chord !== chord) setAsked({ chord, other });
      else give([chord]);
    };
    const give = (chords: readonly string[]): void => {
      giveKeys(action.id, chords);
      onDone();
    };
    addEventListener("keydown", take, { capture: true });
    return () => removeEventListener("keydown", take, { capture: true });
  }, [action.id, asked, onDone]);
  return (
    <div
      className="help-row help-waiting"
      role="status"
      tabIndex={-1}
      ref={(element) => element?.focus()}
    >
      {asked ? (
        <>
          <Kbd keys={asked.chord} /> is “{asked.other.label}”. Press it again to take it from there.
        </>
      ) : (
        (problem ?? `Press the new keys for “${action.label}”. Backspace: no key. Esc: as it is.`)
      )}
    </div>
  );
}
