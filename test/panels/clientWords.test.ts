import { describe, expect, test } from "vitest";
import { clientWords } from "../../src/panels/inspector/story/clientWords.ts";
import type { JobStory } from "../../src/timeline/jobStory.ts";

const SECOND = 1_000;
/** Waits from 10 s, runs from 40 s on four devices and from 50 s on eight, ends at 100 s. */
const story = {
  waits: [{ fromMs: 10 * SECOND, toMs: 40 * SECOND }],
  runs: [{ startMs: 40 * SECOND, endMs: 100 * SECOND }],
  rects: [
    { device: 0, deviceCount: 4, startMs: 40 * SECOND, endMs: 100 * SECOND },
    { device: 4, deviceCount: 4, startMs: 50 * SECOND, endMs: 100 * SECOND },
  ],
  decisions: [],
  left: null,
} as unknown as JobStory;

const seen = (atSec: number, delaySec: number) =>
  clientWords(story, atSec * SECOND, 10 * SECOND, delaySec * SECOND)?.replaceAll("\u00a0", " ") ??
  null;

describe("what a client sees of a job under a watch delay", () => {
  test("is the job as it was so long ago", () => {
    expect(seen(12, 5)).toMatch(/ 5 s late does not see it yet\.$/);
    expect(seen(42, 5)).toMatch(/still sees it waiting\.$/);
    expect(seen(103, 5)).toMatch(/still sees it running\.$/);
  });
  test("pods that were bound meanwhile are not there for it", () =>
    expect(seen(52, 5)).toMatch(/still sees it with 4 devices\.$/));
  test("is the truth once the news are there, and without delay", () => {
    expect(seen(46, 5)).toBeNull();
    expect(seen(42, 0)).toBeNull();
  });
});
