import { expect, test } from "vitest";
import { noteTyped, takeTyped } from "../../src/app/typeAhead.ts";

const press = (key: string, ctrlKey = false) => ({ key, ctrlKey, metaKey: false });

test("what is typed before the palette is there is its first words, once", () => {
  for (const key of ["d", "x", "Backspace", "a", "Shift", "r", "k"]) noteTyped(press(key));
  noteTyped(press("c", true));
  expect(takeTyped()).toBe("dark");
  expect(takeTyped()).toBe("");
});
