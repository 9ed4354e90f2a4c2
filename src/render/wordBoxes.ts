/**
 * Where words stand on a plot, so that no words are laid over others: what is written first keeps its place, what comes later looks for a free one.
 * In CSS pixels. A question costs O(words that are there), of which a screen holds a few hundred.
 */
import type { Box } from "./marks.ts";

export class WordBoxes {
  readonly #boxes: Box[] = [];

  clear(): void {
    this.#boxes.length = 0;
  }

  add(box: Box): void {
    this.#boxes.push(box);
  }

  isFree(box: Box): boolean {
    return !this.#boxes.some((other) => meet(other, box));
  }

  /** Words that the outline of a box would run through. */
  crossedBy(outline: Box): readonly Box[] {
    const inside = (box: Box) =>
      box.x0 > outline.x0 && box.x1 < outline.x1 && box.y0 > outline.y0 && box.y1 < outline.y1;
    return this.#boxes.filter((box) => meet(box, outline) && !inside(box));
  }

  /** What the vertical line at x runs through, from top to bottom. */
  acrossX(x: number): readonly Box[] {
    return this.#boxes
      .filter((box) => box.x0 < x && x < box.x1)
      .sort((a, b) => a.y0 - b.y0 || a.y1 - b.y1);
  }
}

/** The first of the places that is free in all of these and inside the plot. */
export function firstFree(
  places: Iterable<Box>,
  taken: readonly WordBoxes[],
  widthCss: number,
  heightCss: number,
): Box | null {
  for (const box of places)
    if (
      box.x0 >= 0 &&
      box.y0 >= 0 &&
      box.x1 <= widthCss &&
      box.y1 <= heightCss &&
      taken.every((words) => words.isFree(box))
    )
      return box;
  return null;
}

/** Boxes that only touch do not meet. */
function meet(a: Box, b: Box): boolean {
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}
