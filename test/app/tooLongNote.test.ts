import { beforeEach, expect, test } from "vitest";
import { noteLength } from "../../src/app/tooLongNote.ts";
import { showBanner, useShell } from "../../src/store/shellState.ts";

const banner = () => useShell.getState().banner;

beforeEach(() => {
  noteLength(false);
  useShell.setState({ banner: null });
});

test("the note goes with the length: after Undo to a short document nothing is said any more", () => {
  noteLength(true);
  expect(banner()?.title).toContain("too long for a link");
  noteLength(false);
  expect(banner()).toBeNull();
});

test("a note that was dismissed stays away while the document stays too long", () => {
  noteLength(true);
  useShell.setState({ banner: null });
  noteLength(true);
  expect(banner()).toBeNull();
});

test("another message is left alone", () => {
  noteLength(true);
  showBanner("error", "This device does not keep your work.");
  noteLength(false);
  expect(banner()?.kind).toBe("error");
});
