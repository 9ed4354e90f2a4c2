import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { queueingSystems, waitInterval } from "../../bench/studies/queueing.ts";

const golden = JSON.parse(readFileSync("test/truth/theory/golden-queueing.json", "utf8"));
const systems = queueingSystems(golden).filter(({ name }) =>
  [
    "M/M/8, load 0.8",
    "M/G/1, load 0.6, cv² 0",
    "2x(1,2), 0.5 of its limit",
    "8x(1,8), 0.5 of its limit",
    "1 and 4 of 4 at 1.2 and 0.2, smallest first: wait of 4",
    "1 and 4 of 4 at 1.2 and 0.2, largest first: wait of 1",
  ].includes(name),
);

test("the systems asked for are in the recorded values", () => {
  expect(systems).toHaveLength(6);
});

test.each(systems)("$name waits as long as theory says", (system) => {
  const { mean, halfWidth } = waitInterval({ ...system, jobs: 12_000 }, 12);
  // Twice the interval of 95 %: six systems, and none may fail by chance when something else shifts the draws.
  expect(Math.abs(mean - system.exact)).toBeLessThanOrEqual(2 * halfWidth);
  // An interval that holds everything would prove nothing.
  expect(2 * halfWidth).toBeLessThan(system.exact / 2);
});
