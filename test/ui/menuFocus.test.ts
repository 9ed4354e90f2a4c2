/** The focus after a menu at the pointer: given back, never taken from whoever has it. */
import { afterEach, expect, test } from "vitest";
import { focusAfterMenu } from "../../src/ui/menuFocus.ts";

afterEach(() => document.body.replaceChildren());

function button(role: string): HTMLButtonElement {
  const holder = document.createElement("div");
  holder.setAttribute("role", role);
  const made = document.createElement("button");
  holder.append(made);
  document.body.append(holder);
  return made;
}

test("a menu that closes gives the focus back to what it was opened from", () => {
  const opener = button("group");
  button("menu").focus();
  focusAfterMenu(opener);
  expect(document.activeElement).toBe(opener);
});

test("a dialog that has taken the focus keeps it", () => {
  const opener = button("group");
  const inside = button("dialog");
  inside.focus();
  focusAfterMenu(opener);
  expect(document.activeElement).toBe(inside);
});
