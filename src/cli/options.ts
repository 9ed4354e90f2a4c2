/** Values of options: durations, counts. A wrong one is a wrong call and says what would be right. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../model/units.ts";
import { wrongCall } from "./fail.ts";

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};

/** `90s`, `1.5h`, `2d12h`, `3600` (seconds) → whole milliseconds. */
export function durationMs(option: string, text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g)];
  const plain = /^\d+(\.\d+)?$/.test(text);
  const whole = parts.map((part) => part[0]).join("");
  if (!plain && (parts.length === 0 || whole !== text)) {
    throw wrongCall(
      `${option} is "${text}"; it must be a duration such as 90s, 30m, 12h or 2d12h (a plain number counts seconds)`,
    );
  }
  const ms = plain
    ? Number(text) * SECOND_MS
    : parts.reduce((sum, part) => sum + Number(part[1]) * (UNIT_MS[part[2] ?? ""] ?? 0), 0);
  return Math.round(ms);
}

/** A whole number of at least `least`. */
export function wholeNumber(option: string, text: string, least: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
  throw wrongCall(`${option} is "${text}"; it must be a whole number, at least ${least}`);
}
