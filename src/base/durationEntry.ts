/**
 * Durations as people type them in forms: "15 min", "1h 30m", "2 d", "250 ms". Unlike `durationText`, which rounds for reading, nothing
 * is lost on the way to text and back. A number without a unit is refused, because forms of other tools read it in as many ways.
 */
const UNITS: readonly (readonly [string, number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
];
const SECOND = 1_000;

const FACTORS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|msecs?|milliseconds?)$/, 1],
  [/^(?:s|secs?|seconds?)$/, SECOND],
  [/^(?:m|mins?|minutes?)$/, 60_000],
  [/^(?:h|hrs?|hours?)$/, 3_600_000],
  [/^(?:d|days?)$/, 86_400_000],
  [/^(?:w|weeks?)$/, 7 * 86_400_000],
];

/** Milliseconds as text that `readDuration` reads back to the same number; "0 s" for none. O(1). */
export function durationEntry(ms: number): string {
  if (ms === 0) return "0 s";
  if (ms < 0) return `-${durationEntry(-ms)}`;
  if (ms < SECOND) return `${ms} ms`;
  let rest = ms;
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const whole = Math.floor(rest / size);
    if (whole === 0) continue;
    parts.push(`${whole} ${unit}`);
    rest -= whole * size;
  }
  if (rest > 0) parts.push(`${rest / SECOND} s`);
  return parts.join(" ");
}

/** Milliseconds of what was typed, whole where the text is; `null` where it is no duration. O(text). */
export function readDuration(text: string): number | null {
  const plain = text
    .trim()
    .toLowerCase()
    .replaceAll("\u00a0", " ")
    .replace(/^\u2212/, "-");
  const sign = plain.startsWith("-") ? -1 : 1;
  const body = plain.replace(/^[-+]\s*/, "").replace(/(\d),(\d)/g, "$1.$2");
  if (/^0+(?:\.0*)?$/.test(body)) return 0;
  if (!/^(?:\d+(?:\.\d+)?\s*[a-z]+\s*)+$/.test(body)) return null;
  let sum = 0;
  for (const [, digits = "", unit = ""] of body.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/g)) {
    const factor = FACTORS.find(([names]) => names.test(unit))?.[1];
    if (factor === undefined) return null;
    sum += Number(digits) * factor;
  }
  const whole = Math.round(sum);
  return sign * (Math.abs(sum - whole) < 1e-6 ? whole : sum);
}
