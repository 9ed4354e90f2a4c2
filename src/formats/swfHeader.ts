/**
 * The header of an SWF file: `; Key: value` lines, keys that may repeat, values that may carry a tail (`MaxProcs: 1664 (72,
 * 1368, 224)`), free text over several lines. Only the first value of a key counts.
 */
export interface SwfHeader {
  readonly values: ReadonlyMap<string, string>;
  readonly processors: number | null;
  readonly nodes: number | null;
  readonly unixStartSec: number | null;
  /** Seconds east of UTC, where the header gives them. */
  readonly zoneSec: number | null;
}

/** Reads header lines without their leading `;`. What is missing or no number is null; nothing here fails. O(lines). */
export function readSwfHeader(lines: readonly string[]): SwfHeader {
  const values = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const key = line.slice(0, colon).trim();
    if (!values.has(key)) values.set(key, line.slice(colon + 1).trim());
  }
  return {
    values,
    processors: positive(values.get("MaxProcs")),
    nodes: positive(values.get("MaxNodes")),
    unixStartSec: leadingInteger(values.get("UnixStartTime")),
    zoneSec: leadingInteger(values.get("TimeZone")),
  };
}

function leadingInteger(value: string | undefined): number | null {
  const match = /^[+-]?\d{1,15}/.exec(value ?? "");
  return match === null ? null : Number(match[0]);
}

function positive(value: string | undefined): number | null {
  const number = leadingInteger(value);
  return number !== null && number > 0 ? number : null;
}
