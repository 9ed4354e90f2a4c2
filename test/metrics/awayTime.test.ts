/** Rented nodes that are away while jobs wait, on runs small enough for a pencil. */
import { expect, test } from "vitest";
import { AwayTime } from "../../src/metrics/awayTime.ts";

test("devices of a rented node count as away only for as long as somebody waits", () => {
  const away = new AwayTime();
  away.waits(10, 20);
  away.waits(20, 30);
  away.waits(50, 60);
  away.add([{ startMs: 0, endMs: 15, devices: 8 }]);
  away.add([{ startMs: 25, endMs: Number.POSITIVE_INFINITY, devices: 4 }]);
  expect(away.whileWaiting(1_000)).toBe(8 * 5 + 4 * (5 + 10));
  expect(away.whileWaiting(28)).toBe(8 * 5 + 4 * 3);
});

test("nobody waits, so nothing is away in vain", () => {
  const away = new AwayTime();
  away.add([{ startMs: 0, endMs: 100, devices: 8 }]);
  expect(away.whileWaiting(1_000)).toBe(0);
});
