import { afterEach, describe, expect, test } from "vitest";
import { civilLater } from "../../src/base/civilDate.ts";
import { setClockView } from "../../src/base/clockView.ts";
import { clockText, NBSP } from "../../src/base/format.ts";
import { readClock } from "../../src/store/clockEntry.ts";
import { chooseClock, clockFor, offsetText } from "../../src/store/clockShown.ts";
import { useApp } from "../../src/store/store.ts";
import { mustRead, small } from "../scenario/scenarios.ts";

const START = "2002-07-28T08:04:05";
const HOUR = 3_600_000;
const log = mustRead({ ...small, calendarStart: START, calendarUtcOffsetMin: -480 });
const unplaced = mustRead({ ...small, calendarStart: START });
const counted = mustRead(small);

const textOf = (atMs: number, start: string) => clockText(atMs, start).replaceAll(NBSP, " ");

afterEach(() => setClockView(null));

describe("a log whose zone is known", () => {
  test("is shown by its own clock, in UTC, or by days", () => {
    useApp.setState({ scenario: log });
    chooseClock("own");
    expect(textOf(HOUR, START)).toBe("Sun 28 Jul 09:04");
    chooseClock("utc");
    expect(textOf(HOUR, START)).toBe("Sun 28 Jul 17:04");
    expect(textOf(8 * HOUR, START)).toBe("Mon 29 Jul 00:04");
    chooseClock("days");
    expect(textOf(HOUR, START)).toBe("Day 1 01:00");
  });

  test("has times typed as they are shown", () => {
    useApp.setState({ scenario: log });
    chooseClock("utc");
    expect(readClock("17:04:05", 0, START)).toBe(HOUR);
    expect(readClock("2002-07-29 00:04:05", 0, START)).toBe(8 * HOUR);
    chooseClock("days");
    expect(readClock("Day 2 01:00", 0, START)).toBe(25 * HOUR);
  });
});

test("where nobody knows the zone, UTC and the reader’s are the scenario’s own: nothing untrue is shown", () => {
  expect(clockFor(unplaced, "utc")).toBe("own");
  expect(clockFor(unplaced, "reader")).toBe("own");
  expect(clockFor(unplaced, "days")).toBe("days");
  expect(clockFor(counted, "utc")).toBe("days");
  expect(clockFor(log, "reader")).toBe("reader");
  useApp.setState({ scenario: unplaced });
  chooseClock("utc");
  expect(textOf(HOUR, START)).toBe("Sun 28 Jul 09:04");
});

test("offsets are written as people write them", () => {
  expect([0, 60, -210, 345].map(offsetText)).toEqual(["UTC", "UTC+1", "UTC−3:30", "UTC+5:45"]);
});

test("a calendar is later across days, months and years", () => {
  expect(civilLater("2026-12-31T23:30:10", 45)).toBe("2027-01-01T00:15:10");
  expect(civilLater("2028-03-01T00:10:00", -20)).toBe("2028-02-29T23:50:00");
  expect(civilLater(START, 0)).toBe(START);
});
