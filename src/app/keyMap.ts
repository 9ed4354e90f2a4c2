/**
 * From key presses to actions. W A S D are places on the keyboard (`event.code`), symbols are what they print (`event.key`).
 * A single key never acts while the focused element has a use for it: text fields keep all of them, buttons keep Space and
 * Enter, and a dialog or menu keeps everything.
 */

import { closeDialog, useShell } from "../store/shellState.ts";
import type { Action } from "./actions.ts";
import { allActions } from "./actions.ts";
import { useKeys } from "./keyBindings.ts";
import { clearTyped, noteTyped } from "./typeAhead.ts";

export interface Press {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const PLACES: Readonly<Record<string, string>> = {
  W: "KeyW",
  A: "KeyA",
  S: "KeyS",
  D: "KeyD",
  ".": "Period",
  ",": "Comma",
};
const NAMES: Readonly<Record<string, string>> = { Space: " ", Esc: "Escape" };

/** Whether a press is the chord written as `Mod+Shift+Z`, `W`, `?`, `Shift+.`. */
export function pressMatches(press: Press, chord: string): boolean {
  const parts = chord.endsWith("++")
    ? [...chord.slice(0, -2).split("+"), "+"]
    : chord === "+"
      ? ["+"]
      : chord.split("+");
  const key = parts.at(-1) ?? "";
  const held = new Set(parts.slice(0, -1));
  if (held.has("Mod") !== (press.ctrlKey || press.metaKey)) return false;
  if (held.has("Alt") !== press.altKey) return false;
  const isLetter = /^[A-Z]$/.test(key);
  const isPlace = PLACES[key] !== undefined && !held.has("Mod");
  const isNamed = key.length > 1;
  if (isLetter || isPlace || isNamed) {
    if (held.has("Shift") !== press.shiftKey) return false;
    if (isPlace) return press.code === PLACES[key];
    return press.key.toUpperCase() === (NAMES[key] ?? key).toUpperCase();
  }
  // A digit is a place (the row of digits is shifted on some keyboards); other symbols say themselves how they are typed.
  if (/^\d$/.test(key)) return press.shiftKey === held.has("Shift") && press.code === `Digit${key}`;
  return press.key === key;
}

/** How a press is written as a chord, so that it matches again; `null` for modifiers alone and what no chord can name. */
export function chordOf(press: Press): string | null {
  if (["Shift", "Control", "Alt", "Meta", "Dead", "Tab", "Escape"].includes(press.key)) return null;
  const mods = [
    ...(press.ctrlKey || press.metaKey ? ["Mod"] : []),
    ...(press.altKey ? ["Alt"] : []),
  ];
  const place = Object.entries(PLACES).find(([, code]) => code === press.code)?.[0];
  const name = Object.entries(NAMES).find(([, key]) => key === press.key)?.[0];
  const digit = /^Digit(\d)$/.exec(press.code)?.[1];
  const letter = /^[a-z]$/i.test(press.key) ? press.key.toUpperCase() : press.key;
  const names = [place, digit, name, letter].filter(
    (one): one is string => one !== undefined && one !== " ",
  );
  for (const key of names) {
    for (const shift of [[], ["Shift"]]) {
      const chord = [...mods, ...shift, key].join("+");
      if (pressMatches(press, chord)) return chord;
    }
  }
  return null;
}

/** The action of a press, or `null`. `focus` is what the focused element is. */
export function actionOf(
  press: Press,
  focus: Focus,
  actions: readonly Action[] = allActions(),
  singles = useKeys.getState().singles,
): Action | null {
  if (focus === "layer") return null;
  const single = !press.ctrlKey && !press.metaKey && !press.altKey;
  if (!singles && single && isCharacter(press)) return null;
  if (focus === "text" && (single || isEditingChord(press))) return null;
  if (focus === "button" && single && (press.key === " " || press.key === "Enter")) return null;
  return actions.find((action) => action.keys.some((chord) => pressMatches(press, chord))) ?? null;
}

/** A letter, digit or symbol, which a voice or a slip of the hand may type (WCAG 2.1.4). */
function isCharacter({ key }: Press): boolean {
  return key !== " " && [...key].length === 1;
}

/** What a text field does itself with Ctrl or Cmd. */
function isEditingChord(press: Press): boolean {
  return ["z", "y", "a", "c", "v", "x"].includes(press.key.toLowerCase());
}

export type Focus = "none" | "text" | "button" | "layer";

function focusOf(element: Element | null): Focus {
  if (!element) return "none";
  if (element.closest('[role="dialog"], [role="menu"], [role="alertdialog"]')) return "layer";
  if (
    element.closest(
      'input:not([type="checkbox"], [type="radio"], [type="range"]), textarea, select, [contenteditable]',
    )
  )
    return "text";
  return element.closest('button, a[href], summary, input, [role="button"]') ? "button" : "none";
}

/** Listens on the page; returns the way to stop. */
export function listenToKeys(): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const focus = focusOf(document.activeElement);
    const { dialog } = useShell.getState();
    if (dialog.kind !== "none" && focus !== "layer") {
      // A dialog is on its way: the sheet behind it takes no keys any more.
      if (event.key === "Escape") {
        clearTyped();
        closeDialog();
      } else if (dialog.kind === "palette") noteTyped(event);
      return;
    }
    const action = actionOf(event, focus);
    if (!action || action.disabled() !== null) return;
    event.preventDefault();
    action.run();
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}
