import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  circledNumber,
  clockNear,
  clockParts,
  clockText,
  countText,
  dateText,
  durationText,
  numberText,
  signedText,
} from "../../src/base/format.ts";

const plain = (text: string) => text.replaceAll("\u00a0", " ").replaceAll("\u202f", " ");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("durations", () => {
  test.each([
    [0, "0 m"],
    [412, "412 ms"],
    [8_400, "8.4 s"],
    [59_990, "59.9 s"],
    [3.8 * MINUTE, "3.8 m"],
    [9.97 * MINUTE, "10 m"],
    [28 * MINUTE, "28 m"],
    [59.7 * MINUTE, "1 h"],
    [88 * MINUTE, "1 h 28 m"],
    [5 * HOUR + 4 * MINUTE, "5 h 04 m"],
    [23 * HOUR + 59.6 * MINUTE, "1 d"],
    [52 * HOUR, "2 d 4 h"],
    [-28 * MINUTE, "−28 m"],
    [Number.POSITIVE_INFINITY, "no end"],
  ])("%d ms reads %s", (ms, text) => {
    expect(plain(durationText(ms))).toBe(text);
  });

  test("a duration never breaks between its number and its unit", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), (ms) => {
        expect(durationText(ms)).not.toContain(" ");
      }),
    );
  });
});

describe("numbers", () => {
  test("thousands are grouped from five digits on, with a true minus", () => {
    expect(plain(numberText(1_264))).toBe("1264");
    expect(plain(numberText(1_000_000))).toBe("1 000 000");
    expect(plain(numberText(-12_345.67, 1))).toBe("−12 345.7");
  });

  test("what rounds to nothing has no minus", () => {
    expect(numberText(-0.04, 1)).toBe("0.0");
    expect(signedText(-0.04, 1)).toBe("±0.0");
  });

  test("a difference always carries its sign", () => {
    expect(signedText(8)).toBe("+8");
    expect(signedText(-9.7, 1)).toBe("−9.7");
    expect(signedText(0)).toBe("±0");
  });

  test("one is singular, all else plural", () => {
    expect(plain(countText(1, "job"))).toBe("1 job");
    expect(plain(countText(0, "job"))).toBe("0 jobs");
  });

  test("changes are numbered as the flags are, also past twenty", () => {
    expect([circledNumber(1), circledNumber(20), circledNumber(21)]).toEqual(["①", "⑳", "(21)"]);
  });
});

describe("the clock", () => {
  test("without a calendar the first day is day 1", () => {
    expect(plain(clockText(0))).toBe("Day 1 00:00");
    expect(plain(clockText(24 * HOUR + 19 * HOUR + 10 * MINUTE))).toBe("Day 2 19:10");
  });

  test("the calendar's midnight turns the day, not the run's 24 hours", () => {
    expect(plain(clockText(2 * HOUR, "2024-02-28T23:00:00"))).toBe("Thu 29 Feb 01:00");
    expect(plain(clockText(26 * HOUR, "2024-02-28T23:00:00"))).toBe("Fri 1 Mar 01:00");
  });

  test("a log of several years names the year from the second on; long axes leave the weekday out", () => {
    const start = "1998-04-30T00:00:00";
    expect(plain(clockText(245 * 24 * HOUR, start))).toBe("Thu 31 Dec 00:00");
    expect(plain(clockText(246 * 24 * HOUR, start))).toBe("Fri 1 Jan 1999 00:00");
    expect(plain(dateText(clockParts(246 * 24 * HOUR, start).day))).toBe("1 Jan 1999");
    expect(plain(dateText(clockParts(0).day))).toBe("Day 1");
  });

  test("a time on the same day is written without the day", () => {
    expect(clockNear(21.5 * HOUR, 19 * HOUR)).toBe("21:30");
    expect(plain(clockNear(26 * HOUR, 19 * HOUR))).toBe("Day 2 02:00");
  });

  test("the calendar agrees with the platform's over 400 years", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 146_097 }), (days) => {
        const date = new Date(Date.UTC(1900, 0, 1) + days * 86_400_000);
        const [weekday, day, month, year] = plain(
          clockText(days * 86_400_000, "1900-01-01T00:00:00"),
        ).split(" ");
        expect(Number(day)).toBe(date.getUTCDate());
        expect(month).toBe(date.toUTCString().split(" ")[2]);
        expect(weekday).toBe(date.toUTCString().slice(0, 3));
        if (date.getUTCFullYear() > 1900) expect(Number(year)).toBe(date.getUTCFullYear());
      }),
    );
  });
});
