import { expect, test } from "vitest";
import { clearTyped, noteTyped, typedAhead } from "../../src/app/typeAhead.ts";

const press = (key: string, ctrlKey = false) => ({ key, ctrlKey, metaKey: false });

test("what is typed before the palette is there are its first words, and not those of the next one", () => {
  for (const key of ["d", "x", "Backspace", "a", "Shift", "r", "k"]) noteTyped(press(key));
  noteTyped(press("c", true));
  expect(typedAhead()).toBe("dark");
  expect(typedAhead()).toBe("dark");
  clearTyped();
  expect(typedAhead()).toBe("");
});
