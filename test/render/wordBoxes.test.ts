import { expect, test } from "vitest";
import { firstFree, WordBoxes } from "../../src/render/wordBoxes.ts";

const box = (x0: number, y0: number, width = 40, height = 10) => ({
  x0,
  y0,
  x1: x0 + width,
  y1: y0 + height,
});

test("words take the first place that covers no others and lies in the plot", () => {
  const labels = new WordBoxes();
  labels.add(box(0, 0));
  const places = [box(-5, 50), box(20, 5), box(90, 0), box(20, 10)];
  expect(firstFree(places, [labels], 100, 100)).toEqual(box(20, 10));
});

test("words that only touch do not cover each other", () => {
  const labels = new WordBoxes();
  labels.add(box(0, 0));
  expect(labels.isFree(box(40, 0))).toBe(true);
  expect(labels.isFree(box(39, 9))).toBe(false);
});

test("without a free place nothing is written, and what was cleared is free again", () => {
  const labels = new WordBoxes();
  labels.add(box(0, 0));
  expect(firstFree([box(10, 0)], [labels], 100, 100)).toBeNull();
  labels.clear();
  expect(firstFree([box(10, 0)], [labels], 100, 100)).toEqual(box(10, 0));
});

test("a vertical line hears what it runs through, from top to bottom", () => {
  const labels = new WordBoxes();
  labels.add(box(10, 60));
  labels.add(box(0, 20));
  labels.add(box(60, 0));
  expect(labels.acrossX(20)).toEqual([box(0, 20), box(10, 60)]);
});

test("an outline runs through words on its edges, and not through those within it or beside it", () => {
  const labels = new WordBoxes();
  labels.add(box(-20, 10));
  labels.add(box(30, 10));
  labels.add(box(30, -5));
  labels.add(box(200, 10));
  expect(labels.crossedBy(box(0, 0, 100, 30))).toEqual([box(-20, 10), box(30, -5)]);
});
