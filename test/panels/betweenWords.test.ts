import { expect, test } from "vitest";
import { betweenWords } from "../../src/panels/inspector/story/betweenWords.ts";

const run = {
  run: 1,
  startMs: 10,
  endMs: 20,
  devices: 1,
  endState: 0,
  startReason: 0,
  stopReason: 0,
};

test("a replica that has not run is held back, one that has is between two runs", () => {
  expect(betweenWords({ runs: [run] }, 5).lead).toBe("Held back: it has not run yet.");
  expect(betweenWords({ runs: [run] }, 30).lead).toBe("Between two runs.");
});
