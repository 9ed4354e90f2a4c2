/** Values of curves in words, by what they are. */
import { amountText, durationText, NBSP, numberText, signedText } from "../../base/format.ts";
import type { CurveUnit } from "../../timeline/curves/curve.ts";

/** Money below this has cents. */
const CENTS_BELOW = 1_000;

export function curveText(unit: CurveUnit, value: number): string {
  if (Number.isNaN(value)) return "–";
  switch (unit) {
    case "duration":
      return durationText(value);
    case "share":
      return `${numberText(value * 100)}${NBSP}%`;
    case "money":
      return numberText(value, value < CENTS_BELOW ? 2 : 0);
    case "ratio":
    case "rate":
      return numberText(value, 2);
    case "devices":
      // Shares and slices are parts of one.
      return amountText(value);
    default:
      // A mean of counts has a part after the point.
      return numberText(value, Number.isInteger(value) ? 0 : 1);
  }
}

/** A difference with its sign. */
export function changeText(unit: CurveUnit, by: number): string {
  if (Number.isNaN(by)) return "";
  if (by === 0) return "±0";
  if (unit === "devices") return amountText(by, true);
  if (unit === "jobs" || unit === "events") return signedText(by, Number.isInteger(by) ? 0 : 1);
  const text = curveText(unit, by);
  return by > 0 ? `+${text}` : text;
}

/** What a line adds up to over time, for a table. */
export function totalText(unit: CurveUnit, total: number, deviceWord: string): string {
  if (Number.isNaN(total)) return "";
  if (unit === "devices") return `${numberText(total, 1)} ${deviceWord}-hours`;
  if (unit === "events") return numberText(total);
  return curveText(unit, total);
}
