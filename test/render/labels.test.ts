import { expect, test } from "vitest";
import { fitLabel, middleCut } from "../../src/render/labels.ts";

const label = { letter: "N", id: "271", name: "diffusion-xl-large", devices: 128 };
const labelIn = (room: number) => fitLabel(label, room, (text) => text.length);

test("a label loses its name first, then the count, then the letter, then itself", () => {
  expect(labelIn(40)).toBe("N 271 diffusion-xl-large · 128");
  expect(labelIn(12)).toBe("N 271 · 128");
  expect(labelIn(10)).toBe("N 271");
  expect(labelIn(4)).toBe("271");
  expect(labelIn(2)).toBe("");
});

test("before a name goes it is shortened in its middle, so that both ends tell it from others", () => {
  const text = labelIn(24);
  expect(text).toMatch(/^N 271 diff.*…e?arge · 128$|^N 271 .+….+ · 128$/);
  expect(text.length).toBeLessThanOrEqual(24);
  expect(middleCut("abcdefghij", 5)).toBe("ab…ij");
});

test("no label is ever wider than its room", () => {
  for (let room = 0; room < 40; room++) expect(labelIn(room).length).toBeLessThanOrEqual(room);
});

test("an id of 36 letters is shortened in its middle too, and keeps the count as long as it can", () => {
  const long = { letter: "N", id: "68ec8647-e5a8-4f5f-013a-939a1b8c7d21", name: "", devices: 8 };
  const within = (room: number) => fitLabel(long, room, (text) => text.length);
  expect(within(42)).toBe("N 68ec8647-e5a8-4f5f-013a-939a1b8c7d21 · 8");
  expect(within(30)).toBe("N 68ec8647…1b8c7d21 · 8");
  expect(within(16)).toBe("N 68ec…7d21 · 8");
  expect(within(10)).toBe("N 68e…d21");
  expect(within(5)).toBe("");
});
