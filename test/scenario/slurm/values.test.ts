/** The forms of values in Slurm's files. */
import { describe, expect, test } from "vitest";
import {
  memoryMiB,
  timeInMinutesMs,
  timeMs,
  tresAmounts,
  wholeNumber,
  yesNo,
} from "../../../src/scenario/slurm/values.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe("a time", () => {
  test.each([
    ["10", 10 * MINUTE],
    ["10:30", 10 * MINUTE + 30 * SECOND],
    ["1:02:03", HOUR + 2 * MINUTE + 3 * SECOND],
    ["7-0", 7 * DAY],
    ["1-2:3", DAY + 2 * HOUR + 3 * MINUTE],
    ["1-02:03:04", DAY + 2 * HOUR + 3 * MINUTE + 4 * SECOND],
    ["72:00:00", 3 * DAY],
    ["INFINITE", Number.POSITIVE_INFINITY],
    ["unlimited", Number.POSITIVE_INFINITY],
    ["-1", Number.POSITIVE_INFINITY],
  ])("%s", (text, ms) => {
    expect(timeMs(text)).toEqual({ ok: true, value: ms });
  });

  test.each(["", "x", "1:2:3:4", "1-", "-5", "1.5", "99999999999"])("is not %j", (text) => {
    expect(timeMs(text).ok).toBe(false);
  });

  test("kept in minutes is rounded up", () => {
    expect(timeInMinutesMs("0:30")).toEqual({ ok: true, value: MINUTE });
    expect(timeInMinutesMs("2:00")).toEqual({ ok: true, value: 2 * MINUTE });
  });
});

describe("amounts of TRES", () => {
  test("are named in lower case, memory in MiB", () => {
    expect(tresAmounts("CPU=4,Mem=2G,GRES/gpu:a100=8,node=1", false)).toEqual({
      ok: true,
      value: { cpu: 4, mem: 2_048, "gres/gpu:a100": 8, node: 1 },
    });
  });

  test("as weights may be fractions; a suffix says for how much memory", () => {
    expect(tresAmounts("CPU=1.0,Mem=0.25G,GRES/gpu=2.5", true)).toEqual({
      ok: true,
      value: { cpu: 1, mem: 0.25 / 1_024, "gres/gpu": 2.5 },
    });
    expect(tresAmounts("Mem=.03", true)).toEqual({ ok: true, value: { mem: 0.03 } });
  });

  test.each(["cpu", "cpu=x", "=4", "cpu=-2", "gres/gpu 4"])("are not %j", (text) => {
    expect(tresAmounts(text, false).ok).toBe(false);
  });
});

test("memory takes K, M, G and T", () => {
  expect(["2000", "3M", "1G", "1T", "1025K"].map((text) => memoryMiB(text))).toEqual(
    [2_000, 3, 1_024, 1_048_576, 2].map((value) => ({ ok: true, value })),
  );
  expect(memoryMiB("much").ok).toBe(false);
});

test("a whole number has its range, a switch its words", () => {
  expect(wholeNumber("12", 0, 12)).toEqual({ ok: true, value: 12 });
  for (const wrong of ["13", "-1", "1.5", "", "1e3", "0x4"])
    expect(wholeNumber(wrong, 0, 12).ok).toBe(false);
  expect([yesNo("YES"), yesNo("0")]).toEqual([
    { ok: true, value: true },
    { ok: true, value: false },
  ]);
  expect(yesNo("maybe").ok).toBe(false);
});
