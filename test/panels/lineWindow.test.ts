import fc from "fast-check";
import { expect, test } from "vitest";
import {
  countLines,
  fitted,
  heldOf,
  LINES,
  LINES_MOST,
  startOfLine,
  windowAround,
} from "../../src/panels/inspector/policy/slurm/lineWindow.ts";

const text = (lines: number) => Array.from({ length: lines }, (_, i) => `line ${i}`).join("\n");

test("what is held, with what stands before and behind it, is the text", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "\n", " ") }),
      fc.nat(20),
      fc.integer({ min: 1, max: 20 }),
      (given, from, count) => {
        const { before, held, behind } = heldOf(given, { from, count });
        expect(before + held + behind).toBe(given);
        expect(countLines(held)).toBeLessThanOrEqual(count);
      },
    ),
  );
});

test("few lines are held whole, many only around the line that is asked for", () => {
  expect(windowAround(LINES_MOST, 3)).toEqual({ from: 0, count: LINES_MOST });
  const window = windowAround(100_000, 50_000);
  expect(window).toEqual({ from: 50_000 - LINES / 2, count: LINES });
  const { held } = heldOf(text(100_000), window);
  expect(held.split("\n")[LINES / 2]).toBe("line 50000");
  expect(countLines(held)).toBe(LINES);
  expect(windowAround(100_000, 99_999).from).toBe(100_000 - LINES);
});

test("a window stays while its lines are typed, is cut when they become too many, and moves with the end of a text that became shorter", () => {
  const window = { from: 200, count: LINES + 40 };
  expect(fitted(window, 100_000)).toBe(window);
  expect(fitted({ from: 200, count: LINES_MOST + 1 }, 100_000).count).toBe(LINES);
  expect(fitted({ from: 99_000, count: LINES }, 2_000)).toEqual({ from: 1_500, count: LINES });
  expect(fitted(window, 12)).toEqual({ from: 0, count: 12 });
});

test("a line begins behind the break before it", () => {
  expect(startOfLine("a\nbc\nd", 0)).toBe(0);
  expect(startOfLine("a\nbc\nd", 2)).toBe(5);
  expect(startOfLine("a", 7)).toBe(1);
});
