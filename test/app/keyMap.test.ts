// @vitest-environment jsdom
import { beforeAll, expect, test } from "vitest";
import type { Action } from "../../src/app/actions.ts";
import type { Press } from "../../src/app/keyMap.ts";
import { actionOf, chordOf, pressMatches } from "../../src/app/keyMap.ts";

function press(key: string, code: string, mods = ""): Press {
  return {
    key,
    code,
    ctrlKey: mods.includes("c"),
    metaKey: mods.includes("m"),
    altKey: mods.includes("a"),
    shiftKey: mods.includes("s"),
  };
}

test("W A S D are places on the keyboard: on AZERTY the same keys zoom and pan", () => {
  expect(pressMatches(press("z", "KeyW"), "W")).toBe(true);
  expect(pressMatches(press("w", "KeyZ"), "W")).toBe(false);
  expect(pressMatches(press("q", "KeyA"), "A")).toBe(true);
});

test("symbols are what is printed, however they are typed", () => {
  expect(pressMatches(press("?", "Slash", "s"), "?")).toBe(true);
  expect(pressMatches(press("?", "Minus", "s"), "?"), "German").toBe(true);
  expect(pressMatches(press("+", "Equal", "s"), "+")).toBe(true);
  expect(pressMatches(press("/", "Digit7", "s"), "/"), "German").toBe(true);
});

test("a chord needs exactly its modifiers", () => {
  expect(pressMatches(press("z", "KeyZ", "c"), "Mod+Z")).toBe(true);
  expect(pressMatches(press("z", "KeyZ", "m"), "Mod+Z"), "Cmd on a Mac").toBe(true);
  expect(pressMatches(press("Z", "KeyZ", "cs"), "Mod+Z")).toBe(false);
  expect(pressMatches(press("Z", "KeyZ", "cs"), "Mod+Shift+Z")).toBe(true);
  expect(pressMatches(press("s", "KeyS", "c"), "S")).toBe(false);
  expect(pressMatches(press("V", "KeyV", "s"), "V")).toBe(false);
  expect(pressMatches(press(">", "Period", "s"), "Shift+.")).toBe(true);
  expect(pressMatches(press(".", "Period"), "Shift+.")).toBe(false);
  expect(pressMatches(press("ArrowLeft", "ArrowLeft", "s"), "Shift+ArrowLeft")).toBe(true);
});

const doNothing = (): void => undefined;
const act = (id: string, ...keys: string[]): Action => ({
  id,
  label: id,
  keys,
  group: "play",
  disabled: () => null,
  run: doNothing,
});
const actions = [
  act("play", "Space"),
  act("out", "S"),
  act("save", "Mod+S"),
  act("undo", "Mod+Z"),
  act("help", "?"),
];

test("while typing, single keys and the field's own chords are left alone; saving still works", () => {
  expect(actionOf(press("s", "KeyS"), "text", actions)).toBeNull();
  expect(actionOf(press("?", "Slash", "s"), "text", actions)).toBeNull();
  expect(actionOf(press("z", "KeyZ", "c"), "text", actions)).toBeNull();
  expect(actionOf(press("s", "KeyS", "c"), "text", actions)?.id).toBe("save");
});

test("Space on a button presses the button and does not play", () => {
  expect(actionOf(press(" ", "Space"), "button", actions)).toBeNull();
  expect(actionOf(press(" ", "Space"), "none", actions)?.id).toBe("play");
  expect(actionOf(press("s", "KeyS"), "button", actions)?.id).toBe("out");
});

test("a dialog or a menu keeps every key", () => {
  expect(actionOf(press("s", "KeyS", "c"), "layer", actions)).toBeNull();
});

let all: readonly Action[] = [];
beforeAll(async () => {
  const { definePlayCommands } = await import("../../src/app/commands/play.ts");
  const { defineViewCommands } = await import("../../src/app/commands/view.ts");
  const { defineEditCommands } = await import("../../src/app/commands/edit.ts");
  definePlayCommands();
  defineViewCommands();
  defineEditCommands();
  all = (await import("../../src/app/actions.ts")).allActions();
});

test("no key has two meanings", () => {
  const seen = new Map<string, string>();
  for (const action of all) {
    for (const key of action.keys) {
      expect(seen.get(key), `${key}: ${action.label}`).toBeUndefined();
      seen.set(key, action.label);
    }
  }
  expect(seen.size).toBeGreaterThan(20);
});

test("every key of the design has an action", () => {
  const keys = new Set(all.flatMap((action) => action.keys));
  for (const key of [
    "W",
    "S",
    "A",
    "D",
    "+",
    "-",
    "0",
    "F",
    "Space",
    ".",
    ",",
    "Shift+.",
    "Shift+,",
    "J",
    "P",
    "X",
    "T",
    "V",
    "G",
    "R",
    "[",
    "]",
    "Alt+ArrowLeft",
    "Alt+ArrowRight",
    "1",
    "6",
    "Shift+1",
    "Shift+6",
    "Mod+Z",
    "Mod+Shift+Z",
  ]) {
    expect(keys, key).toContain(key);
  }
});

test("what is pressed is written as a chord that it matches again", () => {
  for (const [one, chord] of [
    [press("k", "KeyK"), "K"],
    [press("z", "KeyW"), "W"],
    [press("Z", "KeyZ", "cs"), "Mod+Shift+Z"],
    [press("s", "KeyS", "m"), "Mod+S"],
    [press("?", "Slash", "s"), "?"],
    [press("!", "Digit1", "s"), "Shift+1"],
    [press("1", "Digit1"), "1"],
    [press(" ", "Space"), "Space"],
    [press("ArrowLeft", "ArrowLeft", "a"), "Alt+ArrowLeft"],
    [press("F2", "F2"), "F2"],
    [press("ö", "Semicolon"), "ö"],
  ] as const) {
    expect(chordOf(one)).toBe(chord);
    expect(pressMatches(one, chord), chord).toBe(true);
  }
  expect(chordOf(press("Shift", "ShiftLeft", "s"))).toBeNull();
  expect(chordOf(press("Escape", "Escape"))).toBeNull();
  expect(chordOf(press("w", "KeyZ")), "the letter of another place").toBeNull();
});

test("with single keys off only chords with Ctrl, Cmd or Alt and keys that write nothing act", () => {
  expect(actionOf(press("s", "KeyS"), "none", actions, false)).toBeNull();
  expect(actionOf(press("?", "Slash", "s"), "none", actions, false)).toBeNull();
  expect(actionOf(press("s", "KeyS", "c"), "none", actions, false)?.id).toBe("save");
  expect(actionOf(press(" ", "Space"), "none", actions, false)?.id).toBe("play");
});
